import { open } from 'node:fs/promises';

/** Syncs a file or folder to disk. A new name is durable only when its folder is synced. */
export async function sync(path: string): Promise<void> {
  if (process.platform === 'win32') return; // on operating systems where folders cannot be opened
  const handle = await open(path);
  await handle.sync().finally(() => handle.close());
}
