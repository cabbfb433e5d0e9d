import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { callTable } from './build/callTable.ts';
import { firstScreen } from './build/firstScreen.ts';
import { screenFiles } from './build/screenFiles.ts';
import { themeStylesheet } from './src/web/ui/themeStylesheet.ts';

/** Writes a .br and a .gz beside every text asset, once, so that the server never compresses them again. */
function precompress(): Plugin {
  let outDir = '';
  return {
    name: 'precompress',
    apply: 'build',
    configResolved(config) {
      outDir = config.build.outDir;
    },
    closeBundle() {
      for (const name of readdirSync(outDir, { recursive: true, encoding: 'utf8' })) {
        if (!/\.(js|css|svg|html|webmanifest)$/.test(name)) continue;
        const file = join(outDir, name);
        const bytes = readFileSync(file);
        writeFileSync(`${file}.br`, brotliCompressSync(bytes));
        writeFileSync(`${file}.gz`, gzipSync(bytes));
      }
    },
  };
}

export default defineConfig({
  root: 'src/web',
  publicDir: 'public',
  plugins: [react({ compiler: true }), callTable(), firstScreen(), screenFiles(), themeStylesheet(), precompress()],
  // light-dark() is to stay as written.
  build: {
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    outDir: join(import.meta.dirname, 'dist'),
    emptyOutDir: true,
    target: 'es2023',
    assetsInlineLimit: 0,
    // One sheet for all: together they weigh less than their headers would apart.
    cssCodeSplit: false,
  },
  worker: { format: 'es' },
});
