// Follow-up work: audits created from audits and reports, and notifications.
import { api } from '#shared/api.ts';
import { newAudit, newFolder, newReport, photo } from '../src/server/testing/factories.ts';
import { pressBack } from './interactions.ts';
import { expect, expectAccessiblePage, test } from './server.ts';

test('a follow-up of a completed audit is listed for its assignee, gets a note with a photo, and is completed', {
  tag: '@once',
}, async ({ page, signInAs, server }) => {
  // A park of this test alone, because tests share a server.
  const park = 'Delyn Metals';
  const manager = await server.as('Health & Safety Manager');
  const staff = await signInAs(page, 'None', park);
  const folder = await newFolder(manager, { name: 'Fire safety', park });
  await page.goto('/audits?tab=mine');
  await expect(page.getByText('Nothing is assigned to you')).toBeVisible();
  const { id } = await manager(api.createAudit, {
    body: newAudit(folder, { title: 'Repair the gate', assignee: staff.username, completed: true }),
  });
  await page.goto(`/audit/${id}`);
  await page.getByRole('button', { name: 'Create Follow-up Audit' }).click();
  const source = page.getByRole('link', { name: 'Audit Repair the gate' });
  await expect(source).toBeVisible();
  await expectAccessiblePage(page);
  const [colour, wanted] = await source.evaluate((link) => {
    const probe = document.body.appendChild(document.createElement('i'));
    probe.style.color = 'var(--mantine-color-anchor)';
    return [link, probe].map((element) => getComputedStyle(element).color);
  });
  expect(colour, 'a link has the colour of links').toBe(wanted);

  await page.goto('/audits');
  await page.getByRole('link', { name: 'Assigned to Me' }).click();
  await expect(page.getByRole('heading', { name: 'Repair the gate' })).toHaveCount(1);
  await page.getByRole('link', { name: 'All Open Audits' }).click();
  await page.getByRole('button', { name: 'Filters' }).click();
  // Clicked rather than checked, because the state is in the URL, which changes after the click.
  await page.getByLabel('Urgent').click();
  await expect(page.getByText('No open audits found')).toBeVisible();
  await expect(page).toHaveURL(/tab=open&urgent=yes/);
  await expectAccessiblePage(page);

  await page.goto('/audits?tab=mine');
  await page.getByRole('link', { name: 'View Details of Repair the gate' }).click();
  await page.getByRole('button', { name: 'Write a Note' }).click();
  await page.getByLabel('Note', { exact: true }).fill('The hinge is bent again');
  const hingePhoto = { name: 'hinge.jpg', mimeType: 'image/jpeg', buffer: await photo() };
  await page.getByRole('group', { name: 'Photos of the note' }).getByLabel('Choose Photos').setInputFiles(hingePhoto);
  await expect(page.getByRole('button', { name: 'Remove photo 1 of 1, hinge.jpg' })).toBeVisible();
  await page.getByRole('button', { name: 'Add Note' }).click();
  await expect(page.getByRole('button', { name: /View photo 1 of 1, hinge/ })).toBeVisible();
  await page.getByRole('button', { name: 'Complete Audit' }).click();
  await page.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByText('This audit has been marked as completed')).toBeVisible();
  await expectAccessiblePage(page);
  await page.goto('/audits?tab=mine');
  await expect(page.getByText('Nothing is assigned to you')).toBeVisible();
});

