import type { Page, Route } from '@playwright/test';
import { api } from '#shared/api.ts';
import { newAudit, newFolder, uploadPhoto } from '../src/server/testing/factories.ts';
import type { TestClient } from '../src/server/testing/server.ts';
import { openScreen, photo } from './interactions.ts';
import { keptText, outboxLink, savedText } from './outbox.ts';
import { takePicture } from './page-checks.ts';
import { expect, expectAccessiblePage, openReporting, test } from './server.ts';

// Failed requests are intended; the browser logs each.
test.use({ allowedConsoleErrors: /Failed to load resource|ERR_INTERNET_DISCONNECTED/ });

test('a retry after a lost response creates one audit', { tag: '@once' }, async ({ page, signInAs }) => {
  const user = await signInAs(page, 'None', 'Lido Beach');
  const folder = await newFolder(user);
  let sent = 0;
  await page.route('**/api/audits', async (route) => {
    sent += 1;
    if (sent > 1) return route.continue();
    await route.fetch();
    await route.abort();
  });
  await page.goto(`/create-audit/${folder}`);
  await page.getByLabel('Title').fill('Once');
  await page.getByRole('button', { name: 'Create Audit' }).click();
  await expect(page.getByText('Audit created successfully! Redirecting...')).toBeVisible();
  expect(sent).toBe(2);
  expect(await user(api.listAudits, { params: { folderId: folder } })).toHaveLength(1);
});

test('a new audit names the photos that could not be uploaded with the reasons, and only those are sent again', {
  tag: '@once',
}, async ({ page, signInAs }) => {
  const user = await signInAs(page, 'None', 'Lido Beach');
  const folder = await newFolder(user);
  const rejectedNames = new Set(['phone-jolla.jpg', 'gps-DSCN0012.jpg']);
  const sent: string[] = [];
  await page.route('**/api/upload/image*', (route) => {
    const [, name = ''] = /filename="([^"]+)"/.exec(route.request().postDataBuffer()?.toString('latin1') ?? '') ?? [];
    sent.push(name);
    if (!rejectedNames.has(name)) return route.continue();
    return route.fulfill({
      status: 422,
      json: { success: false, code: 'UNPROCESSABLE', message: `${name} could not be read.` },
    });
  });
  await page.goto(`/create-audit/${folder}`);
  await page.getByLabel('Title').fill('With photos');
  await page.getByLabel('Choose Photos').setInputFiles([photo('phone-jolla.jpg'), photo('gps-DSCN0012.jpg')]);
  await expect(page.getByText('2 photos added.')).toBeVisible();
  const create = page.getByRole('button', { name: 'Create Audit' });
  await create.click();
  await expect(page.getByText('No files were uploaded successfully. Please try again.')).toBeVisible();
  await expect(page.getByText('Photo 1 (phone-jolla.jpg): phone-jolla.jpg could not be read.')).toBeVisible();
  await expectAccessiblePage(page);
  rejectedNames.delete('phone-jolla.jpg');
  await create.click();
  await expect(page.getByText('File upload failed.')).toBeVisible();
  await expect(page.getByText('Photo 2 (gps-DSCN0012.jpg): gps-DSCN0012.jpg could not be read.')).toBeVisible();
  await expect(page.getByText('Photo 1 (')).toBeHidden();
  expect(await user(api.listAudits, { params: { folderId: folder } })).toHaveLength(0);
  await page.reload();
  await expect(page.getByText('2 photos added.')).toBeVisible();
  await expect(page.getByLabel('Title')).toHaveValue('With photos');
  rejectedNames.clear();
  sent.length = 0;
  await create.click();
  await expect(page.getByText('Audit created successfully! Redirecting...')).toBeVisible();
  expect(sent).toEqual(['gps-DSCN0012.jpg']);
  const [audit] = await user(api.listAudits, { params: { folderId: folder } });
  expect(audit?.media_files.map(({ name }) => name)).toEqual(['phone-jolla.jpg', 'gps-DSCN0012.jpg']);
});

