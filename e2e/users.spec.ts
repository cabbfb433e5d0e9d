import { readFileSync } from 'node:fs';
import type { Locator, Page, Route } from '@playwright/test';
import { api } from '#shared/api.ts';
import { newReport } from '../src/server/testing/factories.ts';
import { goBackToAdmin, openAdminScreen } from './admin.ts';
import { pressBack, tabTo } from './interactions.ts';
import { expect, expectAccessiblePage, test } from './server.ts';

// Some tests are about rejected and failed requests; the browser logs each.
test.use({ allowedConsoleErrors: /Failed to load resource/ });

let count = 0;
/** A username that is free on a server that other tests share. */
const createUsername = () => `gwen.${process.pid}.${++count}`;
const row = (page: Page, username: string) => page.getByRole('listitem').filter({ hasText: username });
/**
 * Opens User Management with the row of this user: drawing all users of a shared server is slow.
 */
const openUsers = (page: Page, { username }: { username: string }) => page.goto(`/admin?tab=users&person=${username}`);
const openActions = (page: Page, username: string) =>
  page.getByRole('button', { name: `More for ${username}` }).click();
const search = (page: Page, text: string) => page.getByLabel('Search users...').fill(text);

async function fillNewUser(page: Page, username: string, password = 'a long walk by the sea') {
  const form = page.getByRole('region', { name: 'Create a User' });
  await form.getByLabel('Username').fill(username);
  if (password) await form.getByLabel(/^Password/).fill(password);
  await form.getByLabel('Park').selectOption('Lido Beach');
  await form.getByRole('button', { name: 'Create User' }).click();
}

/**
 * One-time passwords stay open on Escape, a click beside them and Back; the browser asks before a
 * reload.
 */
async function expectStaysOpen(page: Page, shown: Locator) {
  await page.keyboard.press('Escape');
  await page.mouse.click(5, 5);
  await pressBack(page);
  await expect(shown).toBeVisible();
  const leaveDialog = page.waitForEvent('dialog');
  await page.evaluate(() => setTimeout(() => window.location.reload()));
  await (await leaveDialog).dismiss();
  await expect(shown).toBeVisible();
}

