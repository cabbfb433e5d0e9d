// Names and addresses of people, on a server that sends email.
import { api } from '#shared/api.ts';
import { newAudit, newFolder } from '../src/server/testing/factories.ts';
import { expectDiscardQuestion } from './interactions.ts';
import { test } from './sending-server.ts';
import { expect, expectAccessiblePage, password } from './server.ts';

// The smallest phone. Some requests are rejected; the browser logs each.
const phoneSize = { width: 320, height: 640 };
test.use({ viewport: phoneSize, allowedConsoleErrors: /Failed to load resource/ });

test('full names are shown instead of usernames, and a link in an email confirms a new email address', {
  tag: '@once',
}, async ({ page, signInAs, server, mail }) => {
  const staff = await server.as('None', 'Lido Beach');
  const admin = await signInAs(page, 'Admin');
  const folder = await newFolder(admin, { park: 'Lido Beach' });
  const body = newAudit(folder, { title: 'Gate', assignee: staff.username });
  const { id } = await admin(api.createAudit, { body });
  await server.db.updateTable('sessions').set({ confirmed_at: '' }).where('user_id', '=', admin.id).execute();
  await page.goto(`/admin?tab=users&person=${staff.username}`);
  await page.getByRole('button', { name: `More for ${staff.username}` }).click();
  await page.getByRole('button', { name: `Edit Name and Email of ${staff.username}` }).click();
  const dialog = page.getByRole('dialog', { name: `Edit Name and Email of ${staff.username}` });
  await dialog.getByLabel('Full name').fill('Siân Jones-Prydderch');
  await dialog.getByLabel('Email').fill('sian@example');
  await expectDiscardQuestion(page, dialog, dialog.getByLabel('Full name'));
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByText('Enter an email address such as sian@example.com')).toBeVisible();
  await expectAccessiblePage(page);
  await dialog.getByLabel('Email').fill('sian@example.com');
  await dialog.getByRole('button', { name: 'Save' }).click();
  const proof = page.getByRole('dialog', { name: 'Confirm that it is you' });
  await proof.getByLabel('Current password').fill(password);
  await proof.getByRole('button', { name: 'Continue' }).click();
  const row = page.getByRole('listitem').filter({ hasText: 'sian@example.com' });
  await expect(row).toContainText('Siân Jones-Prydderch');
  await expectAccessiblePage(page);
  for (const width of [1280, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await expect.poll(async () => (await row.boundingBox())?.height, `row at ${width} px`).toBeLessThan(90);
  }
  await page.setViewportSize(phoneSize);
  await page.goto(`/audit-folders/${folder}`);
  await expect(page.getByText('Assignee: Siân Jones-Prydderch')).toBeVisible();
  await staff(api.updateAudit, { params: { id }, body: { data: { completed: true } } });
  await page.goto(`/audit/${id}`);
  await expect(page.getByText(/^Completed by Siân Jones-Prydderch on/)).toBeVisible();

  await page.context().clearCookies();
  const [name = '', value = ''] = staff.cookie.split('=');
  await page.context().addCookies([{ name, value, url: server.url }]);
  await page.goto('/notification-settings');
  await expect(page.getByText('Emails go to sian@example.com.')).toBeVisible();
  await page.getByRole('button', { name: 'Change Email Address' }).click();
  const change = page.getByRole('dialog', { name: 'Change Email Address' });
  await change.getByLabel('New email address').fill('new@example.com');
  await expectDiscardQuestion(page, change, change.getByLabel('New email address'));
  await change.getByLabel('Current password').fill('not this one');
  await change.getByRole('button', { name: 'Send Link' }).click();
  await expect(change.getByText('This is not your current password')).toBeVisible();
  await expectAccessiblePage(page);
  await change.getByLabel('Current password').fill(password);
  await change.getByRole('button', { name: 'Send Link' }).click();
  await expect(page.getByText('Open the link sent to new@example.com').first()).toBeVisible();
  const email = mail.received.findLast(({ to }) => to.includes('new@example.com'));
  const link = /http:\S+/.exec(email?.text ?? '')?.[0] ?? '';
  await page.context().clearCookies();
  await page.goto(link);
  await expect(page.getByRole('heading', { name: 'Confirm Email Address', level: 1 })).toBeVisible();
  await expectAccessiblePage(page);
  await page.getByRole('button', { name: 'Use This Address' }).click();
  await expect(page.getByText('Your emails now go to this address.')).toBeVisible();
  expect((await staff(api.getNotificationSettings)).email).toBe('new@example.com');
  // The link works only once.
  await page.reload();
  await page.getByRole('button', { name: 'Use This Address' }).click();
  await expect(page.getByText('This link has been used or has expired.')).toBeVisible();
});

test('a full name assigns an audit to its user and filters audits, and a name of nobody gets a message', {
  tag: '@once',
}, async ({ page, signInAs, server }) => {
  const staff = await server.as('None', 'Mounds');
  const admin = await signInAs(page, 'Admin');
  const body = { full_name: 'Gwenllian Tudor', email: '' };
  await admin(api.updateUserDetails, { params: { id: staff.id }, body });
  const folder = await newFolder(admin, { park: 'Mounds' });
  await page.goto(`/create-audit/${folder}`);
  await page.getByLabel('Title').fill('Fence');
  const assignee = page.getByLabel('Person who should complete this job');
  await assignee.fill('Gwenllian');
  await expect(assignee).toHaveAccessibleDescription('Not a user: nobody will be notified');
  await expectAccessiblePage(page);
  await assignee.fill('gwenllian tudor');
  await expect(assignee).toHaveAccessibleDescription(staff.username);
  await page.getByRole('button', { name: 'Create Audit' }).click();
  await expect(page.getByText('Assignee: Gwenllian Tudor').first()).toBeVisible();
  expect((await staff(api.listOpenAudits, { query: { mine: 'yes' } })).map(({ title }) => title)).toEqual(['Fence']);
  await page.goto('/audits?tab=open');
  await page.getByRole('button', { name: 'Filters' }).click();
  await page.getByLabel('Assignee').fill('Nobody Here');
  await expect(page.getByText('No open audits found')).toBeVisible();
  await expect(page.getByLabel('Assignee')).toHaveAccessibleDescription('Not a user: nobody will be notified');
  await page.getByLabel('Assignee').fill('Gwenllian Tudor');
  await expect(page).toHaveURL(new RegExp(`assignee=${staff.username}$`));
  await expect(page.getByRole('heading', { name: 'Fence' })).toBeVisible();
});
