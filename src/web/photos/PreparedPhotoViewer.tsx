import { useEffect, useMemo, useState } from 'react';
import type { PreparedPhoto } from './preparePhoto.ts';
import { isCutOff } from './useIsCutOff.ts';
import { useObjectUrls } from './useObjectUrl.ts';
import { PhotoViewer } from './viewer/PhotoViewer.tsx';

type PreparedPhotoViewerProps = { photos: PreparedPhoto[]; start: number; onClose: () => void };

/** The viewer for photos not yet uploaded, to check whether they are sharp. */
export function PreparedPhotoViewer({ photos, start, onClose }: PreparedPhotoViewerProps) {
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