test('an Admin creates, changes and deletes a user', { tag: '@once' }, async ({ page, signInAs }) => {
  await openUsers(page, await signInAs(page, 'Admin'));
  await expect(page.getByRole('tab', { name: 'User Management' })).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByRole('heading', { name: /^Users \(/ })).toBeVisible();
  await expectAccessiblePage(page);

  await page.getByRole('button', { name: 'Create User' }).click();
  await expect(page.getByText('A username has 3 to 64 characters')).toBeVisible();
  await expect(page.getByText('Choose a park', { exact: true }).last()).toBeVisible();
  await expect(page.getByLabel('Username')).toBeFocused();
  await expectAccessiblePage(page);

  const fold = page.getByRole('button', { name: 'Create a User' });
  await fold.click();
  await expect(page.getByLabel('Username')).toBeHidden();
  await fold.click();
  await page.getByLabel('Username').fill('w');
  await expect(page.getByText('A username has 3 to 64 characters')).toBeHidden();
  for (const label of ['Username', 'Password', 'Role', 'Park'])
    await expect(page.getByRole('region', { name: 'Create a User' }).getByText(`${label} *`)).toBeVisible();

  const username = createUsername();
  await fillNewUser(page, username, 'lidobeach2026');
  const alert = page.getByRole('region', { name: 'Create a User' }).getByRole('alert');
  await expect(alert).toContainText('Error creating user: Choose a less common password');
  await page.emulateMedia({ colorScheme: 'light' });
  await expect(alert.getByText('Error creating user')).toHaveCSS('color', 'rgb(171, 44, 32)');
  await fillNewUser(page, username);
  await expect(page.getByText('User created successfully')).toBeInViewport();
  await fillNewUser(page, username.toUpperCase());
  await expect(alert).toHaveText('User already exists');
  await expect(page.getByLabel('Username')).toBeFocused();

  // Instead of inventing a password, one is made and shown once, as for imported users.
  const form = page.getByRole('region', { name: 'Create a User' });
  await form.getByLabel('Make a one-time password').check();
  await expectAccessiblePage(page);
  await form.getByRole('button', { name: 'Create User' }).click();
  await expect(alert).toHaveText('User already exists');
  const colleague = createUsername();
  await form.getByLabel('Username').fill(colleague);
  await form.getByRole('button', { name: 'Create User' }).click();
  const card = page.getByRole('list', { name: 'One-time passwords' }).getByRole('listitem');
  await expect(card).toContainText(colleague);
  await expect(card).toContainText('Lido Beach');
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Close Without Printing' }).click();

  await search(page, username);
  await expect(row(page, username)).toContainText('Never signed in');
  await expectAccessiblePage(page);
  await page.getByLabel(`Role of ${username}`).selectOption('Health & Safety Manager');
  await page.getByLabel(`Park of ${username}`).selectOption('All parks');
  await expectAccessiblePage(page);
  await row(page, username).getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Role and park assigned successfully')).toBeVisible();
  await page.reload();
  await search(page, username);
  await expect(page.getByLabel(`Role of ${username}`)).toHaveValue('Health & Safety Manager');
  await expect(page.getByLabel(`Park of ${username}`)).toHaveValue('All parks');

  await openActions(page, username);
  await page.getByRole('button', { name: `Delete ${username}` }).click();
  await expect(page.getByRole('dialog')).toContainText('Records they created keep their name.');
  await expectAccessiblePage(page);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(row(page, username)).toBeVisible();
  await openActions(page, username);
  await page.getByRole('button', { name: `Delete ${username}` }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(page.getByText('User deleted successfully')).toBeVisible();
  await expect(page.getByText('No users found.')).toBeVisible();
});

test('rejected and failed requests to change users show their messages', { tag: '@once' }, async ({
  page,
  signInAs,
  server,
}) => {
  const deletedUser = await server.as('None');
  await signInAs(page, 'Admin');
  await openUsers(page, deletedUser);
  await page.getByLabel(`Park of ${deletedUser.username}`).selectOption('Mounds');
  const save = row(page, deletedUser.username).getByRole('button', { name: 'Save' });
  await page.route('**/api/admin/**', (route) =>
    route.request().method() === 'GET' ? route.fallback() : route.abort(),
  );
  await save.click();
  await expect(row(page, deletedUser.username).getByRole('alert')).toHaveText('Failed to assign role/park');
  await fillNewUser(page, createUsername());
  await expect(page.getByText('Failed to create user')).toBeVisible();
  // A password typed after a failed attempt with a one-time password is the one that counts.
  const form = page.getByRole('region', { name: 'Create a User' });
  await form.getByLabel('Make a one-time password').check();
  const failed = page.waitForEvent('requestfailed');
  await form.getByRole('button', { name: 'Create User' }).click();
  await failed;
  await expect(page.getByText('Failed to create user')).toBeVisible();
  await page.unrouteAll();
  await form.getByLabel('Make a one-time password').uncheck();
  await form.getByLabel(/^Password/).fill('a long walk by the sea');
  await form.getByRole('button', { name: 'Create User' }).click();
  await expect(page.getByText('User created successfully')).toBeVisible();
  const other = await server.as('Admin');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await openActions(page, deletedUser.username);
  const remove = page.getByRole('button', { name: `Delete ${deletedUser.username}` });
  // The menu is at the end of the page, where the bar of links must not cover it, wherever that is.
  for (const height of [560, 600, 640, 680, 740]) {
    await page.setViewportSize({ width: 360, height });
    await remove.click({ trial: true });
  }
  await remove.click();
  await other(api.deleteUser, { params: { id: deletedUser.id } });
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(page.getByRole('dialog').getByRole('alert')).toHaveText('Failed to delete user: User not found');
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});

test('a retry after a lost response creates one user', { tag: '@once' }, async ({ page, signInAs }) => {
  await openUsers(page, await signInAs(page, 'Admin'));
  const form = page.getByRole('region', { name: 'Create a User' });

  // Fails once, and the request is repeated automatically.
  const loseResponse = async (route: Route) => {
    await route.fetch();
    await route.abort();
  };
  await page.route('**/api/admin/create-user', loseResponse, { times: 1 });
  const firstUsername = createUsername();
  await fillNewUser(page, firstUsername);
  await expect(page.getByText('User created successfully')).toBeVisible();

  // Fails until the user presses the button again.
  const fail = async (route: Route) => {
    await route.fetch();
    await route.fulfill({ status: 500, body: '' });
  };
  await page.route('**/api/admin/create-user', fail, { times: 1 });
  const secondUsername = createUsername();
  await fillNewUser(page, secondUsername);
  await expect(form.getByRole('alert')).toHaveText('Error creating user');
  await form.getByLabel(/^Password/).fill('a long walk by the sea');
  await form.getByRole('button', { name: 'Create User' }).click();
  await expect(page.getByText('User created successfully')).toBeVisible();

  for (const username of [firstUsername, secondUsername]) {
    await search(page, username);
    await expect(row(page, username)).toHaveCount(1);
  }
  // The username is taken now, also for the form that has just created it.
  await fillNewUser(page, secondUsername);
  await expect(form.getByRole('alert')).toHaveText('User already exists');
});

test('a password reset shows the new password once, and the user must replace it at sign-in', { tag: '@once' }, async ({
  page,
  signInAs,
  server,
  browser,
}) => {
  const staff = await server.as('None', 'Lido Beach');
  await signInAs(page, 'Admin');
  await page.goto('/admin/activity');
  await page.getByRole('link', { name: 'Back to User Management' }).click();
  await search(page, staff.username);
  await openActions(page, staff.username);
  await expectAccessiblePage(page);
  await page.getByRole('button', { name: `New Password for ${staff.username}` }).click();
  await expectAccessiblePage(page);
  await page.getByRole('button', { name: 'Set New Password' }).click();
  const dialog = page.getByRole('dialog', { name: `New Password for ${staff.username}` });
  const password = await dialog.locator('output').innerText();
  await expectAccessiblePage(page);
  await expectStaysOpen(page, dialog.locator('output'));
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByText(password)).toHaveCount(0);

  const staffPage = await browser.newPage({ baseURL: server.url });
  await staffPage.goto('/login');
  await staffPage.getByLabel('Username').fill(staff.username);
  await staffPage.getByLabel('Password', { exact: true }).fill(password);
  await staffPage.getByRole('button', { name: 'Login' }).click();
  await expect(staffPage.getByLabel('New password', { exact: true })).toBeFocused();
  await expect(staffPage.getByLabel('Current password')).toHaveCount(0);
  await staffPage.getByLabel('New password', { exact: true }).fill('one that only I know');
  await staffPage.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await expect(staffPage.getByRole('dialog')).toHaveCount(0);
  await staffPage.close();
});

