// The screens with an operator's own list of parks, whose names have signs that HTML, CSS and URLs could misread.
import { api } from '#shared/api.ts';
import { newReport } from '../src/server/testing/factories.ts';
import { writeParkList } from '../src/server/testing/park-list.ts';
import { startTestServer, type TestServer } from '../src/server/testing/server.ts';
import { openMore } from './interactions.ts';
import { test as base, expect, openReporting } from './server.ts';

const [bay, mill, sea] = [`Môn's & <Bay> 🏖️`, 'Old Mill', 'Zion "Sea"/2'] as const;

const test = base.extend<Record<never, never>, { server: TestServer }>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures a fixture needs from this pattern
    async ({}, use) => {
      const list = writeParkList([bay, `closed: ${mill}`, sea]);
      const server = await startTestServer('sqlite', { PARKS_FILE: list.path });
      await use(server);
      await server.stop();
      list.remove();
    },
    { scope: 'worker' },
  ],
});

test('forms offer the open parks, filters all', { tag: '@once' }, async ({ page, signInAs, server }) => {
  const admin = await server.as('Admin');
  const { number } = await admin(api.submitAccident, { body: await newReport(admin, { selectedPlace: mill }) });
  await admin(api.submitAccident, { body: await newReport(admin, { selectedPlace: bay }) });
  await signInAs(page, 'Admin');
  await openReporting(page);
  const park = page.getByLabel('Park', { exact: true });
  await expect(park.locator('option')).toHaveText(['Please choose', bay, sea]);
  await park.selectOption(sea);
  await expect(park).toHaveValue(sea);

  await page.goto('/get-reports?view=list');
  await openMore(page);
  await page.getByRole('button', { name: 'Filters', exact: true }).click();
  const filter = page.getByLabel('Park', { exact: true });
  await expect(filter.locator('option')).toHaveText(['All parks', bay, mill, sea]);
  await filter.selectOption(mill);
  await expect(page.getByText(number).first()).toBeVisible();
  await filter.selectOption(bay);
  await expect(page.getByText(number)).toBeHidden();
  await page.reload();
  await expect(page.getByRole('listitem').filter({ hasText: bay }).first()).toBeVisible();

  await page.goto('/admin?tab=users');
  const create = page.getByRole('region', { name: 'Create a User' });
  await expect(create.getByRole('combobox', { name: 'Park' }).locator('option')).toContainText([bay, sea]);
  await expect(create.getByRole('option', { name: mill })).toHaveCount(0);
});

test('a user who has closed parks only is listed for another park', { tag: '@once' }, async ({
  page,
  signInAs,
  server,
}) => {
  const { id, username } = await server.as('None', sea);
  await server.db
    .updateTable('users')
    .set({ parks: JSON.stringify([mill]) })
    .where('id', '=', id)
    .execute();
  await signInAs(page, 'Admin');
  await page.goto('/admin?tab=users');
  const list = page.getByText('1 user with closed parks only, who needs another park:');
  await list.getByRole('button', { name: username }).click();
  await expect(page.getByLabel(`Park of ${username}`)).toHaveValue(mill);
  await page.getByLabel(`Park of ${username}`).selectOption(sea);
  await page.getByRole('button', { name: `Save ${username}` }).click();
  await expect(list).toBeHidden();
});
