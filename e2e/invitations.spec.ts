import { api } from '#shared/api.ts';
import { test } from './sending-server.ts';
import { expect, expectAccessiblePage, password, signIn } from './server.ts';

test.use({ allowedConsoleErrors: /status of 40[014]/ });

test('an invited user chooses a password under the link, once, and signs in with it', { tag: '@once' }, async ({
  page,
  signInAs,
  mail,
}) => {
  const username = 'invited';
  const address = `${username}@example.com`;
  const admin = await signInAs(page, 'Admin');
  await admin(api.createUser, {
    body: { username, password, role: 'None', park: 'Mounds', email: address },
    key: crypto.randomUUID(),
  });
  await page.goto(`/admin?tab=users&person=${username}`);
  const row = page.getByRole('listitem').filter({ hasText: username });
  await expect(row).toContainText('Never signed in');
  await page.getByRole('button', { name: `More for ${username}` }).click();
  await page.getByRole('button', { name: `Send Invitation: ${username}` }).click();
  await expect(page.getByText(`Invitation sent to ${username}`)).toBeVisible();
  await expect(row).toContainText(/Not come yet. Invited \d\d\//);
  await page.getByRole('button', { name: `More for ${username}` }).click();
  await expect(page.getByRole('button', { name: `Invite Again: ${username}` })).toBeVisible();
  await expectAccessiblePage(page);

  await page.context().clearCookies();
  const email = mail.received.findLast(({ to }) => to.includes(address));
  const link = /http:\S+\/invitation#\S+/.exec(email?.text ?? '')?.[0] ?? '';
  await page.goto(link);
  await expect(page.getByRole('heading', { name: 'Choose Your Password', level: 1 })).toBeVisible();
  await expectAccessiblePage(page);
  const field = page.getByLabel('New password', { exact: true });
  const save = page.getByRole('button', { name: 'Set Password' });
  await field.fill('password1234');
  await save.click();
  await expect(page.getByText(/less common password/).first()).toBeVisible();
  await expectAccessiblePage(page);
  const phoneSize = page.viewportSize() ?? { width: 360, height: 740 };
  await page.setViewportSize({ width: 1440, height: 900 });
  await expectAccessiblePage(page);
  await page.setViewportSize(phoneSize);
  await field.fill('one that only I know');
  await save.click();
  await expect(page.getByRole('status').filter({ hasText: 'Your password is set.' })).toBeVisible();
  await page.getByRole('link', { name: 'Login' }).click();
  await signIn(page, username, 'one that only I know');
  await page.waitForURL('**/reporting');

  await page.context().clearCookies();
  await page.goto('/login');
  await page.goto(link);
  await field.fill('another that only I know');
  await save.click();
  await expect(page.getByText('This link cannot be used.')).toBeVisible();
  await expect(page.getByText(username)).toHaveCount(0);
  await expectAccessiblePage(page);
});
