// Checklists in the browser: their drafts and printouts.
import { execFileSync } from 'node:child_process';
import type { Locator, Page, TestInfo } from '@playwright/test';
import type { Section } from '#shared/checklists.ts';
import { expect } from './server.ts';

/** A button by its whole name, or by a pattern. */
export const button = (within: Page | Locator, name: string | RegExp) =>
  within.getByRole('button', { name, exact: typeof name === 'string' });

/** Reads all checklist drafts in this browser. */
export const readChecklistDrafts = (page: Page) =>
  page.evaluate(() => Object.entries(localStorage).filter(([key]) => key.startsWith('checklist-progress-')));

/** Replaces printing, so that the printout stays on the page. */
export const disablePrinting = (page: Page) =>
  page.addInitScript('window.print = () => document.body.setAttribute("data-printed", "")');

/** Prints the page to PDF and returns its text. */
export async function printToPdf(page: Page, name: string, testInfo: TestInfo) {
  await expect(page.locator('body[data-printed]')).toBeAttached();
  const path = testInfo.outputPath(`${name}.pdf`);
  await page.pdf({ path, preferCSSPageSize: true, printBackground: true });
  const text = execFileSync('pdftotext', ['-layout', path, '-']).toString();
  await page.evaluate(() => {
    document.body.removeAttribute('data-printed');
    window.dispatchEvent(new Event('afterprint'));
  });
  return text;
}

export const section = (title: string, type: Section['type'] = 'text', required = false): Section => ({
  title,
  type,
  required,
});

/** The titles of the sections in the checklist editor. */
export const listTitles = (editor: Locator) =>
  editor
    .getByRole('button', { name: /^\d+\. / })
    .evaluateAll((rows) => rows.map((row) => row.firstElementChild?.textContent?.replace(/^\d+\. /, '')));

/** Shows all rows of Due now, until this one is shown: the checks of other tests may fill the first rows. */
export async function showDueCheck(due: Locator, check: Locator) {
  const showAll = due.getByRole('button', { name: /^Show All/ });
  await expect(check.or(showAll).first()).toBeVisible();
  if (await showAll.isVisible()) await showAll.click();
  await expect(check).toBeVisible();
}
