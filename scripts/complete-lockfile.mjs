// Adds to package-lock.json the optional platform packages that npm left out because the registry
// it asked did not have them. Run it after every `npm install` that changed the lockfile; why:
// docs/decisions/001-node-from-the-lockfile.md
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { exitWithError, root } from './run.mjs';

const path = join(root, 'package-lock.json');
const lock = JSON.parse(readFileSync(path, 'utf8'));
const added = [];

for (const [parent, { optionalDependencies = {} }] of Object.entries(lock.packages)) {
  if (parent === '') continue; // our own package.json, which must be complete
  for (const [name, version] of Object.entries(optionalDependencies)) {
    const at = `node_modules/${name}`;
    if (lock.packages[at] || lock.packages[`${parent}/${at}`]) continue;
    lock.packages[at] = { version, ...getPlatformFields(name) };
    added.push(`${name}@${version}`);
  }
}

lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`);
console.log(added.length > 0 ? `Added:\n${added.join('\n')}` : 'Nothing was missing.');

/** Derives a package's platform fields from its name (`…-linux-arm64-musl`), in npm's order. */
function getPlatformFields(name) {
  const [, os, cpu, abi = ''] =
    /-(android|darwin|freebsd|linux|win32)-(arm64|arm|ia32|x64)(?:-(\w+))?$/.exec(name) ??
    exitWithError(`${name} is missing from the lockfile, and its name does not say for which platform it is.`);
  const libc = os === 'linux' ? { libc: [abi.startsWith('musl') ? 'musl' : 'glibc'] } : {};
  return { cpu: [cpu], ...libc, optional: true, os: [os] };
}
