import { api } from '#shared/api.ts';
import { newReport } from '../src/server/testing/factories.ts';
import { goBackToAdmin, openAdminScreen } from './admin.ts';
import { expectDiscardQuestion } from './interactions.ts';
import { expect, expectAccessiblePage, test } from './server.ts';

// Allows the expected errors in the console: 400 for a form with an error, 401 without a session.
test.use({ viewport: { width: 320, height: 640 }, allowedConsoleErrors: /status of 40[01]/ });

test('an Admin destroys records whose retention period has ended, but not records under a hold', {
  tag: '@once',
}, async ({ page, signInAs, server }) => {
  const admin = await signInAs(page, 'Admin');
  const submitOldReport = async () => {
    const report = await admin(api.submitAccident, { body: await newReport(admin) });
    const changes = { created_at: '2015-03-14T15:00:00.000Z', date: '2015-03-14' };
    await server.db.updateTable('reports').set(changes).where('id', '=', report.id).execute();
    return report;
  };
  const [destroyedReport, heldReport] = [await submitOldReport(), await submitOldReport()];
  const countCutTabs = () =>
    page.getByRole('tab').evaluateAll((tabs) => tabs.filter((tab) => tab.scrollWidth > tab.clientWidth).length);
  await page.goto('/admin');
  await expect(page.getByRole('tab').first()).toBeVisible();
  expect(await countCutTabs()).toBe(0);
  await openAdminScreen(page, 'Records');
  await page.getByRole('tab', { name: 'Holds' }).click();
  expect(await countCutTabs()).toBe(0);
  await expect(page.getByText('There are no holds.')).toBeVisible();
  await page.getByLabel('Report number').fill('ACC-1999-0001');
  await page.getByLabel('Reason').fill('A claim is open');
  await page.getByRole('button', { name: 'Save Hold' }).click();
  await expect(page.getByText('There is no report with this number')).toBeVisible();
  await page.getByLabel('Report number').fill(heldReport.number);
  await page.getByRole('button', { name: 'Save Hold' }).click();
  await expect(page.getByText(`Report ${heldReport.number}`)).toBeVisible();
  await expectAccessiblePage(page);

  await page.getByRole('tab', { name: 'Retention' }).click();
  await expect(page.getByText('Nothing is destroyed until you confirm it.')).toBeVisible();
  const checkbox = page.getByRole('checkbox', { name: new RegExp(destroyedReport.number) });
  await expect(
    page.getByRole('checkbox', { name: new RegExp(`${heldReport.number}[^]*Held: A claim`) }),
  ).toBeDisabled();
  await expect(checkbox.locator('..')).toContainText('Lido Beach · 14/03/2015 · Accident report');
  const [record] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByRole('link', { name: `Open ${destroyedReport.number} in a new tab` }).click(),
  ]);
  await expect(record.getByRole('dialog', { name: 'Report Details' })).toContainText(destroyedReport.number);
  await record.close();
  await checkbox.check();
  const typedCount = page.getByLabel(/^Type how many you ticked/);
  await typedCount.fill('2');
  await page.getByRole('button', { name: 'Destroy 1 Record' }).click();
  await expect(page.getByText('You ticked 1. Type that number to destroy them.')).toBeVisible();
  await expectAccessiblePage(page);
  await typedCount.fill('1');
  await page.getByRole('button', { name: 'Destroy 1 Record' }).click();
  await expect(page.getByText(/^1 record destroyed\./)).toBeVisible();
  await expect(checkbox).toHaveCount(0);
  await page.getByText('Destroyed records in numbers').click();
  await expect(page.getByRole('cell', { name: 'under 5' }).first()).toBeVisible();

  await page.getByRole('tab', { name: 'Holds' }).click();
  await page.getByRole('button', { name: `Lift the hold on ${heldReport.number}` }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Lift' }).click();
  await expect(page.getByText('There are no holds.')).toBeVisible();
});

