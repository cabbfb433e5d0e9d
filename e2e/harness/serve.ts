// Builds the harness and serves it with the product's Content-Security-Policy.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join, normalize } from 'node:path';
import react from '@vitejs/plugin-react';
import { build } from 'vite';
import { browsers } from '../../build/browsers.ts';
import { pageCsp } from '../../src/server/http/headers.ts';
import { themeStylesheet } from '../../src/web/ui/theme/themeStylesheet.ts';
import { PHOTOS } from '../interactions.ts';

export type Harness = {
  url: string;
  /** CSP violations reported by the browser so far. */
  violations: string[];
  close: () => Promise<void>;
};

const contentSecurityPolicy = `${pageCsp}; report-uri /violations`;

const mediaTypes: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.jpg': 'image/jpeg',
};

/** Serves the harness on a free local port, with the fixture photos under /photos. */
export async function serveHarness(): Promise<Harness> {
  const outDir = await mkdtemp(join(tmpdir(), 'harness-'));
  await build({
    configFile: false,
    root: import.meta.dirname,
    logLevel: 'warn',
    plugins: [react({ compiler: true }), themeStylesheet()],
    build: {
      ...browsers,
      outDir,
      emptyOutDir: true,
      assetsInlineLimit: 0,
      minify: false,
    },
    worker: { format: 'es' },
  });

  const violations: string[] = [];
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://harness');
    if (pathname === '/violations') {
      let body = '';
      for await (const part of request) body += part;
      violations.push(body);
      return response.writeHead(204).end();
    }
    const name = normalize(pathname === '/' ? '/index.html' : pathname);
    const file = name.startsWith('/photos/') ? join(PHOTOS, name.slice('/photos/'.length)) : join(outDir, name);
    const bytes = await readFile(file).catch(() => undefined);
    response.writeHead(bytes ? 200 : 404, {
      'content-type': mediaTypes[extname(file)] ?? 'application/octet-stream',
      'content-security-policy': contentSecurityPolicy,
      'x-content-type-options': 'nosniff',
    });
    response.end(bytes);
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    violations,
    close: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
      await rm(outDir, { recursive: true });
    },
  };
}
