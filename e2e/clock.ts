import { expect, type Locator, type Page } from '@playwright/test';

/**
 * Opens a URL and expects the element within this time by the page's own clock, so that a slow
 * machine does not fail the test.
 */
export async function expectVisibleWithin(page: Page, address: string, milliseconds: number, what: Locator) {
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  await page.goto(address, { waitUntil: 'commit' });
  for (let ms = 0; ms < milliseconds && !(await what.isVisible()); ms++) await page.clock.runFor(1);
  await expect(what).toBeVisible();
}
