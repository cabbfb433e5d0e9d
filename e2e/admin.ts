import { expect, type Page } from '@playwright/test';

/** Opens a screen by the list of administration, which is behind a button on a narrow screen. */
export async function openAdminScreen(page: Page, title: string) {
  const list = page.getByRole('navigation', { name: 'Administration' });
  await list.waitFor();
  const button = list.getByRole('button', { name: /^Admin: / });
  if (await button.isVisible()) await button.click();
  await list.getByRole('link', { name: title, exact: true }).click();
}

/** Goes back to the admin panel, whose list of administration is another than that of the screen before. */
export async function goBackToAdmin(page: Page) {
  await page.getByRole('link', { name: 'Back to User Management' }).click();
  await expect(page.getByRole('heading', { name: 'Admin Panel' })).toBeVisible();
}
