import { useMemo } from 'react';
import type { PreparedPhoto } from './compress.ts';
import { PhotoViewer } from './PhotoViewer.tsx';
import { useObjectUrls } from './useObjectUrl.ts';

type Props = { photos: PreparedPhoto[]; start: number; onClose: () => void };

/** The viewer over photos that are not sent yet: is the one just taken sharp? */
export function PreparedPhotoViewer({ photos, start, onClose }: Props) {
  const urls = useObjectUrls(useMemo(() => photos.map(({ file }) => file), [photos]));
  if (!urls) return null;
  const shown = photos.map(({ name }, index) => ({ src: urls[index] ?? '', alt: name }));
  return <PhotoViewer photos={shown} start={start} onClose={onClose} />;
}
