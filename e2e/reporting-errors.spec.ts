// Reports on slow and broken connections, and with requests that fail.
import type { Route } from '@playwright/test';
import { api } from '#shared/api.ts';
import { photo } from './interactions.ts';
import { keptText, savedText } from './outbox.ts';
import {
  addPhotos,
  affectedSignature,
  expectEmptyForm,
  field,
  filled,
  fillIn,
  fillInReport,
  ownSignature,
  signByTyping,
  submit,
} from './report-form.ts';
import { expect, expectAccessiblePage, openReporting, signIn, test } from './server.ts';

test.describe('slow connections', () => {
  test.use({ allowedConsoleErrors: /Failed to load resource/ });

  for (const [line, msEach, most] of [
    ['slow', 20_000, 1],
    ['quick', 0, 3],
  ] as const)
    test(`photos are uploaded ${most} at a time on a ${line} connection`, { tag: '@once' }, async ({
      page,
      signInAs,
    }) => {
      await signInAs(page, 'None');
      await openReporting(page);
      await fillIn(page);
      const names = ['phone-jolla.jpg', 'gps-DSCN0010.jpg', 'gps-DSCN0012.jpg', 'gps-DSCN0021.jpg'];
      await addPhotos(page, names.map(photo));
      await signByTyping(page, ownSignature);
      await signByTyping(page, affectedSignature);
      // The app measures uploads by a clock that only this test moves, on a machine of any speed.
      await page.evaluate(() => {
        performance.now = () => Number(document.documentElement.dataset.simulatedMs ?? 0);
      });
      let simulatedMs = 0;
      const inFlight = new Set<Route>();
      let atOnce = 0;
      await page.route('**/api/upload/image?use=photo', (route) => {
        inFlight.add(route);
        atOnce = Math.max(atOnce, inFlight.size);
      });
      await submit(page).click();
      for (let sent = 0; sent < names.length; sent++) {
        // After the first upload, all parallel uploads have started before one continues.
        await expect.poll(() => inFlight.size).toBe(sent === 0 ? 1 : Math.min(most, names.length - sent));
        simulatedMs += msEach;
        await page.evaluate((ms) => {
          document.documentElement.dataset.simulatedMs = `${ms}`;
        }, simulatedMs);
        const [first] = inFlight;
        if (first) inFlight.delete(first);
        await first?.continue();
      }
      await expect(page.getByText('Accident report submitted successfully!')).toBeVisible();
      expect(atOnce).toBe(most);
    });

  test('a report with a lost response is sent again unchanged and recorded once', { tag: '@once' }, async ({
    page,
    server,
    signInAs,
  }) => {
    const reviewer = await server.as('Admin');
    await signInAs(page, 'None');
    await openReporting(page);
    await fillInReport(page, { person: 'Lost Answer' });
    let isResponseLost = true;
    await page.route('**/api/submit-accident', async (route) => {
      const response = await route.fetch();
      if (isResponseLost) await route.fulfill({ status: 503, body: 'gateway' });
      else await route.fulfill({ response });
    });
    const uploads: string[] = [];
    page.on('request', (request) => request.url().includes('/api/upload') && uploads.push(request.url()));
    await page.clock.install();
    await submit(page).click();
    await expect(page.getByText('Processing data')).toBeVisible();
    const errorMessage = page.getByText('Error: Network response was not ok: gateway');
    const waitForError = () =>
      expect(async () => {
        await page.clock.fastForward(10_000);
        await expect(errorMessage).toBeVisible({ timeout: 300 });
      }).toPass();
    await waitForError();
    expect(uploads).toHaveLength(3);
    await expect(field(page, 'Details')).toBeDisabled();
    await expectAccessiblePage(page);

    await page.reload();
    // Moved forward earlier, the clock would end the app's wait for its database.
    await expect(field(page, 'Details')).toHaveValue(filled.Details);
    await waitForError();
    await expect(page.getByText(keptText)).toBeVisible();
    isResponseLost = false;
    await submit(page).click();
    await expect(page.getByText('Accident report submitted successfully!')).toBeVisible();
    expect(uploads).toHaveLength(3);
    expect(await reviewer(api.listReports, { query: { q: 'Lost Answer', limit: 9 } })).toHaveLength(1);
    await expectEmptyForm(page, filled['Person completing the form']);
  });

  test('a report submitted offline is saved at once and sent when the connection is back', { tag: '@once' }, async ({
    page,
    context,
    server,
    signInAs,
  }) => {
    const reviewer = await server.as('Admin');
    await signInAs(page, 'None');
    await openReporting(page);
    await fillInReport(page, { person: 'Sent Later' });
    await context.setOffline(true);
    await submit(page).click();
    // Does not wait for the retries, which take 13 seconds.
    await expect(page.getByText(savedText)).toBeVisible({
      timeout: 10_000,
    });
    await expect(page.getByText('Open this app again when you have a signal.')).toBeVisible();
    await expect(submit(page)).toBeHidden();
    await expect(page.getByText('You are offline.')).toBeVisible();
    await expectEmptyForm(page, filled['Person completing the form']);
    await expectAccessiblePage(page);
    // The next report can be started.
    await field(page, 'person').fill('The Next One');
    await context.setOffline(false);
    await expect
      .poll(async () => (await reviewer(api.listReports, { query: { q: 'Sent Later', limit: 9 } })).length)
      .toBe(1);
    await expect(field(page, 'person')).toHaveValue('The Next One');
  });

  test('a photo that the server rejects is left out, and a report without any other photo is not sent', {
    tag: '@once',
  }, async ({ page, signInAs }) => {
    await signInAs(page, 'None');
    await openReporting(page);
    await fillIn(page);
    await addPhotos(page, ['phone-jolla.jpg', 'gps-DSCN0012.jpg'].map(photo));
    await signByTyping(page, ownSignature);
    await signByTyping(page, affectedSignature);
    const rejectPhotos = async (name: string) => {
      await page.unrouteAll();
      await page.route('**/api/upload/image?use=photo', (route) =>
        route.request().postDataBuffer()?.includes(name)
          ? route.fulfill({
              status: 422,
              json: { success: false, code: 'UNPROCESSABLE', message: 'This picture is broken.' },
            })
          : route.continue(),
      );
    };
    await rejectPhotos('.jpg');
    await submit(page).click();
    await expect(page.getByText('Error processing files. Please try again.')).toBeVisible();
    await expect(page.getByText('This picture is broken.')).toBeVisible();
    await expect(page.getByText('2 photos added.')).toBeVisible();
    await rejectPhotos('phone-jolla');
    await submit(page).click();
    await expect(page.getByText('Accident report submitted successfully!')).toBeVisible();
    const number =
      (await page
        .getByText(/^ACC-\d{4}-\d{4}$/)
        .first()
        .textContent()) ?? '';
    await expect(page.getByText('received with 1 of 2 photos and 2 signatures.')).toBeVisible();
    // The message names the photo and the report and says what to do, also when the user comes back
    // later.
    const rejected = page.getByRole('region', { name: 'Photos that were not added' });
    for (const path of ['', '/outbox']) {
      if (path) await page.goto(path);
      await expect(rejected).toContainText('Photo 1 (phone-jolla.jpg) was not added. This picture is broken.');
      await expect(rejected).toContainText(`with the number ${number}`);
      await expect(rejected.locator('img')).toBeVisible();
      const download = page.waitForEvent('download');
      await rejected.getByRole('link', { name: 'Save Photo 1' }).click();
      expect((await download).suggestedFilename()).toBe('phone-jolla.jpg');
    }
    // Another user of the device sees that it was sent, and no photo.
    await page.context().clearCookies();
    await signInAs(page, 'None');
    await page.goto('/outbox');
    await expect(page.getByText('received with 1 of 2 photos and 2 signatures.')).toBeVisible();
    await expect(rejected).toBeHidden();
  });

  test('a failed signature upload stops the report', { tag: '@once' }, async ({ page, signInAs }) => {
    await signInAs(page, 'None');
    await openReporting(page);
    await fillInReport(page);
    let passed = 0;
    let submitted = 0;
    page.on('request', (request) => {
      if (request.url().endsWith('/api/submit-accident')) submitted += 1;
    });
    await page.route('**/api/upload/image?use=signature', (route) =>
      passed-- > 0 ? route.continue() : route.fulfill({ status: 500, body: 'x'.repeat(200) }),
    );
    await submit(page).click();
    await expect(page.getByText('Failed to upload your signature. Please try again.')).toBeVisible();
    await page.getByRole('alert').getByText('Details').click();
    await expect(page.getByText(`Error uploading signature: 500 ${'x'.repeat(100)}`)).toBeVisible();
    passed = 1;
    await submit(page).click();
    await expect(page.getByText('Failed to upload affected party signature. Please try again.')).toBeVisible();
    expect(submitted).toBe(0);
    await expectAccessiblePage(page);
    passed = 9;
    await submit(page).click();
    await expect(page.getByText('Accident report submitted successfully!')).toBeVisible();
  });

  test('a user whose session ends during a report is asked to sign in, and the report is then sent', {
    tag: '@once',
  }, async ({ page, signInAs }) => {
    const person = await signInAs(page, 'None');
    await openReporting(page);
    await fillInReport(page);
    // The first request without a session is that of the form, not of the bell, which asks every eight seconds.
    await page.route('**/api/notifications/count', (route) => route.fulfill({ json: { unread: 0 } }));
    await page.context().clearCookies();
    await submit(page).click();
    const dialog = page.getByRole('dialog', { name: 'Please sign in again' });
    await expect(dialog).toBeVisible();
    await expectAccessiblePage(page);
    await signIn(page, person.username);
    await expect(page.getByText('Accident report submitted successfully!')).toBeVisible();
    await expect(dialog).toBeHidden();
  });
});
