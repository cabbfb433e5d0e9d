// Resizes images. Runs in a worker or, in old browsers, on the page.
import { addCutOffMark, cutOffMarkBytes, isCutOffJpeg, jpegEnd, judgedSide, showsPicture } from '#shared/cut-off.ts';
import type { ImageLimits } from './imageLimits.ts';

/** An image in memory; `isCutOff` if the end of its file is missing. */
type Decoded = { image: ImageBitmap; isCutOff: boolean };

type Canvas = OffscreenCanvas | HTMLCanvasElement;

const lowerQualities = [0.55, 0.4];
const smallestSide = 160;

/**
 * Decodes an image upright by its EXIF orientation, dropping all metadata. Of a JPEG that was cut off it decodes what is
 * there. Rejects if the browser cannot read it.
 */
export async function decode(source: Blob): Promise<Decoded> {
  const isCutOff = await isCutOffFile(source);
  const image = await decodeUpright(isCutOff ? new Blob([source, jpegEnd]) : source);
  if (!isCutOff || hasContent(image)) return { image, isCutOff };
  image.close();
  throw new Error('Nothing of the picture can be read.');
}

/** Reads the whole file only if it is a JPEG that does not end as most do. */
async function isCutOffFile(source: Blob): Promise<boolean> {
  const [start, end] = await Promise.all([readBytes(source.slice(0, 2)), readBytes(source.slice(-2))]);
  if (start[0] !== 0xff || start[1] !== 0xd8 || jpegEnd.every((byte, index) => byte === end[index])) return false;
  return isCutOffJpeg(await readBytes(source));
}

const readBytes = async (source: Blob) => new Uint8Array(await source.arrayBuffer());

/** Browsers show a JPEG of which only the header arrived as a grey picture. */
function hasContent(image: ImageBitmap): boolean {
  const canvas = draw(image, Math.min(1, judgedSide / Math.max(image.width, image.height)));
  const pen = canvas.getContext('2d') as OffscreenCanvasRenderingContext2D | CanvasRenderingContext2D;
  return showsPicture(new Uint32Array(pen.getImageData(0, 0, canvas.width, canvas.height).data.buffer));
}

async function decodeUpright(source: Blob): Promise<ImageBitmap> {
  try {
    return await createImageBitmap(source, { imageOrientation: 'from-image' });
  } catch (error) {
    // Browsers without this value rotate by default.
    if (error instanceof TypeError) return createImageBitmap(source);
    throw error;
  }
}

/** Like `resizeWithin`, for a decoded file: a JPEG made of one that was cut off says so. */
export async function resizeDecoded({ image, isCutOff }: Decoded, limits: ImageLimits, onProgress = () => {}) {
  if (!isCutOff) return resizeWithin(image, limits, onProgress);
  const maxBytes = limits.maxBytes - cutOffMarkBytes;
  const resized = await resizeWithin(image, { ...limits, maxBytes }, onProgress);
  return resized.type === 'image/jpeg' ? addCutOffMark(resized) : resized;
}

/**
 * Draws an image on white within the limits, lowering quality first, then size. Never enlarges.
 * Rejects if there is no canvas or nothing fits.
 */
export async function resizeWithin(
  image: ImageBitmap | HTMLCanvasElement,
  limits: ImageLimits,
  onProgress = () => {},
): Promise<Blob> {
  const longest = Math.max(image.width, image.height);
  for (let side = Math.min(longest, limits.longestSide); ; side = Math.round(side * 0.8)) {
    const canvas = draw(image, side / longest);
    const blob = await encode(canvas, limits, onProgress);
    if (blob) return blob;
    if (side < smallestSide) throw new Error('The image cannot be made small enough.');
  }
}

function draw(image: ImageBitmap | HTMLCanvasElement, scale: number): Canvas {
  const width = Math.max(1, Math.round(image.width * scale));
  const height = Math.max(1, Math.round(image.height * scale));
  const canvas = createCanvas(width, height);
  const pen = canvas.getContext('2d') as OffscreenCanvasRenderingContext2D | CanvasRenderingContext2D | null;
  if (!pen) throw new Error('No canvas to draw on.');
  pen.fillStyle = 'white';
  pen.fillRect(0, 0, width, height);
  pen.imageSmoothingQuality = 'high';
  pen.drawImage(image, 0, 0, width, height);
  return canvas;
}

/** Returns undefined if no type and quality is within the limits. */
async function encode(canvas: Canvas, limits: ImageLimits, onProgress: () => void): Promise<Blob | undefined> {
  for (const type of limits.types) {
    for (const quality of [limits.quality, ...lowerQualities]) {
      const blob = await toBlob(canvas, type, quality);
      onProgress();
      // A browser that cannot write this type returns another one.
      if (blob.type !== type) break;
      if (blob.size <= limits.maxBytes) return blob;
      if (type === 'image/png') break;
    }
  }
}

function createCanvas(width: number, height: number): Canvas {
  if (typeof document === 'undefined') return new OffscreenCanvas(width, height);
  return Object.assign(document.createElement('canvas'), { width, height });
}

function toBlob(canvas: Canvas, type: string, quality: number): Promise<Blob> {
  if ('convertToBlob' in canvas) return canvas.convertToBlob({ type, quality });
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('The canvas returned no image.'))), type, quality),
  );
}
