/**
 * Limits of an image that the browser makes smaller before its upload: bytes, pixels, and quality
 * from 0 to 1.
 */
export type ImageLimits = {
  readonly maxBytes: number;
  readonly longestSide: number;
  readonly quality: number;
  /** Tried in this order, at each size until one fits. */
  readonly types: readonly string[];
};

export const reportPhotoLimits: ImageLimits = {
  maxBytes: 800_000,
  longestSide: 1280,
  quality: 0.7,
  types: ['image/jpeg'],
};

export const auditPhotoLimits: ImageLimits = reportPhotoLimits;

export const signatureImageLimits: ImageLimits = {
  maxBytes: 200_000,
  longestSide: 800,
  quality: 0.7,
  types: ['image/png'],
};

// Safari cannot encode WebP from a canvas and would return a huge PNG, hence the second type.
export const folderThumbnailLimits: ImageLimits = {
  maxBytes: 800_000,
  longestSide: 1280,
  quality: 0.7,
  types: ['image/webp', 'image/jpeg'],
};
