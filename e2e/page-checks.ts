// What holds of every screen in every state.
import { expect, type Page } from '@playwright/test';
import axe, { type RunOptions } from 'axe-core';

declare global {
  interface Window {
    axe: typeof import('axe-core');
  }
}

/** Axe finds nothing to complain about on the page as it is now. */
export const expectAccessible = async (page: Page) => expect(await listViolations(page)).toEqual([]);

/**
 * The page is accessible in light and in dark, and nothing scrolls sideways. Its colours, which axe takes longest over, are the same at
 * every size: they are looked at on the phone.
 */
export async function expectAccessiblePage(page: Page) {
  const isPhone = (page.viewportSize()?.width ?? 0) < 768;
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await page.evaluate(waitForAnimations);
  expect(await listViolations(page, { rules: { 'color-contrast': { enabled: isPhone } } })).toEqual([]);
  if (isPhone) {
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
    await page.evaluate(waitForAnimations);
    expect(await listViolations(page, { runOnly: 'color-contrast' }), 'in dark').toEqual([]);
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  }
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
}

async function listViolations(page: Page, options: RunOptions = {}): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  const { violations } = await page.evaluate((options) => window.axe.run(options), {
    ...options,
    // Only these are read: the rest takes its time to write down.
    resultTypes: ['violations'],
  } satisfies RunOptions);
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
}

/** Resolves when nothing moves any more but what never stops. */
export const waitForAnimations = async () => {
  const ending = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
  await Promise.allSettled(ending.map(({ finished }) => finished));
};
