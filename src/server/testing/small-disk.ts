// A disk of a few megabytes that can be filled completely. Needs root.
import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** Creates the folder and mounts a small disk there. Returns undefined if that is not allowed. */
export function mountSmallDisk(folder: string, size: string) {
  mkdirSync(folder, { recursive: true });
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=0700`, 'tmpfs', folder]).status !== 0)
    return undefined;
  const fillerFile = join(folder, 'filler');
  return {
    folder,
    /** Fills the last free block. */
    fill() {
      const file = openSync(fillerFile, 'a');
      try {
        for (const piece of [Buffer.alloc(2 ** 20, 1), Buffer.alloc(4096, 1)])
          for (;;) if (writeSync(file, piece) < piece.length) break;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      } finally {
        closeSync(file);
      }
    },
    free: () => rmSync(fillerFile, { force: true }),
    remount: (option: string) => spawnSync('mount', ['-o', `remount,${option}`, folder]),
    unmount: () => spawnSync('umount', ['-l', folder]),
  };
}
