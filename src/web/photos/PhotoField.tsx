// Adds photos: taken or chosen, prepared at once, shown, and removable until submitted.
import { Input, Loader, VisuallyHidden } from '@mantine/core';
import { Camera, ImagePlus } from 'lucide-react';
import { type DragEvent, useEffect, useId, useMemo, useRef, useState } from 'react';
import { limits } from '#shared/choices.ts';
import { FieldGroup } from '../ui/forms/FieldGroup.tsx';
import { acceptedPhotos } from './heic.ts';
import styles from './PhotoField.module.css';
import { PhotoInput } from './PhotoInput.tsx';
import { PhotoPreview } from './PhotoPreview.tsx';
import type { PreparedPhoto } from './preparePhoto.ts';
import { describeLeftOut } from './preparing.ts';
import { isCutOff } from './useIsCutOff.ts';
import { useObjectUrls } from './useObjectUrl.ts';
import { usePastedPhotos } from './usePastedPhotos.ts';
import { usePreparedPhotos } from './usePreparedPhotos.ts';
import { PhotoViewer } from './viewer/PhotoViewer.tsx';

/** The picker's filter; other files are rejected anyway. */
const acceptedTypes = { report: acceptedPhotos, audit: `${acceptedPhotos},video/*` };

type PhotoFieldProps = {
  label: string;
  value: PreparedPhoto[];
  onChange: (photos: PreparedPhoto[]) => void;
  /** The name under which photos are prepared: a form that is opened again finds them by it. */
  form?: string;
  error?: string | undefined;
  description?: string;
  /** Shown instead of 'No photos added yet.' */
  emptyText?: string;
  required?: boolean;
  disabled?: boolean;
  use?: 'report' | 'audit';
  max?: number;
};

export function PhotoField(props: PhotoFieldProps) {
  const { label, value: photos, error, description, required, disabled, use = 'report', max = limits.photos } = props;
  const { emptyText = 'No photos added yet.' } = props;
  const { add, remove, pendingCount, problems, leftOut } = usePreparedPhotos(props);
  const [isDragging, setDragging] = useState(false);
  const [announcement, setAnnouncement] = useState('');
  const [viewedId, setViewedId] = useState('');
  const fileInput = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const area = useRef<HTMLDivElement>(null);
  const id = useId();
  // -1 once the viewed photo was submitted.
  const viewedIndex = photos.findIndex(({ id }) => id === viewedId);
  const hasMaxPhotos = photos.length + pendingCount >= max;
  const isLocked = Boolean(disabled) || hasMaxPhotos;
  const countId = `${id}-count`;
  const messages = [...problems, describeLeftOut(leftOut)].filter(Boolean);
  const problemsId = messages.length > 0 && `${id}-problems`;

  function addChosenFiles(files: Iterable<File>) {
    setAnnouncement('');
    if (!disabled) add([...files]);
  }

  usePastedPhotos(area, addChosenFiles);

  function dropPhotos(event: DragEvent) {
    event.preventDefault();
    setDragging(false);
    addChosenFiles(event.dataTransfer.files);
  }

  /** The focused button disappears with its photo, so focus its neighbour. */
  function removePhoto(index: number) {
    const photo = photos[index];
    if (!photo) return;
    const buttons = [...(list.current?.querySelectorAll<HTMLElement>(`.${styles.remove}`) ?? [])];
    (buttons[index + 1] ?? buttons[index - 1] ?? fileInput.current)?.focus();
    setAnnouncement(`${photo.name} removed.`);
    remove(photo);
  }

  return (
    <FieldGroup
      className={styles.field ?? ''}
      label={label}
      description={description}
      required={Boolean(required)}
      error={error}
      aria-busy={pendingCount > 0}
    >
      {({ describedBy }) => {
        const input = {
          multiple: true,
          onFiles: addChosenFiles,
          'aria-describedby': [describedBy, countId, problemsId].filter(Boolean).join(' '),
        };
        return (
          <>
            {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is an extra; the inputs inside do the same */}
            <div
              ref={area}
              className={styles.area}
              data-dragging={isDragging || undefined}
              data-error={Boolean(error) || undefined}
              onDragOver={(event) => {
                event.preventDefault();
                if (!isLocked) setDragging(true);
              }}
              onDragLeave={(event) => {
                if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setDragging(false);
              }}
              onDrop={dropPhotos}
            >
              <div className={styles.buttons}>
                <PhotoInput
                  {...input}
                  className={styles.camera}
                  accept="image/*"
                  capture="environment"
                  disabled={isLocked}
                >
                  <Camera size={20} aria-hidden />
                  Take Photo
                </PhotoInput>
                <PhotoInput {...input} ref={fileInput} accept={acceptedTypes[use]} disabled={disabled}>
                  <ImagePlus size={20} aria-hidden />
                  Choose Photos
                </PhotoInput>
                <span className={styles.hint} aria-hidden>
                  {isDragging ? 'Drop to add' : 'or drag photos here'}
                </span>
              </div>

              {(photos.length > 0 || pendingCount > 0) && (
                <ul className={styles.previews} ref={list}>
                  {photos.map((photo, index) => (
                    <PhotoPreview
                      key={photo.id}
                      photo={photo}
                      position={`${index + 1} of ${photos.length}`}
                      disabled={Boolean(disabled)}
                      onView={() => setViewedId(photo.id)}
                      onRemove={() => removePhoto(index)}
                    />
                  ))}
                  {Array.from({ length: pendingCount }, (_, index) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
                    <li key={index} className={styles.placeholder} aria-hidden>
                      <Loader size="sm" />
                    </li>
                  ))}
                </ul>
              )}

              <p id={`${id}-count`} className={styles.count}>
                {photos.length === 0 ? emptyText : describeCount(photos.length, max)}
              </p>
            </div>

            {viewedIndex >= 0 && (
              <PreparedPhotoViewer photos={photos} start={viewedIndex} onClose={() => setViewedId('')} />
            )}

            <VisuallyHidden role="status">{announcement}</VisuallyHidden>
            <div role="alert" id={`${id}-problems`}>
              {messages.map((message) => (
                <Input.Error key={message} className={styles.problem}>
                  {message}
                </Input.Error>
              ))}
            </div>
          </>
        );
      }}
    </FieldGroup>
  );
}

function describeCount(count: number, max: number): string {
  const photos = count === 1 ? '1 photo added' : `${count} photos added`;
  return count >= max ? `${photos}. You cannot add more.` : `${photos}.`;
}

type PreparedPhotoViewerProps = { photos: PreparedPhoto[]; start: number; onClose: () => void };

/** The viewer for photos not yet uploaded, to check whether they are sharp. */
function PreparedPhotoViewer({ photos, start, onClose }: PreparedPhotoViewerProps) {
  const [viewedPhotos] = useState(photos);
  const urls = useObjectUrls(useMemo(() => viewedPhotos.map(({ file }) => file), [viewedPhotos]));
  const [cutOffPhotos, setCutOffPhotos] = useState<boolean[]>([]);
  useEffect(() => {
    void Promise.all(viewedPhotos.map(({ file }) => isCutOff(file))).then(setCutOffPhotos, () => undefined);
  }, [viewedPhotos]);
  if (!urls) return null;
  const viewerPhotos = viewedPhotos.map(({ name }, index) => ({
    src: urls[index] ?? '',
    alt: name,
    cutOff: cutOffPhotos[index],
  }));
  return <PhotoViewer photos={viewerPhotos} start={start} onClose={onClose} />;
}
