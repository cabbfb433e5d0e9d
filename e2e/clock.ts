import { expect, type Locator, type Page } from '@playwright/test';

/**
 * Opens a URL and expects the element within a time on the page's own clock, on a machine of any
 * speed.
 */
export async function expectVisibleWithin(page: Page, address: string, milliseconds: number, what: Locator) {
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  await page.goto(address, { waitUntil: 'commit' });
  for (let ms = 0; ms < milliseconds && !(await what.isVisible()); ms++) await page.clock.runFor(1);
  await expect(what).toBeVisible();
}