test('a CSV file creates many users or lists every invalid line', { tag: '@once' }, async ({
  page,
  signInAs,
  server,
}) => {
  const admin = await signInAs(page, 'Admin');
  await page.goto('/admin/activity');
  await page.getByRole('link', { name: 'Back to User Management' }).click();
  await search(page, admin.username);
  const [firstUsername, secondUsername, thirdUsername] = [createUsername(), createUsername(), createUsername()];
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
  await page.route(`**${api.createUser.path}`, (route) => isReleased.then(() => route.continue()));
  await page.getByLabel('Make a one-time password').check();
  await fillNewUser(page, thirdUsername, '');
  const chooseCsv = async (csv: string) => {
    const fileChooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Choose a File' }).click();
    const buffer = Buffer.from(csv, 'latin1');
    await (await fileChooser).setFiles({ name: 'people.csv', mimeType: 'text/csv', buffer });
  };
  await page.getByRole('button', { name: 'Import from CSV' }).click();
  await expectAccessiblePage(page);
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download a Template' }).click();
  expect((await download).suggestedFilename()).toBe('users.csv');
  await chooseCsv(readFileSync(await (await download).path(), 'latin1'));
  await expect(page.getByText('Line 3: This is an example of the template. Delete this line')).toBeVisible();
  await chooseCsv(
    `username,role,park\n${firstUsername},None,Lido Beach\n${secondUsername},Owner,Nowhere\n,,\nab,None,Mounds`,
  );
  await expect(page.getByText('No users were created. Correct 2 lines and choose the file again.')).toBeVisible();
  await expect(page.getByText('Line 3: "Owner" is not a role.')).toBeVisible();
  await expect(page.getByText('Line 5: A username has 3 to 64 characters')).toBeVisible();
  await expectAccessiblePage(page);
  // The encoding of old Macintosh programs.
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await chooseCsv(`username,role,park,full name\n${firstUsername},None,Lido Beach,Si\x89n Rees\n`);
  await expect(page.getByRole('alert').getByRole('button')).toHaveText(['Si‰n', 'Siân', 'Use Neither']);
  await expectAccessiblePage(page);
  await page.getByRole('button', { name: 'Use Neither' }).click();
  await expect(page.getByRole('button', { name: 'Siân' })).toBeHidden();
  expect(asked.filter((url) => url.includes('import'))).toEqual([]);
  // The encoding of Excel on Windows.
  await chooseCsv(
    `username,role,park,full name\r\n${firstUsername}.é,None,Lido Beach,Anna Bevan\r\n${secondUsername},Health & Safety Manager,All parks\r\n`,
  );
  // What would happen, before anybody is created.
  await expect(page.getByRole('status').filter({ hasText: '2 users to create' })).toContainText(
    '1 None (park staff), 1 Health & Safety Manager. No line is refused',
  );
  await expectAccessiblePage(page);
  expect(asked.filter((url) => url.includes('import-users'))).toEqual([]);
  await page.getByRole('button', { name: 'Import 2 Users' }).click();
  // A user whose creation ends meanwhile is shown beside them.
  release();
  const dialog = page.getByRole('dialog', { name: '3 users created' });
  await expect(dialog.getByRole('listitem').filter({ hasText: thirdUsername })).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Print' })).toBeFocused();
  const createdRow = dialog.getByRole('listitem').filter({ hasText: `${firstUsername}.é` });
  await expect(createdRow).toContainText('Anna Bevan');
  await expect(createdRow).toContainText(server.url);
  await expect(createdRow).toContainText(/[a-z2-9]{4}(-[a-z2-9]{4}){3}/);
  await expectStaysOpen(page, createdRow);
  await expectAccessiblePage(page);
  await page.emulateMedia({ media: 'print' });
  await expect(createdRow).toBeVisible();
  for (const name of ['Print', 'Done', 'Logout']) await expect(page.getByRole('button', { name })).toBeHidden();
  await expect(page.getByRole('tab')).toBeHidden();
  await expect(page.getByText('Create a User')).toBeHidden();
  await page.emulateMedia({ media: 'screen' });
  // One press does not lose the passwords; it does after they were printed.
  await page.getByRole('button', { name: 'Done' }).click();
  await expectAccessiblePage(page);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.evaluate(() => {
    window.print = () => document.body.setAttribute('data-printed', '');
  });
  await page.getByRole('button', { name: 'Print' }).click();
  await expect(page.locator('body[data-printed]')).toBeVisible();
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(dialog).toHaveCount(0);
  await search(page, secondUsername);
  await expect(row(page, secondUsername)).toBeVisible();
});

