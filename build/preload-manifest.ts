// Lists the files of each screen. The server names them with the page, so that a phone fetches them
// at once.
import { join } from 'node:path';
import type { Manifest, Plugin } from 'vite';
import {
  adminNavFile,
  homePath,
  isAdministration,
  listFilesNotStored,
  navigationBarFile,
  screens,
} from '../src/web/screens.ts';

const web = join(import.meta.dirname, '../src/web');
const manifestFile = '.vite/manifest.json';
const page = 'index.html';

/**
 * Vite plugin: replaces Vite's manifest by `screens.json`, with a Link header per path.
 *
 * @param reviewerFiles receives the scripts and stylesheets that only screens of reviewers load
 */
export function preloadManifest(reviewerFiles: Set<string>): Plugin {
  return {
    name: 'preload-manifest',
    apply: 'build',
    config: () => ({ build: { manifest: manifestFile } }),
    generateBundle: {
      // Runs after the manifest is written.
      order: 'post',
      handler(_, bundle) {
        const manifestAsset = bundle[manifestFile];
        if (manifestAsset?.type !== 'asset') return this.error('Vite wrote no manifest');
        const manifest: Manifest = JSON.parse(String(manifestAsset.source));
        delete bundle[manifestFile];
        for (const file of listReviewerFiles(manifest)) reviewerFiles.add(file);
        const links: Record<string, string> = {};
        for (const { path, access, file } of screens) {
          if (!this.getModuleInfo(join(web, file)))
            this.error(`src/web/screens.ts names ${file}, which is in no chunk`);
          const sourceFiles = [page, ...(manifest[page]?.dynamicImports ?? []), file];
          if (access !== 'anyone') sourceFiles.push(navigationBarFile);
          if (isAdministration({ path })) sourceFiles.push(adminNavFile);
          links[path] = createLinkHeader(manifest, sourceFiles);
        }
        // The root redirects to the home screen.
        links['/'] = links[homePath] ?? '';
        this.emitFile({ type: 'asset', fileName: 'screens.json', source: JSON.stringify(links) });
      },
    },
  };
}

/** Returns the scripts and stylesheets that no screen stored on devices of staff loads for staff. */
function listReviewerFiles(manifest: Manifest): string[] {
  const others = new Set(listFilesNotStored().map((file) => file.replace('./', '')));
  const staffFiles = new Set<string>();
  const add = (source: string) => {
    const chunk = manifest[source];
    if (!chunk || others.has(source) || staffFiles.has(chunk.file)) return;
    for (const file of [chunk.file, ...(chunk.css ?? [])]) staffFiles.add(file);
    for (const name of [...(chunk.imports ?? []), ...(chunk.dynamicImports ?? [])]) add(name);
  };
  add(page);
  return Object.values(manifest)
    .flatMap(({ file, css = [] }) => [file, ...css])
    .filter((file) => /\.(?:js|css)$/.test(file) && !staffFiles.has(file));
}

/** Returns a Link header with the files of these source files and all their imports. */
function createLinkHeader(manifest: Manifest, sourceFiles: string[]): string {
  const files = new Set<string>();
  const styles = new Set<string>();
  const add = (source: string) => {
    // A source without an entry is part of a chunk that the page imports anyway.
    const chunk = manifest[source.replace('./', '')];
    if (!chunk || files.has(chunk.file)) return;
    files.add(chunk.file);
    for (const file of chunk.css ?? []) styles.add(file);
    chunk.imports?.forEach(add);
  };
  sourceFiles.forEach(add);
  return [
    // Browsers fetch these before reading the page, so what the first paint needs comes first.
    ...[...styles].map((file) => `</${file}>; rel=preload; as=style; crossorigin`),
    ...[...files].map((file) => `</${file}>; rel=modulepreload`),
  ].join(', ');
}
