import { open } from 'node:fs/promises';

/**
 * Syncs a file or folder to disk. The name of a new file survives a power cut only if its folder is
 * synced too.
 */
export async function sync(path: string): Promise<void> {
  if (process.platform === 'win32') return; // Windows cannot open folders
  const handle = await open(path);
  await handle.sync().finally(() => handle.close());
}