test('audits are created and completed without a connection', { tag: '@once' }, async ({
  page,
  context,
  signInAs,
  server,
}) => {
  test.slow();
  const user = await signInAs(page, 'None', 'Lido Beach');
  // The app can be opened offline once it has been opened online.
  await openReporting(page);
  const other = await server.as('None');
  const folder = await newFolder(user);
  const dialog = page.getByRole('dialog');
  const saved = page.getByText(savedText);
  const stored = async (id: string) => user(api.getAudit, { params: { id } });
  const create = async (title: string) => (await user(api.createAudit, { body: newAudit(folder, { title }) })).id;
  const completeOffline = async (id: string, description: string) => {
    await page.goto(`/audit/${id}`);
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.getByLabel('Description').fill(description);
    await context.setOffline(true);
    await page.getByRole('button', { name: 'Complete Audit' }).click();
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await expect(saved).toBeVisible();
    await expect(dialog).toBeHidden();
    for (const label of ['Description', 'Date', 'Time'])
      await expect(page.getByLabel(label, { exact: true })).toBeDisabled();
    await expect(page.getByLabel('Description')).toHaveValue(description);
  };

  await page.goto(`/create-audit/${folder}`);
  await page.getByLabel('Title').fill('From the dead spot');
  await page.getByLabel('Choose Photos').setInputFiles(photo('phone-jolla.jpg'));
  await expect(page.getByText('1 photo added.')).toBeVisible();
  await context.setOffline(true);
  await page.getByRole('button', { name: 'Create Audit' }).click();
  await expect(saved).toBeVisible();
  const receipt = page.getByRole('region', { name: 'Created audit' });
  await expect(receipt).toContainText(
    /You can put the (phone|device) away\.|Open this app again when you have a signal\./,
  );
  await expect(page.getByLabel('Title')).toHaveCount(0);
  await expectAccessiblePage(page);
  await takePicture(page, 'audit-receipt');
  await receipt.getByRole('button', { name: 'Create Another' }).press('Enter');
  await expect(page.getByLabel('Title')).toBeFocused();
  await expect(page.getByLabel('Title')).toHaveValue('');
  await expect(page.getByText('No photos added yet.')).toBeVisible();
  await openScreen(page, 'Reporting');
  await context.setOffline(false);
  await expect(outboxLink(page)).toBeHidden();
  const [audit] = await user(api.listAudits, { params: { folderId: folder } });
  expect(audit).toMatchObject({ title: 'From the dead spot', media_files: [{ name: 'phone-jolla.jpg' }] });

  const mine = await create('Mine');
  await completeOffline(mine, 'All in order');
  await expectAccessiblePage(page);
  await context.setOffline(false);
  await expect(page.getByText('Audit marked as completed successfully')).toBeVisible();
  await expect(page.getByText(`marked as completed by ${user.username}`)).toBeVisible();
  await expect(dialog).toBeHidden();
  expect((await stored(mine)).data).toMatchObject({ completed: true, description: 'All in order' });

  const theirs = await create('Theirs');
  await completeOffline(theirs, 'Too late');
  await other(api.updateAudit, { params: { id: theirs }, body: { data: { completed: true } } });
  await context.setOffline(false);
  await expect(page.getByText(`This audit was already completed by ${other.username}.`)).toBeVisible();
  await expect(dialog.getByLabel('What you typed')).toHaveValue('Description: Too late');
  await dialog.getByRole('button', { name: 'Keep Theirs' }).click();
  await expect(outboxLink(page)).toBeHidden();

  const changed = await create('Changed');
  await completeOffline(changed, 'Mine to keep');
  await openScreen(page, 'Reporting');
  await other(api.updateAudit, { params: { id: changed }, body: { data: { description: 'Changed by others' } } });
  await context.setOffline(false);
  await expect(outboxLink(page)).toHaveText('Needs attention: 1');
  await outboxLink(page).click();
  await expect(page.getByText('you entered “Mine to keep”, and it is “Changed by others” now')).toBeVisible();
  await expectAccessiblePage(page);
  await page.getByRole('button', { name: 'Open and Correct' }).click();
  await dialog.getByRole('button', { name: 'Keep Mine' }).click();
  await expect(page.getByText('Audit marked as completed successfully')).toBeVisible();
  await expect(outboxLink(page)).toBeHidden();
  expect((await stored(changed)).data).toMatchObject({ completed: true, description: 'Mine to keep' });
});

const keptForms: Record<
  string,
  { open: (page: Page, user: TestClient) => Promise<void>; failed: string; sent: RegExp }
