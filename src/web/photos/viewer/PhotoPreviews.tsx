import { useState } from 'react';
import { previewUrl } from '#shared/uploads.ts';
import { CutOffNote } from '../CutOffNote.tsx';
import { PhotoButton } from './PhotoButton.tsx';
import styles from './PhotoPreviews.module.css';
import { PhotoViewer, type ViewerPhoto } from './PhotoViewer.tsx';

type PhotoPreviewsProps = { photos: ViewerPhoto[]; label?: string; onViewing?: (isViewing: boolean) => void };

/**
 * A grid of previews that open the viewer; `src` is the full photo. `onViewing` is called when the
 * viewer opens and closes.
 */
export function PhotoPreviews({ photos, label = 'Photos', onViewing }: PhotoPreviewsProps) {
  const [viewedIndex, setViewedIndex] = useState<number>();
  const view = (index: number | undefined) => {
    setViewedIndex(index);
    onViewing?.(index !== undefined);
  };
  if (photos.length === 0) return null;
  return (
    <>
      <ul className={styles.grid} aria-label={label}>
        {photos.map((photo, index) => (
          <li key={photo.id ?? photo.src}>
            <PhotoButton
              label={`View photo ${index + 1} of ${photos.length}, ${photo.alt}`}
              src={photo.preview ?? previewUrl(photo.src)}
              onPress={() => view(index)}
            />
            {photo.cutOff && <CutOffNote />}
          </li>
        ))}
      </ul>
      {viewedIndex !== undefined && <PhotoViewer photos={photos} start={viewedIndex} onClose={() => view(undefined)} />}
    </>
  );
}
