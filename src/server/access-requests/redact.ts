// Takes words and parts of pictures out of a copy. What is stored stays as it is.
import sharp from 'sharp';
import type { Box } from '#shared/law/access-requests.ts';
import { redactText } from '#shared/law/redact.ts';

/** Keys whose values say how something is shown, and not what. */
const structural = new Set(['kind', 'image', 'path', 'storageType', 'id']);

/** Every text in a value; keys and numbers stay. */
export function redactAll<T>(value: T, words: string[], key = ''): T {
  if (typeof value === 'string') return (structural.has(key) ? value : redactText(value, words)) as T;
  if (value instanceof Date) return value;
  if (Array.isArray(value)) return value.map((item) => redactAll(item, words, key)) as T;
  if (value && typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, redactAll(item, words, name)])) as T;
  return value;
}

/** Draws the picture again with black boxes: what was below them is not in the new file. */
export async function redactImage(bytes: Buffer, boxes: Box[]): Promise<Buffer> {
  if (boxes.length === 0) return bytes;
  const image = sharp(bytes);
  const { width = 1, height = 1, format } = await image.metadata();
  const rectangles = boxes.map((box) => {
    const left = Math.floor(box.x * width);
    const top = Math.floor(box.y * height);
    return `<rect x="${left}" y="${top}" width="${Math.ceil(box.width * width) + 1}" height="${Math.ceil(box.height * height) + 1}" fill="black"/>`;
  });
  const overlay = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${rectangles.join('')}</svg>`;
  const painted = image.composite([{ input: Buffer.from(overlay) }]);
  return format === 'png' ? painted.png().toBuffer() : painted.jpeg({ quality: 85 }).toBuffer();
}
