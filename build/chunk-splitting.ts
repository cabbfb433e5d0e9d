// How the screens are split into files. On a slow connection each file costs a round trip: one for
// React, loaded first (start.ts), one for the rest of the sign-in screen, one for the navigation bar,
// one for the dialogs over any screen, one for what at least four screens share and the home screen
// needs, one for what at least four screens share otherwise, one for photos and signatures, one for the
// outbox, one for icons, one for what Reports shares with other screens that devices of staff do not
// store, one for what at least four of those share, and a few for what fewer screens share. The styles
// are two files, of the first screen, and of Reports and the other screens of staff; those of other
// reviewers' screens come with each screen.
import { join } from 'node:path';
import { build, type Plugin, type PluginOption, type Rolldown } from 'vite';
import { homePath, listFilesNotStored, navigationBarFile, screens } from '../src/web/screens.ts';

const web = join(import.meta.dirname, '../src/web');
const startFile = join(web, 'start.ts');
/** Returns the files of screens with this path. */
const listScreenFiles = (screenPath: string) =>
  screens.filter(({ path }) => path === screenPath).map(({ file }) => file);

const isInFolder = (id: string, ...folders: string[]) => folders.some((folder) => id.includes(folder));

const isReactModule = (id: string) =>
  isInFolder(id, '/node_modules/react/', '/node_modules/react-dom/', '/node_modules/scheduler/', 'vite/preload-helper');

/** Modules for creating photos and signatures, which screens that only show reports do not need. */
const isPhotoOrSignatureModule = (id: string) =>
  isInFolder(id, '/web/signature/', '/node_modules/signature_pad/') ||
  (isInFolder(id, '/web/photos/') && !isInFolder(id, '/web/photos/viewer/'));

/** Modules of the outbox, which screens that only show records do not need. */
const isOutboxModule = (id: string) => isInFolder(id, '/web/outbox/');

/**
 * The report form gets its own file: otherwise it would be merged with small shared modules and
 * loaded wherever they are.
 */
const isReportFormModule = (id: string) =>
  isInFolder(id, '/web/reports/ReportForm.tsx', '/web/reports/StandaloneForm.tsx');

/**
 * Icons, and what Mantine's components share, get their own file too: merged with modules of two screens, one icon
 * made the overview load photos, signatures and the outbox.
 */
const isIconOrHelper = (id: string) =>
  isInFolder(id, '/lucide-react/dist/esm/icons/', '/@mantine/core/esm/core/utils/');

const isCommonModule = (id: string) => !isPhotoOrSignatureModule(id) && !isOutboxModule(id);

const isStylesheet = (id: string) => id.endsWith('.css');

/** Returns the modules of the screens that devices of staff store, without those of libraries. */
function listStaffModules({ getModuleInfo }: Rolldown.PluginContext): Set<string> {
  const others = new Set(listFilesNotStored().map((file) => join(web, file)));
  const modules = new Set<string>();
  const add = (id: string) => {
    if (modules.has(id) || others.has(id) || id.includes('/node_modules/')) return;
    modules.add(id);
    const { importedIds = [], dynamicallyImportedIds = [] } = getModuleInfo(id) ?? {};
    for (const imported of [...importedIds, ...dynamicallyImportedIds]) add(imported);
  };
  add(startFile);
  return modules;
}

/**
 * Vite plugin: puts what the sign-in needs into one file, and what other screens share into a few.
 *
 * @param createPlugins returns the plugins that create or replace modules of the screens
 */
export function chunkSplitting(createPlugins: () => PluginOption[]): Plugin {
  let firstScreenModules: Set<string>;
  let shellModules: Set<string>;
  let dialogModules: Set<string>;
  let homeModules: Set<string>;
  let reportsModules: Set<string>;
  let firstStylesheets: Set<string>;
  let staffModules: Set<string>;
  const isCommonHomeModule = (id: string) => homeModules.has(id) && isCommonModule(id);
  const isReviewerModule = (id: string) => isInFolder(id, web) && !staffModules.has(id);
  const isReportsModule = (id: string) => reportsModules.has(id) && isCommonModule(id) && isReviewerModule(id);
  return {
    name: 'chunk-splitting',
    apply: 'build',
    async buildStart() {
      const list = (...files: string[]) =>
        listModules(
          files.map((file) => join(web, file)),
          createPlugins(),
        );
      firstScreenModules = await list('main.tsx', 'auth/LoginPage.tsx');
      shellModules = await list(navigationBarFile);
      dialogModules = await list('auth/SessionDialogs.tsx');
      homeModules = await list(...listScreenFiles(homePath));
      reportsModules = await list(...listScreenFiles('/get-reports'));
    },
    buildEnd() {
      staffModules = listStaffModules(this);
      const isFirst = (id: string) => id === startFile || firstScreenModules.has(id);
      const stylesheets = [...this.getModuleIds()].filter(isStylesheet);
      firstStylesheets = new Set(stylesheets.filter((id) => this.getModuleInfo(id)?.importers.some(isFirst)));
    },
    config: () => ({
      build: {
        rolldownOptions: {
          output: {
            codeSplitting: {
              groups: [
                { name: 'react', test: isReactModule, priority: 7 },
                {
                  name: 'first',
                  test: (id: string) => firstStylesheets.has(id) || firstScreenModules.has(id),
                  priority: 6,
                },
                {
                  name: 'screens',
                  test: (id: string) => isStylesheet(id) && staffModules.has(id),
                  priority: 5,
                },
                { name: 'shell', test: (id: string) => shellModules.has(id), priority: 1.8 },
                { name: 'home', test: isCommonHomeModule, minShareCount: 4, priority: 1.6 },
                {
                  name: 'common',
                  test: (id: string) => isCommonModule(id) && !isReviewerModule(id),
                  minShareCount: 4,
                  priority: 1.5,
                },
                { name: 'dialogs', test: (id: string) => dialogModules.has(id), priority: 1.4 },
                { name: 'forms', test: isPhotoOrSignatureModule, priority: 1 },
                { name: 'outbox', test: isOutboxModule, minShareCount: 2, priority: 0.5 },
                { name: 'report', test: isReportFormModule, priority: 0.4 },
                { name: 'icons', test: isIconOrHelper, minShareCount: 2, priority: 0.3 },
                {
                  name: 'shared',
                  test: (id: string) => !isReviewerModule(id),
                  minShareCount: 2,
                  entriesAware: true,
                  entriesAwareMergeThreshold: 1_500,
                },
                { name: 'reports', test: isReportsModule, minShareCount: 2 },
                { name: 'reviewers', test: isReviewerModule, minShareCount: 4 },
              ],
            },
          },
        },
      },
    }),
  };
}

/**
 * Bundles these files alone and returns the modules in the bundle. Imports are not enough: a
 * library's index imports all of it, and only bundling shows which parts are used.
 */
async function listModules(entries: string[], plugins: PluginOption[]): Promise<Set<string>> {
  const ignoreOtherScreens: Plugin = { name: 'without-other-screens', resolveDynamicImport: () => false };
  const output = await build({
    configFile: false,
    logLevel: 'silent',
    root: web,
    plugins: [...plugins, ignoreOtherScreens],
    build: {
      write: false,
      minify: false,
      // Without it the exports of the entries, and what only they use, would be left out.
      rolldownOptions: { input: entries, preserveEntrySignatures: 'strict' },
    },
  });
  const chunks = (output as Rolldown.RolldownOutput).output.filter((file) => file.type === 'chunk');
  return new Set(chunks.flatMap(({ modules }) => Object.keys(modules)));
}
