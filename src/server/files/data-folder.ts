// What must be true of the data folder before anything in it is opened. Each refusal says what to do about it.
import { randomBytes } from 'node:crypto';
import { mkdir, open, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';

/** Disks on other machines, by the number `statfs` gives for them. SQLite's locks and syncs do not hold there. */
const networkDisks = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB2'],
]);

/** Refuses a folder that cannot be written to and, where SQLite is to live in it, one on a network disk. Makes it where it is missing. */
export async function checkDataFolder(folder: string, { holdsDatabase }: { holdsDatabase: boolean }): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const probe = join(folder, `.probe-${randomBytes(6).toString('hex')}`);
    await (await open(probe, 'wx', 0o600)).close();
    await rm(probe);
  } catch (error) {
    // A full disk is no reason not to start: people must be able to make room.
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return;
    throw new Error(
      `The data folder ${folder} cannot be written to (${(error as NodeJS.ErrnoException).code}). Give this user the right to, or name another in DATA_DIR.`,
    );
  }
  if (holdsDatabase) assertNotNetworkDisk(folder, (await statfs(folder)).type);
}

export function assertNotNetworkDisk(folder: string, type: number): void {
  const network = networkDisks.get(type >>> 0);
  if (network)
    throw new Error(
      `The data folder ${folder} is on a network disk (${network}), where SQLite can lose data. Use a disk of this machine, or PostgreSQL (DATABASE_URL).`,
    );
}

/**
 * Takes the folder for this process alone, until the function it gives is called or the process ends, however it ends.
 * The lock is one that SQLite holds on a file: the system lets go of it with the process, so that none is left behind by a crash.
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
