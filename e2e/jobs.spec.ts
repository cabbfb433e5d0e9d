// A job: an audit that its assignee completes, saying what was done.
import { api } from '#shared/api.ts';
import { newAudit, newFolder } from '../src/server/testing/factories.ts';
import { photo } from './interactions.ts';
import { savedText } from './outbox.ts';
import { expect, expectAccessiblePage, test } from './server.ts';

test.use({ allowedConsoleErrors: /Failed to load resource|ERR_INTERNET_DISCONNECTED/ });

test('a job is completed with a note and a photo in one request, also offline, and the next one here follows', {
  tag: '@once',
}, async ({ page, context, signInAs }) => {
  const park = 'Abbeyffordd';
  const staff = await signInAs(page, 'None', park);
  const folder = await newFolder(staff, { park });
  const assignee = (await staff(api.getSession)).user.username;
  const create = async (title: string, location: string, date: string) =>
    (await staff(api.createAudit, { body: newAudit(folder, { title, location, date, assignee }) })).id;
  const step = await create('Mend the step', 'Pool', '2026-01-02');
  await create('Paint the fence', 'Gate', '2026-01-01');
  const rail = await create('Mend the rail', 'Pool', '2026-01-03');
  const listNotes = (id: string) => staff(api.listAuditNotes, { params: { id } });
  const dialog = page.getByRole('dialog', { name: 'Confirm Completion' });
  const [complete, confirm] = ['Complete Audit', 'Confirm'];

  await page.goto(`/audit/${step}`);
  await page.getByRole('button', { name: complete }).click();
  await dialog.getByLabel('What was done').fill('Two new bolts.');
  await dialog.getByLabel('Choose Photos').setInputFiles(photo('phone-jolla.jpg'));
  await expect(dialog.getByText('1 photo added.')).toBeVisible();
  await expect(dialog.getByText('unsaved changes')).toHaveCount(0);
  await expectAccessiblePage(page);
  // What was typed is still there after a reload.
  await page.reload();
  await page.getByRole('button', { name: complete }).click();
  await expect(dialog.getByLabel('What was done')).toHaveValue('Two new bolts.');
  await expect(dialog.getByText('1 photo added.')).toBeVisible();
  let requests = 0;
  page.on('request', (request) => {
    if (/api\/audits\/[^/]+(\/notes)?$/.test(request.url()) && request.method() !== 'GET') requests += 1;
  });
  await dialog.getByRole('button', { name: confirm }).click();
  await expect(page.getByText('This audit has been marked as completed by')).toBeVisible();
  await expect(page.getByText('Two new bolts.')).toBeVisible();
  expect(requests).toBe(1);
  expect(await listNotes(step)).toMatchObject([{ text: 'Two new bolts.', media_files: [{ name: 'phone-jolla.jpg' }] }]);
  expect((await staff(api.getAudit, { params: { id: step } })).data.media_files).toEqual([]);
  await expectAccessiblePage(page);

  const next = page.getByRole('link', { name: 'Next: Mend the rail, Pool' });
  // One text, which breaks into lines between words; two would stand beside each other, broken within words.
  expect(await next.evaluate((link) => link.querySelector('.mantine-Button-label')?.childNodes.length)).toBe(1);
  await next.click();
  await expect(page).toHaveURL(new RegExp(`/audit/${rail}$`));
  await expect(page.getByRole('heading', { name: 'Mend the rail' })).toBeVisible();
  await context.setOffline(true);
  await page.getByRole('button', { name: complete }).click();
  await dialog.getByLabel('What was done').fill('New rail.');
  await dialog.getByLabel('Choose Photos').setInputFiles(photo('phone-jolla.jpg'));
  await expect(dialog.getByText('1 photo added.')).toBeVisible();
  await dialog.getByRole('button', { name: confirm }).click();
  await expect(page.getByText(savedText)).toBeVisible();
  await expect(page.getByRole('link', { name: 'Next: Paint the fence, Gate' })).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByText('This audit has been marked as completed by')).toBeVisible({ timeout: 60_000 });
  expect(await listNotes(rail)).toMatchObject([{ text: 'New rail.', media_files: [{ name: 'phone-jolla.jpg' }] }]);

  // The list of all open audits deletes nothing.
  await page.goto('/audits?tab=open');
  await expect(page.getByRole('link', { name: 'Paint the fence' })).toBeVisible();
  await expect(page.getByRole('button', { name: /^Delete/ })).toHaveCount(0);
  await expectAccessiblePage(page);
});
