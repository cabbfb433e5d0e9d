// For journeys: a server of its own for each worker, on the built screens, and people who sign in as people do.
import { test as base, expect, type Page } from '@playwright/test';
import { type As, password, startTestServer, type TestServer } from '../src/server/testing/server.ts';
import type { Role } from '../src/shared/access.ts';

type Person = As;

type Journey = {
  server: TestServer;
  /** Makes a person and signs them in on the page, through the login screen. */
  signInAs(page: Page, role: Role, park?: string): Promise<Person>;
};

export const test = base.extend<Pick<Journey, 'signInAs'>, Pick<Journey, 'server'>>({
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
      await page.getByLabel('Username').fill(person.username);
      await page.getByLabel('Password', { exact: true }).fill(password);
      await page.getByRole('button', { name: 'Login' }).click();
      await page.waitForURL('**/reporting');
      return person;
    }),
});

export { expect };
