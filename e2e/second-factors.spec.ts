import type { Page } from '@playwright/test';
import { api } from '#shared/api.ts';
import { generateAppCode } from '../src/server/sign-in/factors/app-codes.ts';
import { setUpApp } from '../src/server/testing/second-step.ts';
import { startTestServer } from '../src/server/testing/server.ts';
import { test as base, expect, expectAccessiblePage, password, signIn } from './server.ts';

/** The server's time stands still, so that a code does not expire while it is typed. */
let now = Date.now();
const test = base.extend<Record<never, never>, { server: Awaited<ReturnType<typeof startTestServer>> }>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures a fixture needs from this pattern
    async ({}, use) => {
      const server = await startTestServer('sqlite', {}, () => now);
      await use(server);
      await server.stop();
    },
    { scope: 'worker' },
  ],
});
test.beforeEach(() => {
  now += 60_000;
});
test.use({ allowedConsoleErrors: /status of 40[0139]/ });

/** Sets up codes from an app on the screen. Returns the key, and the recovery codes. */
async function setUpCodes(page: Page, check = async () => {}) {
  await page.goto('/second-factors');
  await page.getByRole('button', { name: 'Set Up' }).click();
  await expect(page.getByRole('img', { name: 'QR code of the key below' })).toBeVisible();
  await check();
  const key = (await page.locator('code').innerText()).replace(/\s/g, '');
  await expect(page.getByRole('link', { name: 'Open in an App' })).toHaveAttribute(
    'href',
    new RegExp(`^otpauth://totp/.*secret=${key}`),
  );
  await page.getByLabel('Code that the app shows').fill(generateAppCode(key, new Date(now)));
  await page.getByRole('button', { name: 'Next' }).click();
  const dialog = page.getByRole('dialog', { name: 'Your Recovery Codes' });
  await expect(dialog).toBeVisible();
  await check();
  const codes = await dialog.getByRole('listitem').allInnerTexts();
  await page.getByLabel('Type one of the codes').fill('1-aaaa-aaaa-aaaa-aaaa');
  await page.getByRole('button', { name: 'Finish' }).click();
  await expect(page.getByText('This is not one of the codes above')).toBeVisible();
  await page.getByLabel('Type one of the codes').fill(codes[4] ?? '');
  await page.getByRole('button', { name: 'Finish' }).click();
  await expect(page.getByText('Recovery code 5 is used up: cross it out.')).toBeVisible();
  await expect(page.getByText('9 of 10 left')).toBeVisible();
  now += 60_000;
  return { key, codes };
}

test('a reviewer sets up an authenticator app, signs in with a code, and after losing the phone with a recovery code', {
  tag: '@once',
}, async ({ page, signInAs }) => {
  const person = await signInAs(page, 'Health & Safety Manager');
  const { key, codes } = await setUpCodes(page, () => expectAccessiblePage(page));
  await expectAccessiblePage(page);

  await page.context().clearCookies();
  await page.goto('/login');
  await signIn(page, person.username);
  const field = page.getByLabel('Code from your app');
  await expect(field).toBeFocused();
  await expectAccessiblePage(page);
  await field.fill('123');
  await page.keyboard.press('Enter');
  await expect(page.getByText('This is not the right code')).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await field.fill(generateAppCode(key, new Date(now - 30_000)));
  await page.keyboard.press('Enter');
  await expect(page.getByText('That code has just expired. Wait for the next one')).toBeVisible();
  await field.fill(generateAppCode(key, new Date(now)));
  await page.keyboard.press('Enter');
  await page.waitForURL('**/reporting');
  await page.getByRole('banner').waitFor();

  await page.context().clearCookies();
  await page.goto('/login');
  await signIn(page, person.username);
  await page.getByRole('button', { name: 'Use a Recovery Code' }).click();
  await page.getByLabel('Recovery code', { exact: true }).fill(codes[0] ?? '');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.waitForURL('**/reporting');
  await page.getByRole('banner').waitFor();
  await page.goto('/sessions');
  await expect(page.getByText('with password and recovery code')).toBeVisible();
  await page.goto('/notifications');
  const used = page.getByRole('listitem').filter({ hasText: 'One of your recovery codes was used' });
  await expect(used).toBeVisible();
  // An error stands clear of the rows that were loaded before.
  await page.route('**/api/notifications?*', (route) => route.fulfill({ status: 400, json: { message: 'No' } }));
  await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
  const error = page.getByRole('alert').filter({ hasText: 'Your notifications could not be loaded.' });
  const { y = 0, height = 0 } = (await error.boundingBox()) ?? {};
  expect((await used.boundingBox())?.y).toBeGreaterThanOrEqual(y + height + 8);
});

