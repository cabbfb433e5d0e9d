// The shipped fonts and their character coverage. System fonts are never used.
import { closeSync, openSync, readdirSync, readSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const packages = {
  'noto-sans': ['400Regular', '700Bold'],
  'noto-sans-arabic': ['400Regular', '700Bold'],
  'noto-sans-hebrew': ['400Regular', '700Bold'],
  'noto-sans-thai': ['400Regular', '700Bold'],
  'noto-sans-bengali': ['400Regular', '700Bold'],
  'noto-sans-gurmukhi': ['400Regular', '700Bold'],
  'noto-sans-gujarati': ['400Regular', '700Bold'],
  'noto-sans-tamil': ['400Regular', '700Bold'],
  'noto-sans-georgian': ['400Regular', '700Bold'],
  'noto-sans-armenian': ['400Regular', '700Bold'],
  'noto-sans-ethiopic': ['400Regular', '700Bold'],
  'noto-sans-sc': ['400Regular'],
  'noto-sans-jp': ['400Regular'],
  'noto-sans-kr': ['400Regular'],
  'noto-color-emoji': ['400Regular'],
};

const { resolve } = createRequire(import.meta.url);

/** One folder per weight of each font. */
export const fontFolders = Object.entries(packages).flatMap(([name, weights]) => {
  const folder = dirname(resolve(`@expo-google-fonts/${name}/package.json`));
  return weights.map((weight) => join(folder, weight));
});

/**
 * Returns a function that returns whether any shipped font has a code point. Reads only the
 * character maps of the fonts, which takes 20 ms.
 */
export function loadFontCoverage() {
  const coveredCodePoints = new Uint8Array(0x110000);
  for (const folder of fontFolders.filter((folder) => folder.endsWith('Regular')))
    for (const file of readdirSync(folder).filter((name) => name.endsWith('.ttf')))
      for (const [first, last] of readCharacterRanges(join(folder, file))) coveredCodePoints.fill(1, first, last + 1);
  return (codePoint: number) => coveredCodePoints[codePoint] === 1;
}

/**
 * Returns the code points of a font from its `cmap` table: format 12 (all of Unicode) or 4 (the
 * first 65,536).
 */
function readCharacterRanges(file: string) {
  const font = openSync(file, 'r');
  const read = (position: number, length: number) => {
    const bytes = Buffer.alloc(length);
    readSync(font, bytes, 0, length, position);
    return bytes;
  };
  try {
    const directory = read(0, 12 + 16 * read(4, 2).readUInt16BE(0));
    const entry = directory.indexOf('cmap', 12, 'latin1');
    const cmap = read(directory.readUInt32BE(entry + 8), directory.readUInt32BE(entry + 12));
    const tables = Array.from({ length: cmap.readUInt16BE(2) }, (_, n) => cmap.subarray(cmap.readUInt32BE(8 + 8 * n)));
    const format12Table = tables.find((table) => table.readUInt16BE(0) === 12);
    if (format12Table) return readCmapGroups(format12Table);
    const format4Table = tables.find((table) => table.readUInt16BE(0) === 4);
    return format4Table ? readCmapSegments(format4Table) : [];
  } finally {
    closeSync(font);
  }
}

function readCmapGroups(table: Buffer) {
  return Array.from({ length: table.readUInt32BE(12) }, (_, n): [number, number] => {
    const at = 16 + 12 * n;
    return [table.readUInt32BE(at), table.readUInt32BE(at + 4)];
  });
}

function readCmapSegments(table: Buffer) {
  const size = table.readUInt16BE(6);
  return Array.from({ length: size / 2 }, (_, n): [number, number] => {
    const end = table.readUInt16BE(14 + 2 * n);
    const start = table.readUInt16BE(16 + size + 2 * n);
    return [start, start === 0xffff ? start - 1 : end];
  });
}
