// `npm run dev`: server and screens in one process on one port, with reloading and demo data.

import type { FastifyInstance } from 'fastify';
import { createServer, type ViteDevServer } from 'vite';
import { type Config, parseConfig } from '../config.ts';
import { demoPassword, findDemoLabel, seedDemoData } from '../demo/demo.ts';
import { demoUsers } from '../demo/season.ts';
import { killSwitchWorker } from '../pages/kill-switch-worker.ts';
import { renderPage } from '../pages/pages.ts';
import { start } from '../start.ts';

/**
 * Lets Vite serve the screens, without the product's Content-Security-Policy, which would block
 * Vite's own scripts and styles.
 */
async function serveVite(server: FastifyInstance, config: Config): Promise<void> {
  const vite: ViteDevServer = await createServer({
    configFile: 'vite.config.ts',
    // With other loaders Vite writes a copy of its config, and that new file would restart the
    // server endlessly.
    configLoader: 'native',
    appType: 'spa',
    plugins: [{ name: 'operator', transformIndexHtml: (page) => renderPage(config, page) }],
    server: { middlewareMode: true, hmr: { server: server.server } },
  });
  server.addHook('onClose', () => vite.close());
  // A screen loads hundreds of modules one by one.
  server.get('/*', { config: { isUnlimited: true } }, (request, reply) => {
    // A device with the built product's service worker would keep showing that build.
    if (request.url === '/sw.js') return reply.type('text/javascript').send(killSwitchWorker);
    reply.hijack();
    if (request.url === '/operator-logo') request.raw.url = '/logo.svg';
    vite.middlewares(request.raw, reply.raw, () => reply.raw.writeHead(404).end());
  });
}

// The demo password is public in this repository, so the server listens on this machine only unless
// HOST is set.
const { PORT = '3000' } = process.env;
const guestPort = PORT === '0' ? '0' : `${Number(PORT) + 1}`;
const config = parseConfig({
  DATA_DIR: './data/demo',
  HOST: '127.0.0.1',
  LOG_LEVEL: 'warn',
  ADMIN_PASSWORD: demoPassword,
  ...{ GUEST_REPORTS: '1', GUEST_PORT: guestPort, GUEST_URL: `http://localhost:${guestPort}` },
  ...process.env,
});
await seedDemoData(config, new Date());
const { address, stop } = await start(config, { registerPages: serveVite });
console.log(`\nReady at ${address}\nSign in with the password ${demoPassword} as`);
for (const { username, role, park } of [{ username: 'admin', role: 'Admin', park: '' }, ...demoUsers])
  console.log(`  ${username.padEnd(8)} ${role === 'None' ? 'park staff' : role}${park && `, ${park}`}`);
const label = await findDemoLabel(config);
if (label) console.log(`Guests send messages at ${label.url}, the label of ${label.place}`);
for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.once(signal, () => void stop().then(() => process.exit(0)));
