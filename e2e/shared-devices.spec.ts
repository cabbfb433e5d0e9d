// Three lifeguards use one tablet, with and without a connection.
import type { Page } from '@playwright/test';
import { api } from '#shared/api.ts';
import { newFolder } from '../src/server/testing/factories.ts';
import type { TestClient } from '../src/server/testing/server.ts';
import { makePinUser, pin } from '../src/server/testing/shared-devices.ts';
import { readOfflineCopies } from './drafts.ts';
import { openMenu } from './interactions.ts';
import { field } from './report-form.ts';
import { expect, expectAccessiblePage, openReporting, password, signIn, test } from './server.ts';
import { enterPin, shareDevice, switchUser } from './shared-device.ts';

// The clock of the tests may jump over the limit of a request to the browser's database.
test.use({
  allowedConsoleErrors:
    /status of 40[013]|ERR_INTERNET_DISCONNECTED|Failed to load resource|The database does not answer/,
});

test('three lifeguards take turns on one tablet, and each finds their own draft', { tag: '@once' }, async ({
  page,
  server,
  signInAs,
}) => {
  const park = 'Lido Beach';
  const people = [await makePinUser(server, park), await makePinUser(server, park), await makePinUser(server, park)];
  await signInAs(page, 'Health & Safety Manager', park);
  await shareDevice(page, park, 'Lifeguard hut');
  await expectAccessiblePage(page);

  for (const { username } of people) {
    await enterPin(page, username, '000000');
    await expect(page.getByText('This is not the right PIN')).toBeVisible();
    await expectAccessiblePage(page);
    await page.getByRole('button', { name: 'Back' }).click();
    await enterPin(page, username);
    await expect(page).toHaveURL(/reporting/);
    await page.goto('/incidentreporting');
    await field(page, 'Details').fill(`Draft of ${username}`);
    await switchUser(page);
  }
  // The user who signed in last is first.
  await expect(page.getByRole('list', { name: 'Who are you?' }).getByRole('button').first()).toHaveText(
    people[2]?.username ?? '',
  );
  for (const { username } of people) {
    await enterPin(page, username);
    await expect(page).toHaveURL(/reporting/);
    await page.goto('/incidentreporting');
    await expect(field(page, 'Details')).toHaveValue(`Draft of ${username}`);
    await switchUser(page);
  }
});

test('a PIN is gone once its form was left or it was rejected', { tag: '@once' }, async ({
  page,
  server,
  signInAs,
}) => {
  const park = 'Lyndale';
  const { username } = await makePinUser(server, park);
  await signInAs(page, 'Admin');
  await shareDevice(page, park, 'Gate');
  const field = page.getByLabel('PIN', { exact: true });
  const open = () => page.getByRole('button', { name: username, exact: true }).click();
  await open();
  await field.fill(pin);
  await page.getByRole('button', { name: 'Back' }).click();
  await open();
  await expect(field).toHaveValue('');
  await field.fill('000000');
  await page.keyboard.press('Enter');
  await expect(page.getByText('This is not the right PIN')).toBeVisible();
  await expect(field).toHaveValue('');
  await page.route('**/api/login/pin', (route) => route.abort());
  await field.fill(pin);
  await page.keyboard.press('Enter');
  await expect(page.getByText('There is no connection. Try again when you are back online.')).toBeVisible();
  await expect(field).toHaveValue('');
  await page.unrouteAll();
  // Once signed in, there is no unsaved input to ask about.
  const asked: string[] = [];
  page.on('dialog', (question) => {
    asked.push(question.type());
    void question.accept();
  });
  await field.fill(pin);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/reporting/);
  await page.reload();
  await page
    .getByRole('button', { name: 'Switch User' })
    .or(page.getByRole('button', { name: 'Menu' }))
    .first()
    .waitFor();
  expect(asked).toEqual([]);
});

test('a session that ends by itself on a shared device asks who is using it, and keeps what was typed', {
  tag: '@once',
}, async ({ page, server, signInAs }) => {
  const { username } = await makePinUser(server, 'Lyndale');
  await signInAs(page, 'Admin');
  await shareDevice(page, 'Lyndale', 'Kiosk of the lake');
  await enterPin(page, username);
  await expect(page).toHaveURL(/reporting/);
  await page.goto('/incidentreporting');
  await field(page, 'Details').fill('Half a report');
  await page.context().clearCookies({ name: 'hs_session' });
  await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
  const dialog = page.getByRole('dialog', { name: 'Who is using this device?' });
  await expect(dialog.getByRole('link', { name: 'Someone Else' })).toBeVisible();
  await expectAccessiblePage(page);
  await dialog.getByLabel('PIN', { exact: true }).fill(pin);
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  await expect(field(page, 'Details')).toHaveValue('Half a report');
});

test('sharing a device deletes what it stores for its user, and signs out their other tabs', { tag: '@once' }, async ({
  page,
  context,
  signInAs,
}) => {
  const admin = await signInAs(page, 'Admin');
  await newFolder(admin, { park: 'Winkups' });
  await openReporting(page);
  await page.goto('/audits');
  await expect.poll(() => readOfflineCopies(page)).toContain('copy/user/');
  await page.evaluate((id) => localStorage.setItem(`reporter-${id}`, 'Siân'), admin.id);
  const other = await context.newPage();
  await other.goto('/audits');
  await expect(other.getByRole('heading', { name: 'Audit Folders' })).toBeVisible();
  await shareDevice(page, 'Winkups', 'Slide');
  await other.waitForURL('**/login');
  await expect.poll(() => readOfflineCopies(page)).not.toContain('copy/user/');
  const keys = await page.evaluate(() => Object.keys(localStorage));
  expect(keys.filter((key) => /^(last-person|reporter-)/.test(key))).toEqual([]);
});

