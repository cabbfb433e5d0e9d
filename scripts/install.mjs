// Installs the packages of package-lock.json if needed, and finds Node.
import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { exitWithError, npm, root, runQuietly } from './run.mjs';

const minNode = 24;

/** Makes node_modules match package-lock.json. Resolves with the path of Node 24 or newer. */
export async function ensureInstalled() {
  if (!isInstalled()) {
    console.log('Installing the packages named in package-lock.json, for a minute or more ...');
    // Regardless of NODE_ENV: development packages build the screens, and Node itself is an
    // optional package.
    const options = ['--include=dev', '--include=optional', '--loglevel=error', '--no-audit', '--no-fund'];
    const code = await runQuietly((quietly) => npm(['ci', ...options], quietly));
    if (code !== 0) exitWithError('The packages could not be installed: npm says why above.');
  }
  return findNode();
}

/**
 * Whether every package has its version, according to npm's own record. Packages for other
 * platforms may be missing.
 */
function isInstalled() {
  const record = join(root, 'node_modules/.package-lock.json');
  if (!existsSync(record)) return false;
  const installedPackages = listPackages(record);
  const requiredPackages = Object.entries(listPackages(join(root, 'package-lock.json')));
  return requiredPackages.every(([path, { version, optional }]) => {
    if (path === '') return true;
    return installedPackages[path] ? installedPackages[path].version === version : optional;
  });
}

function listPackages(lockfile) {
  return JSON.parse(readFileSync(lockfile, 'utf8')).packages;
}

function findNode() {
  const { platform, arch, execPath, versions } = process;
  const isWindows = platform === 'win32';
  const name = `node-${isWindows ? 'win' : platform}-${arch}/bin/node${isWindows ? '.exe' : ''}`;
  const bundledNode = join(root, 'node_modules', name);
  if (existsSync(bundledNode)) {
    // npm 10 deletes this link with the Nodes for other platforms; it makes `npm run` and `npm
    // exec` use this Node.
    const link = join(root, 'node_modules/.bin/node');
    if (!isWindows && !existsSync(link)) symlinkSync(`../${name}`, link);
    return bundledNode;
  }
  if (Number.parseInt(versions.node, 10) >= minNode) return execPath;
  return exitWithError(
    `This needs Node ${minNode} or newer. The machine's own is ${versions.node}, and for ${platform}-${arch} none comes with the packages.\n` +
      `Install Node ${minNode} from https://nodejs.org and try again.`,
  );
}
