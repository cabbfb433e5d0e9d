import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { api } from '#shared/api.ts';
import type { TestClient } from '../src/server/testing/server.ts';
import { draw, pressBack } from './interactions.ts';
import {
  addPhotos,
  affectedSignature,
  filled,
  fillIn,
  fourPhotos,
  ownSignature,
  signatureButton,
  signByDrawing,
  signByTyping,
  submit,
} from './report-form.ts';
import { month, section, submitReport } from './reports.ts';
import { expect, expectAccessiblePage, openReporting, test } from './server.ts';

const details = (page: Page) => page.getByRole('dialog', { name: 'Report Details' });

/** The text of a PDF. */
function readPdfText(pdf: Buffer) {
  const file = join(mkdtempSync(join(tmpdir(), 'pdf-')), 'report.pdf');
  writeFileSync(file, pdf);
  return execFileSync('pdftotext', ['-layout', file, '-'], { encoding: 'utf8' });
}

test("a mother who signs for her child is named as the signer in the report's details and PDF", {
  tag: '@once',
}, async ({ page, signInAs }) => {
  await signInAs(page, 'Health & Safety Manager');
  await openReporting(page);
  await fillIn(page, { person: 'Ellie Barker', Age: '7' });
  await addPhotos(page);
  await signByTyping(page, ownSignature);
  await signatureButton(page, affectedSignature).click();
  await expect(page.getByRole('dialog', { name: 'Sign Here' })).toContainText('Injured person: Ellie Barker');
  await page.getByLabel('Someone else is signing for Ellie Barker').check();
  await page.getByLabel('Name of the person signing').fill('Mary Barker');
  await page.getByLabel('Signing as').selectOption('Parent or guardian');
  await draw(page);
  await expectAccessiblePage(page);
  await page.getByRole('button', { name: 'Save Signature' }).click();
  await expect(page.getByText('Signed by Mary Barker for Ellie Barker, as parent or guardian')).toBeVisible();
  await page.reload();
  await expect(page.getByText('Signed by Mary Barker for Ellie Barker, as parent or guardian')).toBeVisible();
  await submit(page).click();
  await expect(page.getByText('Accident report submitted successfully!')).toBeVisible();

  await page.goto('/get-reports?view=list');
  await page.getByRole('button', { name: /Ellie Barker/ }).click();
  await expect(details(page)).toContainText('Signed by Mary Barker for Ellie Barker, as parent or guardian');
  const href = await details(page).getByRole('link', { name: 'Download PDF' }).getAttribute('href');
  const pdf = await page.request.get(href ?? '');
  expect(readPdfText(await pdf.body()).replace(/\s+/g, ' ')).toContain(
    'Signed for Ellie Barker, as parent or guardian',
  );
});

test('a submitted report appears in the list, details and PDF, and can be deleted', { tag: '@once' }, async ({
  page,
  signInAs,
}) => {
  await signInAs(page, 'Health & Safety Manager');
  await openReporting(page);
  await fillIn(page, { person: 'Gwenllïan o Lanfairpwll', Date: '2026-05-02' });
  await addPhotos(page, fourPhotos);
  await signByDrawing(page, ownSignature);
  await signByTyping(page, affectedSignature, '佐藤 さくら');
  await submit(page).click();
  const number =
    (await page
      .getByText(/^ACC-\d{4}-\d{4}$/)
      .first()
      .textContent()) ?? '';

  await page.goto('/get-reports');
  await expect(page.getByRole('heading', { name: 'Reports', exact: true })).toBeVisible();
  await expectAccessiblePage(page);
  const accidents = section(page, 'Accident');
  const may = month(accidents, 'May 2026');
  await expect(may).toHaveAttribute('aria-expanded', 'false');
  await may.click();
  await expect(may).toHaveAttribute('aria-expanded', 'true');
  const row = accidents.getByRole('button', { name: new RegExp(number) });
  await expect(row).toContainText('02/05/2026');
  await expectAccessiblePage(page);

  await row.click();
  await expect(page).toHaveURL(/report=/);
  for (const text of [
    number,
    'Gwenllïan o Lanfairpwll',
    '02/05/2026',
    '14:05',
    '山田 花子',
    'Ambulance',
    filled.Details,
  ])
    await expect(details(page).getByRole('tabpanel').getByText(text)).toBeVisible();
  await expect(details(page).getByRole('button', { name: /^View photo/ })).toHaveCount(4);
  for (const signature of await details(page)
    .getByAltText(/^Signature/)
    .all())
    expect(await signature.evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth))).toBe(
      800,
    );
  const previews = await details(page)
    .locator('img[src*="thumb"]')
    .evaluateAll((images) => images.length);
  expect(previews).toBe(4);
  await expectAccessiblePage(page);

  // Esc closes only the topmost dialog.
  await details(page)
    .getByRole('button', { name: /^View photo 1 of 4/ })
    .click();
  await expect(page.getByRole('dialog', { name: 'Photo 1 of 4' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog', { name: 'Photo 1 of 4' })).toBeHidden();
  await expect(details(page)).toBeVisible();

  const link = details(page).getByRole('link', { name: 'Download PDF' });
  await expect(link).toHaveAttribute('target', '_blank');
  const pdf = await page.request.get((await link.getAttribute('href')) ?? '');
  expect(pdf.headers()['content-type']).toBe('application/pdf');
  const pdfText = readPdfText(await pdf.body());
  for (const text of [number, 'Gwenllïan o Lanfairpwll', '山田', '02/05/2026', 'Ambulance'])
    expect(pdfText).toContain(text);

  for (const name of ['Audits', 'RIDDOR', 'Details']) {
    await details(page).getByRole('tab', { name, exact: true }).click();
    await expect(link).toBeVisible();
    for (const action of ['Delete', 'Close'])
      await expect(details(page).getByRole('button', { name: action, exact: true })).toBeVisible();
  }

  await page.goBack();
  await expect(details(page)).toBeHidden();
  await page.goForward();
  await expect(details(page)).toBeVisible();
  await details(page).getByRole('button', { name: 'Dismiss' }).click();
  await expect(details(page)).toBeHidden();
  await row.click();

  await details(page).getByRole('button', { name: 'Delete' }).click();
  const confirm = page.getByRole('dialog', { name: 'Delete this report?' });
  await expect(confirm).toBeVisible();
  await expectAccessiblePage(page);
  await page.keyboard.press('Escape');
  await expect(confirm).toBeHidden();
  await expect(details(page)).toBeVisible();
  // Back closes one dialog at a time too.
  await details(page).getByRole('button', { name: 'Delete' }).click();
  await expect(confirm).toBeVisible();
  await pressBack(page);
  await expect(confirm).toBeHidden();
  await expect(details(page)).toBeVisible();
  await pressBack(page);
  await expect(details(page)).toBeHidden();
  await expect(page).toHaveURL(/get-reports$/);
  await row.click();
  await details(page).getByRole('button', { name: 'Delete' }).click();
  await confirm.getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByText('Report deleted successfully')).toBeVisible();
  await expect(may).toHaveCount(0);
  await expect(page).not.toHaveURL(/report=/);
});

