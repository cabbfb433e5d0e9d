// Which files a screen needs: the server names them with the page, so that a phone fetches them
// all at once and not one after another.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin, Rolldown } from 'vite';

const web = join(import.meta.dirname, '../src/web');
/** The one place that ties an address to a file. */
const routePattern = /path: '([^']+)',[^}]*?import\('\.\/([^']+)'\)/g;
const navigationBar = 'shell/NavigationBar.tsx';

/** Vite plugin: writes `screens.json`, by address the value of a Link header. */
export function preloadManifest(): Plugin {
  return {
    name: 'preload-manifest',
    // After the one stylesheet of all screens is made.
    enforce: 'post',
    generateBundle(_, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
      const chunkOf = (source: string) => chunks.find(({ facadeModuleId }) => facadeModuleId === join(web, source));
      const styles = Object.keys(bundle).filter(isStyle);
      const everywhere = listFiles(bundle, [chunks.find(({ isEntry }) => isEntry), chunkOf('main.tsx')]);
      const screens = [...readFileSync(join(web, 'routes.tsx'), 'utf8').matchAll(routePattern)].map(
        ([, path = '', source = '']) => {
          const needed = listFiles(bundle, [chunkOf(source), path === '/login' ? undefined : chunkOf(navigationBar)]);
          // A browser asks for what the header names before it reads the page: what nothing is drawn without goes first.
          return [path, [...new Set([...styles, ...everywhere, ...needed])].map(toLink).join(', ')];
        },
      );
      if (screens.length === 0) this.error('no screen was found in routes.tsx');
      const links = Object.fromEntries(screens);
      // The root leads there.
      links['/'] = links['/reporting'];
      this.emitFile({ type: 'asset', fileName: 'screens.json', source: JSON.stringify(links) });
    },
  };
}

/** The chunks and all that they import. */
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
