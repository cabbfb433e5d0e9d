// Fixtures: a server per worker with the built screens, and signed-in users.
import { test as base, expect, type Page } from '@playwright/test';
import type { Role } from '#shared/access.ts';
import { findFreePort } from '../src/server/testing/free-port.ts';
import { password, startTestServer, type TestClient, type TestServer } from '../src/server/testing/server.ts';
import { expectAccessiblePage, stopBlurring } from './page-checks.ts';
import { translate } from './translate.ts';

/** The operator's privacy notice in all tests. */
export const privacyNotice = 'https://park.example/privacy?of=us&in=2026';

type Person = TestClient;

type Fixtures = {
  server: TestServer;
  /** Creates a user and signs the browser in as them, without opening a page. */
  signInAs(page: Page, role: Role, park?: string | string[]): Promise<Person>;
  /**
   * Console messages allowed in this test; none by default. Requests to other hosts always fail.
   */
  allowedConsoleErrors: RegExp;
  failOnConsoleErrors: undefined;
  /** Whether the browser translates the page, as that of seasonal staff does. */
  isTranslated: boolean;
  initScripts: undefined;
};

/** Playwright logs this itself if the config blocks service workers. */
const playwrightNotice = /^Service Worker registration blocked by Playwright/;

export const test = base.extend<
  Pick<Fixtures, 'signInAs' | 'allowedConsoleErrors' | 'failOnConsoleErrors' | 'isTranslated' | 'initScripts'>,
  Pick<Fixtures, 'server'>
>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures a fixture needs from this pattern
    async ({}, use) => {
      const guestPort = await findFreePort();
      const server = await startTestServer('sqlite', {
        PRIVACY_NOTICE_URL: privacyNotice,
        ...{ GUEST_PORT: `${guestPort}`, GUEST_URL: `http://127.0.0.1:${guestPort}` },
      });
      await use(server);
      await server.stop();
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ server }, use) => use(server.url),
  // Skips the login screen, which signing-in.spec.ts tests: loading a page takes most of a second.
  signInAs: async ({ server }, use) =>
    use(async (page, role, park) => {
      const person = await server.as(role, park);
      const [name = '', value = ''] = person.cookie.split('=');
      await page.context().addCookies([{ name, value, url: server.url, httpOnly: true, sameSite: 'Strict' }]);
      return person;
    }),
  // Browsers log every 401, and the session check gets one.
  allowedConsoleErrors: [/status of 401/, { option: true }],
  failOnConsoleErrors: [
    async ({ context, server, allowedConsoleErrors }, use) => {
      const problems: string[] = [];
      context.on('request', (request) => {
        const { protocol, origin } = new URL(request.url());
        if (protocol.startsWith('http') && origin !== server.url) problems.push(`asked ${request.url()}`);
      });
      context.on('weberror', (error) => problems.push(error.error().message));
      // CSP violations are console errors too.
      context.on('console', (message) => {
        if (message.type() === 'error' || message.type() === 'warning') problems.push(message.text());
      });
      await use(undefined);
      expect(problems.filter((text) => !allowedConsoleErrors.test(text) && !playwrightNotice.test(text))).toEqual([]);
    },
    { auto: true },
  ],
  isTranslated: [false, { option: true }],
  initScripts: [
    async ({ context, isTranslated }, use) => {
      await context.addInitScript(stopBlurring);
      if (isTranslated) await context.addInitScript(translate);
      await use(undefined);
    },
    { auto: true },
  ],
});

/** Opens Reporting and waits until it is drawn for the signed-in user. */
export async function openReporting(page: Page) {
  await page.goto('/reporting');
  await page.getByRole('banner').waitFor();
}

/** Fills in username and password on the login screen or in the sign-in dialog. */
export async function signIn(page: Page, username: string, secret = password) {
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Password', { exact: true }).fill(secret);
  await page.getByRole('button', { name: 'Login' }).click();
}

export { expect, expectAccessiblePage, password };
