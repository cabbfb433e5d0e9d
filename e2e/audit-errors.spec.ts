import { api } from '#shared/api.ts';
import { newAudit, newFolder, uploadPhoto } from '../src/server/testing/factories.ts';
import { photo } from './interactions.ts';
import { expect, expectAccessiblePage, test } from './server.ts';

// The browser notes what the tests let go wrong.
test.use({ allowedConsoleErrors: /Failed to load resource/ });

test('a retry after a lost response creates one audit', { tag: '@once' }, async ({ page, signInAs }) => {
  const me = await signInAs(page, 'None', 'Lido Beach');
  const folder = await newFolder(me);
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
  expect(await me(api.listAudits, { params: { folderId: folder } })).toHaveLength(1);
});

test('failed photo uploads are reported and only they are sent again', { tag: '@once' }, async ({ page, signInAs }) => {
  const me = await signInAs(page, 'None', 'Lido Beach');
  const folder = await newFolder(me);
  let fails = 2;
  let sent = 0;
  await page.route('**/api/upload/image*', (route) => {
    sent += 1;
    if (fails === 0) return route.continue();
    fails -= 1;
    return route.fulfill({ status: 500, json: { success: false, message: 'Something went wrong.' } });
  });
  await page.goto(`/create-audit/${folder}`);
  await page.getByLabel('Title').fill('With photos');
  await page.getByLabel('Choose photos').setInputFiles([photo('phone-jolla.jpg'), photo('gps-DSCN0012.jpg')]);
  await expect(page.getByText('2 photos added.')).toBeVisible();
  const create = page.getByRole('button', { name: 'Create Audit' });
  await create.click();
  await expect(page.getByText('No files were uploaded successfully. Please try again.')).toBeVisible();
  fails = 1;
  await create.click();
  await expect(page.getByText('File upload failed.')).toBeVisible();
  expect(await me(api.listAudits, { params: { folderId: folder } })).toHaveLength(0);
  await create.click();
  await expect(page.getByText('Audit created successfully! Redirecting...')).toBeVisible();
  expect(sent).toBe(5);
  const [audit] = await me(api.listAudits, { params: { folderId: folder } });
  expect(audit?.media_files.map(({ name }) => name)).toEqual(['phone-jolla.jpg', 'gps-DSCN0012.jpg']);
});

test('failed requests show an error', { tag: '@once' }, async ({ page, signInAs }) => {
  test.slow();
  const me = await signInAs(page, 'None', 'Oakfield');
  const folder = await newFolder(me, { name: 'Broken', park: 'Oakfield' });
  const { id } = await me(api.createAudit, { body: newAudit(folder) });
  const dialog = page.getByRole('dialog');
  const broken = { status: 500, json: { success: false, message: '' } };
  const breakCalls = (path: string, method: string) =>
    page.route(path, (route) => (route.request().method() === method ? route.fulfill(broken) : route.fallback()));

  await page.goto('/audits');
  await breakCalls('**/api/audit-folders', 'POST');
  await breakCalls('**/api/audit-folders/*', 'PUT');
  await breakCalls('**/api/audit-folders/*', 'DELETE');
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
  await breakCalls('**/api/audit-folders', 'GET');
  await page.reload();
  await expect(page.getByText('Failed to fetch audit folders')).toBeVisible();
  await expectAccessiblePage(page);

  await breakCalls('**/api/audits/*', 'PUT');
  await page.goto(`/audit/${id}`);
  await page.getByLabel('Location').fill('x');
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByText('Failed to update audit')).toBeVisible();
  await page.getByRole('button', { name: 'Update' }).click();
  await expect(page.getByText('Failed to update date and time')).toBeVisible();
  await page.getByRole('button', { name: 'Complete Audit' }).click();
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByText('Failed to mark audit as completed')).toBeVisible();
  await expect(dialog).toBeHidden();

  await breakCalls('**/api/audits/*', 'DELETE');
  await page.goto(`/audit-folders/${folder}`);
  await page.getByRole('button', { name: 'Delete Check the extinguishers' }).click();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await expect(dialog.getByText('Failed to delete audit')).toBeVisible();
  await breakCalls('**/api/audits/folder/*', 'GET');
  await page.reload();
  await expect(page.getByText('Failed to fetch audits')).toBeVisible();
  await breakCalls('**/api/audit-folders/*', 'GET');
  await page.reload();
  await expect(page.getByText('Failed to fetch folder data')).toBeVisible();
  await expectAccessiblePage(page);
  await expect(page.getByRole('link', { name: 'Back to Folders' })).toBeVisible();
  await page.goto(`/create-audit/${folder}`);
  await expect(page.getByText('Could not load folder information')).toBeVisible();
  await breakCalls('**/api/audits/*', 'GET');
  await page.goto(`/audit/${id}`);
  await expect(page.getByText('Failed to load audit details')).toBeVisible();
  await expectAccessiblePage(page);
});

test('another park’s folders and audits are not found', { tag: '@once' }, async ({ page, signInAs, server }) => {
  const office = await server.as('None');
  const folder = await newFolder(office, { park: 'Kingsley' });
  const { id } = await office(api.createAudit, { body: newAudit(folder) });
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

test('a damaged audit is listed with a warning and opens', { tag: '@once' }, async ({ page, signInAs, server }) => {
  const me = await signInAs(page, 'None', 'Lido Beach');
  const folder = await newFolder(me);
  const path = await uploadPhoto(me);
  const body = newAudit(folder, { title: 'Damaged', media_files: [{ path, name: 'a.jpg' }] });
  const { id } = await me(api.createAudit, { body });
  await server.db.updateTable('audits').set({ data: '{"location":"Pool","assig' }).where('id', '=', id).execute();
  await page.goto(`/audit-folders/${folder}`);
  await expect(page.getByText('Data issue detected')).toBeVisible();
  await expectAccessiblePage(page);
  await page.getByRole('link', { name: 'View Details of Damaged' }).click();
  await expect(page.getByLabel('Location')).toHaveValue('Pool');
  await expect(page.getByRole('heading', { name: 'Attachments (1)' })).toBeVisible();
});
