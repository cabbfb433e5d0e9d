// The dialogs in which tests check what must hold in each.
import type { Page } from '@playwright/test';
import { expect } from './server.ts';

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first().click();
/** Each opens a dialog; `title` is that of the topmost one. `:report` is a report's id. */
export const dialogs: { path: string; title: string | RegExp; open?: (page: Page) => Promise<void> }[] = [
  { path: '/reporting', title: 'Sign Here', open: (page) => press(page, /^Sign Reporter/) },
  { path: '/get-reports?report=:report', title: 'Report Details' },
  { path: '/get-reports?report=:report', title: 'Delete this report?', open: (page) => press(page, 'Delete') },
  { path: '/get-reports?report=:report', title: /^Photo 1 of/, open: (page) => press(page, /^View photo/) },
  {
    path: '/get-reports?report=:report',
    title: 'Please sign in again',
    open: async (page) => {
      await expect(page.getByRole('button', { name: 'Delete' })).toBeVisible();
      await page.context().clearCookies();
      await press(page, 'History');
    },
  },
  { path: '/audits', title: 'New Folder', open: (page) => press(page, 'New Folder') },
  { path: '/admin', title: 'Import users', open: (page) => press(page, 'Import from CSV') },
];
