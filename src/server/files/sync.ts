import { open } from 'node:fs/promises';

/** Brings a file or a folder to the disk. A name is there for good when its folder is. */
export async function sync(path: string): Promise<void> {
  if (process.platform === 'win32') return; // where folders cannot be opened
  const handle = await open(path);
  await handle.sync().finally(() => handle.close());
}
