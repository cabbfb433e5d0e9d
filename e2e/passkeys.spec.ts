import type { Page } from '@playwright/test';
import { startTestServer, type TestServer } from '../src/server/testing/server.ts';
import { test as base, expect, expectAccessiblePage, signIn } from './server.ts';

const minute = 60_000;
let now = Date.now();
/** Browsers have passkeys at `localhost`, not at 127.0.0.1. */
const test = base.extend<Record<never, never>, { server: TestServer }>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures a fixture needs from this pattern
    async ({}, use) => {
      const server = await startTestServer('sqlite', {}, () => now);
      await use({ ...server, url: server.url.replace('127.0.0.1', 'localhost') });
      await server.stop();
    },
    { scope: 'worker' },
  ],
});
test.use({ allowedConsoleErrors: /status of 40[0139]/ });

/** Adds an authenticator to the browser, which recognises its user at once. */
async function addAuthenticator(page: Page) {
  const client = await page.context().newCDPSession(page);
  await client.send('WebAuthn.enable');
  const { authenticatorId } = await client.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true },
      ...{ isUserVerified: true, automaticPresenceSimulation: true },
    },
  });
  /** Whether the user is there, and is who they should be. */
  return (isUserVerified: boolean) => client.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified });
}

/** Adds the user's first passkey on the screen. Returns the recovery codes. */
async function addPasskey(page: Page, name = 'My phone', check = async () => {}) {
  await page.goto('/second-factors');
  await page.getByRole('button', { name: 'Add a Passkey' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a Passkey' });
  await dialog.getByLabel('Name').fill(name);
  await check();
  await page.keyboard.press('Enter');
  const recovery = page.getByRole('dialog', { name: 'Your Recovery Codes' });
  await expect(recovery).toBeVisible();
  const codes = await recovery.getByRole('listitem').allInnerTexts();
  await recovery.getByLabel('Type one of the codes').fill(codes[4] ?? '');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('listitem').filter({ hasText: `${name}Passkey, added` })).toBeVisible();
  return codes;
}

const openLogin = async (page: Page) => {
  await page.context().clearCookies();
  await page.goto('/login');
};

test('a user adds a passkey, and signs in with it alone', { tag: '@once' }, async ({ page, signInAs }) => {
  const setVerified = await addAuthenticator(page);
  await signInAs(page, 'Health & Safety Manager');
  await addPasskey(page, 'My phone', () => expectAccessiblePage(page));
  await expect(page.getByText('Two-factor sign-in is on')).toBeVisible();
  await expectAccessiblePage(page);

  await openLogin(page);
  await setVerified(false);
  const withPasskey = page.getByRole('button', { name: 'Sign In with a Passkey' });
  await withPasskey.click();
  await expect(page.getByText('No passkey was used. Try again, or choose another way.')).toBeVisible();
  await expectAccessiblePage(page);
  await setVerified(true);
  await withPasskey.focus();
  await page.keyboard.press('Enter');
  await page.waitForURL('**/reporting');
  await page.goto('/sessions');
  await expect(page.getByText(/with passkey, last used/)).toBeVisible();
});

test('a passkey is the second step after the password', { tag: '@once' }, async ({ page, signInAs }) => {
  const setVerified = await addAuthenticator(page);
  const person = await signInAs(page, 'Health & Safety Manager');
  await addPasskey(page);
  await openLogin(page);
  await signIn(page, person.username);
  const second = page.getByRole('button', { name: 'Use a Passkey' });
  await expect(second).toBeFocused();
  await expect(page.getByLabel('Recovery code')).toBeVisible();
  await expectAccessiblePage(page);
  await setVerified(false);
  await page.keyboard.press('Enter');
  await expect(page.getByText('No passkey was used. Try again, or choose another way.')).toBeVisible();
  await setVerified(true);
  await second.click();
  await page.waitForURL('**/reporting');
});

test('a user renames a passkey and removes it, and then signs in with the password alone', { tag: '@once' }, async ({
  page,
  signInAs,
}) => {
  await addAuthenticator(page);
  const person = await signInAs(page, 'Health & Safety Manager');
  await addPasskey(page);
  await page.getByRole('button', { name: 'Rename passkey My phone' }).click();
  const rename = page.getByRole('dialog', { name: 'Rename Passkey' });
  await expect(rename.getByLabel('Name')).toHaveValue('My phone');
  await rename.getByLabel('Name').fill('');
  await page.keyboard.press('Enter');
  await expect(rename.getByText('Enter a name')).toBeVisible();
  await rename.getByLabel('Name').fill('Work phone');
  await page.keyboard.press('Enter');
  await expect(page.getByText('The passkey is renamed')).toBeVisible();

  await page.getByRole('button', { name: 'Remove passkey Work phone' }).click();
  const remove = page.getByRole('dialog', { name: 'Remove the passkey Work phone?' });
  await expect(remove.getByText('You then sign in with your password alone.')).toBeVisible();
  await expectAccessiblePage(page);
  await remove.getByRole('button', { name: 'Remove' }).click();
  await expect(remove).toBeHidden();
  await expect(page.getByRole('button', { name: 'New Recovery Codes' })).toHaveCount(0);
  await openLogin(page);
  await page.getByRole('button', { name: 'Sign In with a Passkey' }).click();
  await expect(page.getByText('This passkey was not accepted')).toBeVisible();
  await signIn(page, person.username);
  await page.waitForURL('**/reporting');
});

test('a passkey alone confirms who the user is in a dialog, and a cancelled one changes nothing', {
  tag: '@once',
}, async ({ page, signInAs }) => {
  const setVerified = await addAuthenticator(page);
  await signInAs(page, 'Admin');
  await addPasskey(page);
  now += 11 * minute;
  await page.getByRole('button', { name: 'New Recovery Codes' }).click();
  const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' });
  await expect(dialog.getByRole('button', { name: 'Use a Passkey' })).toBeVisible();
  await expectAccessiblePage(page);
  await setVerified(false);
  await dialog.getByRole('button', { name: 'Use a Passkey' }).click();
  await expect(dialog.getByText('No passkey was used. Try again, or choose another way.')).toBeVisible();
  await setVerified(true);
  await dialog.getByRole('button', { name: 'Use a Passkey' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('dialog', { name: 'Your Recovery Codes' })).toBeVisible();
});

test('a user signs in again with a passkey in the dialog after the session has ended, and the request goes on', {
  tag: '@once',
}, async ({ page, server, signInAs }) => {
  await addAuthenticator(page);
  const person = await signInAs(page, 'None');
  await addPasskey(page);
  await page.goto('/second-factors');
  await expect(page.getByRole('button', { name: 'New Recovery Codes' })).toBeVisible();
  await server.db.deleteFrom('sessions').where('user_id', '=', person.id).execute();
  await page.getByRole('button', { name: 'New Recovery Codes' }).click();
  const dialog = page.getByRole('dialog', { name: 'Please sign in again' });
  await dialog.getByRole('button', { name: 'Sign In with a Passkey' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('dialog', { name: 'Your Recovery Codes' })).toBeVisible();
});

test('a user without their passkey signs in with password and recovery code', { tag: '@once' }, async ({
  page,
  signInAs,
}) => {
  await addAuthenticator(page);
  const person = await signInAs(page, 'None');
  const [, code = ''] = await addPasskey(page);
  await openLogin(page);
  await signIn(page, person.username);
  await page.getByLabel('Recovery code').fill('1-aaaa-aaaa-aaaa-aaaa');
  await page.keyboard.press('Enter');
  await expect(page.getByText('This is not the right code')).toBeVisible();
  await page.getByLabel('Recovery code').fill(code);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/reporting');
});

test('a device can add only one passkey of a user, and says so at the second attempt', { tag: '@once' }, async ({
  page,
  signInAs,
}) => {
  await addAuthenticator(page);
  await signInAs(page, 'None');
  await addPasskey(page);
  await page.getByRole('button', { name: 'Add a Passkey' }).click();
  await page.getByRole('dialog', { name: 'Add a Passkey' }).getByLabel('Name').fill('The same phone');
  await page.keyboard.press('Enter');
  await expect(page.getByText('This device has a passkey of yours already')).toBeVisible();
});
