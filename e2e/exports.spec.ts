import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { parse } from 'csv-parse/sync';
import { api } from '#shared/api.ts';
import { newReport } from '../src/server/testing/factories.ts';
import { openMore } from './interactions.ts';
import { expect, expectAccessiblePage, test } from './server.ts';

async function exportList(page: Page, list: string, format: 'CSV' | 'Excel') {
  await openMore(page);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page
      .getByRole('group', { name: `Export ${list}` })
      .getByRole('button', { name: format })
      .click(),
  ]);
  return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
}

test('a manager exports the reports that match a search', { tag: '@once' }, async ({ page, signInAs }) => {
  const manager = await signInAs(page, 'Health & Safety Manager');
  const { number } = await manager(api.submitAccident, { body: await newReport(manager, { type: 'Wasp sting' }) });
  await manager(api.submitAccident, { body: await newReport(manager, { type: 'Bee sting' }) });
  await page.goto('/get-reports');
  // Search, because months are collapsed until they are opened.
  await page.getByPlaceholder('Search accident reports...').fill('wasp');
  const accidents = page.getByRole('region', { name: 'Accident Reports' });
  await expect(accidents.getByRole('button', { name: new RegExp(number) })).toBeVisible();
  await expect(accidents).toContainText('1 report');

  await openMore(page);
  const buttons = page.getByRole('group', { name: 'Export accident reports' }).getByRole('button');
  await expect(buttons).toHaveText(['Excel', 'CSV']);
  await expect(buttons.nth(1)).toHaveAccessibleDescription('for other programs: Excel changes telephone numbers');

  const csv = await exportList(page, 'accident reports', 'CSV');
  expect(csv.name).toMatch(/^Accident Reports \d{4}-\d\d-\d\d\.csv$/);
  const rows = parse(csv.bytes, { bom: true, columns: true }) as Record<string, string>[];
  expect(rows.map(({ Type }) => Type)).toEqual(['Wasp sting']);

  const excelFile = await exportList(page, 'accident reports', 'Excel');
  expect(excelFile.name).toMatch(/\.xlsx$/);
  expect(excelFile.bytes.subarray(0, 2).toString()).toBe('PK');
  await expectAccessiblePage(page);
});

test.describe('an export when the server fails', () => {
  test.use({ allowedConsoleErrors: /status of (401|503)/ });

  test('a failed export shows a message that the list could not be exported @once', async ({ page, signInAs }) => {
    await signInAs(page, 'Admin');
    await page.route('**/api/export/users*', (route) => route.fulfill({ status: 503, body: '' }));
    await page.goto('/admin?tab=users');
    await page.getByRole('group', { name: 'Export users' }).getByRole('button', { name: 'CSV' }).click();
    await expect(page.getByRole('group', { name: 'Export users' }).getByRole('alert')).toContainText(
      'The list could not be exported.',
    );
  });
});
