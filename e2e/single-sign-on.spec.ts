// Signing in through a provider, which runs on this machine. The app is at `localhost` and the provider at
// 127.0.0.1, so that for the browser they are different sites.
import type { Page } from '@playwright/test';
import { generateAppCode } from '../src/server/sign-in/factors/app-codes.ts';
import { hashIdentity, insertLink } from '../src/server/sign-in/session/identity-links.ts';
import { startOidcProvider, type TestProvider } from '../src/server/testing/oidc-provider.ts';
import { setUpApp } from '../src/server/testing/second-step.ts';
import { startTestServer, type TestClient, type TestServer } from '../src/server/testing/server.ts';
import { pin, shareDevice as shareDeviceByApi, signInWithPin } from '../src/server/testing/shared-devices.ts';
import { waitForCachedScreens } from './installed-app.ts';
import { openMenu, tabTo } from './interactions.ts';
import { field } from './report-form.ts';
import { test as base, expect, expectAccessiblePage } from './server.ts';
import { shareDevice } from './shared-device.ts';

/** The server's time stands still, so that a code does not expire while it is typed. */
let now = Date.now();
type Fixtures = { server: TestServer; provider: TestProvider };
const test = base.extend<Record<never, never>, Fixtures>({
  provider: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures a fixture needs from this pattern
    async ({}, use) => {
      const provider = await startOidcProvider({});
      await use(provider);
      await provider.stop();
    },
    { scope: 'worker' },
  ],
  server: [
    async ({ provider }, use) => {
      const settings = {
        ...{ ...provider.settings, OIDC_LABEL: 'Example' },
        ...{ OIDC_ROLE_CLAIM: 'groups', OIDC_ROLES: 'mounds = None @ Mounds; office = Admin @ All parks' },
      };
      const server = await startTestServer('sqlite', settings, () => now);
      await use({ ...server, url: server.url.replace('127.0.0.1', 'localhost') });
      await server.stop();
    },
    { scope: 'worker' },
  ],
});
test.beforeEach(() => {
  now = Date.now();
});
test.use({ allowedConsoleErrors: /status of 40[0139]|status of 503|ERR_INTERNET_DISCONNECTED|asked http:\/\/127/ });

const signInButton = (page: Page) => page.getByRole('button', { name: 'Sign In with Example' });
const chooseAccount = (page: Page, account: string) => page.getByRole('link', { name: account, exact: true }).click();

/** The requests with what the provider returned: each query is sent once. */
function collectReturns(page: Page): string[] {
  const returns: string[] = [];
  page.on('request', (request) => request.url().endsWith('/provider/return') && returns.push(request.url()));
  return returns;
}

/** Someone whom the provider knows, with a user who is linked. */
async function makeLinkedUser(server: TestServer, { accounts, issuer }: TestProvider, groups = ['mounds']) {
  const client = await server.as('None', 'Mounds');
  const sub = `sub of ${client.username}`;
  accounts[sub] = { claims: { name: client.username, groups } };
  const link = { identityHash: hashIdentity(issuer, sub), userId: client.id, by: client.id, lastSignInAt: null };
  await insertLink(server.db, link, new Date(now));
  return { ...client, client, sub };
}

/** The next change asks the user again who they are. */
const endConfirmation = ({ db }: TestServer, { id }: Pick<TestClient, 'id'>) =>
  db.updateTable('sessions').set({ confirmed_at: '' }).where('user_id', '=', id).execute();

