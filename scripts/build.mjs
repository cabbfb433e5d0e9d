// Builds the screens into dist/ if their sources have changed.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { npm, root } from './run.mjs';

const sources = ['src/web', 'src/shared', 'build', 'vite.config.ts', 'tsconfig.json', 'package-lock.json'];
// Stored in dist/, which every build empties, so an interrupted or manual build leaves no stamp.
const stampFile = join(root, 'dist/.built-from');

/**
 * Builds dist/ if needed. Resolves with the build's exit code; 0 if dist/ was up to date. `options`
 * are those of `run`.
 */
export async function ensureBuilt(options) {
  const now = fingerprint();
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === now) return 0;
  console.log('Building the screens ...');
  const code = await npm(['run', '--silent', 'build', '--', '--logLevel', 'warn'], options);
  if (code === 0) writeFileSync(stampFile, now);
  return code;
}

function fingerprint() {
  const hash = createHash('sha256');
  for (const file of sources.flatMap(listFiles)) hash.update(`${file}\n`).update(readFileSync(join(root, file)));
  return hash.digest('hex');
}

function listFiles(source) {
  if (statSync(join(root, source)).isFile()) return [source];
  return readdirSync(join(root, source), { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => listFiles(`${source}/${entry.name}`));
}
