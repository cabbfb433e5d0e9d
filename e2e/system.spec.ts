import { openAdminScreen } from './admin.ts';
import { expect, expectAccessiblePage, test } from './server.ts';

test('an Admin sees what is wrong first, and tests the storage', { tag: '@once' }, async ({ page, signInAs }) => {
  await signInAs(page, 'Admin');
  await page.goto('/admin');
  await openAdminScreen(page, 'System');
  await expect(page.getByRole('heading', { name: 'System', exact: true })).toBeVisible();
  const getLine = (name: string) =>
    page.getByRole('listitem').filter({ has: page.getByRole('heading', { name, exact: true }) });
  await expect(getLine('Last Backup')).toContainText('Wrong');
  await expect(getLine('Database')).toContainText('Setting: DATABASE_URL');
  await page.getByRole('button', { name: 'Test the Storage' }).click();
  await expect(page.getByText('A file was stored, read and deleted.').first()).toBeVisible();
  await expectAccessiblePage(page);
});