test('someone unknown waits until an Admin lets them in, and then gets to the page that they opened first', async ({
  page,
  browser,
  server,
  provider,
  signInAs,
}, info) => {
  const name = `Gwen Hughes ${info.project.name}`;
  const user = await server.as('None', 'Mounds');
  provider.accounts.gwen = { claims: { name, email: 'gwen@example.com', groups: ['mounds'] } };
  const returns = collectReturns(page);
  await page.goto('/checklists?from=a-link');
  await expectAccessiblePage(page);
  await tabTo(page, signInButton(page));
  await page.keyboard.press('Enter');
  await chooseAccount(page, 'gwen');
  await expect(page.getByText('Ask an Admin to let you in')).toBeVisible();
  await expect(page).toHaveURL(`${server.url}/sign-in/return`);
  await expectAccessiblePage(page);
  expect(returns).toHaveLength(1);

  const office = await browser.newContext({ baseURL: server.url, viewport: page.viewportSize() });
  const officePage = await office.newPage();
  await signInAs(officePage, 'Admin');
  await officePage.goto('/admin?tab=users');
  const waiting = officePage.getByRole('region', { name: /^Waiting to Be Let In/ });
  await expect(waiting.getByRole('listitem').filter({ hasText: name })).toContainText('gwen@example.com');
  await expectAccessiblePage(officePage);
  await waiting.getByRole('button', { name: `Let In ${name}` }).press('Enter');
  const dialog = officePage.getByRole('dialog', { name: `Let In ${name}` });
  await dialog.getByRole('button', { name: 'Let In' }).click();
  await expect(dialog.getByText('Choose a user').last()).toBeVisible();
  await dialog.getByLabel('User').selectOption(user.id);
  await expectAccessiblePage(officePage);
  await dialog.getByRole('button', { name: 'Let In' }).click();
  await expect(officePage.getByText(`${user.username} can now sign in with Example`).first()).toBeVisible();
  await expect(waiting).toHaveCount(0);
  await office.close();

  await tabTo(page, page.getByRole('button', { name: 'Login' }));
  await page.keyboard.press('Enter');
  await tabTo(page, signInButton(page));
  await page.keyboard.press('Enter');
  await chooseAccount(page, 'gwen');
  await expect(page).toHaveURL(`${server.url}/checklists?from=a-link`);
  await page.goto('/sessions');
  await expect(page.getByText('with single sign-on')).toBeVisible();
});

