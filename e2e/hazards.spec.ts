// Reporting a hazard on a phone, with and without a connection.
import { api } from '#shared/api.ts';
import { goOffline, test, waitForCachedScreens } from './installed-app.ts';
import { savedText } from './outbox.ts';
import { takePicture } from './page-checks.ts';
import { addPhotos } from './report-form.ts';
import { expect, expectAccessiblePage, openReporting } from './server.ts';

test.use({ serviceWorkers: 'allow', allowedConsoleErrors: /Failed to load resource|ERR_INTERNET_DISCONNECTED/ });

test('a lifeguard reports a hazard without a connection, and it arrives once', { tag: '@once' }, async ({
  page,
  context,
  server,
  signInAs,
}) => {
  const admin = await server.as('Admin');
  await admin(api.saveParkSettings, { body: { park: 'Oakfield', telephone: '01745 123456' } });
  const listHazards = () => admin(api.listOpenAudits, { query: { park: 'Oakfield', source: 'hazard' } });
  const me = await signInAs(page, 'None', 'Oakfield');
  await openReporting(page);
  await waitForCachedScreens(page);
  await page.getByRole('main').getByRole('link', { name: 'Report a Hazard' }).click();
  await page.getByRole('button', { name: 'Fire' }).click();
  await expect(page.getByText('Otherwise make it safe, then ring 01745 123456.')).toBeVisible();
  await goOffline(page, context);
  await page.reload();
  await expect(page.getByRole('button', { name: 'Fire' })).toHaveAttribute('aria-pressed', 'true');
  await expect(page.getByRole('link', { name: '01745 123456' })).toHaveAttribute('href', 'tel:01745123456');
  await page.getByRole('button', { name: 'Electrical' }).click();
  await page.getByLabel('Where is it?').fill('Poolside socket');
  await addPhotos(page);
  await page.getByLabel('Was someone nearly hurt?').check();
  await page.getByRole('button', { name: 'Send' }).dblclick();
  await expect(page.getByText(savedText)).toBeVisible();
  const receipt = page.getByRole('region', { name: 'Reported hazard' });
  await expect(receipt).toContainText(
    /You can put the (phone|device) away\.|Open this app again when you have a signal\./,
  );
  await expect(page.getByLabel('Where is it?')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Send' })).toHaveCount(0);
  await context.setOffline(false);
  await expect(page.getByText('Hazard reported. It is in the audits of Oakfield.')).toBeVisible();
  await expect(receipt).toContainText('Received with 1 photo. The reviewers of Oakfield were told.');
  await expect(receipt).toContainText(/You can put the (phone|device) away\./);
  await expectAccessiblePage(page);
  await takePicture(page, 'hazard-receipt');
  const hazards = await listHazards();
  expect(hazards).toHaveLength(1);
  expect(hazards[0]).toMatchObject({
    ...{ title: 'Electrical: Poolside socket', is_urgent: true, folder_name: 'Hazards' },
    ...{ description: 'Someone was nearly hurt.', source: { label: me.username } },
  });
  expect(hazards[0]?.media_files).toHaveLength(1);
  await receipt.getByRole('button', { name: 'Report Another' }).press('Enter');
  await expect(page.getByRole('button', { name: 'Trip or slip' })).toBeFocused();
  await expect(page.getByLabel('Where is it?')).toHaveValue('');
  await expect(receipt).toHaveCount(0);
});

test('a hazard without a place, or without anything about it, is not sent', { tag: '@once' }, async ({
  page,
  signInAs,
}) => {
  await signInAs(page, 'None', ['Winkups', 'Mounds']);
  await page.goto('/report-hazard');
  await expect(page.getByRole('combobox', { name: 'Park' })).toHaveValue('Winkups');
  await page.getByRole('button', { name: 'Send' }).click();
  await expect(page.getByLabel('Where is it?')).toBeFocused();
  await expect(page.getByLabel('Where is it?')).toHaveAccessibleDescription('Enter where it is');
  await page.getByLabel('Where is it?').fill('Plot 12');
  await page.getByRole('button', { name: 'Send' }).click();
  await expect(page.getByLabel('What is wrong?')).toBeFocused();
  await page.getByRole('button', { name: 'Gas or smell' }).click();
  await expect(page.getByText('Choose what it is, describe it or add a photo')).toHaveCount(0);
  await expect(page.getByText('Otherwise make it safe, then ring your manager or reception.')).toBeVisible();
  await page.getByRole('button', { name: 'Send' }).click();
  await expect(page.getByText('Hazard reported. It is in the audits of Winkups.')).toBeVisible();
  await expect(page.getByText('Otherwise make it safe')).toHaveCount(0);
});
