// Which backups are kept: the newest of each of the last 7 days, 4 weeks and 12 months that have
// one.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isFinished } from './archive.ts';

const backupName = /^park-reports-(\d{4}-\d{2}-\d{2})T(\d{2})-(\d{2})-(\d{2})Z$/;

/** Returns a backup's folder name: the time in UTC to the second, so that names sort by time. */
export const createBackupName = (now: Date) => `park-reports-${now.toISOString().slice(0, 19).replaceAll(':', '-')}Z`;

const periods: { count: number; getPeriodName: (day: Date) => string }[] = [
  { count: 7, getPeriodName: (day) => day.toISOString().slice(0, 10) },
  { count: 4, getPeriodName: getMonday },
  { count: 12, getPeriodName: (day) => day.toISOString().slice(0, 7) },
];

function getMonday(day: Date): string {
  const monday = new Date(day);
  monday.setUTCDate(day.getUTCDate() - ((day.getUTCDay() + 6) % 7));
  return monday.toISOString().slice(0, 10);
}

/** Returns the names of backups to delete: never the newest, nor a name that is not of a backup. */
export function listExpiredBackups(names: string[]): string[] {
  const newestFirstNames = names.filter((name) => parseBackupDay(name)).sort((a, b) => (a < b ? 1 : -1));
  const keptNames = new Set<string>();
  for (const { count, getPeriodName } of periods) {
    const newest = new Map<string, string>();
    for (const name of newestFirstNames) {
      const periodName = getPeriodName(parseBackupDay(name) as Date);
      if (!newest.has(periodName) && newest.size < count) newest.set(periodName, name);
    }
    for (const name of newest.values()) keptNames.add(name);
  }
  return newestFirstNames.filter((name) => !keptNames.has(name));
}

function parseBackupDay(name: string): Date | undefined {
  const [, day = ''] = backupName.exec(name) ?? [];
  const read = new Date(`${day}T00:00:00Z`);
  return Number.isNaN(read.getTime()) ? undefined : read;
}

/** Returns the finished backups in the folder, oldest first. */
export async function listBackups(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory() && backupName.test(entry.name)).map(({ name }) => name);
  const finishedFlags = await Promise.all(names.map((name) => isFinished(join(folder, name))));
  return names.filter((_, index) => finishedFlags[index]).sort();
}