> = {
  'a new audit': {
    async open(page, user) {
      await page.goto(`/create-audit/${await newFolder(user)}`);
      await page.getByLabel('Title').fill('Kept');
      await page.getByRole('button', { name: 'Create Audit' }).click();
    },
    failed: 'Failed to create audit. Please try again.',
    sent: /^Audit created successfully!/,
  },
  'a hazard': {
    async open(page) {
      await page.goto('/report-hazard');
      await page.getByRole('button', { name: 'Fire' }).click();
      await page.getByLabel('Where is it?').fill('Pool');
      await page.getByRole('button', { name: 'Send' }).click();
    },
    failed: 'The hazard could not be sent.',
    sent: /^Hazard reported\./,
  },
  'a completion': {
    async open(page, user) {
      const { id } = await user(api.createAudit, { body: newAudit(await newFolder(user)) });
      await page.goto(`/audit/${id}`);
      await page.getByRole('button', { name: 'Complete Audit' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click();
    },
    failed: 'Failed to mark audit as completed',
    sent: /^Audit marked as completed successfully$/,
  },
};
for (const [what, { open, failed, sent }] of Object.entries(keptForms))
  test(`${what} that the server did not store says that it is kept, and is sent later by itself`, {
    tag: '@once',
  }, async ({ page, signInAs }) => {
    const user = await signInAs(page, 'None', 'Lido Beach');
    const isChange = (route: Route) => ['POST', 'PUT'].includes(route.request().method());
    await page.route(/\/api\/audits(\/|$)/, (route) =>
      isChange(route) ? route.fulfill({ status: 500, body: '<h1>Oh</h1>' }) : route.fallback(),
    );
    await open(page, user);
    const texts = [failed, keptText].map((text) => page.getByRole('alert').getByText(text, { exact: true }));
    for (const text of texts) {
      await expect(text).toBeVisible();
      await expect(text).toHaveCSS('font-weight', '600');
    }
    await expectAccessiblePage(page);
    await page.unrouteAll();
    // A page that becomes visible sends at once.
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await expect(page.getByText(sent)).toBeVisible();
    for (const text of texts) await expect(text).toBeHidden();
  });

test('an open audit that cannot be saved without a connection says that it is kept, and what to press later', async ({
  page,
  context,
  signInAs,
}) => {
  const user = await signInAs(page, 'None', 'Lido Beach');
  const { id } = await user(api.createAudit, { body: newAudit(await newFolder(user)) });
  await page.goto(`/audit/${id}`);
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await page.getByLabel('Location').fill('Dead spot');
  await context.setOffline(true);
  const save = page.getByRole('button', { name: 'Save Changes' });
  await page.getByRole('button', { name: 'Write a Note' }).scrollIntoViewIfNeeded();
  await save.click();
  await expect(page.getByText('Failed to update audit')).toBeVisible();
  const reason = (button: string) =>
    page.getByText(
      `The server could not be reached. What you entered is kept on this device: press ${button} again when you have a connection.`,
    );
  await expect(reason('Save Changes')).toBeInViewport();
  await expectAccessiblePage(page);
  await takePicture(page, 'unsaved-audit');
  await page.getByRole('button', { name: 'Update' }).click();
  await expect(page.getByText('Failed to update date and time')).toBeVisible();
  await expect(reason('Update')).toBeVisible();
  await context.setOffline(false);
  await save.click();
  await expect(page.getByText('Audit updated successfully')).toBeVisible();
  await expect(reason('Update')).toBeHidden();
  expect((await user(api.getAudit, { params: { id } })).data.location).toBe('Dead spot');
});

test('failed requests for folders and audits show errors', { tag: '@once' }, async ({ page, signInAs }) => {
  test.slow();
  const user = await signInAs(page, 'None', 'Oakfield');
  const folder = await newFolder(user, { name: 'Broken', park: 'Oakfield' });
  const { id } = await user(api.createAudit, { body: newAudit(folder) });
  const dialog = page.getByRole('dialog');
  const serverError = { status: 500, json: { success: false, message: '' } };
  const failRequests = (path: string, method: string) =>
    page.route(path, (route) => (route.request().method() === method ? route.fulfill(serverError) : route.fallback()));

  await page.goto('/audits');
  await failRequests('**/api/audit-folders', 'POST');
  await failRequests('**/api/audit-folders/*', 'PUT');
  await failRequests('**/api/audit-folders/*', 'DELETE');
  await page.getByRole('button', { name: 'New Folder' }).click();
  await dialog.getByLabel('Name').fill('New');
  await dialog.getByRole('button', { name: 'Create Folder' }).click();
  await expect(dialog.getByText('Failed to create audit folder')).toBeVisible();
  await expectAccessiblePage(page);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Edit Broken' }).click();
  await dialog.getByRole('button', { name: 'Save Folder' }).click();
  await expect(dialog.getByText('Failed to update audit folder')).toBeVisible();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Delete Broken' }).click();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await expect(dialog.getByText('Failed to delete audit folder')).toBeVisible();
  await failRequests('**/api/audit-folders', 'GET');
  await page.reload();
  await expect(page.getByText('Failed to fetch audit folders')).toBeVisible();
  await expectAccessiblePage(page);

  await failRequests('**/api/audits/*', 'PUT');
  await page.goto(`/audit/${id}`);
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await page.getByLabel('Location').fill('x');
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByText('Failed to update audit')).toBeVisible();
  await page.getByRole('button', { name: 'Update' }).click();
  await expect(page.getByText('Failed to update date and time')).toBeVisible();
  await page.getByRole('button', { name: 'Complete Audit' }).click();
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByText('Failed to mark audit as completed')).toBeVisible();
  await expect(dialog).toBeHidden();

  await failRequests('**/api/audits/*', 'DELETE');
  await page.goto(`/audit-folders/${folder}`);
  await page.getByRole('button', { name: 'Delete Check the extinguishers' }).click();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await expect(dialog.getByText('Failed to delete audit')).toBeVisible();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await failRequests('**/api/audits/folder/*', 'GET');
  // What was loaded stays below the error.
  await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
  await expect(page.getByRole('alert').filter({ hasText: 'Failed to fetch audits' })).toBeVisible();
  await expect(page.getByText('Check the extinguishers')).toBeVisible();
  await expectAccessiblePage(page);
  await page.reload();
  await expect(page.getByText('Failed to fetch audits')).toBeVisible();
  await failRequests('**/api/audit-folders/*', 'GET');
  await page.reload();
  await expect(page.getByText('Failed to fetch folder data')).toBeVisible();
  await expectAccessiblePage(page);
  await expect(page.getByRole('link', { name: 'Back to Folders' })).toBeVisible();
  await page.goto(`/create-audit/${folder}`);
  await expect(page.getByText('Could not load folder information')).toBeVisible();
  await failRequests('**/api/audits/*', 'GET');
  await page.goto(`/audit/${id}`);
  await expect(page.getByText('Failed to load audit details')).toBeVisible();
  await expectAccessiblePage(page);
});

