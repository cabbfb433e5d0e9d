import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { api } from '#shared/api.ts';
import { expectDraftPhotos, expectDraftText } from './drafts.ts';
import { draw, openMenu, openScreen, photo, pressBack, tabTo } from './interactions.ts';
import {
  addPhotos,
  affectedSignature,
  expectEmptyForm,
  field,
  filled,
  fillIn,
  fillInReport,
  fourPhotos,
  ownSignature,
  signatureButton,
  signByDrawing,
  signByTyping,
  submit,
} from './report-form.ts';
import { expect, expectAccessiblePage, openReporting, test } from './server.ts';

test('a report with four photos and two signatures is submitted and the form is cleared', {
  tag: '@once',
}, async ({ page, server, signInAs }) => {
  const reviewer = await server.as('Admin');
  await signInAs(page, 'None', 'Kingsley');
  await openReporting(page);
  await expect(page.getByRole('heading', { name: 'Accident Reporting Form' })).toBeVisible();
  await expectAccessiblePage(page);

  // Known values are filled in. The time is not, but has a button for the current time.
  await expect(field(page, 'Park')).toHaveValue('Kingsley');
  await expect(field(page, 'Date')).toHaveValue(/^\d{4}-\d\d-\d\d$/);
  await expect(field(page, 'Time')).toHaveValue('');
  await page.getByRole('button', { name: 'Now' }).click();
  await expect(field(page, 'Time')).toHaveValue(/^\d\d:\d\d$/);
  await page.getByLabel('Choose Photos').setInputFiles(photo('../naughty-strings.json'));
  await expect(page.getByRole('alert').getByText('Only image files are supported')).toBeVisible();

  await fillIn(page);
  await page.getByLabel('Choose Photos').setInputFiles(fourPhotos);
  await expect(page.getByText('Processing images...')).toBeVisible();
  await expect(page.getByText('4 photos added.')).toBeVisible({ timeout: 60_000 });
  await expect(page.getByText('Only image files are supported')).toBeHidden();
  const brokenPhoto = { name: 'broken.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('no photo') };
  await page.getByLabel('Choose Photos').setInputFiles(brokenPhoto);
  const photoProblem = page.getByText('broken.jpg could not be read as a photo.');
  await expect(photoProblem).toBeVisible();
  await signByDrawing(page, ownSignature);
  await signByTyping(page, affectedSignature);

  // The name was changed: the signature may be another person's.
  const signatureWarning = page.getByText(/signed, and the injured person is .* now\./);
  await field(page, 'person').fill('Tom Barker');
  await submit(page).click();
  await expect(page.getByText('The name was changed after signing').first()).toBeVisible();
  await expect(signatureWarning).toBeVisible();
  await page.getByRole('button', { name: 'Same Person' }).click();
  await expect(signatureWarning).toBeHidden();
  await field(page, 'person').fill(filled.person);
  await page.getByRole('button', { name: 'Same Person' }).click();
  await expect(signatureWarning).toBeHidden();
  await expectAccessiblePage(page);

  // Delayed, so that the progress is visible.
  const heldRequest = Promise.withResolvers<void>();
  await page.route('**/api/submit-accident', async (route) => {
    await heldRequest.promise;
    await route.continue();
  });
  await submit(page).click();
  await expect(page.getByText('Processing data and uploading media files...')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Submitting...' })).toBeVisible();
  await expectAccessiblePage(page);
  heldRequest.resolve();
  await expect(page.getByText('Accident report submitted successfully!')).toBeVisible();
  await expect(page.getByText(/^ACC-\d{4}-\d{4}$/).first()).toBeVisible();
  await expect(page.getByText('received with 4 photos and 2 signatures.')).toBeVisible();
  await expect(page.getByText('You can put the phone away.')).toBeVisible();
  // The form is empty, and Submit is hidden until another report is started.
  await expect(submit(page)).toBeHidden();
  await expectEmptyForm(page, '山田 花子', 'Kingsley');
  await expect(photoProblem).toBeHidden();
  await expectAccessiblePage(page);

  const [report] = await reviewer(api.listReports, { query: { q: 'gwenllian', limit: 1 } });
  expect(report).toMatchObject({
    reportType: 'accident',
    selectedPlace: 'Lido Beach',
    name: filled.person,
    age: 34,
    reporter: '山田 花子',
    details: filled.Details,
  });
  expect(report?.mediaFiles.map(({ name }) => name)).toEqual([
    'phone-iphone-13.jpg',
    'orientation-landscape-6.jpg',
    'gps-DSCN0010.jpg',
    'odd-metadata-1.jpg',
  ]);
  const uprightPhoto = await reviewer.fetch(report?.mediaFiles[1]?.path ?? '');
  const { width = 0, height = 0, exif } = await sharp(Buffer.from(await uprightPhoto.arrayBuffer())).metadata();
  expect(width).toBeGreaterThan(height);
  expect(exif).toBeUndefined();

  // The result stays until the next report is started. The name of who completed it is stored per
  // account, so it appears on another device too.
  await page.evaluate(() => localStorage.clear());
  await page.reload();
  await expectEmptyForm(page, '山田 花子', 'Kingsley');
  await expect(page.getByText(/^ACC-\d{4}-\d{4}$/).first()).toBeVisible();
  await page.getByRole('button', { name: 'Report Another' }).click();
  await expect(page.getByText('Accident report submitted successfully!')).toBeHidden();
  await expect(field(page, 'Park')).toBeFocused();
});

test('the progress of a report shows the number of uploaded photos, and two quick taps submit one report', {
  tag: '@once',
}, async ({ page, server, signInAs }) => {
  const reviewer = await server.as('Admin');
  await signInAs(page, 'None');
  await openReporting(page);
  await fillIn(page, { person: 'Twice Tapped' });
  await addPhotos(page, ['phone-jolla.jpg', 'gps-DSCN0012.jpg'].map(photo));
  await signByTyping(page, ownSignature);
  await signByTyping(page, affectedSignature);
  const heldRequest = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let requestCount = 0;
  await page.route('**/api/upload/image?use=photo', async (route) => {
    await heldRequest[requestCount++]?.promise;
    await route.continue();
  });
  await submit(page).dblclick();
  await expect(page.getByText('Uploading photo 1 of 2')).toBeVisible();
  heldRequest[0]?.resolve();
  await expect(page.getByText('Uploading photo 2 of 2')).toBeVisible();
  await expect(page.getByRole('progressbar', { name: 'Photos uploaded' })).toHaveAttribute('value', '1');
  heldRequest[1]?.resolve();
  await expect(page.getByText('Accident report submitted successfully!')).toBeVisible();
  expect(await reviewer(api.listReports, { query: { q: 'Twice Tapped', limit: 9 } })).toHaveLength(1);
});

const forms = [
  {
    path: '/reporting',
    title: 'Accident Reporting Form',
    signatureRequired: 'Reporter signature is required',
    type: 'accident',
    hasFailureMessages: true,
  },
  {
    path: '/reporting?tab=incident',
    title: 'Incident Reporting Form',
    signatureRequired: 'Reporter signature is required',
    type: 'incident',
    hasFailureMessages: false,
  },
  {
    path: '/accidentreporting',
    title: 'Accident Reporting Form',
    signatureRequired: 'Your signature is required',
    type: 'accident',
    hasFailureMessages: false,
  },
  {
    path: '/incidentreporting',
    title: 'Incident Reporting Form',
    signatureRequired: 'Your signature is required',
    type: 'incident',
    hasFailureMessages: true,
  },
];

test.describe('each of the four report forms', () => {
  test.use({ allowedConsoleErrors: /Failed to load resource/ });

  for (const form of forms) {
    const isTabOfReporting = form.path.startsWith('/reporting');
    test(`${form.path} has its own messages for missing fields${form.hasFailureMessages ? ' and failures' : ''}`, {
      tag: '@once',
    }, async ({ page, signInAs }) => {
      await signInAs(page, 'None');
      await page.goto(form.path);
      await expect(page.getByRole('heading', { name: form.title })).toBeVisible();
      const alert = page.getByRole('alert').filter({ hasText: /./ });

      await submit(page).click();
      // As specified, in the colour of a success.
      const missing = alert.getByText('Please fill in all required fields');
      await expect(missing).toHaveCSS('color', 'rgb(23, 105, 58)');
      await expect(alert.filter({ hasText: 'Start with “Park”.' })).toBeVisible();
      await expect(field(page, 'Park')).toBeFocused();
      await expect(missing).toBeInViewport();
      await expect(field(page, 'Contact number')).toHaveAccessibleDescription(/must be 11 digits/);
      await expect(field(page, 'Age')).toHaveAccessibleDescription('Enter the age as a whole number');
      if (form.path !== '/reporting') await expectAccessiblePage(page);

      await expect(page.getByText(form.signatureRequired)).toBeVisible();
      // Features that both forms of a type share are tested on one of them.
      if (!form.hasFailureMessages) return;

      await fillIn(page, { 'Contact number': '0770090012' });
      await submit(page).click();
      await expect(alert.filter({ hasText: 'Contact number must be 11 digits' })).toBeVisible();
      await expect(field(page, 'Contact number')).toBeFocused();
      await field(page, 'Contact number').fill('+44 7700 900 123');
      await field(page, 'Contact number').blur();
      await expect(field(page, 'Contact number')).toHaveValue(filled['Contact number']);
      await submit(page).click();
      await expect(alert.filter({ hasText: 'Please upload at least one media file' })).toBeVisible();
      await expect(page.getByLabel(/Take Photo|Choose Photos/).and(page.locator(':focus'))).toHaveCount(1);
      await expect(page.getByText(form.signatureRequired)).toBeVisible();
      await expect(page.getByText('Affected party signature is required')).toBeVisible();
      await addPhotos(page);
      await submit(page).click();
      await expect(alert.filter({ hasText: form.signatureRequired })).toBeVisible();
      await expect(page.getByRole('button', { name: ownSignature })).toBeFocused();

      // Saving an empty signature shows a message on the standalone pages only.
      await page.getByRole('button', { name: ownSignature }).click();
      await page.getByRole('button', { name: 'Save Signature' }).click();
      const hint = page.getByText('Please draw a signature before saving');
      if (isTabOfReporting) await expect(hint).toBeHidden();
      else await expect(hint).toBeVisible();
      await page.keyboard.press('Escape');

      await signByTyping(page, ownSignature);
      await submit(page).click();
      await expect(alert.filter({ hasText: 'Affected party signature is required' })).toBeVisible();
      await signByTyping(page, affectedSignature);

      await page.route(
        `**/api/submit-${form.type}`,
        (route) => route.fulfill({ status: 418, json: { success: false, code: 'TEAPOT', message: 'no tea' } }),
        {
          times: 1,
        },
      );
      await submit(page).click();
      const message = isTabOfReporting
        ? 'Error: Network response was not ok: no tea'
        : 'Error submitting report: Server error: no tea';
      await expect(page.getByText(message)).toBeInViewport({ ratio: 1 });
      await expect(field(page, 'Details')).toHaveValue(filled.Details);
      const sending = page.waitForRequest(`**/api/submit-${form.type}`);
      await submit(page).click();
      expect((await sending).postDataJSON()).toMatchObject({ age: 34, contactNumber: '07700900123' });
      const kind = form.type === 'accident' ? 'Accident' : 'Incident';
      await expect(page.getByText(`${kind} report submitted successfully!`)).toBeVisible();
      await expect(page.getByText(form.type === 'accident' ? /^ACC-/ : /^INC-/).first()).toBeVisible();
    });
  }
});

test('Back closes the signature dialog first, then leaves the report form', { tag: '@once' }, async ({
  page,
  signInAs,
}) => {
  await signInAs(page, 'Admin');
  await page.goto('/get-reports');
  await openScreen(page, 'Reporting');
  await field(page, 'person').fill('Siân');
  await signatureButton(page, ownSignature).click();
  await draw(page);
  await pressBack(page);
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(page).toHaveURL(/reporting$/);
  await expect(signatureButton(page, ownSignature)).toBeFocused();
  await pressBack(page);
  await expect(page).toHaveURL(/get-reports$/);
});

test('a report form is open in one tab at a time, and another tab can take it over with all input', {
  tag: '@once',
}, async ({ page, context, signInAs }) => {
  const otherTabNotice = (tab: Page) => tab.getByText('This form is open in another tab.');
  await signInAs(page, 'None');
  await openReporting(page);
  await field(page, 'person').fill('Siân');
  const other = await context.newPage();
  await other.goto('/reporting');
  await expect(otherTabNotice(other)).toBeVisible();
  await expectAccessiblePage(other);
  // The other form has its own tab lock.
  await other.getByRole('tab', { name: 'Incident Reporting' }).click();
  await expect(field(other, 'person')).toHaveValue('');
  await other.getByRole('tab', { name: 'Accident Reporting' }).click();
  await other.getByRole('button', { name: 'Continue in this tab' }).click();
  await expect(field(other, 'person')).toHaveValue('Siân');
  await expect(otherTabNotice(page)).toBeVisible();
  await expect(submit(page)).toHaveCount(0);
  await field(other, 'Location or plot').fill('Plot 12');
  await expectDraftText(other, 'Plot 12');

  // After a reload this tab still holds the lock; when it is closed, the other one gets it.
  await other.reload();
  await expect(field(other, 'Location or plot')).toHaveValue('Plot 12');
  await expect(otherTabNotice(page)).toBeVisible();
  await other.close();
  await expect(field(page, 'person')).toHaveValue('Siân');
  await expect(field(page, 'Location or plot')).toHaveValue('Plot 12');
});

test('the input of each report form and user survives a reload separately', { tag: '@once' }, async ({
  page,
  signInAs,
}) => {
  await signInAs(page, 'None');
  await openReporting(page);
  await page.getByRole('tab', { name: 'Incident Reporting' }).click();
  await fillInReport(page);
  await expectDraftPhotos(page, 3);
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Incident Reporting Form' })).toBeVisible();
  for (const [name, value] of Object.entries(filled)) await expect(field(page, name)).toHaveValue(value);
  await expect(page.getByText('1 photo added.')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Sign Again/ })).toHaveCount(2);
  await page.getByRole('tab', { name: 'Accident Reporting' }).click();
  await expectEmptyForm(page);

  await openMenu(page);
  await page.getByRole('button', { name: 'Logout' }).click();
  await page.waitForURL('**/login');
  await signInAs(page, 'None');
  await openReporting(page);
  await page.getByRole('tab', { name: 'Incident Reporting' }).click();
  await expectEmptyForm(page);
});

