import { Box, Button } from '@mantine/core';
import { ImagePlus } from 'lucide-react';
import { useRef, useState } from 'react';
import { previewUrl } from '#shared/uploads.ts';
import { PhotoInput } from '../../photos/PhotoInput.tsx';
import { isPhoto, makeThumbnail } from '../../photos/preparePhoto.ts';
import { useObjectUrl } from '../../photos/useObjectUrl.ts';
import { usePastedPhotos } from '../../photos/usePastedPhotos.ts';
import { FieldGroup } from '../../ui/forms/FieldGroup.tsx';
import styles from './ThumbnailField.module.css';

type ThumbnailFieldProps = {
  /** A new image, the path of the current one, or none. */
  value: File | string | undefined;
  onChange: (value: File | undefined) => void;
  onBusyChange: (busy: boolean) => void;
};

/** A folder's thumbnail: chosen, resized to WebP in the browser, shown, and removable. */
export function ThumbnailField({ value, onChange, onBusyChange }: ThumbnailFieldProps) {
  const fileInput = useRef<HTMLInputElement>(null);
  const lastChoice = useRef(0);
  const [error, setError] = useState('');
  const objectUrl = useObjectUrl(value instanceof File ? value : undefined);
  const shownUrl = typeof value === 'string' ? previewUrl(value) : objectUrl;

  const chooseImage = async (file: File | undefined) => {
    if (!file) return;
    const choice = ++lastChoice.current;
    setError('');
    onBusyChange(true);
    const thumbnail = (await isPhoto(file))
      ? await makeThumbnail(file).catch((error: Error) => error)
      : new Error('Only image files are supported');
    // Another image may have been chosen, or this one removed.
    if (choice !== lastChoice.current) return;
    if (thumbnail instanceof Error) setError(thumbnail.message);
    else onChange(thumbnail);
    onBusyChange(false);
  };

  const field = useRef<HTMLDivElement>(null);
  usePastedPhotos(field, ([file]) => void chooseImage(file));

  return (
    <FieldGroup label="Thumbnail" error={error} errorProps={{ role: 'alert' }}>
      {({ describedBy }) => (
        <Box ref={field} className="wrap line" mt="0.25rem">
          {shownUrl && <img src={shownUrl} alt="The folder's thumbnail" className={styles.picture} />}
          <PhotoInput ref={fileInput} aria-describedby={describedBy} onFiles={([file]) => void chooseImage(file)}>
            <ImagePlus aria-hidden size={20} />
            {value ? 'Choose Another Image' : 'Choose an Image'}
          </PhotoInput>
          {value && (
            <Button
              variant="subtle"
              onClick={() => {
                lastChoice.current += 1;
                onBusyChange(false);
                onChange(undefined);
                fileInput.current?.focus();
              }}
            >
              Remove Image
            </Button>
          )}
        </Box>
      )}
    </FieldGroup>
  );
}
