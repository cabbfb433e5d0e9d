// From an event to someone who is told and does something about it.
import { api } from '#shared/api.ts';
import { newAudit, newFolder, newReport, photo } from '../src/server/testing/factories.ts';
import { expect, expectAccessiblePage, test } from './server.ts';

test('an assignee is told of an audit, adds a note with a photo, completes it and follows it up', async ({
  page,
  signInAs,
  server,
}) => {
  const manager = await server.as('Health & Safety Manager');
  const staff = await signInAs(page, 'None', 'Lido Beach');
  const folder = await newFolder(manager, { name: 'Fire safety' });
  await page.goto('/audits?tab=mine');
  await expect(page.getByText('Nothing is assigned to you')).toBeVisible();
  await manager(api.createAudit, {
    body: newAudit(folder, { title: 'Repair the gate', assignee: staff.username, date: '2020-01-01' }),
  });
  const bell = page.getByRole('link', { name: 'Notifications, 1 unread' });
  await bell.click();
  await expect(page.getByRole('heading', { name: 'Notifications' })).toBeVisible();
  await expectAccessiblePage(page);
  await page.getByRole('link', { name: 'Audit assigned to you: Repair the gate' }).click();
  await expect(page.getByRole('link', { name: 'Notifications', exact: true })).toBeVisible();

  await page.getByRole('button', { name: 'Write a Note' }).click();
  await page.getByRole('button', { name: 'Add Note' }).click();
  await expect(page.getByText('Write a note or add a photo')).toBeVisible();
  await page.getByLabel('Note', { exact: true }).fill('Waiting for the hinge');
  const files = { name: 'hinge.jpg', mimeType: 'image/jpeg', buffer: await photo() };
  await page.getByRole('group', { name: 'Photos of the note' }).getByLabel('Choose photos').setInputFiles(files);
  await expect(page.getByRole('button', { name: 'Remove photo 1 of 1, hinge.jpg' })).toBeVisible();
  await page.getByRole('button', { name: 'Add Note' }).click();
  await expect(page.getByText('Waiting for the hinge')).toBeVisible();
  await expect(page.getByRole('button', { name: /View photo 1 of 1, hinge/ })).toBeVisible();

  await page.getByRole('button', { name: 'Complete Audit' }).click();
  await page.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByText('This audit has been marked as completed')).toBeVisible();
  await expectAccessiblePage(page);
  await page.getByRole('button', { name: 'Create Follow-up Audit' }).click();
  await expect(page.getByRole('link', { name: 'Audit Repair the gate' })).toBeVisible();

  await page.goto('/audits');
  await page.getByRole('link', { name: 'Assigned to Me' }).click();
  await expect(page.getByRole('heading', { name: 'Repair the gate' })).toHaveCount(1);
  await expect(page.getByText('Folder: Fire safety, Lido Beach')).toBeVisible();
  await page.getByRole('link', { name: 'All Open Audits' }).click();
  // Its state is in the URL, which follows the click.
  await page.getByLabel('Urgent').click();
  await expect(page.getByText('No open audits found')).toBeVisible();
  await expect(page).toHaveURL(/tab=open&urgent=yes/);
  await expectAccessiblePage(page);
});

test('a reviewer creates an audit from a report with a chosen photo', { tag: '@once' }, async ({ page, signInAs }) => {
  const manager = await signInAs(page, 'Health & Safety Manager', 'Lido Beach');
  await newFolder(manager, { name: 'Paths' });
  const report = await manager(api.submitAccident, { body: await newReport(manager) });
  await page.goto(`/get-reports?report=${report.id}`);
  await page.getByRole('tab', { name: 'Audits' }).click();
  await page.getByRole('button', { name: 'Create Audit' }).click();
  const form = page.getByRole('form', { name: 'Create Audit' });
  await expect(form.getByLabel('Title')).toHaveValue('Check Plot 12');
  for (const field of ['Title', 'Description']) await expect(form.getByLabel(field)).not.toHaveValue(/Siân|Slip/);
  await expect(form.getByLabel(/Photo 1/)).not.toBeChecked();
  await form.getByLabel(/Photo 1/).check();
  await expectAccessiblePage(page);
  await form.getByRole('button', { name: 'Create Audit' }).click();
  await expect(page.getByRole('link', { name: 'Check Plot 12' })).toBeVisible();
  const [audit] = await manager(api.listReportAudits, { params: { id: report.id } });
  expect((await manager(api.getAudit, { params: { id: audit?.id ?? '' } })).data.media_files).toHaveLength(1);
  await manager(api.deleteAudit, { params: { id: audit?.id ?? '' } });
  await page.reload();
  await page.getByRole('tab', { name: 'Audits' }).click();
  await expect(page.getByText(`Deleted by ${manager.username}`)).toBeVisible();
});

