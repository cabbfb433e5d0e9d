import { createClock } from '../src/server/clock.ts';
import { generateAppCode } from '../src/server/sign-in/factors/app-codes.ts';
import { startTestServer, type TestServer } from '../src/server/testing/server.ts';
import { test as base, expect, expectAccessiblePage, signIn } from './server.ts';

const day = 24 * 60 * 60_000;
const start = Date.now();
let now = start;
const test = base.extend<Record<never, never>, { server: TestServer }>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures a fixture needs from this pattern
    async ({}, use) => {
      const clock = createClock(() => now);
      const server = await startTestServer('sqlite', { REQUIRE_SECOND_FACTOR: 'reviewers' }, clock);
      await use(server);
      await server.stop();
    },
    { scope: 'worker' },
  ],
});
test.use({ allowedConsoleErrors: /status of 40[013]/ });

test('a reviewer can put off a required second factor for a while, and then has the rights of staff until it is set up', {
  tag: '@once',
}, async ({ page, server }) => {
  now = start;
  const { id, username } = await server.as('Health & Safety Manager');
  const lastSignIn = new Date(start).toISOString();
  await server.db.updateTable('users').set({ last_sign_in_at: lastSignIn }).where('id', '=', id).execute();
  const notice = page.getByRole('complementary', { name: 'Two-factor sign-in' });
  const reports = page.getByRole('link', { name: 'Reports', includeHidden: true });

  await page.goto('/login');
  await signIn(page, username);
  await expect(notice).toContainText(/Please set up two-factor sign-in by \d\d\/\d\d\/\d{4}\. 14 days left\./);
  await expectAccessiblePage(page);
  await expect(reports).not.toHaveCount(0);
  await notice.getByRole('button', { name: 'Later' }).click();
  await expect(notice).toBeHidden();

  now = start + 15 * day;
  await page.context().clearCookies();
  await page.goto('/login');
  await signIn(page, username);
  await expect(notice).toContainText('You can do only what park staff can, because two-factor sign-in is not set up.');
  await expect(notice).toContainText('Ask an Admin for a one-time password');
  await expect(notice.getByRole('link')).toHaveCount(0);
  await expectAccessiblePage(page);
  await expect(reports).toHaveCount(0);
  await page.goto('/accidentreporting');
  await expect(page.getByRole('heading', { name: 'Accident Reporting Form' })).toBeVisible();
  await page.goto('/second-factors');
  await page.getByRole('button', { name: 'Set Up' }).click();
  await expect(page.getByText('Ask an Admin for a one-time password, sign in with it').first()).toBeVisible();
});

test('a user who signed in with a one-time password sets up the second factor, and has all rights at once', {
  tag: '@once',
}, async ({ page, server }) => {
  now = start + 15 * day;
  const { id, username } = await server.as('Admin');
  const { cookie } = await server.createSession(id, username, 'one-time password');
  const [name = '', value = ''] = cookie.split('=');
  await page.context().addCookies([{ name, value, url: server.url }]);
  await page.goto('/reporting');
  const notice = page.getByRole('complementary', { name: 'Two-factor sign-in' });
  await expect(notice).toContainText('Please set up two-factor sign-in now.');
  await notice.getByRole('link', { name: 'Set Up' }).click();
  await page.getByRole('button', { name: 'Set Up' }).click();
  const key = (await page.locator('code').innerText()).replace(/\s/g, '');
  await page.getByLabel('Code that the app shows').fill(generateAppCode(key, new Date(now)));
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Your Recovery Codes' });
  await expect(dialog).toBeVisible();
  const codes = await dialog.getByRole('listitem').allInnerTexts();
  await dialog.getByLabel('Type one of the codes').fill(codes[4] ?? '');
  await page.keyboard.press('Enter');
  await expect(notice).toBeHidden();
  await page.goto('/get-reports');
  await expect(page.getByRole('heading', { name: 'Reports', level: 1 })).toBeVisible();
});
