import type { StoredMediaFile } from '#shared/uploads.ts';

/** A stored photo, for the viewer. */
export const toViewerPhoto = ({ path, name }: Pick<StoredMediaFile, 'path' | 'name'>) => ({
  ...{ id: path, src: path, alt: name },
  downloadHref: `${path}?download=1`,
});
