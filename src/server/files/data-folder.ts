// Checks of the data folder before anything in it is opened. Each error says what to do.
import { randomBytes } from 'node:crypto';
import { mkdir, open, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';

/**
 * Network file systems by the type number that `statfs` returns. SQLite's locks and syncs do not
 * work on them.
 */
const networkDisks = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB2'],
]);

/** Creates the folder if needed. Throws if it is not writable or, for SQLite, on a network disk. */
export async function checkDataFolder(
  folder: string,
  { containsDatabase }: { containsDatabase: boolean },
): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const probeFile = join(folder, `.probe-${randomBytes(6).toString('hex')}`);
    await (await open(probeFile, 'wx', 0o600)).close();
    await rm(probeFile);
  } catch (error) {
    // A full disk must not prevent the start: users must be able to delete.
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return;
    throw new Error(
      `The data folder ${folder} cannot be written to (${(error as NodeJS.ErrnoException).code}). Give this user the right to, or name another in DATA_DIR.`,
    );
  }
  if (containsDatabase) assertNotNetworkDisk(folder, (await statfs(folder)).type);
}

export function assertNotNetworkDisk(folder: string, type: number): void {
  const network = networkDisks.get(type >>> 0);
  if (network)
    throw new Error(
      `The data folder ${folder} is on a network disk (${network}), where SQLite can lose data. Use a disk of this machine, or PostgreSQL (DATABASE_URL).`,
    );
}

/**
 * Locks the folder for this process until the returned function is called or the process ends. The
 * lock is SQLite's lock on a file, so the system releases it after a crash.
 */
export function lockDataFolder(folder: string): () => void {
  const lock = new Sqlite(join(folder, 'lock'), { timeout: 0 });
  try {
    lock.pragma('journal_mode = memory');
    lock.exec('begin exclusive');
  } catch (error) {
    lock.close();
    if ((error as { code?: string }).code !== 'SQLITE_BUSY') throw error;
    throw new Error(
      `Another server or command is using the data folder ${folder}. Stop it first, or name another folder in DATA_DIR.`,
    );
  }
  return () => void lock.close();
}
