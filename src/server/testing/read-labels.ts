// Reads the QR codes of printed labels, as a phone would.
import { execFileSync, type StdioOptions } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import jsQR from 'jsqr';
import sharp from 'sharp';
import type { labelSizes } from '#shared/places/places.ts';

/** Standard streams without the warnings of Poppler. */
export const stdioWithoutWarnings: StdioOptions = ['pipe', 'pipe', 'ignore'];
/** Columns and rows of labels on a page, and enough dots per inch to read them. */
const grids = { '2': [1, 2, 60], '8': [2, 4, 90], '24': [3, 8, 150] } as const;

/** Returns the addresses in the QR codes of the first page, label by label. */
export async function readCodes(pdf: Uint8Array, size: (typeof labelSizes)[number]): Promise<string[]> {
  const [columns, rows, resolution] = grids[size];
  const folder = mkdtempSync(join(tmpdir(), 'labels-'));
  execFileSync(
    'pdftoppm',
    ['-png', '-r', String(resolution), '-f', '1', '-l', '1', '-singlefile', '-', join(folder, 'page')],
    {
      input: pdf,
      stdio: stdioWithoutWarnings,
    },
  );
  const picture = sharp(readFileSync(join(folder, 'page.png')));
  rmSync(folder, { recursive: true });
  const { width, height } = await picture.metadata();
  // The margin is 10 mm of 210 mm.
  const margin = Math.round((width * 10) / 210);
  const [cellWidth, cellHeight] = [(width - 2 * margin) / columns, (height - 2 * margin) / rows];
  const addresses: string[] = [];
  for (let row = 0; row < rows; row += 1)
    for (let column = 0; column < columns; column += 1) {
      const cell = picture.clone().extract({
        left: Math.round(margin + column * cellWidth),
        top: Math.round(margin + row * cellHeight),
        width: Math.floor(cellWidth),
        height: Math.floor(cellHeight),
      });
      const { data, info } = await cell.ensureAlpha().raw().toBuffer({ resolveWithObject: true });
      const read = jsQR.default(new Uint8ClampedArray(data), info.width, info.height);
      if (read) addresses.push(read.data);
    }
  return addresses;
}
