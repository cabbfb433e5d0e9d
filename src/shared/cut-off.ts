// JPEG files that a camera, a cable or a network cut off: their beginning can be shown, the rest is missing.

/** Says on screens and in PDFs that the end of a photo is missing. */
export const cutOffText = 'Cut off while copying';

/**
 * Whether a file is a JPEG with a whole header and the beginning of a picture, but without its end. Whether anything of
 * the picture can be shown, only a decoder knows.
 */
export function isCutOffJpeg(bytes: Uint8Array): boolean {
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) return false;
  const startsAt = findScan(bytes);
  if (startsAt === undefined) return false;
  // Within the picture, 0xff is never followed by 0xd9 but at its end.
  for (let at = bytes.indexOf(0xff, startsAt); at !== -1; at = bytes.indexOf(0xff, at + 1))
    if (bytes[at + 1] === 0xd9) return false;
  return true;
}

/** Returns where the first scan starts, after segments that say how long they are, such as a preview in the metadata. */
function findScan(bytes: Uint8Array): number | undefined {
  for (let at = 2; at + 3 < bytes.length && bytes[at] === 0xff; ) {
    const marker = bytes[at + 1];
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    at += 2 + (bytes[at + 2] ?? 0) * 256 + (bytes[at + 3] ?? 0);
    if (marker === 0xda) return at < bytes.length ? at : undefined;
  }
}

/** The longest side at which a JPEG that was cut off is judged by `showsPicture`. */
export const judgedSide = 64;

/**
 * Whether there is something to see in a JPEG that was cut off, by its pixels when it is small (RGBA): what is missing has
 * one colour.
 */
export function showsPicture(pixels: Uint32Array): boolean {
  const counts = new Map<number, number>();
  for (const pixel of pixels) counts.set(pixel, (counts.get(pixel) ?? 0) + 1);
  return Math.max(...counts.values()) < 0.99 * pixels.length;
}

/** The end of a JPEG. A browser shows a JPEG that was cut off, but draws it only with an end. */
export const jpegEnd = Uint8Array.of(0xff, 0xd9);

/** Browsers make photos smaller before they send them, so the new file says in a comment that the old one was cut off. */
const comment = Uint8Array.from([0xff, 0xfe, 0, cutOffText.length + 2, ...new TextEncoder().encode(cutOffText)]);
const commentAt = 2;

/** How many of its first bytes say whether a JPEG has the comment. */
export const cutOffMarkBytes = commentAt + comment.length;

/** Whether the first bytes of a JPEG say that the file it was made from was cut off. */
export const hasCutOffMark = (start: Uint8Array) =>
  start[0] === 0xff && comment.every((byte, index) => byte === start[commentAt + index]);

/** Returns a JPEG with the comment that the file it was made from was cut off. */
export const addCutOffMark = (jpeg: Blob) =>
  new Blob([jpeg.slice(0, commentAt), comment, jpeg.slice(commentAt)], { type: jpeg.type });
