// Places of a park: reviewers manage them, and location fields suggest them.
import type { Route } from '@playwright/test';
import { api } from '#shared/api.ts';
import { newAudit, newFolder } from '../src/server/testing/factories.ts';
import { openAdminScreen } from './admin.ts';
import { goOffline, test, waitForCachedScreens } from './installed-app.ts';
import { savedText } from './outbox.ts';
import { expect, expectAccessiblePage, openReporting, signIn } from './server.ts';

test.use({
  serviceWorkers: 'allow',
  allowedConsoleErrors: /Failed to load resource|ERR_INTERNET_DISCONNECTED|status of 409/,
});

test('a reviewer can make a typed location a place, merge another into it, and undo that', { tag: '@once' }, async ({
  page,
  server,
  signInAs,
}) => {
  const manager = await signInAs(page, 'Health & Safety Manager', 'Lyndale');
  const folder = await newFolder(manager, { park: 'Lyndale' });
  for (const location of ['Plot 12', 'plot12', 'The twelfth plot'])
    await manager(api.createAudit, { body: newAudit(folder, { location }) });
  const countLinks = async () => (await server.db.selectFrom('place_links').select('thing_id').execute()).length;
  const linksBefore = await countLinks();
  await page.goto('/admin?tab=users');
  await openAdminScreen(page, 'Places');
  await expect(page.getByText('2 records, also typed as plot12')).toBeVisible();
  await expectAccessiblePage(page);
  await page.getByRole('button', { name: 'Make a Place: Plot 12' }).click();
  await expect(page.getByText('2 records linked to Plot 12.')).toBeVisible();
  await page.getByLabel('Link The twelfth plot to a place').selectOption('Plot 12');
  await expect(page.getByText('1 record linked to Plot 12.')).toBeVisible();
  await expect(page.getByText('Every location has a place.')).toBeVisible();
  expect(await countLinks()).toBe(linksBefore + 3);
  await expectAccessiblePage(page);
  await page.getByText('Linked Later').click();
  await page.getByRole('button', { name: 'Undo' }).first().click();
  await expect(page.getByRole('button', { name: 'Make a Place: The twelfth plot' })).toBeVisible();
  expect(await countLinks()).toBe(linksBefore + 2);
  await expect(page.getByText(/linked to Plot 12\.$/)).toHaveCount(0);

  await page.locator('summary', { hasText: 'Plot 12' }).click();
  await page.getByLabel('Name').fill('Pitch 12');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.locator('summary', { hasText: 'Pitch 12' })).toBeVisible();
  await page.getByRole('button', { name: 'Retire' }).click();
  await expect(page.getByText('Retired')).toBeVisible();
  // The list may still be refreshed by its own requests.
  const failToAdd = (route: Route) => (route.request().method() === 'POST' ? route.abort() : route.fallback());
  await page.route('**/api/places', failToAdd);
  await page.getByLabel('New place').fill('Pool');
  await page.getByRole('button', { name: 'Add Place' }).click();
  await expect(page.getByText('The server could not be reached.')).toBeVisible();
  await page.unroute('**/api/places', failToAdd);
  const csv = 'Park,Name\nLyndale,"Pool, indoor"\nMounds,Elsewhere\nLyndale,pitch 12\n';
  await page
    .getByLabel('CSV file')
    .setInputFiles({ name: 'places.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
  await expect(page.getByText('1 place added.')).toBeVisible();
  await expect(page.getByLabel('CSV file')).toHaveValue('');
  const choose = (csv: string) =>
    page
      .getByLabel('CSV file')
      .setInputFiles({ name: 'places.csv', mimeType: 'text/csv', buffer: Buffer.from(csv, 'latin1') });
  await choose('Place,Site\nBar,Lyndale\n');
  await expect(page.getByText('Line 1: The first line is not understood: "Place", "Site".')).toBeVisible();
  // The encoding of old Macintosh programs.
  await choose('Caf\x8e\n');
  await page.getByRole('button', { name: 'Café' }).click();
  await expect(page.getByText('1 place added.')).toBeVisible();
  await expect(page.locator('summary', { hasText: 'Café' })).toBeVisible();
  await page.getByLabel('New place').fill('Bar\n\nCafé\nShop\n');
  await page.getByRole('button', { name: 'Add Place' }).click();
  await expect(page.getByText('2 places added.')).toBeVisible();
  await page.getByLabel('New place').fill('POOL, indoor');
  await page.getByRole('button', { name: 'Add Place' }).click();
  await expect(page.getByLabel('New place')).toHaveAccessibleDescription(/Lyndale already has a place with this name/);
});

test('more typed locations are shown when asked for', { tag: '@once' }, async ({ page, signInAs }) => {
  const manager = await signInAs(page, 'Health & Safety Manager', 'St Marys');
  const folder = await newFolder(manager, { park: 'St Marys' });
  for (let plot = 1; plot <= 21; plot++)
    await manager(api.createAudit, { body: newAudit(folder, { location: `Plot ${plot}` }) });
  await page.goto('/admin/places');
  const locations = page.getByRole('button', { name: /^Make a Place: / });
  await expect(locations).toHaveCount(20);
  await page.getByRole('button', { name: 'Show More (1 left)' }).click();
  await expect(locations).toHaveCount(21);
  await expect(page.getByRole('button', { name: /^Show More/ })).toHaveCount(0);
});

test('a place is suggested and chosen without a connection', { tag: '@once' }, async ({
  page,
  context,
  server,
  signInAs,
}) => {
  const admin = await server.as('Admin');
  await admin(api.addPlaces, { body: { park: 'Sunny Sands', names: ['Indoor pool'] } });
  await signInAs(page, 'None', 'Sunny Sands');
  await openReporting(page);
  await waitForCachedScreens(page);
  await expect(page.locator('datalist option')).toHaveCount(1);
  await goOffline(page, context);
  const [place] = await server.db.selectFrom('places').select('id').where('park', '=', 'Sunny Sands').execute();
  await page.goto(`/places/${place?.id}`);
  await expect(page.getByText('The checks and audits of this place could not be loaded.')).toBeVisible();
  await page.getByRole('link', { name: 'Report a Hazard' }).click();
  await page.getByRole('button', { name: 'Other' }).click();
  await expect(page.getByLabel('Where is it?')).toHaveValue('Indoor pool');
  await page.getByLabel('Where is it?').fill('indoor pool');
  await expect(page.locator('datalist option')).toHaveAttribute('value', 'Indoor pool');
  await page.getByRole('button', { name: 'Send' }).click();
  await expect(page.getByText(savedText)).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByText('Hazard reported. It is in the audits of Sunny Sands.')).toBeVisible();
  const [hazard] = await admin(api.listOpenAudits, { query: { park: 'Sunny Sands' } });
  const link = await server.db
    .selectFrom('place_links')
    .selectAll()
    .where('thing_id', '=', hazard?.id ?? '')
    .executeTakeFirst();
  expect(link).toMatchObject({ place_id: place?.id, is_later: 0 });
});

