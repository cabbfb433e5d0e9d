import { join } from 'node:path';
import { serwist } from '@serwist/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { apiContract } from './build/api-contract.ts';
import { browsers } from './build/browsers.ts';
import { chunkSplitting } from './build/chunk-splitting.ts';
import { precompress } from './build/precompress.ts';
import { preloadManifest } from './build/preload-manifest.ts';
import { themeStylesheet } from './src/web/ui/theme/themeStylesheet.ts';

const dist = join(import.meta.dirname, 'dist');

/** The server writes into these at each start; whether they have changed, only it can say (src/server/pages/pages.ts). */
const written = ['/index.html', '/operator-logo'].map((url) => ({ url, revision: '%REVISION%' }));

/** What creates or replaces modules of the screens. */
const transforms = () => [react({ compiler: true }), apiContract(), themeStylesheet()];

export default defineConfig({
  root: 'src/web',
  publicDir: 'public',
  plugins: [
    ...transforms(),
    chunkSplitting(transforms),
    preloadManifest(),
    precompress(dist),
    serwist({
      swSrc: join(import.meta.dirname, 'src/web/worker.ts'),
      swDest: join(dist, 'sw.js'),
      rollupFormat: 'iife',
      globDirectory: dist,
      globPatterns: ['assets/**/*.{js,css}'],
      // The decoder of HEIC is 3 MB, and needed by few: fetched when it is.
      globIgnores: ['assets/heic*'],
      // Their names hold a hash already.
      dontCacheBustURLsMatching: /^assets\//,
      additionalPrecacheEntries: written,
    }),
  ],
  build: {
    ...browsers,
    outDir: dist,
    emptyOutDir: true,
    assetsInlineLimit: 0,
    // Schemas that no screen checks with are left out. It goes by the name: a call made for its effect, like z.config(), would be too.
    rolldownOptions: { treeshake: { manualPureFunctions: ['z'] } },
    // One sheet for all: together they weigh less than their headers would apart.
    cssCodeSplit: false,
  },
  worker: { format: 'es' },
});
