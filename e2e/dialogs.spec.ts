// What lies behind a dialog can be neither reached, selected, read out nor scrolled.
import type { Page } from '@playwright/test';
import { api } from '#shared/api.ts';
import { newFolder, newReport } from '../src/server/testing/factories.ts';
import { dialogs } from './all-dialogs.ts';
import { listFilledButtons } from './page-checks.ts';
import { expect, test } from './server.ts';

test.use({ allowedConsoleErrors: /status of 401/ });

test('nothing behind a dialog can be reached by keyboard, selected or scrolled @keyboard', async ({
  page,
  signInAs,
}) => {
  test.slow();
  const admin = await signInAs(page, 'Admin');
  const { id } = await admin(api.submitAccident, { body: await newReport(admin) });
  await newFolder(admin);
  for (const { path, title, open } of dialogs) {
    await signInAs(page, 'Admin');
    await page.goto(path.replace(':report', id));
    await open?.(page);
    const dialog = page.getByRole('dialog', { name: title });
    await expect(dialog).toBeVisible();
    await expect.poll(() => hasFocus(page)).toBe(true);
    expect((await page.evaluate(listFilledButtons)).slice(1), `more than one filled button in ${title}`).toEqual([]);
    for (const key of ['Tab', 'Shift+Tab'])
      for (let times = 0; times < 12; times += 1) {
        await page.keyboard.press(key);
        expect(await hasFocus(page), `${key} in ${title}`).toBe(true);
      }
    await dialog.getByRole('heading', { level: 2 }).first().click();
    await page.keyboard.press('ControlOrMeta+A');
    expect(await listSelectedOutside(page), `selected behind ${title}`).toEqual([]);
    expect(await page.evaluate(() => getComputedStyle(document.documentElement).overflowY)).toBe('hidden');
    expect(
      await page.locator('[role="dialog"]:not([inert] *)').count(),
      `dialogs that can be reached beside ${title}`,
    ).toBe(1);
  }
});

/** Whether the focus is in the topmost dialog. */
const hasFocus = (page: Page) =>
  page.evaluate(() => {
    const { activeElement } = document;
    return Boolean(activeElement?.closest('[role="dialog"]')) && !activeElement?.closest('[inert]');
  });

/** Returns the texts of the selection that are in no dialog, or behind one. */
const listSelectedOutside = (page: Page) =>
  page.evaluate(() => {
    const selection = getSelection();
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const outside: string[] = [];
    while (selection && texts.nextNode()) {
      const { parentElement, textContent } = texts.currentNode;
      if (!textContent?.trim() || !parentElement?.checkVisibility() || !selection.containsNode(texts.currentNode))
        continue;
      const isReachable = parentElement.closest('[role="dialog"]') && !parentElement.closest('[inert]');
      if (!isReachable && selection.toString().includes(textContent.trim())) outside.push(textContent);
    }
    return outside;
  });