test('the page of a place opens each form with park and place filled in, and the lists of what happened there', async ({
  page,
  server,
  signInAs,
}) => {
  const park = 'Oakfield';
  const admin = await server.as('Admin');
  await admin(api.addPlaces, { body: { park, names: ['Indoor pool'] } });
  const place = (await admin(api.listPlaces)).find((one) => one.park === park);
  const placeId = place?.id ?? '';
  const sections = [
    { title: 'Which park?', type: 'site' as const, required: true },
    { title: 'Is the gate locked?', type: 'na' as const, required: true, onFail: { when: 'No' as const } },
  ];
  const { id: checklist_id } = await admin(api.createChecklist, { body: { title: 'Pool round', sections } });
  const window = { opens_at: '00:00', closes_at: '00:00', starts_on: '2026-01-01', repeat: 'daily' as const };
  await admin(api.createSchedule, { body: { checklist_id, parks: [park], ...window, gate: 'Indoor Pool' } });
  const hazard = { park, kind: 'Fire' } as const;
  await admin(api.createAudit, { body: { hazard, location: 'Indoor pool', placeId } });

  // Who can have the address of the server set is told before printing that it is not.
  await signInAs(page, 'Admin');
  await page.goto(`/admin/places?park=${park}`);
  const warning = page.getByRole('note').filter({ hasText: 'PUBLIC_URL' });
  await page.getByLabel('For', { exact: true }).selectOption('Staff');
  await expect(warning).toContainText(new URL(page.url()).origin);
  await expectAccessiblePage(page);
  await page.getByLabel('For', { exact: true }).selectOption('Guests');
  await expect(warning).toHaveCount(0);
  // In the page itself: a service worker that has been installed by now would answer a reload.
  await page.evaluate(() => document.querySelector('meta[name="address-set"]')?.setAttribute('content', '1'));
  await page.getByLabel('For', { exact: true }).selectOption('Staff');
  await expect(page.getByRole('link', { name: 'Print Labels' })).toBeVisible();
  await expect(warning).toHaveCount(0);

  const manager = await signInAs(page, 'Health & Safety Manager');
  await page.goto(`/places/${placeId}`);
  await expect(page.getByRole('heading', { level: 1, name: 'Indoor pool' })).toBeVisible();
  await expect(
    page.getByRole('region', { name: 'Ready to Open' }).getByText('Not ready', { exact: true }),
  ).toBeVisible();
  await expect(page.getByRole('link', { name: 'Fire: Indoor pool' })).toBeVisible();
  await expectAccessiblePage(page);

  await page.goto(`/admin/places?park=${park}`);
  await page.getByRole('button', { name: 'Create Labels for 1 place' }).click();
  await expect(page.getByRole('link', { name: 'Print Labels' })).toHaveAttribute(
    'href',
    /\/api\/labels\?.*size=8.*for=guests/,
  );
  await page.getByLabel('For', { exact: true }).selectOption('Staff');
  await expect(page.getByRole('link', { name: 'Print Labels' })).toHaveAttribute('href', /for=staff/);
  await expect(warning).toHaveCount(0);
  await expectAccessiblePage(page);
  await page.locator('summary', { hasText: 'Indoor pool' }).click();
  await page.getByRole('button', { name: 'Switch Off Label' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Switch Off' }).click();
  await expect(page.getByRole('button', { name: 'Create Label', exact: true })).toBeVisible();
  await page.getByRole('link', { name: 'Open Page' }).click();

  await page.getByRole('link', { name: 'Report a Hazard' }).click();
  await expect(page.getByLabel('Where is it?')).toHaveValue('Indoor pool');
  await expect(page.getByLabel('Park', { exact: true })).toHaveValue(park);
  await page.goBack();
  await page.getByRole('link', { name: 'Report an Incident' }).click();
  await expect(page.getByRole('tab', { name: 'Incident Reporting' })).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByLabel('Location or plot')).toHaveValue('Indoor pool');
  await page.goBack();

  await page.getByRole('link', { name: 'Fill In Pool round' }).click();
  await expect(page.getByLabel('Which park?')).toHaveValue(park);
  await page.getByRole('radio', { name: 'Yes' }).check();
  await page.getByRole('button', { name: 'Submit Checklist' }).click();
  await expect(page.getByText('Checklist submitted successfully!')).toBeVisible();
  await page.goto(`/places/${placeId}`);
  await expect(page.getByRole('region', { name: 'Ready to Open' }).getByText('Ready', { exact: true })).toBeVisible();
  await page.getByRole('link', { name: 'Submissions Here' }).click();
  await expect(page.getByLabel('Place')).toHaveValue(placeId);
  await expect(page.getByRole('button', { name: 'Pool round' })).toHaveCount(1);
  await page.goto(`/audits?tab=open&place=${placeId}`);
  await expect(page.getByRole('link', { name: 'Fire: Indoor pool' })).toBeVisible();
  await page.getByRole('link', { name: 'Fire: Indoor pool' }).click();
  await page.getByRole('link', { name: 'Indoor pool', exact: true }).click();
  await page.getByRole('link', { name: 'Reports Here' }).click();
  await expect(page.getByText('at Indoor pool')).toBeVisible();
  await manager(api.updatePlace, { params: { id: placeId }, body: { isRetired: true } });
});

test('a label leads to its place after a one-time password was replaced, and asks for nothing before', {
  tag: '@once',
}, async ({ page, server }) => {
  const park = 'Oakfield';
  const admin = await server.as('Admin');
  await admin(api.addPlaces, { body: { park, names: ['Slide tower'] } });
  const place = (await admin(api.listPlaces)).find(({ name }) => name === 'Slide tower');
  const staff = await server.as('None', park);
  const { password } = await admin(api.resetPassword, { body: { id: staff.id } });
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  const path = `/api/places/${place?.id}`;
  await page.goto(`/places/${place?.id}`);
  await signIn(page, staff.username, password.replaceAll('-', '').toUpperCase());
  const dialog = page.getByRole('dialog', { name: 'Choose a New Password' });
  await expect(dialog).toBeVisible();
  await expect(page.getByText('The place could not be loaded')).toHaveCount(0);
  expect(asked).not.toContain(path);
  await dialog.getByLabel('New password', { exact: true }).fill('heron over the weir 44');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Slide tower' })).toBeVisible();
  expect(asked).toContain(path);
});
