// Checks for every screen in every state.
import { expect, type Page } from '@playwright/test';
import axe, { type RunOptions } from 'axe-core';

declare global {
  interface Window {
    axe: typeof import('axe-core');
  }
}

/** Axe finds no violations on the current page. */
export const expectAccessible = async (page: Page) => expect(await listViolations(page)).toEqual([]);

/**
 * The page is accessible in light and dark mode and does not scroll sideways. Checks contrast on
 * the phone only, because it is slow and the same at every size.
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
  const { window, layout } = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return { window: scrollWidth - innerWidth, layout: scrollWidth - clientWidth };
  });
  expect(window, 'scrolls sideways').toBeLessThanOrEqual(0);
  // Emulated phones widen `innerWidth` with the content, so the layout is measured too. Its widths are rounded.
  expect(layout, 'wider than the screen').toBeLessThanOrEqual(1);
}

async function listViolations(page: Page, options: RunOptions = {}): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  const { violations } = await page.evaluate((options) => window.axe.run(options), {
    ...options,
    // Reads only these properties; collecting the rest is slow.
    resultTypes: ['violations'],
  } satisfies RunOptions);
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
}

/** Resolves when all finite animations have ended. */
export const waitForAnimations = async () => {
  const ending = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
  await Promise.allSettled(ending.map(({ finished }) => finished));
};
