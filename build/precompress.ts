import { readdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

const compressions = { br: promisify(brotliCompress), gz: promisify(gzip) };

/**
 * Vite plugin: writes a .br and a .gz beside every text asset, so that the server need not compress
 * them.
 */
export function precompress(dist: string): Plugin {
  async function compressFile(name: string) {
    const file = join(dist, name);
    const bytes = await readFile(file);
    for (const [extension, compress] of Object.entries(compressions))
      await writeFile(`${file}.${extension}`, await compress(bytes));
  }

  return {
    name: 'precompress',
    apply: 'build',
    async writeBundle() {
      const names = readdirSync(dist, { recursive: true, encoding: 'utf8' });
      await Promise.all(names.filter((name) => /^assets.*\.(js|css|svg)$|^logo\.svg$/.test(name)).map(compressFile));
    },
  };
}
