// The table of all parks: a block of a spreadsheet is pasted, wrong cells say why, and all is saved at once.
import type { Page } from '@playwright/test';
import { api } from '#shared/api.ts';
import { takePicture } from './page-checks.ts';
import { expect, expectAccessiblePage, test } from './server.ts';

const paste = (page: Page, text: string) =>
  page.locator(':focus').evaluate((field, text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', text);
    field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, text);

test.use({ allowedConsoleErrors: /status of (401|400|503)/ });

test('an Admin pastes telephones, people and authorities of parks, corrects what is wrong, and saves them once', async ({
  page,
  server,
  signInAs,
}) => {
  const admin = await signInAs(page, 'Admin');
  const worker = await server.as('None', ['Winkups', 'Presthaven']);
  const picture = (name: string) => takePicture(page, `table-${name}`);
  const find = async (park: string) => (await admin(api.listParkSettings)).find((one) => one.park === park);
  await page.goto('/admin/parks');
  await page.getByRole('button', { name: 'Fill In All Parks' }).click();
  const dialog = page.getByRole('dialog', { name: 'Fill In All Parks' });
  const cell = (label: string, park: string) => dialog.getByLabel(`${label}: ${park}`);
  const telephone = cell('Telephone number for urgent hazards', 'Winkups');
  const assignee = cell('Who does the audits that failing answers create', 'Winkups');
  await expect(assignee).toBeVisible();
  await expect(dialog.getByText('An authority is one of: The council, HSE, Not known yet.')).toBeVisible();
  await expectAccessiblePage(page);
  await picture('nothing');

  await telephone.focus();
  await paste(page, `Park\tTelephone\nWinkups\t01745 1\t${worker.username}\tNobody Here\tcouncil\nNowhere\t1`);
  await expect(dialog.getByRole('status')).toContainText('4 cells pasted. Nowhere is no open park.');
  await expect(telephone).toHaveValue('01745 1');
  await picture('half');
  await dialog.getByRole('button', { name: 'Save' }).click();
  const hazards = cell('Who does the audits that hazards create', 'Winkups');
  await expect(hazards).toBeFocused();
  await expect(hazards).toHaveAccessibleDescription('Choose a user who sees Winkups');
  expect((await find('Winkups'))?.telephone).toBe('');
  await expectAccessiblePage(page);
  await picture('wrong');

  await hazards.fill(worker.username);
  await page.route('**/api/admin/parks', (route) => route.fulfill({ status: 503, json: { message: 'Too busy' } }));
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByRole('alert')).toContainText('The settings could not be saved');
  await expect(telephone).toHaveValue('01745 1');
  await picture('failed');
  await page.unrouteAll();

  // A cell that the server does not accept, after the page has read the users.
  await admin(api.deleteUser, { params: { id: worker.id } });
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(assignee).toHaveAccessibleDescription('Choose a user who sees Winkups');
  await expect(hazards).toHaveAccessibleDescription('Choose a user who sees Winkups');
  await assignee.fill('');
  await hazards.fill(admin.username);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText('The settings of the parks were saved.')).toBeVisible();
  await expectAccessiblePage(page);
  await picture('done');
  expect(await find('Winkups')).toMatchObject({
    ...{ telephone: '01745 1', assignee: '', hazardAssignee: admin.username, authority: 'council' },
  });
  await admin(api.saveParkSettings, { body: { park: 'Winkups', telephone: '', hazardAssignee: '' } });
});
