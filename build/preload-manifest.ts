// Lists the files of each screen. The server names them with the page, so that a phone fetches them
// at once.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin, Rolldown } from 'vite';

const web = join(import.meta.dirname, '../src/web');
/** Finds the path and the file of each screen in routes.tsx. */
const routePattern = /path: '([^']+)',[^}]*?import\('\.\/([^']+)'\)/g;
const navigationBar = 'shell/NavigationBar.tsx';

/** Vite plugin: writes `screens.json`, with a Link header per path. */
export function preloadManifest(): Plugin {
  return {
    name: 'preload-manifest',
    // After the single stylesheet is generated.
    enforce: 'post',
    generateBundle(_, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
      const chunkOf = (source: string) => chunks.find(({ facadeModuleId }) => facadeModuleId === join(web, source));
      const styles = Object.keys(bundle).filter(isStyle);
      const everywhere = listFiles(bundle, [chunks.find(({ isEntry }) => isEntry), chunkOf('main.tsx')]);
      const screens = [...readFileSync(join(web, 'routes.tsx'), 'utf8').matchAll(routePattern)].map(
        ([, path = '', source = '']) => {
          const needed = listFiles(bundle, [chunkOf(source), path === '/login' ? undefined : chunkOf(navigationBar)]);
          // Browsers fetch these before reading the page, so files needed for the first paint come
          // first.
          return [path, [...new Set([...styles, ...everywhere, ...needed])].map(toLink).join(', ')];
        },
      );
      if (screens.length === 0) this.error('no screen was found in routes.tsx');
      const links = Object.fromEntries(screens);
      // The root redirects there.
      links['/'] = links['/reporting'];
      this.emitFile({ type: 'asset', fileName: 'screens.json', source: JSON.stringify(links) });
    },
  };
}

/** The chunks with all their imports. */
function listFiles(bundle: Rolldown.OutputBundle, chunks: (Rolldown.OutputChunk | undefined)[]): Set<string> {
  const files = new Set<string>();
  const add = (chunk: Rolldown.OutputBundle[string] | undefined) => {
    if (chunk?.type !== 'chunk' || files.has(chunk.fileName)) return;
    files.add(chunk.fileName);
    for (const name of chunk.imports) add(bundle[name]);
  };
  chunks.forEach(add);
  return files;
}

const isStyle = (file: string) => file.endsWith('.css');

const toLink = (file: string) =>
  isStyle(file) ? `</${file}>; rel=preload; as=style; crossorigin` : `</${file}>; rel=modulepreload`;