test('a Health & Safety Manager manages staff only, and staff are redirected from the admin panel', {
  tag: '@once',
}, async ({ page, signInAs, server }) => {
  const [staff, admin] = [await server.as('None'), await server.as('Admin')];
  const manager = await signInAs(page, 'Health & Safety Manager');
  await openUsers(page, manager);
  await expect(page.getByRole('region', { name: 'Create a User' }).getByLabel('Role').locator('option')).toHaveText([
    'None (park staff)',
  ]);
  for (const { username } of [admin, manager]) {
    await search(page, username);
    await expect(page.getByLabel(`Role of ${username}`)).toBeDisabled();
    await expect(page.getByRole('button', { name: `More for ${username}` })).toHaveCount(0);
  }
  await search(page, staff.username);
  await openActions(page, staff.username);
  await expect(page.getByRole('button', { name: `Delete ${staff.username}` })).toBeVisible();
  // A manager reads entries about records they may see, and restores nothing.
  const { id, number } = await staff(api.submitAccident, { body: await newReport(staff) });
  await manager(api.getReport, { params: { id } });
  await manager(api.getReport, { params: { id } });
  await manager(api.deleteReport, { params: { id } });
  await openUsers(page, manager);
  await openAdminScreen(page, 'Activity');
  const entry = (text: string) => page.getByRole('listitem').filter({ hasText: text });
  await expect(entry(`${manager.username} opened report ${number} 2 times`)).toBeVisible();
  await expect(entry('signed in')).toHaveCount(0);
  await expect(page.getByRole('combobox', { name: 'Type' }).getByRole('option', { name: 'Sign-in' })).toHaveCount(0);
  await goBackToAdmin(page);
  await openAdminScreen(page, 'Deleted Items');
  await expect(entry(number)).toBeVisible();
  await expect(page.getByText('An Admin can restore deleted items')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Restore/ })).toHaveCount(0);
  await expectAccessiblePage(page);

  await page.context().clearCookies();
  await signInAs(page, 'None');
  await page.goto('/admin');
  await page.waitForURL('**/reporting');
});

