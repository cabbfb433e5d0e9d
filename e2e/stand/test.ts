import { test as base, expect } from '@playwright/test';
import { expectAccessible } from '../good.ts';
import { type Stand, serveStand } from './serve.ts';

/** Playwright's test with the stand running, and two promises checked after each: no foreign request, no forbidden act. */
export const test = base.extend<{ quiet: undefined }, { stand: Stand }>({
  stand: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures a fixture needs from this pattern
    async ({}, use) => {
      const stand = await serveStand();
      await use(stand);
      await stand.close();
    },
    { scope: 'worker' },
  ],
  quiet: [
    async ({ page, stand }, use) => {
      const foreign: string[] = [];
      const errors: string[] = [];
      stand.violations.length = 0;
      page.on('request', (request) => {
        if (!/^(blob:|data:)/.test(request.url()) && !request.url().startsWith(stand.url)) foreign.push(request.url());
      });
      page.on('pageerror', (error) => errors.push(error.message));
      page.on('console', (message) => {
        if (message.type() === 'error') errors.push(message.text());
      });
      await use(undefined);
      expect(foreign).toEqual([]);
      expect(errors).toEqual([]);
      expect(stand.violations).toEqual([]);
    },
    { auto: true },
  ],
});

export { expect, expectAccessible };
