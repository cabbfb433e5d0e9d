// Uses the signature field of the test page, and reads what was drawn and saved.
import type { Page } from '@playwright/test';
import { expect } from './harness/test.ts';
import { signatureCanvas } from './interactions.ts';

/** Opens the dialog of a signature. */
export const open = (page: Page, label = 'Your signature') =>
  page.getByRole('button', { name: new RegExp(`^Sign( Again)? ${label}`) }).click();
export const save = (page: Page) => page.getByRole('button', { name: 'Save Signature' }).click();
export const expectSaved = (page: Page) =>
  expect(page.getByRole('button', { name: 'Sign Again Your signature' })).toBeVisible();

/**
 * The ink on the canvas: its bounding box in fractions of the canvas, its number of pixels, and the
 * columns in the box without ink. Counts the faintest ink too, because a fast pen draws a thin
 * line.
 */
export function readInk(page: Page) {
  return signatureCanvas(page).evaluate((canvas: HTMLCanvasElement) => {
    const { width, height } = canvas;
    const data = canvas.getContext('2d')?.getImageData(0, 0, width, height).data ?? [];
    const box = { left: 1, top: 1, right: 0, bottom: 0, pixels: 0, gaps: 0, canvas: width };
    const columns = new Set<number>();
    for (let i = 0; i < width * height; i++) {
      if (data[i * 4] === 255) continue;
      const x = (i % width) / width;
      const y = Math.floor(i / width) / height;
      box.pixels++;
      columns.add(i % width);
      box.left = Math.min(box.left, x);
      box.right = Math.max(box.right, x);
      box.top = Math.min(box.top, y);
      box.bottom = Math.max(box.bottom, y);
    }
    if (columns.size > 0) box.gaps = Math.max(...columns) - Math.min(...columns) + 1 - columns.size;
    return box;
  });
}

/**
 * The saved signature: its type and size, its ink pixels and their bounding box, and its first
 * pixel.
 */
export function readSavedSignature(page: Page) {
  return page.evaluate(async () => {
    const png = window.formContent.signature?.png;
    if (!png) return null;
    const image = await createImageBitmap(png);
    const { width, height } = image;
    const context = Object.assign(document.createElement('canvas'), { width, height }).getContext('2d');
    context?.drawImage(image, 0, 0);
    const data = context?.getImageData(0, 0, width, height).data ?? [];
    let pixels = 0;
    const inkBox = { left: width, top: height, right: 0, bottom: 0 };
    for (let i = 0; i < data.length; i += 4) {
      if (data[i] === 255) continue;
      pixels++;
      const [x, y] = [(i / 4) % width, Math.floor(i / 4 / width)];
      inkBox.left = Math.min(inkBox.left, x);
      inkBox.top = Math.min(inkBox.top, y);
      inkBox.right = Math.max(inkBox.right, x);
      inkBox.bottom = Math.max(inkBox.bottom, y);
    }
    return { type: png.type, size: png.size, width, height, pixels, ink: inkBox, paper: [...data.slice(0, 4)] };
  });
}
