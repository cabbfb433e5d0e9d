// What users do on a shared device.
import type { Page } from '@playwright/test';
import { pin } from '../src/server/testing/shared-devices.ts';
import { openMenu } from './interactions.ts';
import { expect, expectAccessiblePage } from './server.ts';

export async function shareDevice(page: Page, park: string, name: string) {
  await page.goto('/admin/devices');
  await page.getByRole('button', { name: 'Use This Device at One Park' }).click();
  const dialog = page.getByRole('dialog', { name: 'Use This Device at One Park' });
  await dialog.getByLabel('Park').selectOption(park);
  await dialog.getByLabel('Name of the device').fill(name);
  await expectAccessiblePage(page);
  await dialog.getByRole('button', { name: 'Share This Device' }).click();
  await expect(page.getByText(`${name}, ${park}`)).toBeVisible();
}

export async function enterPin(page: Page, name: string, typed = pin) {
  await page.getByRole('button', { name, exact: true }).click();
  await page.getByLabel('PIN', { exact: true }).fill(typed);
  await page.keyboard.press('Enter');
}

export async function switchUser(page: Page) {
  await openMenu(page);
  await page.getByRole('button', { name: 'Switch User' }).click();
  await expect(page.getByRole('list', { name: 'Who are you?' })).toBeVisible();
}
