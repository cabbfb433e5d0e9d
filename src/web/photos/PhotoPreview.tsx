import { X } from 'lucide-react';
import { CutOffNote } from './CutOffNote.tsx';
import styles from './PhotoField.module.css';
import type { PreparedPhoto } from './preparePhoto.ts';
import { useIsCutOff } from './useIsCutOff.ts';
import { useObjectUrl } from './useObjectUrl.ts';
import { PhotoButton } from './viewer/PhotoButton.tsx';

const maxNameLength = 10;

/**
 * Returns the first ten characters of a file name, with an ellipsis if longer; keeps emoji whole.
 */
function shortFileName(name: string): string {
  const letters = [...name];
  return letters.length > maxNameLength ? `${letters.slice(0, maxNameLength).join('')}…` : name;
}

type PhotoPreviewProps = {
  photo: PreparedPhoto;
  /** Such as '2 of 4'. */
  position: string;
  disabled: boolean;
  onView: () => void;
  onRemove: () => void;
};

export function PhotoPreview({ photo, position, disabled, onView, onRemove }: PhotoPreviewProps) {
  const url = useObjectUrl(photo.file);
  const isCutOff = useIsCutOff(photo.file);
  return (
    <li className={styles.preview}>
      <PhotoButton label={`View photo ${position}, ${photo.name}`} src={url} onPress={onView} />
      <button
        type="button"
        className={styles.remove}
        aria-label={`Remove photo ${position}, ${photo.name}`}
        disabled={disabled}
        onClick={onRemove}
      >
        <span className={styles.cross}>
          <X size={18} aria-hidden />
        </span>
      </button>
      <span className={styles.name} title={photo.name}>
        {shortFileName(photo.name)}
      </span>
      {isCutOff && <CutOffNote isNew />}
    </li>
  );
}