test('a user chooses what they are told and how', { tag: '@once' }, async ({ page, signInAs }) => {
  const staff = await signInAs(page, 'None', 'Lido Beach');
  await page.goto('/notifications');
  await expect(page.getByText('No notifications yet')).toBeVisible();
  await page.getByRole('link', { name: 'Notification Settings' }).click();
  await expect(page.getByText('This server does not send email.')).toBeVisible();
  await expectAccessiblePage(page);
  const kind = page.getByRole('group', { name: 'An audit is assigned to you' });
  await kind.getByLabel('Email').uncheck();
  await expect
    .poll(async () => (await staff(api.getNotificationSettings)).off)
    .toEqual([{ kind: 'auditAssigned', channel: 'email' }]);
  await page.getByRole('button', { name: 'Send Me a Test' }).click();
  await expect(page.getByRole('link', { name: 'Notifications, 1 unread' })).toBeVisible();
  await page.goto('/notifications');
  await page.getByRole('button', { name: 'Mark All Read' }).click();
  await expect(page.getByRole('link', { name: 'Notifications', exact: true })).toBeVisible();
});

test('a failing pool check becomes an audit, and its submission shows it done', { tag: '@once' }, async ({
  page,
  signInAs,
  server,
}) => {
  const manager = await server.as('Health & Safety Manager', 'Lido Beach');
  const fixer = await server.as('None', 'Lido Beach');
  const title = 'Pool check';
  await signInAs(page, 'Health & Safety Manager', 'Lido Beach');
  await page.goto('/admin?tab=checklists');
  await page.getByRole('button', { name: 'New Checklist' }).first().click();
  await page.getByLabel('Checklist title').fill(title);
  await page.getByLabel('Section title').fill('pH of the water');
  await page.getByLabel('The answer is a number').check();
  await page.getByLabel('Lowest').fill('7.2');
  await page.getByLabel('Highest').fill('7.6');
  await page.getByLabel('Failing answer').selectOption('A number out of range is failing');
  await page.getByLabel('Photo of it').selectOption('Required');
  await page.getByLabel('Create an audit').check();
  await page.getByText('Who should complete it, by park').click();
  await page.getByLabel('Lido Beach').fill(fixer.username);
  await expect(page.getByText('An audit will be created: due tomorrow')).toBeVisible();
  await expectAccessiblePage(page);
  await page.getByRole('button', { name: 'Create Checklist' }).click();
  await expect(page.getByText('Checklist created successfully')).toBeVisible();

  await page.context().clearCookies();
  await signInAs(page, 'None', 'Lido Beach');
  await page.goto('/checklists');
  await page.getByRole('button', { name: title }).click();
  const number = page.getByRole('textbox', { name: 'pH of the water' });
  await expect(page.getByText('7.2 to 7.6')).toBeVisible();
  await number.fill('7.4');
  await expect(page.getByText('This answer is failing')).toBeHidden();
  await number.fill('8.1');
  await expect(page.getByText('An audit will be created: due tomorrow')).toBeVisible();
  await page.getByRole('button', { name: 'Submit Checklist' }).click();
  await expect(page.getByText('Say what is wrong')).toBeVisible();
  await expect(page.getByText('Add a photo', { exact: true })).toBeVisible();
  await expectAccessiblePage(page);
  await page.getByLabel('What is wrong?').fill('Too much acid');
  const files = { name: 'strip.jpg', mimeType: 'image/jpeg', buffer: await photo() };
  await page.getByLabel('Add photo: pH of the water').setInputFiles(files);
  await expect(page.getByRole('button', { name: 'Remove photo 1, strip.jpg' })).toBeVisible();
  // A reload loses nothing.
  await page.reload();
  await page.getByRole('button', { name: title }).click();
  await expect(page.getByLabel('What is wrong?')).toHaveValue('Too much acid');
  await page.evaluate(() => {
    window.print = () => undefined;
  });
  await page.getByRole('button', { name: 'Print Checklist' }).click();
  const printout = page.locator('body > article');
  await expect(printout).toContainText('8.1Failing: Too much acid');
  await expect(printout).toContainText('pH of the water7.2 to 7.6');
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
  await expect(page.getByRole('button', { name: 'Remove photo 1, strip.jpg' })).toBeVisible();
  await page.getByRole('button', { name: 'Submit Checklist' }).click();
  await expect(page.getByText('Checklist submitted successfully!')).toBeVisible();

  const [audit] = await fixer(api.listOpenAudits, { query: { mine: 'yes' } });
  expect(audit).toMatchObject({ title: 'pH of the water', folder_name: 'From checks' });
  expect(audit?.media_files).toHaveLength(1);
  expect((await fixer(api.countNotifications)).unread).toBe(1);
  await fixer(api.updateAudit, { params: { id: audit?.id ?? '' }, body: { data: { completed: true } } });
  const told = (await manager(api.listNotifications)).find(({ kind }) => kind === 'failingAnswers');

  await page.context().clearCookies();
  await signInAs(page, 'Health & Safety Manager', 'Lido Beach');
  await page.goto('/admin?tab=submissions&failing=yes');
  await expect(page.getByText('1 failing')).toBeVisible();
  await page.goto(told?.link ?? '');
  const dialog = page.getByRole('dialog', { name: 'Submission Details' });
  await expect(dialog.getByText('Too much acid')).toBeVisible();
  await expect(dialog.getByText(`Completed by ${fixer.username}`)).toBeVisible();
  await expectAccessiblePage(page);
});
