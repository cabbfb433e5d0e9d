// The app installed on a device: allows its service worker, and can install a newer version.
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, expect, type Page } from '@playwright/test';
import { registerBuiltPages } from '../src/server/pages/pages.ts';
import { startTestServer, type TestServer } from '../src/server/testing/server.ts';
import { test as base } from './server.ts';

export const newerVersionMark = '<!-- a newer version -->';

/** A server with its own built screens, so that a newer version can replace them. */
type UpgradableServer = TestServer & { upgrade(): Promise<void> };

export const test = base.extend<object, { server: UpgradableServer }>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures a fixture needs from this pattern
    async ({}, use) => {
      const screens = mkdtempSync(join(tmpdir(), 'screens-'));
      cpSync(join(import.meta.dirname, '../dist'), screens, { recursive: true });
      const settings = { OPERATOR_NAME: 'Mab & Sons "Parks"' };
      const server = await startTestServer('sqlite', settings, undefined, (fastify, config) =>
        registerBuiltPages(fastify, config, screens),
      );
      const upgrade = async () => {
        const page = join(screens, 'index.html');
        writeFileSync(page, readFileSync(page, 'utf8').replace('</body>', `${newerVersionMark}</body>`));
        await server.restart();
      };
      await use(Object.assign(server, { upgrade }));
      await server.stop();
      rmSync(screens, { recursive: true });
    },
    { scope: 'worker' },
  ],
});

/** Waits until the screens are cached and the worker controls the page, which may still be loading. */
export const waitForCachedScreens = (page: Page) =>
  page.waitForFunction(() => navigator.serviceWorker.controller !== null);

/** Waits until the screens that only reviewers open are cached too. */
export const waitForReviewerScreens = async (page: Page) => {
  await waitForCachedScreens(page);
  const countMissing = () =>
    page.evaluate(async () => {
      const worker = await (await fetch('/sw.js')).text();
      const cached = await (await caches.open('reviewer-screens')).keys();
      return (worker.match(/revision:.reviewer./g)?.length ?? 0) - cached.length;
    });
  await expect.poll(countMissing, { timeout: 60_000 }).toBe(0);
};

export const goOffline = async (page: Page, context: BrowserContext) => {
  await waitForCachedScreens(page);
  await context.setOffline(true);
};

/** Browsers set navigator.onLine and its events differently, so the app must not need them. */
export const overrideOnLine = (value: boolean) => {
  Object.defineProperty(Navigator.prototype, 'onLine', { get: () => value });
  for (const event of ['online', 'offline'])
    window.addEventListener(event, (receivedEvent) => receivedEvent.stopImmediatePropagation());
};

export const offlineNotice = (page: Page) => page.getByText('You are offline. You can keep typing');
