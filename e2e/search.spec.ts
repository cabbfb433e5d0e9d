import { api } from '#shared/api.ts';
import { newReport } from '../src/server/testing/factories.ts';
import { openMenu } from './interactions.ts';
import { expectAccessiblePage } from './page-checks.ts';
import { expect, test } from './server.ts';

const park = 'Tyddyn Goronwy';

test.use({ allowedConsoleErrors: /ERR_INTERNET_DISCONNECTED/ });

test('a reviewer finds a report by its number with the keyboard alone', { tag: '@once' }, async ({
  page,
  server,
  signInAs,
}) => {
  const staff = await server.as('None', park);
  const { number = '' } = await staff(api.submitAccident, {
    body: await newReport(staff, { location: 'Samphire weir' }),
  });
  await signInAs(page, 'Health & Safety Manager');
  await page.goto('/reporting');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.keyboard.press('Control+k');
  const dialog = page.getByRole('dialog', { name: 'Search' });
  await expect(dialog.getByRole('searchbox')).toBeFocused();
  await page.keyboard.type(number);
  const option = dialog.getByRole('option', { name: new RegExp(`^${number}: .*Samphire weir`) });
  await expect(option).toBeVisible();
  await expect(dialog.getByRole('status')).toHaveText('1 result');
  await page.keyboard.press('ArrowDown');
  await expectAccessiblePage(page);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Report Details' })).toContainText('Samphire weir');
  await expect(dialog).toBeHidden();
});

test('records that arrive late do not move what an arrow key chose', { tag: '@once' }, async ({
  page,
  server,
  signInAs,
}) => {
  const admin = await server.as('Admin');
  await admin(api.addPlaces, { body: { park, names: ['Overview hut'] } });
  await signInAs(page, 'Admin');
  await page.goto('/reporting');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  const pressed = Promise.withResolvers<void>();
  await page.route('**/api/search', async (route) => {
    await pressed.promise;
    await route.continue();
  });
  await page.keyboard.press('Control+k');
  const dialog = page.getByRole('dialog', { name: 'Search' });
  await expect(dialog.getByRole('searchbox')).toBeFocused();
  await page.keyboard.type('overview');
  await expect(dialog.getByRole('option')).toHaveText('Overview');
  await page.keyboard.press('ArrowDown');
  pressed.resolve();
  await expect(dialog.getByRole('option').first()).toContainText('Overview hut');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/overview/);
});

test('staff find a place of their park and a screen by another word, and offline are told why not', {
  tag: '@once',
}, async ({ page, context, server, signInAs }) => {
  const admin = await server.as('Admin');
  await admin(api.addPlaces, { body: { park, names: ['Samphire pool'] } });
  await signInAs(page, 'None', park);
  await page.goto('/reporting');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await context.setOffline(true);
  await page.keyboard.press('Control+k');
  await expect(page.getByText('This works only with a connection.')).toBeVisible();
  await context.setOffline(false);
  await openMenu(page);
  await page.getByRole('button', { name: 'Search' }).click();
  const dialog = page.getByRole('dialog', { name: 'Search' });
  await dialog.getByRole('searchbox').fill('samphire');
  await expectAccessiblePage(page);
  await dialog.getByRole('searchbox').fill('qqqq');
  await expect(dialog.getByRole('status')).toHaveText('Nothing found.');
  await dialog.getByRole('searchbox').fill('near miss');
  await expect(dialog.getByRole('option', { name: /^Report a Hazard/ })).toBeVisible();
  await dialog.getByRole('searchbox').fill('samphire');
  await dialog.getByRole('option', { name: 'Samphire pool' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Samphire pool' })).toBeVisible();
});