test('a manager finds who is late among all open audits', { tag: '@once' }, async ({ page, signInAs, server }) => {
  // A park of this test alone, because tests share a server.
  const park = 'Tyddyn Goronwy';
  const manager = await signInAs(page, 'Health & Safety Manager', park);
  const staff = await server.as('None', park);
  const folder = await newFolder(manager, { park, name: 'Gates and fences' });
  await page.setViewportSize({ width: 390, height: 780 });
  await page.goto('/audits?tab=open');
  await expect(page.getByText('No open audits found')).toBeVisible();
  const due = { date: '2020-01-02', assignee: staff.username };
  for (const changes of [
    { title: 'Repair Tŷ Glas gate', ...due },
    { title: 'Paint the fence', assignee: '' },
  ])
    await manager(api.createAudit, { body: newAudit(folder, { date: null, time: null, ...changes }) });
  await page.reload();
  const rows = page.getByRole('main').getByRole('listitem');
  await expect(rows).toHaveCount(2);
  await expect(rows.first()).toContainText(/Repair Tŷ Glas gate\d+ days late/);
  const box = await rows.first().getByRole('link').boundingBox();
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThan(400);
  await page.getByText('1 overdue, 1 unassigned').click();
  await expectAccessiblePage(page);
  await page.getByRole('link', { name: `${staff.username} 1` }).click();
  await expect(page).toHaveURL(new RegExp(`overdue=yes&assignee=${staff.username}$`));
  await expect(rows).toHaveCount(1);
  await page.getByRole('button', { name: 'Filters (2)' }).click();
  await page.getByRole('button', { name: 'Clear Filters' }).click();
  await expect(rows).toHaveCount(2);
  await page.getByLabel('Search audits...').fill('FENCE');
  await expect(rows).toHaveCount(1);
  await rows.getByRole('link', { name: 'Paint the fence' }).click();
  await expect(page.getByText('Not assigned')).toBeVisible();
});

test('several open audits are chosen and assigned, and those that cannot be reminded are named', {
  tag: '@once',
}, async ({ page, signInAs }) => {
  const manager = await signInAs(page, 'Health & Safety Manager', 'Robin Hood');
  const folder = await newFolder(manager, { park: 'Robin Hood' });
  for (const title of ['Gate', 'Fence'])
    await manager(api.createAudit, { body: newAudit(folder, { title, assignee: '' }) });
  await page.goto('/audits?tab=open');
  await page.getByRole('button', { name: 'Select' }).click();
  await page.getByLabel('Choose Gate').check();
  await page.getByRole('button', { name: 'Reassign' }).click();
  await page.getByLabel('Person who should complete these audits').fill(manager.username);
  await expectAccessiblePage(page);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('1 audit changed.')).toBeVisible();
  await page.getByRole('button', { name: 'Choose All Shown' }).click();
  await page.getByRole('button', { name: 'Remind' }).click();
  await expect(page.getByText('1 audit with a reminder.')).toBeVisible();
  await expect(page.getByText('Not changed: Fence (no user is assigned).')).toBeVisible();
  // What could not be done stays chosen.
  await expect(page.getByLabel('Choose Fence')).toBeChecked();
  await expect(page.getByLabel('Choose Gate')).not.toBeChecked();
  await expectAccessiblePage(page);
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByLabel('Choose Gate')).toHaveCount(0);
});

