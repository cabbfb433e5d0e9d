// The most expensive image to decode: the maximum of pixels, interlaced, in a few hundred
// kilobytes.
import sharp from 'sharp';

export const drawHeavyPng = (width = 7000, height = 7000): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: '#356' } })
    .png({ progressive: true })
    .toBuffer();
