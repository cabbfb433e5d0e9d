// A list of parks for PARKS_FILE.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listDefaultParks, setParks } from '#shared/park-list.ts';

/**
 * Writes the lines to a file. Returns its path, a function that writes other lines, and one that deletes it and gives
 * the tests after it, which share the process, the usual parks again.
 */
export function writeParkList(lines: string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'parks-'));
  const path = join(folder, 'parks.txt');
  const write = (lines: string[]) => writeFileSync(path, lines.join('\n'));
  write(lines);
  const remove = () => {
    rmSync(folder, { recursive: true, force: true });
    setParks(listDefaultParks());
  };
  return { path, write, remove };
}
