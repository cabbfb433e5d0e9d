// Under a failing answer: what is wrong, photos of it, and the audit that will be created.
import { Button, Input, Textarea } from '@mantine/core';
import { Camera, TriangleAlert } from 'lucide-react';
import { useRef, useState } from 'react';
import type { Section } from '#shared/checklists.ts';
import { limits } from '#shared/choices.ts';
import { describePlannedAudit } from '#shared/failing-answers.ts';
import { previewUrl } from '#shared/uploads.ts';
import { newUuid } from '../newUuid.ts';
import { isPhoto, preparePhoto } from '../photos/preparePhoto.ts';
import { uploadImage } from '../photos/uploadImage.ts';
import styles from './FailureFields.module.css';
import type { Failure } from './failures.ts';

type FailureFieldsProps = {
  section: Section;
  failure: Failure;
  noteError: string | undefined;
  photoError: string | undefined;
  onChange: (change: (failure: Failure) => Failure) => void;
};

export function FailureFields({ section, failure, noteError, photoError, onChange }: FailureFieldsProps) {
  const planned = describePlannedAudit(section);
  return (
    <fieldset className={styles.failure} aria-label={`Failing: ${section.title}`}>
      <p className={styles.failing}>
        <TriangleAlert aria-hidden size={18} />
        This answer is failing.{planned && ` ${planned}.`}
      </p>
      <Textarea
        label="What is wrong?"
        required
        rows={2}
        maxLength={2000}
        value={failure.note}
        error={noteError}
        onChange={(event) => {
          const note = event.currentTarget.value;
          onChange((failure) => ({ ...failure, note }));
        }}
      />
      <FailurePhotos section={section} failure={failure} error={photoError} onChange={onChange} />
    </fieldset>
  );
}

/** Photos are sent as soon as they are added, so that they need no room in the browser's draft. */
function FailurePhotos({
  section,
  failure,
  error,
  onChange,
}: Pick<FailureFieldsProps, 'section' | 'failure' | 'onChange'> & { error: string | undefined }) {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');
  const input = useRef<HTMLInputElement>(null);
  const isRequired = section.onFail?.photo === 'required';
  const room = limits.photos - failure.mediaFiles.length;

  async function add(files: File[]) {
    setBusy(true);
    setProblem('');
    for (const file of files.filter(isPhoto).slice(0, room))
      try {
        const { file: prepared, name } = await preparePhoto(file, 'audit');
        const { filePath } = await uploadImage(prepared, 'photo', newUuid());
        onChange((failure) => ({ ...failure, mediaFiles: [...failure.mediaFiles, { path: filePath, name }] }));
      } catch (error) {
        setProblem((error as Error).message || 'The photo could not be sent. Add it when you are back online.');
      }
    setBusy(false);
  }

  return (
    <div className={styles.photos}>
      <Input.Label labelElement="div" required={isRequired}>
        Photos
      </Input.Label>
      {failure.mediaFiles.length > 0 && (
        <ul className={styles.list}>
          {failure.mediaFiles.map(({ path, name }, index) => (
            <li key={path}>
              <img src={previewUrl(path)} alt={`${index + 1}, ${name}`} width="96" height="72" />
              <Button
                variant="subtle"
                size="compact-md"
                aria-label={`Remove photo ${index + 1}, ${name}`}
                onClick={() => {
                  input.current?.focus();
                  onChange((failure) => ({
                    ...failure,
                    mediaFiles: failure.mediaFiles.filter((file) => file.path !== path),
                  }));
                }}
              >
                Remove
              </Button>
            </li>
          ))}
        </ul>
      )}
      <label className={styles.add} data-busy={isBusy || undefined}>
        <Camera aria-hidden size={20} />
        {isBusy ? 'Sending the photo...' : 'Add Photo'}
        <input
          ref={input}
          type="file"
          accept="image/*,.heic,.heif"
          multiple
          disabled={isBusy || room <= 0}
          aria-label={`Add photo: ${section.title}`}
          aria-invalid={Boolean(error)}
          onChange={(event) => {
            void add([...(event.currentTarget.files ?? [])]);
            event.currentTarget.value = '';
          }}
        />
      </label>
      {(problem || error) && <Input.Error role="alert">{problem || error}</Input.Error>}
    </div>
  );
}