test('after the code of the second factor, the page first requested opens, and no other screen before it', {
  tag: '@once',
}, async ({ page, signInAs }) => {
  const person = await signInAs(page, 'None');
  const { key } = await setUpCodes(page);
  await page.context().clearCookies();
  await page.goto('/sessions');
  await signIn(page, person.username);
  const field = page.getByLabel('Code from your app');
  await field.fill(generateAppCode(key, new Date(now)));
  const requests: string[] = [];
  page.on('request', (request) => requests.push(new URL(request.url()).pathname));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Where You Are Signed In' })).toBeVisible();
  expect(requests.slice(0, 2)).toEqual(['/api/login/code', '/sessions']);
});

test('after five wrong codes of a second factor the password is asked for again', { tag: '@once' }, async ({
  page,
  signInAs,
}) => {
  const person = await signInAs(page, 'None');
  await setUpCodes(page);
  await page.context().clearCookies();
  await page.goto('/login');
  await signIn(page, person.username);
  const field = page.getByLabel('Code from your app');
  const message = page.getByText('This is not the right code');
  for (let times = 0; times < 5; times++) {
    await field.fill(String(times));
    await expect(message).toBeHidden();
    await field.press('Enter');
    await expect(message.or(page.getByText('Enter your password again'))).toBeVisible();
  }
  await expect(page.getByText('Enter your password again')).toBeVisible();
  await signIn(page, person.username);
  await expect(field).toBeVisible();
});

test('the sign-in dialog asks for the code too, and the request goes on', { tag: '@once' }, async ({
  page,
  server,
  signInAs,
}) => {
  const person = await signInAs(page, 'None');
  const { key } = await setUpCodes(page);
  await server.db.deleteFrom('sessions').where('user_id', '=', person.id).execute();
  await page.getByRole('button', { name: 'New Recovery Codes' }).click();
  const dialog = page.getByRole('dialog', { name: 'Please sign in again' });
  await dialog.getByLabel('Password', { exact: true }).fill(password);
  await dialog.getByRole('button', { name: 'Login' }).click();
  await dialog.getByLabel('Code from your app').fill('000000');
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('This is not the right code')).toBeVisible();
  await dialog.getByLabel('Code from your app').fill(generateAppCode(key, new Date(now)));
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('dialog', { name: 'Your Recovery Codes' })).toBeVisible();
});

