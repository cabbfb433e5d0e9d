// Ways to break the order of commit, sync and response: the rig is worth something only if it catches each of them.
import { registerHooks } from 'node:module';

/** What stands in which file, and what is put in its place. */
const mutants = {
  'no sync': { file: '/db/connect.ts', from: 'promisify(fdatasync)(log), fail', to: 'Promise.resolve(), fail' },
  'response before the sync': {
    file: '/db/group-sync.ts',
    from: 'return promise;',
    to: 'return undefined;',
  },
  'sync begun before the commit': {
    file: '/db/group-sync.ts',
    from: 'synced = covered;',
    to: 'synced = committed; for (const { resolve } of waiting.splice(0)) resolve();',
  },
};

export type Mutant = keyof typeof mutants;
export const mutantNames = Object.keys(mutants) as Mutant[];

/** Loads the server's sources with one of them changed. For `--import`, before anything of the server is loaded. */
export function registerMutant(name: Mutant): void {
  const { file, from, to } = mutants[name];
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      if (!url.endsWith(`/server${file}`)) return loaded;
      const source = String(loaded.source);
      if (source.split(from).length !== 2) throw new Error(`The mutant "${name}" no longer fits ${file}.`);
      return { ...loaded, source: source.replace(from, to) };
    },
  });
}
