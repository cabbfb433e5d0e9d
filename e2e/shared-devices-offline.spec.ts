// A shared device without a connection: its screen can be given up, and it sends what waits without anyone.
import { api } from '#shared/api.ts';
import { makePinUser } from '../src/server/testing/shared-devices.ts';
import { goOffline, test, waitForCachedScreens } from './installed-app.ts';
import { openMenu } from './interactions.ts';
import { field, fillInReport, submit } from './report-form.ts';
import { expect, signIn } from './server.ts';
import { enterPin, shareDevice } from './shared-device.ts';

// The page asks for the session only after the sign-out that waits, so what was preloaded is not used.
test.use({
  serviceWorkers: 'allow',
  allowedConsoleErrors:
    /status of 40[0134]|ERR_INTERNET_DISCONNECTED|preloaded using link preload|Failed to (load|fetch)/,
});

test('a report submitted without a connection is sent from the shared device once the connection is back, with no one signed in', {
  tag: '@once',
}, async ({ page, context, server, signInAs }) => {
  test.slow();
  const park = 'Lido Beach';
  const [gwen, huw] = [await makePinUser(server, park), await makePinUser(server, park)];
  await signInAs(page, 'Health & Safety Manager', park);
  await shareDevice(page, park, 'Lifeguard hut');
  await enterPin(page, huw.username);
  await expect(page).toHaveURL(/reporting/);
  // A page that opens while the worker becomes active may stay without it.
  await waitForCachedScreens(page);
  await page.goto('/incidentreporting');
  await fillInReport(page, { Park: park });
  await goOffline(page, context);
  await submit(page).click();
  await expect(page.getByText('Saved on this device. It will be sent when you are back online.').first()).toBeVisible();

  await openMenu(page);
  await page.getByRole('button', { name: 'Switch User' }).click();
  await expect(page.getByText('There is no connection, so no one can sign in.')).toBeVisible();
  await page.getByRole('link', { name: 'Report Without Signing In' }).click();
  await page.getByLabel('Who is filling this in?').fill('Gwen');
  await page.keyboard.press('Enter');
  await expect(field(page, 'Details').first()).toBeVisible();

  await context.setOffline(false);
  await page.goto('/login');
  const admin = await server.as('Admin');
  await expect
    .poll(async () => (await admin(api.listReports)).map(({ created_by }) => created_by), { timeout: 60_000 })
    .toContain(`${huw.username} on Lifeguard hut`);
  // The session that was left without a connection has ended.
  await expect(page.getByRole('list', { name: 'Who are you?' })).toBeVisible();
  await enterPin(page, gwen.username);
  await expect(page).toHaveURL(/reporting/);
  expect(await gwen(api.listMyReports)).toEqual([]);
  expect(await huw(api.listMyReports)).toHaveLength(1);
});

test('what waits on a device that is no longer shared is sent once its user has signed in there', {
  tag: '@once',
}, async ({ page, context, server, signInAs }) => {
  test.slow();
  const park = 'Mounds';
  const huw = await makePinUser(server, park);
  await signInAs(page, 'Health & Safety Manager', park);
  await shareDevice(page, park, 'Bar');
  await enterPin(page, huw.username);
  await expect(page).toHaveURL(/reporting/);
  // A page that opens while the worker becomes active may stay without it.
  await waitForCachedScreens(page);
  await page.goto('/incidentreporting');
  await fillInReport(page, { Park: park });
  await goOffline(page, context);
  await submit(page).click();
  await expect(page.getByText('Saved on this device. It will be sent when you are back online.').first()).toBeVisible();

  const admin = await server.as('Admin');
  const [device] = (await admin(api.listSharedDevices)).filter(({ name }) => name === 'Bar');
  await admin(api.removeSharedDevice, { params: { id: device?.id ?? '' } });
  await context.setOffline(false);
  await page.goto('/login');
  await expect(page.getByLabel('Username')).toBeVisible();
  await expect(page.getByRole('list', { name: 'Who are you?' })).toHaveCount(0);
  expect(await huw(api.listMyReports)).toEqual([]);
  await signIn(page, huw.username);
  await expect.poll(async () => (await huw(api.listMyReports)).length, { timeout: 60_000 }).toBe(1);
  expect((await admin(api.listReports)).map(({ created_by }) => created_by)).toContain(huw.username);
});
