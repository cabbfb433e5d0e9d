// Below an answer: a note and photos; for a failing one also the audit that will be created. Photos are the answer to a
// question of type `photo`.
import { Button, Input, Textarea } from '@mantine/core';
import { Camera, TriangleAlert } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { Section } from '#shared/checklists.ts';
import { limits, textLimits } from '#shared/choices.ts';
import { describePlannedAudit } from '#shared/failing-answers.ts';
import type { OutboxItem } from '../outbox/items.ts';
import { CutOffNote } from '../photos/CutOffNote.tsx';
import { PhotoInput } from '../photos/PhotoInput.tsx';
import { describeLeftOut, preparePhotos, usePreparation } from '../photos/preparing.ts';
import { useIsCutOff } from '../photos/useIsCutOff.ts';
import { useObjectUrl } from '../photos/useObjectUrl.ts';
import { usePastedPhotos } from '../photos/usePastedPhotos.ts';
import { createLimitMessage } from '../photos/usePreparedPhotos.ts';
import { AuditChoice } from './AuditChoice.tsx';
import styles from './FailureFields.module.css';
import type { Failure, FailurePhoto } from './failures.ts';
import { storeFailurePhoto } from './storeFailurePhoto.ts';
import { findFailurePhoto } from './submittedChecklist.ts';

type FailureFieldsProps = {
  section: Section;
  kind: 'failing' | 'note' | 'photo';
  failure: Failure;
  /** Whether the user has just opened it. */
  isOpened: boolean;
  /** The park of the audit; '' until it is chosen. */
  park: string;
  dateError: string | undefined;
  noteError: string | undefined;
  photoError: string | undefined;
  /** The name under which the photos are prepared. */
  form: string;
  /** The outbox item with these photos, if they were submitted. */
  submitted: OutboxItem | undefined;
  onChange: (change: (failure: Failure) => Failure) => void;
};

export function FailureFields(props: FailureFieldsProps) {
  const { section, kind, failure, isOpened, noteError, photoError, onChange } = props;
  const note = useRef<HTMLTextAreaElement>(null);
  // The button that had the focus is gone.
  useEffect(() => {
    if (isOpened) note.current?.focus();
  }, [isOpened]);
  const isFailing = kind === 'failing';
  const rule = isFailing ? section.onFail?.audit : undefined;
  if (kind === 'photo') return <FailurePhotos {...props} error={photoError} />;
  return (
    <fieldset
      className={styles.failure}
      data-failing={isFailing || undefined}
      aria-label={`${isFailing ? 'Failing' : 'Note'}: ${section.title}`}
    >
      {isFailing && <FailingLine section={section} />}
      {rule && <AuditChoice {...props} title={section.title} rule={rule} />}
      <Textarea
        ref={note}
        label={isFailing ? 'What is wrong?' : 'Note'}
        required={isFailing}
        rows={2}
        maxLength={textLimits.note}
        value={failure.note}
        error={noteError}
        onChange={(event) => {
          const note = event.currentTarget.value;
          onChange((failure) => ({ ...failure, note }));
        }}
      />
      <FailurePhotos {...props} error={photoError} />
    </fieldset>
  );
}

const FailingLine = ({ section }: Pick<FailureFieldsProps, 'section'>) => (
  <p className={styles.failing}>
    <TriangleAlert aria-hidden size={18} />
    This answer is failing. {describePlannedAudit(section) || 'No audit is created'}.
  </p>
);

/** What a failing answer asks for, to try out. */
export const FailurePreview = ({ section }: Pick<FailureFieldsProps, 'section'>) => (
  <fieldset className={styles.failure} data-failing aria-label={`Failing: ${section.title}`}>
    <FailingLine section={section} />
    <Textarea label="What is wrong?" required rows={2} maxLength={textLimits.note} />
    <p>{section.onFail?.photo === 'required' ? 'A photo must be added.' : 'Photos can be added.'}</p>
  </fieldset>
);

/** Adds and removes photos, which stay on this device until they are sent with the checklist. */
function FailurePhotos({
  section,
  kind,
  failure,
  error,
  form,
  submitted,
  onChange,
}: FailureFieldsProps & { error: string | undefined }) {
  const { pendingCount, problems, leftOut } = usePreparation<FailurePhoto>(form, (photos) =>
    onChange((failure) => ({ ...failure, mediaFiles: [...failure.mediaFiles, ...photos] })),
  );
  const isBusy = pendingCount > 0;
  const messages = [...problems, describeLeftOut(leftOut)].filter(Boolean);
  const area = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const isQuestion = kind === 'photo';
  const isRequired = isQuestion ? section.required : kind === 'failing' && section.onFail?.photo === 'required';
  const photosLeft = limits.photos - failure.mediaFiles.length;

  function add(files: File[]) {
    void preparePhotos(form, files, {
      room: photosLeft,
      describeLimit: (count) => createLimitMessage(limits.photos, count),
      isStrict: false,
      prepare: storeFailurePhoto,
    });
  }

  usePastedPhotos(area, add);

  return (
    <div ref={area} className={styles.photos}>
      <Input.Label labelElement="div" required={isRequired}>
        {isQuestion ? section.title : 'Photos'}
      </Input.Label>
      {isQuestion && section.help && <Input.Description className={styles.help}>{section.help}</Input.Description>}
      {failure.mediaFiles.length > 0 && (
        <ul className={styles.list}>
          {failure.mediaFiles.map((photo, index) => (
            <li key={photo.id}>
              <FailurePhotoImage photo={photo} alt={`${index + 1}, ${photo.name}`} submitted={submitted} />
              <Button
                variant="subtle"
                size="compact-md"
                aria-label={`Remove photo ${index + 1}, ${photo.name}`}
                onClick={() => {
                  input.current?.focus();
                  onChange((failure) => ({
                    ...failure,
                    mediaFiles: failure.mediaFiles.filter((file) => file !== photo),
                  }));
                }}
              >
                Remove
              </Button>
            </li>
          ))}
        </ul>
      )}
      <PhotoInput
        ref={input}
        multiple
        disabled={isBusy || photosLeft <= 0}
        aria-label={`Add Photo: ${section.title}`}
        aria-invalid={Boolean(error)}
        onFiles={add}
      >
        <Camera aria-hidden size={20} />
        {isBusy ? 'Preparing the photo...' : 'Add Photo'}
      </PhotoInput>
      {[...messages, ...(error ? [error] : [])].map((message) => (
        <Input.Error key={message} role="alert">
          {message}
        </Input.Error>
      ))}
    </div>
  );
}

function FailurePhotoImage({
  photo,
  alt,
  submitted,
}: {
  photo: FailurePhoto;
  alt: string;
  submitted: OutboxItem | undefined;
}) {
  // Undefined while the photo is read; `lost` if this device no longer has it.
  const [file, setFile] = useState<File | 'lost'>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the files of an item never change
  useEffect(() => {
    void findFailurePhoto(photo.id, submitted).then((found) => setFile(found ?? 'lost'));
  }, [photo.id, submitted?.id]);
  const shown = file === 'lost' ? undefined : file;
  const url = useObjectUrl(shown);
  const isCutOff = useIsCutOff(shown);
  if (file === 'lost') return <p className={styles.lost}>{photo.name} is no longer on this device</p>;
  return (
    <>
      <img src={url} alt={alt} width="96" height="72" />
      {isCutOff && <CutOffNote isNew={!submitted} />}
    </>
  );
}
