// Names and addresses of people, on a server that sends email.
import { createServer } from 'node:net';
import { api } from '#shared/api.ts';
import { newAudit, newFolder } from '../src/server/testing/factories.ts';
import { startMailServer } from '../src/server/testing/mail-server.ts';
import { startTestServer } from '../src/server/testing/server.ts';
import { test as base, expect, expectAccessiblePage, password } from './server.ts';

// Some requests are rejected; the browser logs each.
const allowedConsoleErrors = /Failed to load resource/;

const findFreePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });

const test = base.extend<object, { mail: Awaited<ReturnType<typeof startMailServer>> }>({
  mail: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures a fixture needs from this pattern
    async ({}, use) => {
      const mail = await startMailServer();
      await use(mail);
      await mail.stop();
    },
    { scope: 'worker' },
  ],
  server: [
    async ({ mail }, use) => {
      const port = await findFreePort();
      const address = { PORT: String(port), PUBLIC_URL: `http://127.0.0.1:${port}` };
      const server = await startTestServer('sqlite', { ...mail.settings, ...address });
      await use(server);
      await server.stop();
    },
    { scope: 'worker' },
  ],
});

test.use({ allowedConsoleErrors });

test('names stand for usernames, and a link changes the email address', { tag: '@once' }, async ({
  page,
  signInAs,
  server,
  mail,
}) => {
  const staff = await server.as('None', 'Lido Beach');
  const admin = await signInAs(page, 'Admin');
  const folder = await newFolder(admin, { park: 'Lido Beach' });
  const body = newAudit(folder, { title: 'Gate', assignee: staff.username });
  const { id } = await admin(api.createAudit, { body });
  await page.goto(`/admin?tab=users&person=${staff.username}`);
  await page.getByRole('button', { name: `Name and email of ${staff.username}` }).click();
  const dialog = page.getByRole('dialog', { name: `Name and email of ${staff.username}` });
  await dialog.getByLabel('Full name').fill('Siân Jones-Prydderch');
  await dialog.getByLabel('Email').fill('sian@example');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByText('Enter an email address such as sian@example.com')).toBeVisible();
  await expectAccessiblePage(page);
  await dialog.getByLabel('Email').fill('sian@example.com');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Siân Jones-Prydderch, sian@example.com')).toBeVisible();
  await expectAccessiblePage(page);
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
  const change = page.getByRole('dialog', { name: 'Change email address' });
  await change.getByLabel('New email address').fill('new@example.com');
  await change.getByLabel('Current password').fill('not this one');
  await change.getByRole('button', { name: 'Send Link' }).click();
  await expect(change.getByText('This is not your current password')).toBeVisible();
  await expectAccessiblePage(page);
  await change.getByLabel('Current password').fill(password);
  await change.getByRole('button', { name: 'Send Link' }).click();
  await expect(page.getByText('Open the link sent to new@example.com').first()).toBeVisible();
  const link = /http:\S+/.exec(mail.received.at(-1)?.text ?? '')?.[0] ?? '';
  await page.context().clearCookies();
  await page.goto(link);
  await expect(page.getByRole('heading', { name: 'Confirm Email Address', level: 1 })).toBeVisible();
  await expectAccessiblePage(page);
  await page.getByRole('button', { name: 'Use This Address' }).click();
  await expect(page.getByText('Your emails now go to this address.')).toBeVisible();
  expect((await staff(api.getNotificationSettings)).email).toBe('new@example.com');
  // It works once.
  await page.reload();
  await page.getByRole('button', { name: 'Use This Address' }).click();
  await expect(page.getByText('This link has been used or has expired.')).toBeVisible();
});
