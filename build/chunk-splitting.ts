// How the screens are split into files. On a slow connection each file costs a round trip: one for
// React, loaded first (start.ts), one for the rest of the first screen, one for what at least four
// other screens need, one for photos and signatures, and few for what fewer share.
import { join } from 'node:path';
import type { Plugin } from 'vite';

const web = join(import.meta.dirname, '../src/web');
const first = ['main.tsx', 'auth/LoginPage.tsx'].map((file) => join(web, file));
/** React, and the loader of files. */
const reactModules = /\/node_modules\/(react|react-dom|scheduler)\/|vite\/preload-helper/;
/** Mantine modules that the sign-in does not use: overlays belong to other screens. */
const deferredModules =
  /remove-scroll|\/(Floating|ScrollArea|Combobox|Select|NativeSelect|Checkbox|Autosize|Textarea|Tabs|Modal|ModalBase|Overlay|Avatar|Badge)\b/;

/** Creating photos and signatures, which reading reports does not need. */
const formModules =
  /\/web\/signature\/|\/web\/photos\/(photoField|PhotoField|PhotoPreview|preparePhoto|resize|heic|usePrepared|upload)|signature_pad/;

/**
 * Vite plugin: puts what the sign-in needs into one file, and what other screens share into a few.
 */
export function chunkSplitting(): Plugin {
  const needed = new Set<string>();
  return {
    name: 'chunk-splitting',
    buildEnd() {
      const add = (id: string) => {
        if (needed.has(id)) return;
        needed.add(id);
        for (const imported of this.getModuleInfo(id)?.importedIds ?? []) add(imported);
      };
      first.forEach(add);
    },
    config: () => ({
      build: {
        rolldownOptions: {
          output: {
            codeSplitting: {
              groups: [
                { name: 'react', test: reactModules, priority: 3 },
                { name: 'first', test: (id: string) => needed.has(id) && !deferredModules.test(id), priority: 2 },
                { name: 'common', test: (id: string) => !formModules.test(id), minShareCount: 4, priority: 1.5 },
                { name: 'forms', test: formModules, priority: 1 },
                { name: 'shared', minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: 12_000 },
              ],
            },
          },
        },
      },
    }),
  };
}
