// A temporary folder in memory for one test run: tests spent most of their time waiting for the
// disk.
import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, statfsSync } from 'node:fs';
import { freemem } from 'node:os';
import { join } from 'node:path';

const memory = '/dev/shm';
const minFreeBytes = 4 * 2 ** 30;

/**
 * Sets the folder for temporary files if there is enough memory. It is always deleted when this
 * process ends.
 */
export function keepTemporaryFilesInMemory() {
  if (!hasEnoughMemory()) return;
  const folder = mkdtempSync(join(memory, 'park-reports-tests-'));
  // PostgreSQL runs as its own user.
  chmodSync(folder, 0o711);
  process.env.TMPDIR = folder;
  // The cleanup process has its own session, so that Ctrl-C does not end it before this process.
  const options = { stdio: ['pipe', 'ignore', 'ignore'], detached: true };
  const cleanupProcess = spawn('sh', ['-c', 'cat > /dev/null; rm -rf "$0"', folder], options);
  cleanupProcess.unref();
  cleanupProcess.stdin.unref();
}

function hasEnoughMemory() {
  try {
    const { bavail, bsize } = statfsSync(memory);
    return Math.min(bavail * bsize, freemem()) >= minFreeBytes;
  } catch {
    return false;
  }
}
