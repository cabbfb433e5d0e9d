// Reads which files a source file imports.
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { parseSync } from 'vite';
import { root } from './run.mjs';

/** The source files below a folder of the repository, as paths within the repository. */
export function listSources(folder) {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => `${folder}/${file.replaceAll('\\', '/')}`)
    .filter((file) => /\.tsx?$/.test(file));
}

/**
 * The source files that a file imports or exports again, including types, as paths within the
 * repository. Dynamic imports of screens do not count.
 */
export function listImports(file) {
  const path = join(root, file);
  const { module } = parseSync(path, readFileSync(path, 'utf8'));
  const requests = [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) => entries.map(({ moduleRequest }) => moduleRequest?.value ?? '')),
  ];
  return requests
    .map((request) => request.replace(/^#shared\//, posix.join(posix.relative(posix.dirname(file), 'src/shared'), '/')))
    .filter((request) => /^\.{1,2}\/.*\.tsx?$/.test(request))
    .map((request) => posix.join(posix.dirname(file), request));
}
