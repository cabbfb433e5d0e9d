// Reads PDFs and ZIP files with other programs, as their receivers do.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Returns the text of a PDF, in the order in which it was written or as it is laid out. */
export const readPdfText = (pdf: Uint8Array, order: '-raw' | '-layout' = '-raw') =>
  execFileSync('pdftotext', [order, '-', '-'], { input: pdf, encoding: 'utf8', stdio: ['pipe', 'pipe', 'ignore'] });

/** Unpacks a ZIP file into a new folder, `target`, below this one. */
export function unzip(zip: Uint8Array, folder: string) {
  const target = mkdtempSync(join(folder, 'zip-'));
  writeFileSync(`${target}.zip`, zip);
  execFileSync('python3', ['-m', 'zipfile', '-e', `${target}.zip`, target]);
  const names = readdirSync(target, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(target.length + 1))
    .sort();
  const read = (name: string) => readFileSync(join(target, name));
  const readText = (name: string) => (name.endsWith('.pdf') ? readPdfText(read(name)) : read(name).toString());
  return { target, names, read, readText };
}
