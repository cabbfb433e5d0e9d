// Input survives a reload right after typing.
import type { Locator, Page } from '@playwright/test';
import { expect, openReporting, test } from './server.ts';

/**
 * Types the texts, the last key of each some milliseconds before a reload, and expects them
 * afterwards.
 */
async function expectSurvivesReload(page: Page, input: Locator, texts: [text: string, ms: number][]) {
  for (const [text, ms] of texts) {
    await input.fill(text.slice(0, -1));
    const pageReloaded = page.waitForEvent('load');
    await input.evaluate(
      (_, [last, ms]) => {
        document.execCommand('insertText', false, last);
        if (ms === 0) location.reload();
        else setTimeout(() => location.reload(), ms);
      },
      [text.slice(-1), ms] as const,
    );
    await pageReloaded;
    await expect(input, `${ms} ms after the last key`).toHaveValue(text);
  }
}

test('text typed in the checklist editor survives a reload right after the last key press', { tag: '@once' }, async ({
  page,
  signInAs,
}) => {
  await signInAs(page, 'Admin');
  await page.goto('/admin?tab=checklists');
  await page.getByRole('button', { name: 'New Checklist' }).click();
  await expectSurvivesReload(page, page.getByLabel('Checklist title'), [
    ['Pool', 0],
    ['Pool edge', 100],
    ['Pool edge and steps', 0],
  ]);
});

test('text typed in a report survives a reload right after the last key press', { tag: '@once' }, async ({
  page,
  signInAs,
}) => {
  await signInAs(page, 'None');
  await openReporting(page);
  await expectSurvivesReload(page, page.getByLabel('Location or plot'), [
    ['Pool', 0],
    ['Pool edge', 100],
    ['Pool edge and', 250],
    ['Pool edge and steps', 0],
  ]);
});
