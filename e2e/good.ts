// What holds of every screen in every state.
import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** Axe finds nothing to complain about on the page as it is now. */
export const expectAccessible = async (page: Page) => expect(await faultsOf(new AxeBuilder({ page }))).toEqual([]);

/** The page is accessible in light and in dark, and nothing scrolls sideways. */
export async function expectGood(page: Page) {
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await page.evaluate(settled);
  await expectAccessible(page);
  // In dark the page is the same but for its colours.
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  await page.evaluate(settled);
  expect(await faultsOf(new AxeBuilder({ page }).withRules('color-contrast')), 'in dark').toEqual([]);
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
}

async function faultsOf(axe: AxeBuilder): Promise<string[]> {
  const { violations } = await axe.analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
}

/** Resolves when nothing moves any more but what never stops. */
export const settled = async () => {
  const ending = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
  await Promise.allSettled(ending.map(({ finished }) => finished));
};