test('a report that someone opened before leaves the bell at once when another reviewer opens it', {
  tag: '@once',
}, async ({ page, server, signInAs }) => {
  await signInAs(page, 'Health & Safety Manager', 'Oakfield');
  const { id, number } = await submitReport(await server.as('None', 'Oakfield'), {
    ...{ name: 'Seen by two', location: 'Two rooms', date: '2019-03-04', selectedPlace: 'Oakfield' },
  });
  await (await server.as('Admin'))(api.getReport, { params: { id } });
  // Without the poll of the bell.
  await page.addInitScript(() => {
    const { setInterval } = window;
    window.setInterval = ((work: TimerHandler, ms: number) => (ms === 8000 ? 0 : setInterval(work, ms))) as never;
  });
  await page.goto('/get-reports?location=Two+rooms');
  await expect(page.getByRole('link', { name: 'Notifications, 1 unread' })).toBeVisible();
  await month(section(page, 'Accident'), 'March 2019').click();
  await page.getByRole('button', { name: /^Seen by two/ }).click();
  await expect(details(page)).toContainText('Two rooms');
  // On a phone its number stays in sight.
  await details(page).evaluate((dialog) => dialog.scrollTo(0, dialog.scrollHeight));
  await expect(details(page).getByRole('heading', { level: 2 }).getByText(number)).toBeInViewport();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('link', { name: 'Notifications', exact: true })).toBeVisible();
});

