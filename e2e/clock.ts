import { expect, type Locator, type Page } from '@playwright/test';

/** Opens an address, and expects this to be there before so much time has passed on the page's own clock, however slow the machine. */
export async function expectVisibleWithin(page: Page, address: string, milliseconds: number, what: Locator) {
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  await page.goto(address, { waitUntil: 'commit' });
  for (let ms = 0; ms < milliseconds && !(await what.isVisible()); ms++) await page.clock.runFor(1);
  await expect(what).toBeVisible();
}
