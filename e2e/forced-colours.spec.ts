// The high contrast of the operating system, where backgrounds, shadows and most colours are the system's.

import type { Locator, Page } from '@playwright/test';
import { api } from '#shared/api.ts';
import { newReport } from '../src/server/testing/factories.ts';
import { expect, test } from './server.ts';

test.use({ contextOptions: { forcedColors: 'active', reducedMotion: 'reduce' } });

/** What is chosen, and one of its kind that is not. */
const chosen: [path: string, chosen: (page: Page) => Locator, other: (page: Page) => Locator][] = [
  [
    '/reporting',
    (page) => page.getByRole('tab', { name: 'Accident Reporting' }),
    (page) => page.getByRole('tab', { name: 'Incident Reporting' }),
  ],
  [
    '/audits?tab=open',
    (page) => page.getByRole('navigation', { name: 'Audits' }).getByRole('link', { name: 'All Open Audits' }),
    (page) => page.getByRole('navigation', { name: 'Audits' }).getByRole('link', { name: 'Folders' }),
  ],
  [
    '/checklists',
    (page) => page.getByRole('link', { name: 'Checklists', exact: true }).filter({ visible: true }),
    (page) => page.getByRole('link', { name: 'Audits', exact: true }).filter({ visible: true }),
  ],
  [
    '/get-reports?view=list',
    (page) => page.getByRole('button', { name: 'List View' }),
    (page) => page.getByRole('button', { name: 'Group by Month' }),
  ],
];

const readColours = (locator: Locator) =>
  locator.evaluate((element) => {
    const { color, backgroundColor } = getComputedStyle(element);
    return [color, backgroundColor];
  });

/** Those of the system for what is chosen. */
const readMark = (page: Page) =>
  page.evaluate(() => {
    const mark = document.createElement('p');
    mark.style.cssText = 'forced-color-adjust: none; color: SelectedItemText; background: SelectedItem';
    document.body.append(mark);
    const { color, backgroundColor } = getComputedStyle(mark);
    mark.remove();
    return [color, backgroundColor];
  });

test('what is chosen and what has the focus stands out in forced colours', async ({ page, signInAs }) => {
  const admin = await signInAs(page, 'Admin');
  await admin(api.submitAccident, { body: await newReport(admin) });
  for (const [path, getChosen, getOther] of chosen) {
    await page.goto(path);
    await expect(getChosen(page)).toBeVisible();
    const mark = await readMark(page);
    expect(await readColours(getChosen(page)), path).toEqual(mark);
    expect(await readColours(getOther(page)), path).not.toEqual(mark);
    // With the keyboard, so that the focus is shown.
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    const outline = () =>
      page.evaluate(() => {
        const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement ?? document.body);
        return [outlineStyle, outlineWidth];
      });
    expect(await outline(), path).toEqual(['solid', '3px']);
  }

  // A dialog has an edge, and the result that the arrow key chose is marked.
  await page.keyboard.press('Control+k');
  const dialog = page.getByRole('dialog', { name: 'Search' });
  expect(await dialog.evaluate((element) => getComputedStyle(element).borderTopWidth)).toBe('1px');
  await page.keyboard.type('overview');
  const options = dialog.getByRole('option');
  // Records of other tests may stand above the screens.
  await expect(dialog.getByRole('status')).toHaveText(/result/);
  await page.keyboard.press('ArrowDown');
  await expect(options.first()).toHaveAttribute('data-combobox-selected');
  expect(await readColours(options.first())).toEqual(await readMark(page));
});
