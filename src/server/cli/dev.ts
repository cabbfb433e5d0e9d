// `npm run dev`: the product in one process on one port, its screens reloading as they change, on a database full of demo data.

import type { FastifyInstance } from 'fastify';
import { createServer, type ViteDevServer } from 'vite';
import { type Config, parseConfig } from '../config.ts';
import { killSwitchWorker } from '../pages/kill-switch-worker.ts';
import { renderPage } from '../pages/pages.ts';
import { start } from '../start.ts';
import { demoPassword, demoUsers, seedDemoData } from './demo.ts';

/** Vite in place of the built screens. It needs scripts and styles of its own in the page, which the product's policy forbids. */
async function serveVite(server: FastifyInstance, config: Config): Promise<void> {
  const vite: ViteDevServer = await createServer({
    configFile: 'vite.config.ts',
    // Otherwise Vite writes the file anew to read it, and the watch for changes starts the server again for ever.
    configLoader: 'native',
    appType: 'spa',
    plugins: [{ name: 'operator', transformIndexHtml: (page) => renderPage(config, page) }],
    server: { middlewareMode: true, hmr: { server: server.server } },
  });
  server.addHook('onClose', () => vite.close());
  server.setNotFoundHandler((request, reply) => {
    // A device that has opened the built product here before would go on showing that one.
    if (request.url === '/sw.js') return reply.type('text/javascript').send(killSwitchWorker);
    reply.hijack();
    if (request.url === '/operator-logo') request.raw.url = '/logo.svg';
    vite.middlewares(request.raw, reply.raw, () => reply.raw.writeHead(404).end());
  });
}

// The passwords of its people are in this repository: for this machine alone, unless HOST says otherwise.
const config = parseConfig({
  DATA_DIR: './data/demo',
  HOST: '127.0.0.1',
  LOG_LEVEL: 'warn',
  ADMIN_PASSWORD: demoPassword,
  ...process.env,
});
const { address, stop, db } = await start(config, { registerPages: serveVite });
await seedDemoData(db, address, new Date());
console.log(`\nReady at ${address}\nSign in with the password ${demoPassword} as`);
for (const { username, role, park } of [{ username: 'admin', role: 'Admin', park: '' }, ...demoUsers])
  console.log(`  ${username.padEnd(8)} ${role === 'None' ? 'park staff' : role}${park && `, ${park}`}`);
for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.once(signal, () => void stop().then(() => process.exit(0)));
