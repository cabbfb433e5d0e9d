// Builds the screens into dist/ when what they are made of has changed since the last time.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { npm, root } from './run.mjs';

const sources = ['src/web', 'src/shared', 'build', 'vite.config.ts', 'tsconfig.json', 'package-lock.json'];
// Kept in dist/, which every build empties: a build that broke off, or one made by hand, leaves no stamp behind.
const stamp = join(root, 'dist/.built-from');

/** Leaves dist/ as the sources say. Resolves with the build's exit code: 0 also when there was nothing to do. */
export async function ensureBuilt() {
  const now = fingerprint();
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === now) return 0;
  console.log('Building the screens ...');
  const code = await npm(['run', '--silent', 'build', '--', '--logLevel', 'warn']);
  if (code === 0) writeFileSync(stamp, now);
  return code;
}

function fingerprint() {
  const hash = createHash('sha256');
  for (const file of sources.flatMap(filesOf)) hash.update(`${file}\n`).update(readFileSync(join(root, file)));
  return hash.digest('hex');
}

function filesOf(source) {
  if (statSync(join(root, source)).isFile()) return [source];
  return readdirSync(join(root, source), { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => filesOf(`${source}/${entry.name}`));
}