test('a report can be filled in and submitted with the keyboard alone', { tag: '@keyboard' }, async ({
  page,
  signInAs,
}) => {
  await signInAs(page, 'None');
  await openReporting(page);
  const { keyboard } = page;
  await field(page, 'Park').focus();
  await keyboard.type('Lido');
  await tabTo(page, field(page, 'person'));
  await keyboard.type('Keyboard Only');
  // Enter moves to the next field and does not submit.
  await keyboard.press('Enter');
  await keyboard.type('34');
  await keyboard.press('Enter');
  await keyboard.type('07700900123');
  await keyboard.press('Enter');
  await keyboard.type('Huw Parry');
  await keyboard.press('Enter');
  await expect(field(page, 'Date')).toBeFocused();
  // The same keys work in day-first and month-first order.
  await keyboard.type('03032026');
  await tabTo(page, field(page, 'Time'));
  await keyboard.type('1405');
  await tabTo(page, field(page, 'type'));
  await keyboard.type('Slip');
  await keyboard.press('Enter');
  await keyboard.type('Plot 12');
  await tabTo(page, field(page, 'Employment status'));
  await keyboard.type('Guest');
  await tabTo(page, field(page, 'Emergency services attended'));
  await keyboard.type('None');
  await tabTo(page, field(page, 'Details'));
  await keyboard.type('Slipped.');
  // Wait before pressing, because the event may come before the key press returns.
  const fileChooser = page.waitForEvent('filechooser');
  await tabTo(page, page.getByLabel('Choose Photos'));
  await keyboard.press('Enter');
  await (await fileChooser).setFiles(photo('phone-jolla.jpg'));
  await expect(page.getByText('1 photo added.')).toBeVisible();
  for (const label of [ownSignature, affectedSignature]) {
    await tabTo(page, signatureButton(page, label));
    await keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Sign Here' });
    await expect(dialog.getByRole('button', { name: 'Type Name' })).toBeFocused();
    await keyboard.press('Enter');
    await expect(dialog.getByLabel('Your full name')).toBeFocused();
    await keyboard.type('Huw Parry');
    await tabTo(page, page.getByRole('button', { name: 'Save Signature' }));
    await keyboard.press('Enter');
    await expect(page.getByRole('dialog')).toBeHidden();
    // Skip the Clear button.
    await keyboard.press('Tab');
  }
  await tabTo(page, submit(page));
  await keyboard.press('Enter');
  await expect(page.getByText('Accident report submitted successfully!')).toBeVisible();
  // On a wide screen, and with the focus where the button was.
  await expect(page.getByText('You can put the device away.')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Submitted report' })).toBeFocused();
  await tabTo(page, page.getByRole('button', { name: 'Report Another' }));
  await keyboard.press('Enter');
  await expect(field(page, 'Park')).toBeFocused();
  await expect(submit(page)).toBeVisible();
});