test('a reviewer creates an audit from a report and adds one of its photos', { tag: '@once' }, async ({
  page,
  signInAs,
}) => {
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
  // Another tab of the details, or closing them, keeps what was entered.
  await page.getByRole('tab', { name: 'Details' }).click();
  await page.getByRole('tab', { name: 'Audits' }).click();
  await expect(form.getByLabel(/Photo 1/)).toBeChecked();
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

test('Notifications leads to overdue audits and verifications, and to due checks', { tag: '@once' }, async ({
  page,
  signInAs,
  server,
}) => {
  const park = 'Marian Resort';
  const staff = await signInAs(page, 'None', park);
  const verification = { days: 1, verifier: '' };
  const body = newAudit(await newFolder(staff, { park }), { title: 'Slide bolts', completed: true, verification });
  const { id } = await staff(api.createAudit, { body });
  const past = { verify_by: '2026-01-02', due: '2026-01-02' };
  await server.db.updateTable('audits').set(past).where('id', '=', id).execute();
  await page.goto('/notifications');
  await expect(page.getByText('No notifications yet')).toBeVisible();
  await expectAccessiblePage(page);
  await page.getByRole('link', { name: 'Due checks' }).click();
  await expect(page.getByRole('heading', { name: 'Checklists', level: 1 })).toBeVisible();
  await page.goBack();
  await page.getByRole('link', { name: 'Overdue audits' }).click();
  await expect(page.getByRole('button', { name: 'Filters (2)' })).toBeVisible();
  await expect(page.getByRole('main').getByRole('link', { name: 'Slide bolts' })).toBeVisible();
});

test('a user chooses which notifications arrive by which channel', { tag: '@once' }, async ({ page, signInAs }) => {
  const staff = await signInAs(page, 'None', 'Lido Beach');
  await page.goto('/notifications');
  await expect(page.getByText('No notifications yet')).toBeVisible();
  await page.getByRole('link', { name: 'Notification Settings' }).click();
  await expect(page.getByText('This server does not send email.')).toBeVisible();
  await expectAccessiblePage(page);
  const kind = page.getByRole('row', { name: /^An audit is assigned to you/ });
  await kind.getByLabel('Email').uncheck();
  await expect
    .poll(async () => (await staff(api.getNotificationSettings)).off)
    .toEqual([{ kind: 'auditAssigned', channel: 'email' }]);

  // Two quick taps: the second list is sent after the first, which would otherwise overwrite it.
  const { promise: untilTapped, resolve: release } = Promise.withResolvers<void>();
  let [begun, saved] = [0, 0];
  await page.route('**/api/notification-settings', async (route) => {
    if (route.request().method() !== 'PUT') return route.continue();
    if (begun++ === 0) await untilTapped;
    await route.fulfill({ response: await route.fetch() });
    saved += 1;
  });
  await kind.getByLabel('Email').check();
  await kind.getByLabel('In the app').uncheck();
  release();
  await expect.poll(() => saved).toBe(2);
  expect((await staff(api.getNotificationSettings)).off).toEqual([{ kind: 'auditAssigned', channel: 'app' }]);
  await expect(kind.getByLabel('Email')).toBeChecked();
  await kind.getByLabel('In the app').check();
  await expect.poll(async () => (await staff(api.getNotificationSettings)).off).toEqual([]);
  await page.getByRole('button', { name: 'Send Me a Test Message' }).click();
  await expect(page.getByRole('link', { name: 'Notifications, 1 unread' })).toBeVisible();
  await page.goto('/notifications');
  await page.getByRole('button', { name: 'Mark All Read' }).click();
  await expect(page.getByRole('link', { name: 'Notifications', exact: true })).toBeVisible();
});

test('a follow-up audit that is created after its user left is shown to them, and created once', {
  tag: '@once',
}, async ({ page, signInAs }) => {
  const staff = await signInAs(page, 'None', 'Lido Beach');
  const folder = await newFolder(staff);
  const { id } = await staff(api.createAudit, {
    body: newAudit(folder, { title: 'Paint the fence', completed: true }),
  });
  const { promise: untilBack, resolve: comeBack } = Promise.withResolvers<void>();
  await page.route('**/api/audits', async (route) => {
    if (route.request().method() === 'POST') await untilBack;
    await route.continue();
  });
  await page.goto(`/audit-folders/${folder}`);
  await page.getByRole('link', { name: 'View Details of Paint the fence' }).click();
  const create = page.getByRole('button', { name: 'Create Follow-up Audit' });
  await create.click();
  await pressBack(page);
  await expect(create).toHaveCount(0);
  await page.getByRole('link', { name: 'View Details of Paint the fence' }).click();
  await expect(create).toHaveAttribute('data-loading', 'true');
  comeBack();
  await page.getByRole('link', { name: 'Open It' }).click();
  await expect(page.getByRole('link', { name: 'Audit Paint the fence' })).toBeVisible();
  const audits = await staff(api.listAudits, { params: { folderId: folder } });
  expect(audits.filter((audit) => audit.id !== id)).toHaveLength(1);
});
