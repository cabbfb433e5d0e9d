import type { Page } from '@playwright/test';

/** Opens a screen by the list of administration, which is behind a button on a narrow screen. */
export async function openAdminScreen(page: Page, title: string) {
  const list = page.getByRole('navigation', { name: 'Administration' });
  await list.waitFor();
  const button = list.getByRole('button', { name: /^Admin: / });
  if (await button.isVisible()) await button.click();
  await list.getByRole('link', { name: title, exact: true }).click();
}
