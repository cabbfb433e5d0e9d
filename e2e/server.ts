// For journeys: a server of its own for each worker, on the built screens, and people who sign in as people do.
import AxeBuilder from '@axe-core/playwright';
import { test as base, expect, type Page } from '@playwright/test';
import { type As, password, startTestServer, type TestServer } from '../src/server/testing/server.ts';
import type { Role } from '../src/shared/access.ts';

type Person = As;

type Journey = {
  server: TestServer;
  /** Makes a person and signs them in on the page, through the login screen. */
  signInAs(page: Page, role: Role, park?: string): Promise<Person>;
  /** What the page may write to the console in this test: by default nothing. None may ask anything of another host. */
  mayLog: RegExp;
  quiet: undefined;
};

/** What it says itself where playwright.config.ts keeps the service worker out. */
const ofPlaywright = /^Service Worker registration blocked by Playwright/;

export const test = base.extend<Pick<Journey, 'signInAs' | 'mayLog' | 'quiet'>, Pick<Journey, 'server'>>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures a fixture needs from this pattern
    async ({}, use) => {
      const server = await startTestServer('sqlite');
      await use(server);
      await server.stop();
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ server }, use) => use(server.url),
  signInAs: async ({ server }, use) =>
    use(async (page, role, park) => {
      const person = await server.as(role, park);
      await page.goto('/login');
      await logIn(page, person.username);
      await page.waitForURL('**/reporting');
      return person;
    }),
  // The browser itself notes every 401, and the check for a session is answered with one.
  mayLog: [/status of 401/, { option: true }],
  quiet: [
    async ({ context, server, mayLog }, use) => {
      const said: string[] = [];
      context.on('request', (request) => {
        const { protocol, origin } = new URL(request.url());
        if (protocol.startsWith('http') && origin !== server.url) said.push(`asked ${request.url()}`);
      });
      context.on('weberror', (error) => said.push(error.error().message));
      // A breach of the Content-Security-Policy is an error of the console too.
      context.on('console', (message) => {
        if (message.type() === 'error' || message.type() === 'warning') said.push(message.text());
      });
      await use(undefined);
      expect(said.filter((text) => !mayLog.test(text) && !ofPlaywright.test(text))).toEqual([]);
    },
    { auto: true },
  ],
});

/** Fills in what asks for a name and a password: the login screen, or the dialog over a page. */
export async function logIn(page: Page, username: string, secret = password) {
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Password', { exact: true }).fill(secret);
  await page.getByRole('button', { name: 'Login' }).click();
}

/** Whether axe finds nothing to complain about, in light and in dark, and nothing scrolls sideways. */
export async function expectGood(page: Page) {
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.evaluate(settled);
    const { violations } = await new AxeBuilder({ page }).analyze();
    const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
    expect(found, colorScheme).toEqual([]);
  }
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
}

/** Resolves when nothing moves any more but what never stops. */
export const settled = async () => {
  const ending = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
  await Promise.allSettled(ending.map(({ finished }) => finished));
};

export { expect, password };
