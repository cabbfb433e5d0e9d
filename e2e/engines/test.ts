// Fixtures for the tests in WebKit and Firefox: a server per worker, a browser or tab per test.
import { setTimeout } from 'node:timers/promises';
import { test as base, expect } from '@playwright/test';
import type { Role } from '#shared/access.ts';
import { registerBuiltPages } from '../../src/server/pages/pages.ts';
import { findFreePort } from '../../src/server/testing/free-port.ts';
import { password, startTestServer, type TestServer } from '../../src/server/testing/server.ts';
import { type App, createApp } from './app.ts';
import type { Browser } from './browser.ts';
import { startFirefox } from './firefox.ts';
import { startWebKit } from './webkit.ts';

type Traffic = {
  /** The paths requested so far. */
  urls: string[];
  /** Responses to matching paths are delayed by two seconds. */
  delayedPaths?: RegExp;
};

type Fixtures = {
  engine: Browser;
  /** The server's URL for the browser. */
  url: string;
  app: App;
  /** Creates a user and signs in on the login screen. */
  signIn(role: Role, park?: string): Promise<void>;
};

type WorkerFixtures = { server: TestServer; traffic: Traffic; openBrowser(): Promise<Browser> };

export const test = base.extend<Fixtures, WorkerFixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures a fixture needs from this pattern
  traffic: [({}, use) => use({ urls: [] }), { scope: 'worker' }],
  server: [
    async ({ traffic }, use) => {
      const guestPort = await findFreePort();
      const settings = { GUEST_PORT: `${guestPort}`, GUEST_URL: `http://127.0.0.1:${guestPort}` };
      const server = await startTestServer('sqlite', settings, undefined, (fastify, config) => {
        fastify.addHook('onRequest', async ({ url }) => {
          traffic.urls.push(url);
          if (traffic.delayedPaths?.test(url)) await setTimeout(2000);
        });
        return registerBuiltPages(fastify, config);
      });
      await use(server);
      await server.stop();
    },
    { scope: 'worker' },
  ],
  url: ({ server }, use) => use(server.url),
  openBrowser: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures a fixture needs from this pattern
    async ({}, use, { project }) => {
      if (project.name === 'webkit') return use(startWebKit);
      // Takes seconds to start, so all tests of a worker share one.
      const firefox = await startFirefox();
      await use(firefox.openTab);
      await firefox.close();
    },
    { scope: 'worker' },
  ],
  engine: async ({ traffic, openBrowser }, use) => {
    traffic.urls.length = 0;
    const engine = await openBrowser();
    await use(engine);
    await engine.close();
    expect(engine.consoleErrors).toEqual([]);
  },
  app: ({ engine, url }, use) => use(createApp(engine, url)),
  signIn: ({ app, engine, server }, use) =>
    use(async (role, park) => {
      const { username } = await server.as(role, park);
      await app.open('/');
      await app.expectPath('/login');
      // WebKitGTK may never finish a registration that a navigation interrupts, nor load the next page.
      await expect.poll(() => engine.run('hasServiceWorker')).toBe(true);
      await app.type('Username', username);
      await app.type('Password', password);
      await app.press('Login');
      await app.expectPath('/reporting');
    }),
});

export { expect };
