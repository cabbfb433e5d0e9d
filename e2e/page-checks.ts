// Checks for every screen in every state.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, type Page, test } from '@playwright/test';
import type { RunOptions } from 'axe-core';

/** The minified version, because every checked page has to parse it. */
const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

declare global {
  interface Window {
    axe: typeof import('axe-core');
  }
}

/** Axe finds no violations on the current page. */
export const expectAccessible = async (page: Page) => expect(await listViolations(page)).toEqual([]);

/**
 * The page is accessible in light and dark mode and does not scroll sideways. Checks contrast on
 * the phone only, because it is slow and the same at every size. Leaves a phone in the other mode:
 * changing it takes longer than checking the page.
 */
export async function expectAccessiblePage(page: Page) {
  const isPhone = (page.viewportSize()?.width ?? 0) < 768;
  // Until the app has started and read who is signed in, the page is empty.
  await expect(page.locator('h1').first()).toBeAttached();
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.evaluate(endAnimations);
  expect(await listViolations(page, { rules: { 'color-contrast': { enabled: isPhone } } })).toEqual([]);
  if (isPhone) {
    const isDark = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches);
    await page.emulateMedia({ colorScheme: isDark ? 'light' : 'dark' });
    await page.evaluate(endAnimations);
    expect(await listViolations(page, { runOnly: 'color-contrast' }), isDark ? 'in light' : 'in dark').toEqual([]);
  }
  const { window, layout } = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return { window: scrollWidth - innerWidth, layout: scrollWidth - clientWidth };
  });
  expect(window, 'scrolls sideways').toBeLessThanOrEqual(0);
  // Emulated phones widen `innerWidth` with the content, so the layout is measured too. Its widths
  // are rounded.
  expect(layout, 'wider than the screen').toBeLessThanOrEqual(1);
}

async function listViolations(page: Page, options: RunOptions = {}): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeSource);
  const { violations } = await page.evaluate(
    (options) => {
      // What is behind a modal dialog cannot be reached, and is checked without the dialog.
      const dialogs = [...document.querySelectorAll('[aria-modal="true"]')].filter((dialog) =>
        dialog.checkVisibility(),
      );
      return window.axe.run(dialogs.at(-1) ?? document, options);
    },
    // Reads only these properties; collecting the rest is slow.
    { ...options, resultTypes: ['violations'] } satisfies RunOptions,
  );
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
}

/** Ends all finite animations, whether or not the browser has drawn them: it draws none while it is busy elsewhere. */
export const endAnimations = () => {
  for (const animation of document.getAnimations())
    if (animation.effect?.getComputedTiming().endTime !== Infinity) animation.finish();
};

/**
 * Leaves what lies behind a dialog sharp. No test looks at it, and without a graphics card the whole screen is blurred
 * again at every change in the dialog, which took a quarter of the processor time of tests with dialogs. Runs in the
 * page before its own scripts.
 */
export const stopBlurring = () => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('* { backdrop-filter: none !important }');
  document.adoptedStyleSheets.push(sheet);
};

/** The filled buttons in the topmost layer: at most one, for what the user most probably wants. Runs in the page. */
export const listFilledButtons = () => {
  const dialogs = [...document.querySelectorAll('[role="dialog"]')];
  const layer = dialogs.at(-1) ?? document.body;
  return [
    // Without a variant, a button is filled, also one that is a link.
    ...layer.querySelectorAll('.mantine-Button-root:is([data-variant="filled"], :not([data-variant]))'),
  ]
    .filter((button) => button.checkVisibility())
    .map((button) => button.textContent);
};

/** Saves a picture of the whole page in test-results, to look at. CI looks at none, so there it draws none. */
export async function takePicture(page: Page, name: string) {
  if (!process.env.CI)
    await page.screenshot({ path: `test-results/${name}-${test.info().project.name}.png`, fullPage: true });
}
