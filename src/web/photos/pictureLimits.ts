/** How large a picture may be once it is prepared, in bytes, pixels and a quality from 0 to 1. */
export type PictureLimits = {
  readonly maxBytes: number;
  readonly longestSide: number;
  readonly quality: number;
  /** Tried in this order; the last one is made smaller until it fits. */
  readonly types: readonly string[];
};

export const REPORT_PHOTO: PictureLimits = {
  maxBytes: 800_000,
  longestSide: 1280,
  quality: 0.7,
  types: ['image/jpeg'],
};

export const AUDIT_PHOTO: PictureLimits = REPORT_PHOTO;

export const SIGNATURE_PICTURE: PictureLimits = {
  maxBytes: 200_000,
  longestSide: 800,
  quality: 0.7,
  types: ['image/png'],
};

// Safari cannot encode WebP from a canvas and would answer with a huge PNG, hence the second choice.
export const FOLDER_THUMBNAIL: PictureLimits = {
  maxBytes: 800_000,
  longestSide: 1280,
  quality: 0.7,
  types: ['image/webp', 'image/jpeg'],
};
