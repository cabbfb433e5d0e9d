// Choosing a person among many users, by keyboard and by touch, also before the users are loaded.
import type { Page } from '@playwright/test';
import { api } from '#shared/api.ts';
import { newFolder } from '../src/server/testing/factories.ts';
import type { TestServer } from '../src/server/testing/server.ts';
import { takePicture } from './page-checks.ts';
import { expect, expectAccessiblePage, test } from './server.ts';

const names = '**/api/names';
const park = 'Winkups';

async function createUser(server: TestServer, full_name: string) {
  const admin = await server.as('Admin');
  const user = await server.as('None', park);
  await admin(api.updateUserDetails, { params: { id: user.id }, body: { full_name, email: '' } });
  return user;
}

/** Adds two thousand users to those of the server. */
const addUsers = (page: Page) =>
  page.route(names, async (route) => {
    const response = await route.fetch();
    const others = Array.from({ length: 2000 }, (_, index) => {
      const username = `worker${String(index).padStart(4, '0')}`;
      return { id: username, username, name: `Tudur Bevan-Sais ${index}`, park, parks: [park] };
    });
    await route.fulfill({ response, json: [...(await response.json()), ...others] });
  });

test('a person is chosen among two thousand users by keyboard, and one of two of the same name by a tap', {
  tag: '@once',
}, async ({ page, server, signInAs }) => {
  const picture = (name: string) => takePicture(page, `people-${name}`);
  const name = 'Eleri Ŵyn';
  const first = await createUser(server, name);
  const second = await createUser(server, name);
  const manager = await signInAs(page, 'Health & Safety Manager', park);
  const folder = await newFolder(manager, { park });
  await addUsers(page);
  await page.goto(`/create-audit/${folder}`);
  await page.getByLabel('Title').fill('Gate');
  const field = page.getByRole('combobox', { name: 'Person who should complete this job' });
  const options = page.getByRole('listbox', { name: 'People' }).getByRole('option');

  await field.fill('sais tud');
  await expect(options).toHaveCount(50);
  await expect(page.getByText('2000 users. Enter more of the name.')).toBeVisible();
  await expect(page.getByRole('status').filter({ hasText: '2000 users found' })).toBeAttached();
  await expectAccessiblePage(page);
  await picture('many');
  await field.press('Escape');
  await expect(options).toHaveCount(0);
  await expect(field).toHaveAttribute('aria-expanded', 'false');
  await field.fill('tudur 1999');
  await expect(options).toHaveCount(1);
  await field.press('ArrowDown');
  const chosen = options.and(page.locator('[aria-selected="true"]'));
  await expect(chosen).toContainText('Tudur Bevan-Sais 1999');
  await expect(field).toHaveAttribute('aria-activedescendant', (await chosen.getAttribute('id')) ?? '');
  await expectAccessiblePage(page);
  await field.press('Enter');
  await expect(field).toHaveValue('Tudur Bevan-Sais 1999');
  await expect(field).toHaveAccessibleDescription('worker1999');
  await expect(page).toHaveURL(/create-audit/);

  await field.fill('eleri wyn');
  await field.press('ArrowUp');
  await field.press('ArrowUp');
  await expect(options.filter({ hasText: first.username })).toContainText(park);
  await picture('same-name');
  await options.filter({ hasText: second.username }).click();
  await expect(field).toBeFocused();
  await expect(options).toHaveCount(0);
  await expect(field).toHaveValue(`${name} (${second.username})`);
  await expect(field).toHaveAccessibleDescription(park);
  await picture('chosen');
  await page.getByRole('button', { name: 'Create Audit' }).click();
  await expect(page).toHaveURL(`/audit-folders/${folder}`);
  const [audit] = await manager(api.listAudits, { params: { folderId: folder } });
  expect(audit).toMatchObject({ assignee: second.username, assignee_id: second.id });
});

test('before the users are loaded, an exact name means its user, and no name is said to be nobody’s', {
  tag: '@once',
}, async ({ page, server, signInAs }) => {
  const name = 'Nia Slow';
  const user = await createUser(server, name);
  const manager = await signInAs(page, 'Health & Safety Manager', park);
  const folder = await newFolder(manager, { park });
  const { promise: untilLoaded, resolve: load } = Promise.withResolvers<void>();
  await page.route(names, async (route) => {
    await untilLoaded;
    await route.continue();
  });
  await page.goto(`/create-audit/${folder}`);
  await page.getByLabel('Title').fill('Fence');
  const field = page.getByLabel('Person who should complete this job');
  await field.fill(name);
  await expect(field).toHaveAccessibleDescription('The users are not loaded: enter the exact name or username');
  await expectAccessiblePage(page);
  await page.getByRole('button', { name: 'Create Audit' }).click();
  await expect(page).toHaveURL(`/audit-folders/${folder}`);
  const [audit] = await manager(api.listAudits, { params: { folderId: folder } });
  expect(audit).toMatchObject({ assignee: user.username, assignee_id: user.id });
  load();
});
