// A folder for the files of a group of tests.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

/**
 * Creates a folder that is deleted after the tests. Call it where a group begins, before it starts a server; in a test,
 * with `onTestFinished`.
 */
export function createTestFolder(after: (remove: () => void) => void = afterAll): string {
  const folder = mkdtempSync(join(tmpdir(), 'test-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
