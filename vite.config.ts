import { join } from 'node:path';
import { serwist } from '@serwist/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { apiContract } from './build/api-contract.ts';
import { browsers } from './build/browsers.ts';
import { chunkSplitting } from './build/chunk-splitting.ts';
import { precompress } from './build/precompress.ts';
import { preloadManifest } from './build/preload-manifest.ts';
import { reviewerRevision } from './src/web/offline/reviewerScreens.ts';
import { themeStylesheet } from './src/web/ui/theme/themeStylesheet.ts';

const dist = join(import.meta.dirname, 'dist');
/** The scripts and stylesheets that only screens of reviewers load; known once they are built. */
const reviewerFiles = new Set<string>();

/**
 * The server inserts settings into these at start, so only the server knows whether they have
 * changed (src/server/pages/pages.ts).
 */
const entriesCompletedByServer = ['/index.html', '/operator-logo'].map((url) => ({ url, revision: '%REVISION%' }));

/**
 * The plugins that create or replace modules of the screens. A component or hook that the React
 * Compiler would skip fails the build.
 */
const transforms = () => [react({ compiler: { panicThreshold: 'all_errors' } }), apiContract(), themeStylesheet()];

export default defineConfig({
  root: 'src/web',
  publicDir: 'public',
  plugins: [
    ...transforms(),
    chunkSplitting(transforms),
    preloadManifest(reviewerFiles),
    precompress(dist),
    serwist({
      swSrc: join(import.meta.dirname, 'src/web/worker.ts'),
      swDest: join(dist, 'sw.js'),
      rollupFormat: 'iife',
      globDirectory: dist,
      globPatterns: ['assets/**/*.{js,css}'],
      // The HEIC decoder is 3 MB and rarely needed, and passkeys and the notice about second factors
      // need a connection, so they are fetched on demand.
      globIgnores: ['assets/heic*', 'assets/{passkeys,FactorNotice}-*'],
      // Their names contain a hash already.
      dontCacheBustURLsMatching: /^assets\//,
      manifestTransforms: [
        (entries) => ({
          manifest: entries.map((entry) =>
            reviewerFiles.has(entry.url) ? { ...entry, revision: reviewerRevision } : entry,
          ),
        }),
      ],
      additionalPrecacheEntries: entriesCompletedByServer,
    }),
  ],
  build: {
    ...browsers,
    outDir: dist,
    emptyOutDir: true,
    assetsInlineLimit: 0,
    // Leaves out schemas that no screen uses. It decides by name, so a call made for its side
    // effect, like z.config(), would be removed too.
    rolldownOptions: { treeshake: { manualPureFunctions: ['z'] } },
  },
  worker: { format: 'es' },
});
