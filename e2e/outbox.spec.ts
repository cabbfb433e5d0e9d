// A submission arrives once, even if the connection, the page or the session ends.
import { readFileSync } from 'node:fs';
import type { BrowserContext, Page } from '@playwright/test';
import { api } from '#shared/api.ts';
import { newAudit, newFolder } from '../src/server/testing/factories.ts';
import type { TestClient } from '../src/server/testing/server.ts';
import { openMenu, openScreen } from './interactions.ts';
import { keptText, outboxLink, savedText } from './outbox.ts';
import { takePicture } from './page-checks.ts';
import { field, filled, fillInReport, submit } from './report-form.ts';
import { expect, expectAccessiblePage, openReporting, signIn, test } from './server.ts';
import { readStored } from './stored-input.ts';

test.use({ allowedConsoleErrors: /Failed to load resource|status of 401|ERR_INTERNET_DISCONNECTED/ });

const saved = (page: Page) => page.getByText(savedText);
const countReports = async (reviewer: TestClient, name: string) =>
  (await reviewer(api.listReports, { query: { q: name, limit: 9 } })).length;

async function saveOffline(page: Page, context: BrowserContext, person: string) {
  await fillInReport(page, { person });
  await context.setOffline(true);
  await submit(page).click();
  await expect(saved(page)).toBeVisible();
}

/** Expects the text to fit on one line on the smallest phones. */
async function expectChipOnOneLine(page: Page, text: string) {
  const phoneSize = page.viewportSize() ?? { width: 360, height: 740 };
  for (const width of [320, phoneSize.width]) {
    await page.setViewportSize({ ...phoneSize, width });
    const chip = outboxLink(page).getByText(text, { exact: true });
    await expect(chip).toBeVisible();
    const { width: textWidth = 0, height = 99 } = (await chip.boundingBox()) ?? {};
    expect(textWidth, `${text} at ${width} px`).toBeGreaterThan(50);
    expect(height).toBeLessThan(30);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    const { x = 0, width: linkWidth = 999 } = (await outboxLink(page).boundingBox()) ?? {};
    const { x: bell = 0 } = (await page.getByRole('link', { name: /^Notifications/ }).boundingBox()) ?? {};
    expect(x + linkWidth).toBeLessThan(bell);
  }
}

