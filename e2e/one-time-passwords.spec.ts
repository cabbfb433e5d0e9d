// Creating a single user with a one-time password, which the server makes and shows once.
import type { Page } from '@playwright/test';
import { expect, expectAccessiblePage, test } from './server.ts';

test.use({ allowedConsoleErrors: /Failed to load resource/ });

const getForm = (page: Page) => page.getByRole('region', { name: 'Create a User' });

async function createUser(page: Page, username: string) {
  const form = getForm(page);
  await form.getByLabel('Username').fill(username);
  await form.getByLabel('Make a one-time password').check();
  await form.getByLabel('Park').selectOption('Lido Beach');
  await form.getByRole('button', { name: 'Create User' }).click();
}

test('a one-time password whose reply is lost is replaced from where its user was created', { tag: '@once' }, async ({
  page,
  signInAs,
}) => {
  const { username: admin } = await signInAs(page, 'Admin');
  await page.goto(`/admin?tab=users&person=${admin}`);
  const username = `lost.${admin}`;
  await page.route(
    '**/api/admin/create-user',
    async (route) => {
      await route.fetch();
      await route.abort();
    },
    { times: 1 },
  );
  await createUser(page, username);
  const lost = page.getByRole('alert').filter({ hasText: 'their one-time password did not arrive here' });
  await expect(lost).toContainText(`${username} was created`);
  await expectAccessiblePage(page);
  await lost.getByRole('button', { name: 'Set New Password' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Set New Password' }).click();
  await expect(page.getByRole('dialog', { name: `New Password for ${username}` })).toContainText(/\w{4}-\w{4}/);
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(lost).toBeHidden();
});

test('a username that looks like another one is refused at its field, also with a one-time password', {
  tag: '@once',
}, async ({ page, signInAs }) => {
  const { username: admin } = await signInAs(page, 'Admin');
  await page.goto(`/admin?tab=users&person=${admin}`);
  await createUser(page, `olive.${admin}`);
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Close Without Printing' }).click();
  await createUser(page, `oIive.${admin}`);
  await expect(page.getByLabel('Username')).toHaveAccessibleDescription(/looks like the username olive/);
});
