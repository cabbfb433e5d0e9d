// The operator's rule sets (DATA_DIR/law) in a backup: without them, assessments that use them could
// not be opened after a restore.
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { Config } from '../config.ts';
import { sync } from '../files/sync.ts';
import { sha256 } from '../hash.ts';
import type { BackupReader, BackupWriter } from './archive.ts';
import type { Manifest } from './manifest.ts';

const rulesFolder = 'law';
const rulesPrefix = `${rulesFolder}/`;
const isRuleFile = (name: string) => /^[^/\\]+\.json$/.test(name);

/** Adds the rule files to a backup and returns their manifest entries. */
export async function copyRules({ dataDir }: Config, writer: BackupWriter): Promise<Manifest['files']> {
  const folder = join(dataDir, rulesFolder);
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const files: Manifest['files'] = {};
  for (const name of names.filter(isRuleFile).sort()) {
    const bytes = await readFile(join(folder, name));
    await writer.put(rulesPrefix + name, bytes);
    files[rulesPrefix + name] = { size: bytes.length, sha256: sha256(bytes) };
  }
  return files;
}

/** Writes the rule files of a backup. Other files in the folder stay. */
export async function restoreRules({ dataDir }: Config, { manifest, read }: BackupReader): Promise<void> {
  const paths = Object.keys(manifest.files).filter((path) => path.startsWith(rulesPrefix));
  const names = paths.map((path) => path.slice(rulesPrefix.length)).filter(isRuleFile);
  if (names.length === 0) return;
  const folder = join(dataDir, rulesFolder);
  await mkdir(folder, { recursive: true });
  for (const name of names) {
    // The server does not read a file with this ending.
    const partialFile = join(folder, `${name}.partial`);
    await writeFile(partialFile, await buffer(await read(rulesPrefix + name)), { flush: true });
    await rename(partialFile, join(folder, name));
  }
  await sync(folder);
}
