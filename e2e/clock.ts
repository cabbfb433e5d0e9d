import { expect, type Locator, type Page } from '@playwright/test';

/**
 * Opens a URL and expects the element within this time by the page's own clock, so that a slow
 * machine does not fail the test.
 */
export async function expectVisibleWithin(page: Page, url: string, ms: number, target: Locator) {
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  await page.goto(url, { waitUntil: 'commit' });
  for (let elapsedMs = 0; elapsedMs < ms && !(await target.isVisible()); elapsedMs++) await page.clock.runFor(1);
  await expect(target).toBeVisible();
}
