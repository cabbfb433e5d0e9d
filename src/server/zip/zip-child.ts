// Zips the files of a folder, with a list of their hashes. Runs in a child process.
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { handleJobs } from '../workers/child.ts';

export type ZipJob = {
  folder: string;
  target: string;
  /** Further members of manifest.json. Without it, the hashes are in sha256.txt instead. */
  about?: Record<string, unknown>;
  /** The time of creation as ISO 8601. */
  madeAt: string;
};
export type ZipResult = { bytes: number };

handleJobs<ZipJob, ZipResult>(async ({ folder, target, about, madeAt }) => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  const mtime = new Date(madeAt);
  const zip = new ZipFile();
  const files = [];
  for (const path of paths) {
    const name = path.slice(folder.length + 1).replaceAll('\\', '/');
    const hash = createHash('sha256');
    await pipeline(createReadStream(path), hash);
    files.push({ path: name, bytes: (await stat(path)).size, sha256: hash.digest('hex') });
    // Compress only texts, because photos and PDFs are compressed already.
    zip.addFile(path, name, { mtime, compress: /\.(csv|json)$/.test(name) });
  }
  const text = about
    ? JSON.stringify({ ...about, madeAt, files }, null, 1)
    : files.map(({ sha256, path }) => `${sha256}  ${path}`).join('\n');
  zip.addBuffer(Buffer.from(`${text}\n`), about ? 'manifest.json' : 'sha256.txt', { mtime });
  zip.end();
  await pipeline(zip.outputStream, createWriteStream(target, { mode: 0o640 }));
  const zipFile = await open(target, 'r+');
  try {
    await zipFile.sync();
    return { bytes: (await zipFile.stat()).size };
  } finally {
    await zipFile.close();
  }
});
