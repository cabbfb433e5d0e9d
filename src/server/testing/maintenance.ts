import { join } from 'node:path';
import type { Clock } from '../clock.ts';
import { openFileStore } from '../files/open-store.ts';
import { openDiskStore } from '../files/store.ts';
import { runHourlyMaintenance } from '../maintenance/maintenance.ts';
import type { TestServer } from './server.ts';

/** Runs the hourly maintenance of a test server once, at the clock's time. */
export async function runMaintenance({ config, db, folder, running }: TestServer, clock: Clock): Promise<void> {
  const files = await openFileStore(config, { isInUse: true });
  const previews = { store: await openDiskStore(join(folder, 'previews'), { isInUse: true }) };
  await runHourlyMaintenance({ db, config, clock, files, previews, log: running.server.log });
}