test('an Admin can refuse someone who waits to be let in', { tag: '@once' }, async ({ page, provider, signInAs }) => {
  provider.accounts.mallory = { claims: { name: 'Mallory' } };
  await page.goto('/login');
  await signInButton(page).click();
  await chooseAccount(page, 'mallory');
  await expect(page.getByText('Ask an Admin to let you in')).toBeVisible();
  await signInAs(page, 'Admin');
  await page.goto('/admin?tab=users');
  await page.getByRole('button', { name: 'Refuse Mallory' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Refuse' }).click();
  await expect(page.getByText('The person is no longer in the list').first()).toBeVisible();
  await expect(page.getByRole('button', { name: 'Refuse Mallory' })).toHaveCount(0);
});

test('a user with a second factor of the product enters its code after the sign-in at the provider', {
  tag: '@once',
}, async ({ page, server, provider }) => {
  const user = await makeLinkedUser(server, provider);
  const { key } = await setUpApp(user.client, () => now);
  now += 60_000;
  await page.goto('/login');
  await signInButton(page).click();
  await chooseAccount(page, user.sub);
  await expect(page.getByText('Example has confirmed who you are. Type the code')).toBeVisible();
  const code = page.getByLabel('Code from your app');
  await expect(code).toBeFocused();
  await expectAccessiblePage(page);
  await page.keyboard.type('000000');
  await page.keyboard.press('Enter');
  await expect(page.getByText('This is not the right code')).toBeVisible();
  await code.fill(generateAppCode(key, new Date(now)));
  await page.keyboard.press('Enter');
  await page.waitForURL('**/reporting');
  await expect(page.getByRole('banner')).toBeVisible();
});

test('a cancelled sign-in, also after a reload, offers the login screen, and the return page leads signed-in users to the home screen', {
  tag: '@once',
}, async ({ page, server, provider }) => {
  const user = await makeLinkedUser(server, provider);
  const returns = collectReturns(page);
  await page.goto('/get-reports');
  await signInButton(page).click();
  await chooseAccount(page, 'cancel');
  const tooLate = page.getByText('This sign-in was not completed, or took too long. Please sign in again.');
  await expect(tooLate).toBeVisible();
  await expectAccessiblePage(page);
  await page.reload();
  await expect(tooLate).toBeVisible();
  expect(returns).toHaveLength(1);
  await page.getByRole('button', { name: 'Login' }).click();
  await signInButton(page).click();
  await chooseAccount(page, user.sub);
  // Reports are not for staff.
  await page.waitForURL('**/reporting');
  expect(returns).toHaveLength(2);
  await page.goto('/sign-in/return');
  await page.waitForURL('**/reporting');
});

test('a user with too many groups is refused until an Admin allows it, and Unlink ends single sign-on', {
  tag: '@once',
}, async ({ page, server, provider, signInAs }) => {
  const user = await makeLinkedUser(server, provider);
  const other = await makeLinkedUser(server, provider);
  provider.accounts[user.sub] = { claims: { hasgroups: true } };
  await page.goto('/login');
  await signInButton(page).click();
  await chooseAccount(page, user.sub);
  await expect(
    page.getByText('Your account is in too many groups to find your role. Ask an Admin to use app roles instead'),
  ).toBeVisible();

  await signInAs(page, 'Admin');
  await page.goto(`/admin?tab=users&person=${user.username}`);
  const more = page.getByRole('button', { name: `More for ${user.username}`, exact: true });
  const row = page.getByRole('listitem').filter({ has: more });
  await expect(row).toContainText('Cannot sign in, because Example gives them no role');
  await expectAccessiblePage(page);
  await more.click();
  await page.getByRole('button', { name: `Allow ${user.username}`, exact: true }).click();
  await expect(page.getByText(`${user.username} can sign in again`).first()).toBeVisible();
  await expect(row).toContainText('Signs in with Example.');
  await expect(page.getByLabel(`Role of ${user.username}`, { exact: true })).toBeEnabled();
  await more.click();
  await page.getByRole('button', { name: `Unlink ${user.username}`, exact: true }).click();
  const dialog = page.getByRole('dialog', { name: `Unlink ${user.username}?` });
  await expectAccessiblePage(page);
  await dialog.getByRole('button', { name: 'Unlink' }).click();
  await expect(dialog).toBeHidden();
  await expect(row).not.toContainText('Example');

  await page.goto(`/admin?tab=users&person=${other.username}`);
  await expect(page.getByText('Signs in with Example, which sets their role and parks.')).toBeVisible();
  await expect(page.getByLabel(`Role of ${other.username}`, { exact: true })).toBeDisabled();
  await expect(page.getByLabel(`Park of ${other.username}`, { exact: true })).toBeDisabled();
});

test('a user links their account, and confirms who they are in a new tab while the page stays open', {
  tag: '@once',
}, async ({ page, server, provider, signInAs }) => {
  const user = await signInAs(page, 'None', 'Mounds');
  const sub = `own ${user.username}`;
  provider.accounts[sub] = { claims: { groups: ['mounds'] } };
  await server.createSession(user.id, user.username);
  await page.goto('/second-factors');
  await page.getByRole('button', { name: 'Link Your Example Account' }).click();
  await chooseAccount(page, sub);
  await expect(page).toHaveURL(`${server.url}/second-factors`);
  await expect(page.getByText('Linked. You sign in with it.')).toBeVisible();
  await expectAccessiblePage(page);

  await page.context().clearCookies();
  await page.goto('/login');
  await signInButton(page).click();
  await chooseAccount(page, sub);
  await page.waitForURL('**/reporting');
  await endConfirmation(server, user);
  await page.goto('/sessions');
  await page.getByRole('button', { name: 'Sign Out All Others' }).click();
  const form = page.getByRole('dialog', { name: 'Sign out all other devices?' });
  await expect(form.getByLabel('Current password')).toHaveCount(0);
  await form.getByRole('button', { name: 'Sign Out' }).click();
  const confirm = page.getByRole('dialog', { name: 'Confirm that it is you' });
  const button = confirm.getByRole('button', { name: 'Continue with Example' });
  await expect(confirm.getByLabel('Current password')).toHaveCount(0);
  await expect(button).toBeVisible();
  await expectAccessiblePage(page);
  await page.evaluate(() => Object.assign(window, { realOpen: window.open, open: () => null }));
  await button.click();
  await expect(confirm.getByText('Allow pop-ups for this address, then try again.')).toBeVisible();
  await page.evaluate(() => Object.assign(window, { open: Object(window).realOpen }));
  await tabTo(page, button, true);
  const opened = page.waitForEvent('popup');
  await page.keyboard.press('Enter');
  const tab = await opened;
  await expect(confirm.getByText('Continue in the new tab.')).toBeVisible();
  // What another tab has waited for is not what this one waits for.
  await page.evaluate(() => new BroadcastChannel('provider').postMessage('sign in'));
  await chooseAccount(tab, sub);
  await expect(page.getByText('All other devices are signed out')).toBeVisible();
  await expect(confirm).toBeHidden();
  await expect.poll(() => tab.isClosed()).toBe(true);

  // Shared devices have no provider, so the PIN for them is chosen here.
  await openMenu(page);
  await page.getByRole('button', { name: user.username }).click();
  await expect(page.getByRole('button', { name: 'Change Password' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Choose a PIN' }).click();
  const choosing = page.getByRole('dialog', { name: 'Choose a PIN' });
  await expect(choosing.getByLabel('Current password')).toHaveCount(0);
  await choosing.getByLabel('New PIN').fill(pin);
  await choosing.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('PIN saved')).toBeVisible();
  const device = await shareDeviceByApi(await server.as('Admin'), 'Mounds');
  expect(await signInWithPin(server, device, user)).toMatchObject({ status: 200 });
});

test('a user whose session has ended signs in again in a new tab or on the login screen, and keeps what was typed', {
  tag: '@once',
}, async ({ page, server, provider }) => {
  const user = await makeLinkedUser(server, provider);
  await page.goto('/incidentreporting');
  await signInButton(page).click();
  await chooseAccount(page, user.sub);
  await field(page, 'Details').fill('Half a report');
  await server.db.deleteFrom('sessions').where('user_id', '=', user.id).execute();
  await page.evaluate(() => dispatchEvent(new Event('visibilitychange')));
  const dialog = page.getByRole('dialog', { name: 'Please sign in again' });
  const opened = page.waitForEvent('popup');
  await dialog.getByRole('button', { name: 'Sign In with Example' }).click();
  await chooseAccount(await opened, user.sub);
  await expect(dialog).toBeHidden();
  await expect(field(page, 'Details')).toHaveValue('Half a report');

  await page.context().clearCookies();
  await page.goto('/incidentreporting');
  await signInButton(page).click();
  await chooseAccount(page, user.sub);
  await expect(field(page, 'Details')).toHaveValue('Half a report');
});

test('the login screen says when there is no connection, or when the provider cannot be reached', {
  tag: '@once',
}, async ({ page, context, provider }) => {
  await page.goto('/login');
  await context.setOffline(true);
  await signInButton(page).click();
  await expect(page.getByText('The server could not be reached.')).toBeVisible();
  await context.setOffline(false);
  const away = await startTestServer('sqlite', { ...provider.settings, OIDC_ISSUER: 'http://127.0.0.1:9' });
  await page.goto(`${away.url}/login`);
  await page.getByRole('button', { name: 'Sign In with Test Account' }).click();
  await expect(page.getByText(/cannot be reached/)).toBeVisible();
  await expectAccessiblePage(page);
  await away.stop();
});

test.describe('with cached screens', () => {
  test.use({ serviceWorkers: 'allow' });
  test('the return from the provider is completed by the cached page, and its query is not cached', {
    tag: '@once',
  }, async ({ page, server, provider }) => {
    const user = await makeLinkedUser(server, provider);
    await page.goto('/login');
    await waitForCachedScreens(page);
    const pageRequests: boolean[] = [];
    page.on('response', (response) => {
      if (response.url().includes('/sign-in/return?')) pageRequests.push(response.fromServiceWorker());
    });
    await signInButton(page).click();
    await chooseAccount(page, user.sub);
    await page.waitForURL('**/reporting');
    expect(pageRequests).toEqual([true]);
    const urls = await page.evaluate(async () => {
      const caching = (await caches.keys()).map(async (name) => (await caches.open(name)).keys());
      return (await Promise.all(caching)).flat().map(({ url }) => url);
    });
    expect(urls.length).toBeGreaterThan(0);
    expect(urls.filter((url) => /code=|sign-in\/return/.test(url))).toEqual([]);
  });
});

test('a shared device offers neither single sign-on nor passkeys, even after a restore', { tag: '@once' }, async ({
  page,
  server,
  signInAs,
}) => {
  await signInAs(page, 'Admin');
  await shareDevice(page, 'Mounds', 'Bar');
  await page.getByRole('button', { name: 'Someone Else' }).click();
  await expect(page.getByRole('button', { name: 'Login' })).toBeVisible();
  await expect(signInButton(page)).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Sign In with a Passkey' })).toHaveCount(0);

  // After a restore it is still a shared device, and is one again once an Admin allows it.
  const setAllowed = (is_allowed: 0 | 1) => server.db.updateTable('shared_devices').set({ is_allowed }).execute();
  await setAllowed(0);
  await page.goto('/login');
  await expect(page.getByText('An Admin must allow this device again')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Login' })).toBeVisible();
  await expect(signInButton(page)).toHaveCount(0);
  await expectAccessiblePage(page);
  await setAllowed(1);
  await page.goto('/login');
  await expect(page.getByText('Bar, Mounds')).toBeVisible();
});
