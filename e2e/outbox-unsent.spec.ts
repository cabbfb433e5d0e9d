// Items that cannot be sent unchanged: the user was deleted, the folder was deleted, or the device
// is full.
import { api } from '#shared/api.ts';
import { newAudit, newFolder } from '../src/server/testing/factories.ts';
import { addPhotos, fillInReport, submit } from './report-form.ts';
import { expect, expectAccessiblePage, openReporting, test } from './server.ts';

test.use({ allowedConsoleErrors: /Failed to load resource|status of 40[14]|ERR_INTERNET_DISCONNECTED/ });

test('a reviewer opens and sends the waiting items of a deleted user', { tag: '@once' }, async ({
  page,
  context,
  server,
  signInAs,
}) => {
  // Safari's user agent, because Safari may delete waiting items.
  await page.addInitScript(() => Object.defineProperty(navigator, 'vendor', { value: 'Apple Computer, Inc.' }));
  const admin = await server.as('Admin');
  const staff = await signInAs(page, 'None', 'Lido Beach');
  await openReporting(page);
  await fillInReport(page, { person: 'Left Behind' });
  await context.setOffline(true);
  await submit(page).click();
  const banner = page.getByRole('banner');
  const warning =
    'Open this page within 7 days, or add it to the home screen. Otherwise this browser may delete what is waiting.';
  await expect(banner.getByRole('link', { name: 'Waiting to send: 1' })).toBeVisible();
  await expect(banner.getByText(warning)).toBeVisible();
  await expectAccessiblePage(page);
  await admin(api.deleteUser, { params: { id: staff.id } });
  await page.goto('about:blank');
  await context.setOffline(false);

  const deletedUsersItems = page.getByRole('region', { name: 'From Deleted Users' });
  await context.clearCookies();
  await signInAs(page, 'None', 'Lido Beach');
  await openReporting(page);
  await banner.getByRole('link', { name: 'Waiting to send: 1' }).click();
  await expect(page.getByText('1 item of another user is waiting here.')).toBeVisible();
  await expect(page.getByText('Nothing is waiting to be sent.')).toBeHidden();
  await expect(deletedUsersItems).toBeHidden();

  await context.clearCookies();
  const reviewer = await signInAs(page, 'Admin');
  await openReporting(page);
  await banner.getByRole('link', { name: 'Waiting to send: 1' }).click();
  await expect(deletedUsersItems).toContainText('Accident report, Lido Beach');
  await expect(deletedUsersItems).toContainText(`by ${staff.username}`);
  await expect(page.getByText('Nothing is waiting to be sent.')).toBeHidden();
  await deletedUsersItems.getByRole('button', { name: 'Open' }).click();
  await expect(deletedUsersItems).toContainText('Left Behind');
  const photo = deletedUsersItems.getByRole('img', { name: /^Photo 1/ });
  await expect.poll(() => photo.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  await expectAccessiblePage(page);
  await deletedUsersItems.getByRole('button', { name: `Send for ${staff.username}` }).click();
  await expect(page.getByText(/^ACC-\d{4}-\d{4}, Accident report, Lido Beach/)).toBeVisible();
  await expect(page.getByText('Nothing is waiting to be sent.')).toBeVisible();
  await expect(banner.getByText(warning)).toBeHidden();
  const [report] = await reviewer(api.listReports, { query: { q: 'Left Behind', limit: 9 } });
  expect(report?.created_by).toBe(`${reviewer.username} for ${staff.username}`);
});

test('a waiting audit whose folder was deleted is created in another folder', { tag: '@once' }, async ({
  page,
  context,
  server,
  signInAs,
}) => {
  const admin = await server.as('Admin');
  const deletedFolder = await newFolder(admin, { name: 'Old plant', park: 'Lido Beach' });
  const other = await newFolder(admin, { name: 'New plant', park: 'Lido Beach' });
  const me = await signInAs(page, 'None', 'Lido Beach');
  await page.goto(`/create-audit/${deletedFolder}`);
  await page.getByLabel('Title').fill('Leaking pump');
  await addPhotos(page);
  await context.setOffline(true);
  await page.getByRole('button', { name: 'Create Audit' }).click();
  await expect(page.getByText('Saved on this device.').first()).toBeVisible();
  await admin(api.deleteFolder, { params: { id: deletedFolder } });
  await context.setOffline(false);
  const outboxLink = page.getByRole('banner').getByRole('link', { name: 'Needs attention: 1' });
  await expect(outboxLink).toBeVisible({ timeout: 60_000 });
  await outboxLink.click();
  await expect(page.getByText('Needs attention: Folder not found')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Open and Correct' })).toBeHidden();
  await page.getByRole('button', { name: 'Create in This Folder' }).click();
  await expect(page.getByLabel('Create it in another folder')).toHaveAccessibleDescription('Choose a folder');
  await expectAccessiblePage(page);
  await page.getByLabel('Create it in another folder').selectOption('New plant, Lido Beach');
  await page.getByRole('button', { name: 'Create in This Folder' }).click();
  await expect(page.getByText(/^Sent \d.* received with 1 photo\.$/)).toBeVisible();
  await expect(outboxLink).toBeHidden();
  const [audit] = await me(api.listAudits, { params: { folderId: other } });
  expect(audit).toMatchObject({ title: 'Leaking pump', media_files: [{ name: 'phone-jolla.jpg' }] });
});

test('checklists and audits that do not fit on a full device stay in their forms with a message', {
  tag: '@once',
}, async ({ page, context, server, signInAs }) => {
  const admin = await server.as('Admin');
  const sections = [{ title: 'Chlorine', type: 'text' as const, required: true }];
  await admin(api.createChecklist, { body: { title: 'Full round', sections } });
  const folder = await newFolder(admin, { name: 'Full plant', park: 'Lido Beach' });
  const { id } = await admin(api.createAudit, { body: newAudit(folder, { title: 'Full pump' }) });
  const stored = () =>
    page.evaluate(async () => {
      const opening = indexedDB.open('drafts');
      const db = await new Promise<IDBDatabase>((resolve) => {
        opening.onsuccess = () => resolve(opening.result);
      });
      const request = db
        .transaction('drafts')
        .objectStore('drafts')
        .count(IDBKeyRange.bound('outbox/file/', 'outbox/item0'));
      return new Promise<number>((resolve) => {
        request.onsuccess = () => resolve(request.result);
        db.close();
      });
    });
  const fillDevice = () =>
    page.evaluate(() => {
      const { put } = IDBObjectStore.prototype;
      IDBObjectStore.prototype.put = function (value, ...more) {
        if (String(value.key).startsWith('outbox/')) this.transaction.abort();
        return put.call(this, value, ...more);
      };
    });
  /** Makes the device full and offline. Call it once the page is open. */
  const fillDeviceOffline = async () => {
    await fillDevice();
    await context.setOffline(true);
    await expect(page.getByText('You are offline.')).toBeVisible();
  };
  await signInAs(page, 'None', 'Lido Beach');

  await page.goto('/checklists');
  await page.getByRole('button', { name: /Full round/ }).click();
  await page.getByLabel('Chlorine').fill('1.4');
  await fillDeviceOffline();
  await page.getByRole('button', { name: 'Submit Checklist' }).click();
  await expect(
    page.getByText('There is no room on this device to save it. Your answers are still here.'),
  ).toBeVisible();
  await expect(page.getByLabel('Chlorine')).toHaveValue('1.4');
  await expect(page.getByLabel('Chlorine')).toBeEnabled();
  expect(await stored()).toBe(0);
  await context.setOffline(false);
  await page.reload();
  await page.getByRole('button', { name: /Full round/ }).click();
  await expect(page.getByLabel('Chlorine')).toHaveValue('1.4');
  await fillDevice();
  await page.getByRole('button', { name: 'Submit Checklist' }).click();
  await expect(page.getByText('Received')).toBeVisible();
  expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('checklist')))).toEqual([]);

  await page.goto(`/create-audit/${folder}`);
  await page.getByLabel('Title').fill('No room for this');
  await fillDeviceOffline();
  await page.getByRole('button', { name: 'Create Audit' }).click();
  await expect(page.getByText('This audit could not be saved: there is no room on this device.')).toBeVisible();
  await expect(page.getByLabel('Title')).toHaveValue('No room for this');
  expect(await stored()).toBe(0);
  await context.setOffline(false);

  await page.goto(`/audit/${id}`);
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await page.getByLabel('Location').fill('Plant room');
  await fillDeviceOffline();
  await page.getByRole('button', { name: 'Complete Audit' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByText('There is no room on this device to save it.')).toBeVisible();
  await expect(page.getByLabel('Location')).toHaveValue('Plant room');
  expect(await stored()).toBe(0);
});
