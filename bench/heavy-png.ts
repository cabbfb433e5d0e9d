// The image that costs a decoder most: as many pixels as are accepted, in a few hundred kilobytes, interlaced.
import sharp from 'sharp';

export const drawHeavyPng = (width = 7000, height = 7000): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: '#356' } })
    .png({ progressive: true })
    .toBuffer();
