// Installs what package-lock.json names, when it is not there yet, and finds the Node that runs the product.
import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { exitWithError, npm, root } from './run.mjs';

const minNode = 24;

/** Makes node_modules what package-lock.json says. Resolves with the path of the Node (24 or newer) to run the product with. */
export async function ensureInstalled() {
  if (!isInstalled()) {
    console.log('Installing the packages named in package-lock.json ...');
    // Everything is included, whatever NODE_ENV says: the screens are built here, and Node itself is an optional package.
    const code = await npm([
      'ci',
      '--include=dev',
      '--include=optional',
      '--loglevel=error',
      '--no-audit',
      '--no-fund',
    ]);
    if (code !== 0) exitWithError('The packages could not be installed: npm says why above.');
  }
  return findNode();
}

/** Is each package at its version, by npm's own record of what it put there? Those for other platforms are rightly absent. */
function isInstalled() {
  const record = join(root, 'node_modules/.package-lock.json');
  if (!existsSync(record)) return false;
  const installed = packagesOf(record);
  const wanted = Object.entries(packagesOf(join(root, 'package-lock.json')));
  return wanted.every(([path, { version, optional }]) => {
    if (path === '') return true;
    return installed[path] ? installed[path].version === version : optional;
  });
}

function packagesOf(lockfile) {
  return JSON.parse(readFileSync(lockfile, 'utf8')).packages;
}

function findNode() {
  const { platform, arch, execPath, versions } = process;
  const windows = platform === 'win32';
  const name = `node-${windows ? 'win' : platform}-${arch}/bin/node${windows ? '.exe' : ''}`;
  const carried = join(root, 'node_modules', name);
  if (existsSync(carried)) {
    // npm 10 drops this link when it clears away the Nodes for other platforms; with it, `npm run` and `npm exec` use this Node too.
    const link = join(root, 'node_modules/.bin/node');
    if (!windows && !existsSync(link)) symlinkSync(`../${name}`, link);
    return carried;
  }
  if (Number.parseInt(versions.node, 10) >= minNode) return execPath;
  return exitWithError(
    `This needs Node ${minNode} or newer. The machine's own is ${versions.node}, and for ${platform}-${arch} none comes with the packages.\n` +
      `Install Node ${minNode} from https://nodejs.org and try again.`,
  );
}
