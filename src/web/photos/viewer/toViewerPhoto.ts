import type { StoredMediaFile } from '#shared/uploads.ts';

/** Returns a stored photo as the viewer shows it. */
export const toViewerPhoto = ({ path, name, cutOff }: Pick<StoredMediaFile, 'path' | 'name' | 'cutOff'>) => ({
  id: path,
  src: path,
  alt: name,
  cutOff,
  downloadHref: `${path}?download=1`,
});
