import { api } from '#shared/api.ts';
import { newReport } from '../src/server/testing/factories.ts';
import { goBackToAdmin, openAdminScreen } from './admin.ts';
import { expect, expectAccessiblePage, test } from './server.ts';

test('the activity log is searched and a deleted report restored', { tag: '@once' }, async ({
  page,
  signInAs,
  server,
}) => {
  const staff = await server.as('None', 'Lido Beach');
  const manager = await server.as('Health & Safety Manager');
  const { id, number } = await staff(api.submitAccident, { body: await newReport(staff) });
  await manager(api.deleteReport, { params: { id } });
  const admin = await signInAs(page, 'Admin');
  await server.signIn(admin.username);
  await page.goto('/admin?tab=users');
  await openAdminScreen(page, 'Activity');
  await expect(page.getByRole('heading', { name: 'Activity', level: 1 })).toBeVisible();
  const line = (text: string) => page.getByRole('listitem').filter({ hasText: text });
  await expect(line(`${admin.username} signed in`).first()).toBeVisible();
  await expectAccessiblePage(page);
  await page.getByLabel('Search activity...').fill(number);
  await expect(line(`${manager.username} deleted report ${number}`)).toBeVisible();
  await expect(line(`${staff.username} submitted report ${number}`)).toBeVisible();
  await expect(line('signed in')).toHaveCount(0);
  await page.getByLabel('Type', { exact: true }).selectOption('Audit');
  await expect(page.getByText('No activity found.')).toBeVisible();
  await page.getByLabel('Type', { exact: true }).selectOption('Report');
  await page.getByLabel('To').fill('2020-01-01');
  await expect(page.getByText('No activity found.')).toBeVisible();
  await expectAccessiblePage(page);
  // The day in words below a date moves nothing beside it.
  const size = page.viewportSize() ?? { width: 360, height: 740 };
  await page.setViewportSize({ width: 1440, height: 900 });
  const getMiddle = (label: string) =>
    page.getByLabel(label, { exact: true }).evaluate((field) => {
      const { top, bottom } = field.getBoundingClientRect();
      return (top + bottom) / 2;
    });
  expect(Math.abs((await getMiddle('Changes only')) - (await getMiddle('To')))).toBeLessThan(2);
  await page.setViewportSize(size);
  await page.reload();
  await expect(page.getByText('No activity found.')).toBeVisible();
  await expect(page.getByLabel('Search activity...')).toHaveValue(number);
  await expect(page.getByLabel('Type', { exact: true })).toHaveValue('report');
  await expect(page.getByLabel('To')).toHaveValue('2020-01-01');

  await goBackToAdmin(page);
  await openAdminScreen(page, 'Deleted Items');
  await expectAccessiblePage(page);
  await page.getByRole('button', { name: `Restore report ${number}` }).click();
  await expect(page.getByText(`Report ${number} restored`)).toBeVisible();
  await expect(page.getByRole('button', { name: `Restore report ${number}` })).toHaveCount(0);
  await expect(page.getByRole('main').locator(':focus')).toBeVisible();
  expect((await manager(api.getReport, { params: { id } })).number).toBe(number);
});