test('reports written without a connection wait in the outbox, and are sent when it is back', { tag: '@once' }, async ({
  page,
  context,
  server,
  signInAs,
}) => {
  const reviewer = await server.as('Admin');
  await signInAs(page, 'None', 'Lido Beach');
  await openReporting(page);
  await expect(outboxLink(page)).toBeHidden();
  await saveOffline(page, context, 'Alpha Unsent');
  await fillInReport(page, { person: 'Bravo Unsent' });
  await submit(page).click();
  await expect(saved(page)).toBeVisible();
  await expect(outboxLink(page)).toHaveText('Waiting to send: 2');
  await expectChipOnOneLine(page, 'to send: 2');
  await outboxLink(page).click();
  const entries = page.getByRole('listitem').filter({ hasText: 'Waiting for a connection' });
  await expect(entries).toHaveCount(2);
  await expect(entries.first()).toContainText('Accident report, Lido Beach');
  await expectAccessiblePage(page);

  const download = page.waitForEvent('download');
  await entries.first().getByRole('button', { name: 'Save a Copy' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^Accident report Lido Beach .*\.zip$/);
  const zip = readFileSync(await file.path()).toString('latin1');
  for (const part of ['submission.json', 'Alpha Unsent', 'phone-jolla.jpg', '.png']) expect(zip).toContain(part);

  await context.setOffline(false);
  await expect(page.getByText('Nothing is waiting to be sent.')).toBeVisible({ timeout: 60_000 });
  await expect(outboxLink(page)).toBeHidden();
  const receipts = page.getByRole('listitem').filter({ hasText: /^ACC-\d{4}-\d{4}, Accident report, Lido Beach/ });
  await expect(receipts).toHaveCount(2);
  await expect(receipts.first()).toContainText('received with 1 photo and 2 signatures');
  await expectAccessiblePage(page);
  for (const name of ['Alpha Unsent', 'Bravo Unsent']) expect(await countReports(reviewer, name)).toBe(1);

  await page.goto('/reporting');
  const ownReports = page.getByRole('region', { name: 'Your reports' });
  await expect(ownReports.getByRole('listitem')).toHaveCount(2);
  await expect(ownReports).not.toContainText('Alpha');
});

test("a form opened again while its report is sent shows progress, then the report's number", { tag: '@once' }, async ({
  page,
  server,
  signInAs,
}) => {
  const reviewer = await server.as('Admin');
  await signInAs(page, 'None');
  await openReporting(page);
  await fillInReport(page, { person: 'Left Alone' });
  const heldRequest = Promise.withResolvers<void>();
  await page.route('**/api/submit-accident', async (route) => {
    await heldRequest.promise;
    await route.continue();
  });
  await submit(page).click();
  await expect(page.getByText('Processing data')).toBeVisible();
  await openScreen(page, 'Checklists');
  await expect(outboxLink(page)).toHaveText('Sending 1 of 1');
  await openScreen(page, 'Reporting');
  await expect(page.getByText('Processing data')).toBeInViewport();
  await expect(page.getByRole('button', { name: 'Submitting...' })).toBeVisible();
  await expect(field(page, 'person')).toHaveValue('Left Alone');
  await expect(field(page, 'person')).toBeDisabled();
  await openScreen(page, 'Checklists');
  heldRequest.resolve();
  await expect(outboxLink(page)).toBeHidden();
  await openScreen(page, 'Reporting');
  const outcome = page.getByRole('region', { name: 'Last report' });
  await expect(outcome).toBeFocused();
  await expect(outcome.getByText('Accident report submitted successfully!')).toBeInViewport();
  await expect(outcome.getByText(/^ACC-\d{4}-\d{4}$/).first()).toBeInViewport();
  // The message stays until users have read it; input stays when they close it.
  await field(page, 'person').fill('A');
  await expect(outcome).toBeVisible();
  // Nobody takes what was typed for the report that was sent.
  const isAnother = outcome.getByText('What is in the form below has not been submitted yet.');
  await expect(isAnother).toBeHidden();
  await page.reload();
  await expect(field(page, 'person')).toHaveValue('A');
  await expect(isAnother).toBeVisible();
  await expectAccessiblePage(page);
  await takePicture(page, 'draft-after-report');
  await outcome.getByRole('button', { name: 'Report Another' }).click();
  await expect(outcome).toBeHidden();
  await expect(page.getByText('Accident report submitted successfully!')).toBeHidden();
  await expect(field(page, 'person')).toHaveValue('A');
  expect(await countReports(reviewer, 'Left Alone')).toBe(1);
});

test('a report whose page is closed during sending is sent by the next page', { tag: '@once' }, async ({
  page,
  context,
  server,
  signInAs,
}) => {
  const reviewer = await server.as('Admin');
  await signInAs(page, 'None');
  await openReporting(page);
  await fillInReport(page, { person: 'Closed Early' });
  await page.route('**/api/submit-accident', () => undefined);
  await submit(page).click();
  await expect(page.getByText('Processing data')).toBeVisible();
  await expect(outboxLink(page)).toBeVisible();
  await page.close();
  const next = await context.newPage();
  await next.goto('/checklists');
  await expect.poll(() => countReports(reviewer, 'Closed Early')).toBe(1);
  await expect(outboxLink(next)).toBeHidden();
});

test('a rejected report is listed as needing attention, and can be opened and corrected', { tag: '@once' }, async ({
  page,
  context,
  server,
  signInAs,
}) => {
  const reviewer = await server.as('Admin');
  await signInAs(page, 'None');
  await openReporting(page);
  await saveOffline(page, context, 'To Correct');
  await field(page, 'person').fill('Half Typed');
  const message = 'Choose another type';
  await page.route('**/api/submit-accident', (route) =>
    route.fulfill({ status: 400, json: { success: false, message, code: 'INVALID', fields: { type: message } } }),
  );
  await context.setOffline(false);
  await expect(outboxLink(page)).toHaveText('Needs attention: 1');
  await expectChipOnOneLine(page, 'attention: 1');
  await outboxLink(page).click();
  await expect(page.getByText(`Needs attention: ${message}`)).toBeVisible();
  await expectAccessiblePage(page);
  await page.getByRole('button', { name: 'Open and Correct' }).click();
  await expect(field(page, 'person')).toHaveValue('To Correct');
  await expect(field(page, 'type')).toHaveAccessibleDescription(message);
  await expect(page.getByText('1 photo added.')).toBeVisible();
  await page.unrouteAll();
  await field(page, 'type').fill('Corrected');
  await submit(page).click();
  await expect(page.getByText('Accident report submitted successfully!')).toBeVisible();
  const [report] = await reviewer(api.listReports, { query: { q: 'To Correct', limit: 9 } });
  expect(report).toMatchObject({ type: 'Corrected', details: filled.Details });
  // The report that was started before is still there.
  await page.reload();
  await page.getByRole('button', { name: 'Report Another' }).click();
  await page.reload();
  await expect(field(page, 'person')).toHaveValue('Half Typed');
});

test("another user sees only the number of waiting items, and the first user's sign-in sends them", {
  tag: '@once',
}, async ({ page, context, server, signInAs }) => {
  const reviewer = await server.as('Admin');
  const first = await signInAs(page, 'None');
  await openReporting(page);
  await saveOffline(page, context, 'Eirlys Ffrancon');
  await page.route('**/api/submit-accident', (route) => route.abort());
  await context.setOffline(false);
  await openMenu(page);
  await page.getByRole('button', { name: 'Logout' }).click();
  const dialog = page.getByRole('dialog', { name: 'Sign out?' });
  await expect(dialog).toContainText('1 item has not been sent yet.');
  await dialog.getByRole('button', { name: 'Sign Out' }).click();
  await page.waitForURL('**/login');
  await page.unrouteAll();

  await signInAs(page, 'None');
  await openReporting(page);
  await expect(outboxLink(page)).toHaveText('Waiting to send: 1');
  await outboxLink(page).click();
  await expect(page.getByText('1 item of another user is waiting here.')).toBeVisible();
  await expect(page.getByText('Slip')).toBeHidden();
  await expect(page.getByRole('button', { name: 'Send Now' })).toHaveCount(0);
  expect(await countReports(reviewer, 'Eirlys Ffrancon')).toBe(0);

  await openMenu(page);
  await page.getByRole('button', { name: 'Logout' }).click();
  await page.waitForURL('**/login');
  // The first user has forgotten their password: nothing is sent until they have chosen a new
  // one.
  const { password } = await reviewer(api.resetPassword, { body: { id: first.id } });
  await signIn(page, first.username, password);
  const newPassword = page.getByRole('dialog', { name: 'Choose a New Password' });
  await newPassword.getByLabel('New password', { exact: true }).fill('heron over the weir 44');
  await newPassword.getByRole('button', { name: 'Save' }).click();
  await expect.poll(() => countReports(reviewer, 'Eirlys Ffrancon')).toBe(1);
  await expect(outboxLink(page)).toBeHidden();
});

test('a report that does not fit on a full device stays in its form with a message, and can be changed and sent', {
  tag: '@once',
}, async ({ page, context, server, signInAs }) => {
  const reviewer = await server.as('Admin');
  await signInAs(page, 'None');
  await openReporting(page);
  await fillInReport(page, { person: 'No Room' });
  await page.evaluate(() => {
    const { put } = IDBObjectStore.prototype;
    IDBObjectStore.prototype.put = function (value, ...more) {
      if (String(value.key).startsWith('outbox/file')) this.transaction.abort();
      return put.call(this, value, ...more);
    };
  });
  await context.setOffline(true);
  await expect(page.getByText('You are offline.')).toBeVisible();
  await submit(page).click();
  await expect(page.getByText('there is no room on this device')).toBeVisible();
  await expect(field(page, 'person')).toHaveValue('No Room');
  await expect(page.getByText('1 photo added.')).toBeVisible();
  await expect(outboxLink(page)).toBeHidden();

  // Online, the report is sent from the page; after an error it can still be changed.
  await page.route('**/api/submit-accident', (route) => route.fulfill({ status: 500, body: 'trouble' }));
  await context.setOffline(false);
  await expect(page.getByText('You are offline.')).toBeHidden();
  await submit(page).click();
  await expect(page.getByText('Error: Network response was not ok: trouble')).toBeVisible();
  await expect(page.getByText('Submit it again before you leave this screen')).toBeVisible();
  await expect(page.getByText(keptText)).toBeHidden();
  await expect(field(page, 'person')).toBeEnabled();
  await field(page, 'person').fill('No Room Corrected');
  await page.getByRole('button', { name: 'Same Person' }).click();
  await page.unrouteAll();
  await submit(page).click();
  await expect(page.getByText('Accident report submitted successfully!')).toBeVisible();
  expect(await countReports(reviewer, 'No Room Corrected')).toBe(1);
  expect(await countReports(reviewer, 'No Room')).toBe(1);
});

test('a checklist closed while it is sent shows its outcome, and the same answers can be submitted again', {
  tag: '@once',
}, async ({ page, context, server, signInAs }) => {
  const admin = await server.as('Admin');
  const title = 'Gas lockers';
  const sections = [{ title: 'Reading', type: 'text' as const, required: true }];
  await admin(api.createChecklist, { body: { title, sections } });
  const submitted = () => admin(api.listSubmissions, { query: { title, limit: 9 } });
  await signInAs(page, 'None', 'Lido Beach');
  const opener = page.getByRole('button', { name: new RegExp(title) });
  const panel = page.getByRole('listitem').filter({ has: opener });
  const form = page.getByRole('form', { name: title });
  const fill = async (answer: string) => {
    await opener.click();
    await expect(form.getByLabel('Reading')).toHaveValue('');
    await form.getByLabel('Reading').fill(answer);
    await form.getByRole('button', { name: 'Submit Checklist' }).click();
  };
  const holdRequests = async () => {
    const heldRequest = Promise.withResolvers<void>();
    await page.route('**/api/submit-checklist', async (route) => {
      await heldRequest.promise;
      await route.continue();
    });
    return heldRequest.resolve;
  };
  await page.goto('/checklists');

  // The checklist is closed during sending.
  let release = await holdRequests();
  await fill('first');
  await expect(opener).toContainText('Sending');
  await opener.click();
  await expect(opener).not.toContainText('In progress');
  await opener.click();
  await expect(form.getByLabel('Reading')).toHaveValue('first');
  await expect(form.getByLabel('Reading')).toBeDisabled();
  for (const name of ['Save Progress', 'Clear Progress'])
    await expect(form.getByRole('button', { name })).toBeDisabled();
  await opener.click();
  release();
  await expect(page.getByText(/^Checklist submitted successfully! Its number is CHK-\d{4}-\d{4}\.$/)).toBeVisible();
  await expect(panel).toContainText(/CHK-\d{4}-\d{4}, sent .* received/);
  await expect(opener).not.toContainText('In progress');

  // Submitted again with the same answers: the next round, which is not rejected as a repeat
  release = await holdRequests();
  await fill('first');
  await expect(outboxLink(page)).toHaveText('Sending 1 of 1');
  await openScreen(page, 'Reporting');
  release();
  await expect(outboxLink(page)).toBeHidden();
  await openScreen(page, 'Checklists');
  await expect(panel).toContainText(/CHK-\d{4}-\d{4}, sent/);
  await page.unrouteAll();

  // Without a connection
  await context.setOffline(true);
  await fill('offline');
  await expect(page.getByRole('status').getByText(savedText)).toBeVisible();
  await expect(form).toBeHidden();
  await expect(panel).toContainText(savedText);
  await expect(outboxLink(page)).toHaveText('Waiting to send: 1');
  await expectAccessiblePage(page);
  await context.setOffline(false);
  await expect(outboxLink(page)).toBeHidden();
  await expect(panel).toContainText(/CHK-\d{4}-\d{4}, sent/);

  // The server fails, then it rejects the report.
  const fail = (status: number, json: object) =>
    page.route('**/api/submit-checklist', (route) => route.fulfill({ status, json }));
  await fail(500, { success: false, message: 'Something went wrong.' });
  await fill('trouble');
  await expect(form.getByText('Failed to submit checklist. Please try again.')).toBeVisible();
  await expect(form.getByText(keptText)).toBeVisible();
  await expect(form.getByLabel('Reading')).toHaveValue('trouble');
  await page.unrouteAll();
  const rejection = { code: 'INVALID', message: 'Not like this', fields: { 'data.0': 'Say it in figures' } };
  await fail(400, { success: false, ...rejection });
  await form.getByRole('button', { name: 'Submit Checklist' }).click();
  await expect(form.getByText('Say it in figures')).toBeVisible();
  await form.getByLabel('Reading').fill('7.4');
  await expect.poll(() => readStored(page, 'outbox/')).toContainEqual(expect.stringContaining('7.4'));
  await page.reload();
  await expect(opener).toContainText('Needs attention');
  await expect(form.getByLabel('Reading')).toHaveValue('7.4');
  await expectAccessiblePage(page);
  await page.unrouteAll();
  await form.getByRole('button', { name: 'Submit Checklist' }).click();
  await expect(page.getByText('Checklist submitted successfully!')).toBeVisible();
  await expect(outboxLink(page)).toBeHidden();
  const answers = await Promise.all(
    (await submitted()).map(async ({ id }) => (await admin(api.getSubmission, { params: { id } })).data[0]),
  );
  expect(answers).toEqual(['7.4', 'offline', 'first', 'first']);
  expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('checklist-')))).toEqual(
    [],
  );
});

test('the details of a record show when its form was filled in, if it was received much later', {
  tag: '@once',
}, async ({ page, signInAs }) => {
  const me = await signInAs(page, 'Admin');
  const capturedAt = new Date(Date.now() - 2 * 60 * 60_000).toISOString();
  const filledInNote = page.getByText(/^Filled in .*\d\d:\d\d, received .*\d\d:\d\d$/);
  const checklist = {
    title: 'Filled in before',
    sections: [{ title: 'Reading', type: 'text' as const, required: false }],
  };
  const { id: checklistId } = await me(api.createChecklist, { body: checklist });
  await me(api.submitChecklist, { body: { checklistId, data: { 0: '7.4' }, capturedAt } });
  await page.goto('/admin?tab=submissions');
  await page.getByRole('button', { name: /Filled in before/ }).click();
  await expect(filledInNote).toBeVisible();
  const folder = await newFolder(me);
  const audit = await me(api.createAudit, { body: { ...newAudit(folder), capturedAt } });
  await page.goto(`/audit/${audit.id}`);
  await expect(filledInNote).toBeVisible();
});