test('a deleted report is kept for its legal period unless an Admin releases it with a reason', {
  tag: '@once',
}, async ({ page, signInAs, server }) => {
  const admin = await signInAs(page, 'Admin');
  const { number } = await admin(api.submitAccident, { body: await newReport(admin, { location: 'Plot 77' }) });
  await page.goto('/get-reports?view=list');
  await page.getByRole('button', { name: new RegExp(number) }).click();
  const details = page.getByRole('dialog', { name: 'Report Details' });
  await details.getByRole('button', { name: 'Delete' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete this report?' });
  await dialog.getByLabel('Why?').fill('The same as the one before');
  await expectAccessiblePage(page);
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('Report deleted successfully')).toBeVisible();
  const over30DaysAgo = new Date(Date.now() - 31 * 24 * 60 * 60 * 1000).toISOString();
  await server.db.updateTable('deletions').set({ deleted_at: over30DaysAgo }).where('label', '=', number).execute();

  await page.reload();
  await page.getByRole('link', { name: /deleted with open duties/ }).click();
  const row = page.getByRole('listitem').filter({ hasText: number });
  await expect(row).toContainText('Kept by law until');
  await expect(row).toContainText('Reason: The same as the one before');
  await row.getByRole('button', { name: 'Release' }).click();
  const release = page.getByRole('dialog', { name: `Release ${number}?` });
  await release.getByRole('button', { name: 'Release' }).click();
  await expect(release.getByText('Enter the reason: a duplicate, a test or a mistake')).toBeVisible();
  await release.getByLabel('Reason').fill('A duplicate');
  await expect(release.getByText('Enter the reason')).toHaveCount(0);
  await expectDiscardQuestion(page, release, release.getByLabel('Reason'));
  await expectAccessiblePage(page);
  await release.getByRole('button', { name: 'Release' }).click();
  await expect(page.getByText(`Report ${number} released`)).toBeVisible();
  await expect(row).toHaveCount(0);
});

test('an Admin gathers records that name a person, blacks out other people, downloads the copy and sees why a name cannot be erased', {
  tag: '@once',
}, async ({ page, signInAs }) => {
  const admin = await signInAs(page, 'Admin');
  const name = 'Blodwen Ceridwen';
  const { number } = await admin(api.submitAccident, { body: await newReport(admin, { name, reporter: 'Huw Parry' }) });
  await admin(api.submitAccident, { body: await newReport(admin, { name: 'Blodwyn Ceridwen' }) });
  await page.goto('/admin/records?tab=access');
  await page.getByRole('button', { name: 'Find Records' }).click();
  await expect(page.getByText('Enter the name of the person')).toBeVisible();
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByRole('button', { name: 'Find Records' }).click();
  await expect(page.getByText(/^Answer by .* left$/)).toBeVisible();
  await expect(page.getByText('Records that may name someone else: 1')).toBeVisible();
  await expect(page.getByRole('radio', { checked: true })).toHaveCount(0);
  const record = page.getByRole('listitem').filter({ hasText: number });
  await record.getByLabel('Send redacted').check();
  await expect(record.getByLabel('Black out these words')).toHaveValue(/Huw Parry/);
  await expect(record.getByText('Drag over an image to black out a part of it.')).toBeVisible();
  const image = record.getByRole('img', { name: 'Image 1 of 3' });
  await image.scrollIntoViewIfNeeded();
  await expect.poll(() => image.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(0);
  const at = await image.boundingBox();
  if (!at) throw new Error('the image is not shown');
  await page.mouse.move(at.x + 5, at.y + 5);
  await page.mouse.down();
  await page.mouse.move(at.x + at.width / 2, at.y + at.height / 2, { steps: 3 });
  await page.mouse.up();
  await expect(record.getByRole('button', { name: 'Undo Last Black Box' }).first()).toBeEnabled();
  await record.getByLabel('Leave out image 2 of 3').check();
  await expectAccessiblePage(page);
  for (const choice of await page
    .getByRole('heading', { name: /^Records that name them/ })
    .locator('xpath=following-sibling::ul[1]/li')
    .all())
    if ((await choice.getByRole('radio', { checked: true }).count()) === 0)
      await choice.getByLabel('Send', { exact: true }).check();
  await page.getByRole('link', { name: 'Download the Copy' }).press('Enter');
  await expect(page.getByText('Save your choices first')).toBeVisible();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('You have decided about every record that needs a decision.')).toBeVisible();
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download the Copy' }).click();
  expect((await download).suggestedFilename()).toMatch(/^access-request-.*\.zip$/);

  await page.getByText('Erase the name in records that are kept').click();
  await page.getByRole('checkbox', { name: new RegExp(number) }).check();
  await page.getByRole('button', { name: 'Erase the Name in 1 Record' }).click();
  await expect(page.getByText('Choose a reason', { exact: true }).last()).toBeVisible();
  await page.getByLabel('Reason').selectOption('The person asked for their name to be erased');
  await page.getByLabel(/^Type how many you ticked/).fill('1');
  await expectAccessiblePage(page);
  await page.getByRole('button', { name: 'Erase the Name in 1 Record' }).click();
  await expect(page.getByText(new RegExp(`^${number}: Kept by law until`))).toBeVisible();
});

test('an Admin chooses who does the audits of failing answers at a park, and the checklist editor names them', {
  tag: '@once',
}, async ({ page, server, signInAs }) => {
  const { username } = await server.as('None', 'Lido Beach');
  await signInAs(page, 'Admin', 'Lido Beach');
  await page.goto('/admin');
  await openAdminScreen(page, 'Parks');
  // An Admin of one park has one form, and does not choose who enforces the law.
  const picker = page.getByLabel('Who does the audits that failing answers create');
  await picker.fill('Nobody Here');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Choose a user who sees Lido Beach')).toBeVisible();
  await expectAccessiblePage(page);
  await picker.fill(username);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
  await expect(page.getByLabel('Who enforces health and safety')).toHaveCount(0);

  await page.goto('/admin?tab=checklists');
  await page.getByRole('button', { name: 'New Checklist' }).first().click();
  await page.getByLabel('Type', { exact: true }).selectOption('na');
  await page.getByLabel('Failing answer').selectOption({ index: 1 });
  await page.getByLabel('Create an audit').check();
  await page.getByText('Who should complete it, by park').click();
  await expect(page.getByLabel('Lido Beach')).toHaveAccessibleDescription(`Otherwise ${username}`);
});

test('settings of a park that are being saved are still there after a look at another screen', {
  tag: '@once',
}, async ({ page, signInAs }) => {
  await signInAs(page, 'Admin');
  const { promise: untilBack, resolve: comeBack } = Promise.withResolvers<void>();
  await page.route('**/park-settings', async (route) => {
    if (route.request().method() === 'PUT') await untilBack;
    await route.continue();
  });
  await page.goto('/admin/parks');
  const form = page.getByRole('form', { name: 'Mounds' });
  const open = () => page.getByRole('heading', { name: 'Mounds' }).click();
  await open();
  const choice = form.getByLabel('Who enforces health and safety');
  await choice.selectOption('HSE');
  await form.getByRole('button', { name: 'Save' }).click();
  await goBackToAdmin(page);
  await openAdminScreen(page, 'Parks');
  await open();
  await expect(choice).toHaveValue('HSE');
  await expect(form.getByRole('button', { name: 'Save' })).toBeDisabled();
  comeBack();
  await expect(form.getByText('Saved')).toBeVisible();
  await page.reload();
  await open();
  await expect(choice).toHaveValue('HSE');
});
