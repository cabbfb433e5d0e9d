// Broken orders of commit, sync and response, which the power-cut test must detect.
import { registerHooks } from 'node:module';

/** The text to replace in each file, and its replacement. */
const mutants = {
  'no sync': { file: '/db/connect.ts', from: 'syncFile(log), fail', to: 'Promise.resolve(), fail' },
  'response before the sync': {
    file: '/db/group-sync.ts',
    from: 'return promise;',
    to: 'return undefined;',
  },
  'sync begun before the commit': {
    file: '/db/group-sync.ts',
    from: 'syncedCount = coveredCommits;',
    to: 'syncedCount = committedCount; for (const { resolve } of waiting.splice(0)) resolve();',
  },
};

export type Mutant = keyof typeof mutants;
export const mutantNames = Object.keys(mutants) as Mutant[];

/**
 * Makes Node load the server's sources with one mutant. Call it from a file for `--import`, before
 * the server is loaded.
 */
export function registerMutant(name: Mutant): void {
  const { file, from, to } = mutants[name];
  registerHooks({
    load(url, context, nextLoad) {
      const loadedModule = nextLoad(url, context);
      if (!url.endsWith(`/server${file}`)) return loadedModule;
      const source = String(loadedModule.source);
      if (source.split(from).length !== 2) throw new Error(`The mutant "${name}" no longer fits ${file}.`);
      return { ...loadedModule, source: source.replace(from, to) };
    },
  });
}