test('a new user chooses a PIN in place of the one-time password', { tag: '@once' }, async ({
  page,
  server,
  signInAs,
}) => {
  const admin = await signInAs(page, 'Admin');
  await shareDevice(page, 'Mounds', 'Bar');
  const body = { username: 'new.barkeeper', password, role: 'None' as const, park: 'Mounds' as const };
  const { id } = await server.as('Admin').then((other) => other(api.createUser, { body }));
  const { password: oneTime } = await server.as('Admin').then((other) => other(api.resetPassword, { body: { id } }));
  expect(admin.id).not.toBe(id);
  await page.getByRole('button', { name: 'Someone Else' }).click();
  await expect(page.getByRole('button', { name: 'Sign In with a Passkey' })).toHaveCount(0);
  await signIn(page, 'new.barkeeper', oneTime);
  const dialog = page.getByRole('dialog', { name: 'Choose a PIN' });
  await dialog.getByLabel('New PIN').fill('123456');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByText('Choose a PIN without a sequence such as 123456')).toBeVisible();
  await expectAccessiblePage(page);
  await dialog.getByLabel('New PIN').fill(pin);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toBeHidden();
  await switchUser(page);
  await enterPin(page, 'new.barkeeper');
  await expect(page).toHaveURL(/reporting/);
});

/** Signs in with a PIN and begins a report, under a clock that the test moves. */
async function startReport(page: Page, { username }: TestClient) {
  await enterPin(page, username);
  await expect(page).toHaveURL(/reporting/);
  await page.clock.install();
  await page.goto('/incidentreporting');
  await field(page, 'Details').fill('Half a report');
}

test('without a connection an unattended shared device is covered until someone says who they are', {
  tag: '@once',
}, async ({ page, context, server, signInAs }) => {
  const staff = await makePinUser(server, 'Kingsley');
  await signInAs(page, 'Admin');
  await shareDevice(page, 'Kingsley', 'Reception');
  await startReport(page, staff);
  const warning = page.getByRole('dialog', { name: 'Are you still there?' });
  await page.clock.runFor('04:45');
  await expect(warning).toBeVisible();
  await warning.getByRole('button', { name: 'Continue as' }).click();
  await expect(warning).toBeHidden();

  await context.setOffline(true);
  await expect(page.getByText(/^You are offline/)).toBeVisible();
  await page.clock.fastForward('06:00');
  const cover = page.getByRole('dialog', { name: 'Who is using this device?' });
  await expect(cover).toBeVisible();
  await page.mouse.click(5, 5);
  await page.clock.runFor('00:05');
  await expect(cover).toBeVisible();
  await cover.getByRole('button', { name: 'Continue as' }).click();
  await page.clock.runFor('00:05');
  await expect(cover).toBeHidden();
  await expect(field(page, 'Details')).toHaveValue('Half a report');
});

test('an unattended shared device warns for 20 seconds and then signs out, but not while something is sent', {
  tag: '@once',
}, async ({ page, server, signInAs }) => {
  const staff = await makePinUser(server, 'Winkups');
  await signInAs(page, 'Admin');
  await shareDevice(page, 'Winkups', 'Kiosk');
  await startReport(page, staff);
  const warning = page.getByRole('dialog', { name: 'Are you still there?' });
  // Without the user, nobody answers a question of the browser.
  page.on('dialog', (question) => void question.dismiss());
  await openMenu(page);
  await page.getByRole('button', { name: staff.username }).click();
  await page.getByRole('button', { name: 'Choose a PIN' }).click();
  await page.getByLabel('Current password').fill('Not saved');
  // Another tab holds the lock of the outbox while it sends, and tells the others how much it has sent.
  const sending = await page.evaluateHandle(async () => {
    const [held, sent, told] = [
      Promise.withResolvers<void>(),
      Promise.withResolvers<void>(),
      Promise.withResolvers<void>(),
    ];
    void navigator.locks.request('outbox', async () => {
      held.resolve();
      await sent.promise;
    });
    await held.promise;
    new BroadcastChannel('outbox').onmessage = () => told.resolve();
    new BroadcastChannel('outbox').postMessage({ type: 'progress', id: 'elsewhere', progress: { sent: 1, total: 2 } });
    await told.promise;
    return sent;
  });
  await page.clock.runFor('06:00');
  await expect(warning).toBeHidden();
  await sending.evaluate(async (sent) => {
    sent.resolve();
    // The page waits for the lock too, and was first.
    await navigator.locks.request('outbox', () => undefined);
  });
  await page.clock.runFor('04:35');
  await expect(warning).toBeHidden();
  await page.clock.runFor('00:08');
  await expect(warning).toBeVisible();
  await page.clock.runFor('00:20');
  await enterPin(page, staff.username);
  await expect(page).toHaveURL(/reporting/);
  await page.goto('/incidentreporting');
  await expect(field(page, 'Details')).toHaveValue('Half a report');
});
