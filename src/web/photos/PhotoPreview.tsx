import { X } from 'lucide-react';
import { shortFileName } from '#shared/images.ts';
import type { PreparedPhoto } from './compress.ts';
import { PhotoButton } from './PhotoButton.tsx';
import classes from './photoField.module.css';
import { useObjectUrl } from './useObjectUrl.ts';

type Props = {
  photo: PreparedPhoto;
  /** Such as '2 of 4'. */
  place: string;
  disabled: boolean;
  onView: () => void;
  onRemove: () => void;
};

export function PhotoPreview({ photo, place, disabled, onView, onRemove }: Props) {
  const url = useObjectUrl(photo.file);
  return (
    <li className={classes.preview}>
      <PhotoButton label={`View photo ${place}, ${photo.name}`} src={url} onPress={onView} />
      <button
        type="button"
        className={classes.remove}
        aria-label={`Remove photo ${place}, ${photo.name}`}
        disabled={disabled}
        onClick={onRemove}
      >
        <span className={classes.cross}>
          <X size={18} aria-hidden />
        </span>
      </button>
      <span className={classes.name} title={photo.name}>
        {shortFileName(photo.name)}
      </span>
    </li>
  );
}
