// Reads which files a source file imports.
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { parseSync } from 'vite';
import { root } from './run.mjs';

/** Returns the source files below a folder of the repository, as paths within the repository. */
export function listSources(folder) {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => `${folder}/${file.replaceAll('\\', '/')}`)
    .filter((file) => /\.tsx?$/.test(file));
}

/**
 * Returns the source files that a file imports or exports again, including types, as paths within
 * the repository. Leaves out those that the file loads when they are needed.
 */
export function listImports(file) {
  const { module } = parse(file);
  return toPaths(file, [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) => entries.map(({ moduleRequest }) => moduleRequest?.value ?? '')),
  ]);
}

/** Returns the source files that a file loads when they are needed, with `import()`. */
export function listLazyImports(file) {
  const { module, text } = parse(file);
  return toPaths(
    file,
    module.dynamicImports.map(({ moduleRequest: { start, end } }) => text.slice(start + 1, end - 1)),
  );
}

function parse(file) {
  const text = readFileSync(join(root, file), 'utf8');
  return { module: parseSync(file, text).module, text };
}

const toPaths = (file, requests) =>
  requests
    .map((request) => request.replace(/^#shared\//, posix.join(posix.relative(posix.dirname(file), 'src/shared'), '/')))
    .filter((request) => /^\.{1,2}\/.*\.tsx?$/.test(request))
    .map((request) => posix.join(posix.dirname(file), request));
