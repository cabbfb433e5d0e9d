import { test as base, expect } from '@playwright/test';
import { expectAccessible, stopBlurring } from '../page-checks.ts';
import { type Harness, serveHarness } from './serve.ts';

/**
 * Playwright's test with the harness running. After each test it checks for foreign requests and
 * CSP violations.
 */
export const test = base.extend<{ failOnConsoleErrors: undefined }, { harness: Harness }>({
  harness: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures a fixture needs from this pattern
    async ({}, use) => {
      const harness = await serveHarness();
      await use(harness);
      await harness.close();
    },
    { scope: 'worker' },
  ],
  failOnConsoleErrors: [
    async ({ page, harness }, use) => {
      const foreignRequests: string[] = [];
      const errors: string[] = [];
      harness.violations.length = 0;
      await page.addInitScript(stopBlurring);
      page.on('request', (request) => {
        if (!/^(blob:|data:)/.test(request.url()) && !request.url().startsWith(harness.url))
          foreignRequests.push(request.url());
      });
      page.on('pageerror', (error) => errors.push(error.message));
      page.on('console', (message) => {
        if (message.type() === 'error') errors.push(message.text());
      });
      await use(undefined);
      expect(foreignRequests).toEqual([]);
      expect(errors).toEqual([]);
      expect(harness.violations).toEqual([]);
    },
    { auto: true },
  ],
});

export { expect, expectAccessible };