test('every user management task can be done by keyboard', { tag: '@keyboard' }, async ({ page, signInAs }) => {
  await openUsers(page, await signInAs(page, 'Admin'));
  await expect(page.getByRole('heading', { name: /^Users \(/ })).toBeVisible();
  const form = page.getByRole('region', { name: 'Create a User' });
  const username = createUsername();
  await tabTo(page, form.getByLabel('Username'));
  await page.keyboard.type(username);
  await tabTo(page, form.getByLabel(/^Password/));
  await page.keyboard.type('a long walk by the sea');
  await tabTo(page, form.getByLabel('Park'));
  await page.keyboard.type('Mou');
  await page.keyboard.press('Enter');
  await tabTo(page, form.getByRole('button', { name: 'Create User' }));
  await page.keyboard.press('Enter');
  await expect(page.getByText('User created successfully')).toBeVisible();
  await tabTo(page, page.getByLabel('Search users...'));
  await page.keyboard.type(username);
  // Until the search applies, a row with the focus may still disappear.
  await expect(page.getByRole('region', { name: /^Users/ }).getByRole('listitem')).toHaveCount(1);
  const actions = page.getByRole('button', { name: `More for ${username}` });
  const chooseDelete = async () => {
    await page.keyboard.press('Enter');
    await tabTo(page, page.getByRole('button', { name: `Delete ${username}` }));
    await page.keyboard.press('Enter');
  };
  await tabTo(page, actions);
  await chooseDelete();
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(actions).toBeFocused();
  await chooseDelete();
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Delete' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByText('User deleted successfully')).toBeVisible();
  await expect(page.getByText('No users found.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Clear the search' })).toBeFocused();
});