test('a user is told that another park’s folder or audit was not found', { tag: '@once' }, async ({
  page,
  signInAs,
  server,
}) => {
  const headOffice = await server.as('None');
  const folder = await newFolder(headOffice, { park: 'Kingsley' });
  const { id } = await headOffice(api.createAudit, { body: newAudit(folder) });
  await signInAs(page, 'None', 'Lyndale');
  await page.goto('/audits');
  await expect(page.getByText('No audit folders found')).toBeVisible();
  await page.goto(`/audit-folders/${folder}`);
  await expect(page.getByText('Folder not found')).toBeVisible();
  await expectAccessiblePage(page);
  await page.goto(`/audit/${id}`);
  await expect(page.getByText('Audit not found')).toBeVisible();
  await page.getByRole('link', { name: 'Back to Folders' }).click();
  await page.waitForURL('**/audits');
});

test('an audit with damaged data is listed with a warning and can be opened', { tag: '@once' }, async ({
  page,
  signInAs,
  server,
}) => {
  const user = await signInAs(page, 'None', 'Lido Beach');
  const folder = await newFolder(user);
  const path = await uploadPhoto(user);
  const body = newAudit(folder, { title: 'Damaged', media_files: [{ path, name: 'a.jpg' }] });
  const { id } = await user(api.createAudit, { body });
  await server.db.updateTable('audits').set({ data: '{"location":"Pool","assig' }).where('id', '=', id).execute();
  await page.goto(`/audit-folders/${folder}`);
  await expect(page.getByText('Data issue detected')).toBeVisible();
  await expectAccessiblePage(page);
  await page.getByRole('link', { name: 'View Details of Damaged' }).click();
  await expect(page.getByText('Pool', { exact: true })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Attachments (1)' })).toBeVisible();
});
