// Photos of a section: those that are stored, which can be taken out, and new ones.
import { Button } from '@mantine/core';
import { previewUrl, type StoredMediaFile } from '#shared/uploads.ts';
import { PhotoField } from '../photos/PhotoField.tsx';
import type { PreparedPhoto } from '../photos/preparePhoto.ts';
import styles from './investigations.module.css';

type Photos = { photos: StoredMediaFile[]; added: PreparedPhoto[] };
type SectionPhotosProps = Photos & {
  label: string;
  /** The name under which photos are prepared. */
  form: string;
  error: string | undefined;
  onChange: (changes: Partial<Photos>) => void;
};

export const SectionPhotos = ({ label, form, photos, added, error, onChange }: SectionPhotosProps) => (
  <>
    {photos.length > 0 && (
      <ul className={styles.photos} aria-label={`${label}, saved`}>
        {photos.map(({ path, name }) => (
          <li key={path}>
            <a href={path} target="_blank" rel="noreferrer">
              <img src={previewUrl(path)} alt={name || 'Photo'} width="96" height="72" />
            </a>
            <Button
              variant="subtle"
              size="compact-md"
              aria-label={`Remove ${name || 'photo'}`}
              onClick={() => onChange({ photos: photos.filter((other) => other.path !== path) })}
            >
              Remove
            </Button>
          </li>
        ))}
      </ul>
    )}
    <PhotoField
      label={label}
      use="audit"
      form={form}
      value={added}
      error={error}
      onChange={(photos) => onChange({ added: photos })}
    />
  </>
);
