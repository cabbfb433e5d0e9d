import type { StoredMediaFile } from '#shared/uploads.ts';

/** Returns a stored photo as the viewer shows it. */
export const toViewerPhoto = ({ path, name }: Pick<StoredMediaFile, 'path' | 'name'>) => ({
  id: path,
  src: path,
  alt: name,
  downloadHref: `${path}?download=1`,
});
