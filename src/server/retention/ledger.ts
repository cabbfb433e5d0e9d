// The ledger of destroyed records and erased names: a file beside the backups, because a restored
// database contains what was destroyed after its backup. One line of JSON for each, without
// personal data: ids, kinds, hashes, times, and the positions of names in texts.
import { mkdir, open, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Tables } from '../db/schema.ts';
import { sync } from '../files/sync.ts';

export type LedgerEntry = Tables['destroyed'] | Tables['blanked'];

export const isErasedName = (entry: LedgerEntry): entry is Tables['blanked'] => 'marks' in entry;

const ledgerName = 'destroyed.jsonl';
export const getLedgerPathBeside = (backup: string) => join(dirname(backup), ledgerName);

/** Returns the entries; none if there is no file. Ignores an incomplete line left by a crash. */
export async function readLedger(path: string): Promise<LedgerEntry[]> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  return text.split('\n').flatMap((line) => {
    try {
      const entry = JSON.parse(line) as LedgerEntry;
      return typeof entry.id === 'string' && typeof entry.thing === 'string' ? [entry] : [];
    } catch {
      return [];
    }
  });
}

/** Adds the entries that are missing in the file. Resolves when they are on disk. */
export async function addToLedger(path: string, entries: LedgerEntry[]): Promise<void> {
  const existingIds = new Set((await readLedger(path)).map(({ id }) => id));
  const missing = entries.filter(({ id }) => !existingIds.has(id));
  if (missing.length === 0) return;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const file = await open(path, 'a', 0o640);
  try {
    // Start with a line end, because the last line may be incomplete after a crash.
    await file.write(`\n${missing.map((entry) => JSON.stringify(entry)).join('\n')}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await sync(dirname(path));
}

/** Adds the entries of the file `from` that are missing in the file `into`. */
export const mergeLedgers = async (from: string, into: string): Promise<void> =>
  addToLedger(into, await readLedger(from));