test('a change of the second factor asks for password and code again after ten minutes, and Cancel changes nothing', {
  tag: '@once',
}, async ({ page, signInAs }) => {
  await signInAs(page, 'Admin');
  const { key } = await setUpCodes(page);
  now += 11 * 60_000;
  await page.getByRole('button', { name: 'Remove' }).click();
  await page
    .getByRole('dialog', { name: 'Remove codes from the app?' })
    .getByRole('button', { name: 'Remove' })
    .click();
  const confirm = page.getByRole('dialog', { name: 'Confirm that it is you' });
  await expect(confirm.getByLabel('Current password')).toBeFocused();
  await expectAccessiblePage(page);
  await confirm.getByRole('button', { name: 'Cancel' }).click();
  await expect(confirm).toBeHidden();
  await expect(page.getByText('9 of 10 left')).toBeAttached();

  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await confirm.getByLabel('Current password').fill(password);
  await confirm.getByRole('button', { name: 'Continue' }).click();
  await expect(confirm.getByText('Enter the code')).toBeVisible();
  await confirm.getByLabel('Code from your app').fill(generateAppCode(key, new Date(now)));
  await confirm.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText('Off')).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('a form that asks for the password is followed by the code only, and by the password again if it was wrong', {
  tag: '@once',
}, async ({ page, server, signInAs }) => {
  const person = await signInAs(page, 'None');
  await server.createSession(person.id, person.username);
  const { key } = await setUpCodes(page);
  now += 11 * 60_000;
  await page.goto('/sessions');
  await page.getByRole('button', { name: 'Sign Out All Others' }).click();
  const form = page.getByRole('dialog', { name: 'Sign out all other devices?' });
  await form.getByLabel('Current password').fill('not this one');
  await form.getByRole('button', { name: 'Sign Out' }).click();
  const confirm = page.getByRole('dialog', { name: 'Confirm that it is you' });
  const code = confirm.getByLabel('Code from your app');
  await expect(code).toBeVisible();
  await expect(confirm.getByLabel('Current password')).toHaveCount(0);
  await code.fill(generateAppCode(key, new Date(now)));
  await confirm.getByRole('button', { name: 'Continue' }).click();
  await expect(confirm.getByText('This is not your current password')).toBeVisible();
  await confirm.getByRole('button', { name: 'Cancel' }).click();
  await form.getByLabel('Current password').fill(password);
  await form.getByRole('button', { name: 'Sign Out' }).click();
  await code.fill(generateAppCode(key, new Date(now)));
  await confirm.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText('All other devices are signed out')).toBeVisible();
});

test('an Admin removes a lost second factor with the password, and says how they identified the user', {
  tag: '@once',
}, async ({ page, server, signInAs }) => {
  const user = await server.as('None');
  await setUpApp(user, () => now);
  await signInAs(page, 'Admin');
  await page.goto('/admin');
  await page.getByLabel('Search users...').fill(user.username);
  const more = page.getByRole('button', { name: `More for ${user.username}`, exact: true });
  const row = page.getByRole('listitem').filter({ has: more });
  await expect(row.getByText('Two-factor sign-in')).toBeVisible();
  await more.click();
  await page.getByRole('button', { name: `New Password for ${user.username}`, exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Set a new password?' });
  await dialog.getByRole('button', { name: 'Set New Password' }).click();
  await expect(dialog.getByText('Enter how you made sure who it is')).toBeVisible();
  await expectAccessiblePage(page);
  await dialog.getByLabel('How did you make sure that it is them?').fill('She came to the office');
  await dialog.getByRole('button', { name: 'Set New Password' }).click();
  const reset = page.getByRole('dialog', { name: `New Password for ${user.username}` });
  const oneTimePassword = await reset.getByRole('status').innerText();
  await reset.getByRole('button', { name: 'Done' }).click();
  await expect(row.getByText('Password only')).toBeVisible();
  await page.context().clearCookies();
  await page.goto('/login');
  await signIn(page, user.username, oneTimePassword);
  await expect(page.getByRole('dialog', { name: 'Choose a New Password' })).toBeVisible();
});

test('other devices can be signed out once two-factor sign-in is on', { tag: '@once' }, async ({
  page,
  server,
  signInAs,
}) => {
  const person = await signInAs(page, 'None');
  const elsewhere = await server.createSession(person.id, person.username);
  await setUpCodes(page);
  const dialog = page.getByRole('dialog', { name: 'Sign out all other devices?' });
  await dialog.getByLabel('Current password').fill(password);
  await dialog.getByRole('button', { name: 'Sign Out' }).click();
  await expect(dialog).toBeHidden();
  await expect(elsewhere(api.getSession)).rejects.toMatchObject({ status: 401 });
});