test('a report can be opened by its URL and by keyboard', { tag: '@keyboard' }, async ({ page, server, signInAs }) => {
  const { id, number } = await submitReport(await server.as('Admin'), { name: 'Deep Link', date: '2025-12-24' });
  await signInAs(page, 'Health & Safety Manager');
  await page.goto(`/get-reports?report=${id}`);
  await expect(details(page).getByRole('tabpanel').getByText(number)).toBeVisible();
  await expect(details(page).getByRole('button', { name: 'Close' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(details(page)).toBeHidden();

  await month(section(page, 'Accident'), 'December 2025').focus();
  await page.keyboard.press('Enter');
  const row = page.getByRole('button', { name: new RegExp(number) });
  await expect(row).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(row).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(details(page)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(details(page)).toBeHidden();
  await expect(row).toBeFocused();
});

/**
 * Two users take turns to open a report this often, because repeated openings by one user share an
 * entry.
 */
async function openInTurns(users: [TestClient, TestClient], id: string, times: number) {
  for (let time = 0; time < times; time += 1) await (time % 2 ? users[1] : users[0])(api.getReport, { params: { id } });
}

test("a report's history shows its entries page by page", { tag: '@once' }, async ({ page, server, signInAs }) => {
  const admin = await server.as('Admin');
  const { id, number } = await submitReport(admin, { name: 'Much Read' });
  const { mediaFiles } = await admin(api.getReport, { params: { id } });
  await admin.fetch(mediaFiles[0]?.path ?? '');
  await openInTurns([await server.as('Admin'), admin], id, 24);
  const manager = await signInAs(page, 'Health & Safety Manager');
  await page.goto(`/get-reports?report=${id}`);
  const history = details(page).getByRole('button', { name: 'History' });
  await expect(history).toHaveAttribute('aria-expanded', 'false');
  await history.focus();
  await page.keyboard.press('Enter');
  await expect(history).toHaveAttribute('aria-expanded', 'true');
  const lines = details(page).locator('ol').getByRole('listitem');
  // Of 20 entries, the two by the current user are combined.
  await expect(lines).toHaveCount(19);
  await expect(lines.filter({ hasText: `${manager.username} opened report ${number}` })).not.toHaveCount(0);
  await expectAccessiblePage(page);
  await details(page).getByRole('button', { name: 'Show More' }).press('Enter');
  await expect(lines.filter({ hasText: `${admin.username} opened a photo of a report` })).toHaveCount(1);
  await expect(lines.last()).toContainText(`${admin.username} submitted report ${number}`);
  await expect(details(page).locator(':focus')).toHaveText('End of list.');
  await page.keyboard.press('Escape');
  await expect(details(page)).toBeHidden();
});

test.describe('server errors', () => {
  // The screen logs the failed request with a stack.
  // Pages of the API run no scripts, so they cannot be translated here.
  test.use({ allowedConsoleErrors: /Failed to load resource|\n\s+at async /, isTranslated: false });

  test("an error page is shown if a report's PDF cannot be created", { tag: '@once' }, async ({ page, signInAs }) => {
    await signInAs(page, 'Admin');
    await page.goto('/api/report-pdf/gone');
    await expect(page.getByRole('heading', { name: 'Report not found' })).toBeVisible();
    await page.context().clearCookies();
    await page.goto('/api/report-pdf/gone');
    await expect(page.getByRole('heading', { name: 'Please sign in' })).toBeVisible();
    await page.getByRole('link', { name: 'Go to the first screen' }).click();
    await expect(page.getByLabel('Username')).toBeVisible();
  });

  test('a failed request of the Reports screen shows an error and can be retried', { tag: '@once' }, async ({
    page,
    server,
    signInAs,
  }) => {
    const { id } = await submitReport(await server.as('Admin'), { name: 'Not Gone', date: '2024-06-01' });
    await signInAs(page, 'Admin');
    await page.route('**/api/report-months?*', (route) => route.fulfill({ status: 500, body: '' }));
    await page.goto('/get-reports');
    await expect(page.getByText('The reports could not be loaded.')).toHaveCount(2);
    await expectAccessiblePage(page);
    await page.unrouteAll();
    await section(page, 'Accident').getByRole('button', { name: 'Try Again' }).click();
    await expect(month(section(page, 'Accident'), 'June 2024')).toBeVisible();

    const admin = await server.as('Admin');
    await openInTurns([admin, await server.as('Admin')], id, 20);
    await page.goto(`/get-reports?report=${id}`);
    await details(page).getByRole('button', { name: 'History' }).click();
    const lines = details(page).locator('ol').getByRole('listitem');
    await expect(lines).toHaveCount(19);
    await page.route('**/api/reports/*/history?*', (route) => route.fulfill({ status: 500, body: '' }));
    // By keyboard, because entries that scroll into view are laid out then, which moves the button.
    await details(page).getByRole('button', { name: 'Show More' }).press('Enter');
    await expect(details(page).getByText('More could not be loaded.')).toBeVisible();
    await expect(lines).toHaveCount(19);
    await page.unrouteAll();
    await details(page).getByRole('button', { name: 'Try Again' }).click();
    await expect(lines.last()).toContainText('submitted report');

    await page.route('**/api/delete-report/*', (route) => route.fulfill({ status: 500, body: '' }));
    await details(page).getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog', { name: 'Delete this report?' }).getByRole('button', { name: 'Delete' }).click();
    await expect(page.getByText('The report could not be deleted. Please try again.')).toBeVisible();

    await page.goto('/get-reports?report=nothing');
    await expect(details(page).getByRole('alert')).toHaveText('Report not found');
    await details(page).getByRole('button', { name: 'Close' }).click();
    await expect(details(page)).toBeHidden();
  });
});

test('names in reports are shown as typed on a screen 320 px wide, and never run as code', { tag: '@once' }, async ({
  page,
  server,
  signInAs,
}) => {
  const admin = await server.as('Admin');
  const name = '<img src=x onerror=alert(1)>"\'{{7*7}}';
  const { id } = await submitReport(admin, {
    name,
    details: '<script>alert(2)</script>\n\u202Eevil',
    date: '2023-01-02',
  });
  page.on('dialog', () => {
    throw new Error('something was run');
  });
  await page.setViewportSize({ width: 320, height: 568 });
  await signInAs(page, 'Admin');
  await page.goto(`/get-reports?view=list&report=${id}`);
  await expect(details(page).getByText(name)).toBeVisible();
  await expect(details(page).getByText('<script>alert(2)</script>')).toBeVisible();
  await expectAccessiblePage(page);
  for (const button of await details(page).locator('button, a').all())
    expect((await button.boundingBox())?.height).toBeGreaterThanOrEqual(43.9);
});
