// Reads an image's claimed pixel count from its header, to know which images will take long.
// Decodes nothing.
import { getImageType } from '../image-type.ts';

/** Returns the number of pixels, or undefined if the header does not contain it. */
export function countPixels(bytes: Buffer): number | undefined {
  const type = getImageType(bytes);
  try {
    if (type === 'png') return bytes.readUInt32BE(16) * bytes.readUInt32BE(20);
    if (type === 'webp') return countWebpPixels(bytes);
    if (type === 'jpg') return countJpegPixels(bytes);
  } catch {
    // Ignore the error: the header is incomplete.
  }
  return undefined;
}

function countWebpPixels(bytes: Buffer): number | undefined {
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8X':
      return (bytes.readUIntLE(24, 3) + 1) * (bytes.readUIntLE(27, 3) + 1);
    case 'VP8L': {
      const packedDimensions = bytes.readUInt32LE(21);
      return ((packedDimensions & 0x3fff) + 1) * (((packedDimensions >> 14) & 0x3fff) + 1);
    }
    case 'VP8 ':
      return (bytes.readUInt16LE(26) & 0x3fff) * (bytes.readUInt16LE(28) & 0x3fff);
  }
  return undefined;
}

/** Skips segments up to the first frame header. */
function countJpegPixels(bytes: Buffer): number | undefined {
  for (let at = 2; bytes.readUInt8(at) === 0xff; ) {
    const marker = bytes.readUInt8(at + 1);
    const isFrameHeader = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrameHeader) return bytes.readUInt16BE(at + 5) * bytes.readUInt16BE(at + 7);
    // Skip one byte at a time over fill bytes before a marker, which have no length.
    at += marker === 0xff ? 1 : 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}
