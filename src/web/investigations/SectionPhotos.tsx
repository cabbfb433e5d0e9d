// Photos of a section: those that are stored, which can be taken out, and new ones.
import { Button } from '@mantine/core';
import { cutOffText } from '#shared/cut-off.ts';
import { previewUrl } from '#shared/uploads.ts';
import { PhotoField } from '../photos/PhotoField.tsx';
import rows from '../ui/theme/rows.module.css';
import { isAdded, isStored, type SectionPhoto } from './sectionInput.ts';

type SectionPhotosProps = {
  label: string;
  /** The name under which photos are prepared. */
  form: string;
  value: SectionPhoto[];
  error: string | undefined;
  onChange: (photos: SectionPhoto[]) => void;
};

export function SectionPhotos({ value, onChange, ...props }: SectionPhotosProps) {
  const stored = value.filter(isStored);
  return (
    <>
      {stored.length > 0 && (
        <ul className={rows.list} aria-label={`${props.label}, saved`}>
          {stored.map((photo) => (
            <li key={photo.path} className={rows.row}>
              <a href={photo.path} target="_blank" rel="noreferrer">
                <img src={previewUrl(photo.path)} alt={photo.name || 'Photo'} width="96" height="72" />
              </a>
              {photo.cutOff && cutOffText}
              <Button
                variant="subtle"
                aria-label={`Remove ${photo.name || 'photo'}`}
                onClick={() => onChange(value.filter((other) => other !== photo))}
              >
                Remove
              </Button>
            </li>
          ))}
        </ul>
      )}
      <PhotoField
        {...props}
        use="audit"
        value={value.filter(isAdded)}
        onChange={(added) => onChange([...stored, ...added])}
      />
    </>
  );
}
