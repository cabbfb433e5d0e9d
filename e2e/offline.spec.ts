// Installing the app and opening it offline.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { api } from '#shared/api.ts';
import { expectVisibleWithin } from './clock.ts';
import {
  goOffline,
  offlineNotice,
  overrideOnLine,
  test,
  waitForCachedScreens,
  waitForReviewerScreens,
} from './installed-app.ts';
import { savedText } from './outbox.ts';
import {
  addPhotos,
  affectedSignature,
  field,
  filled,
  fillIn,
  ownSignature,
  signByTyping,
  submit,
} from './report-form.ts';
import { expect, expectAccessiblePage, openReporting, signIn } from './server.ts';

test.use({
  serviceWorkers: 'allow',
  allowedConsoleErrors: /Failed to load resource|status of 401|ERR_INTERNET_DISCONNECTED/,
});

test("the app can be installed with the operator's name, and its icons have the sizes in the manifest", {
  tag: '@once',
}, async ({ page, server }) => {
  await page.goto('/login');
  const link = page.locator('link[rel=manifest]');
  const manifestUrl = new URL((await link.getAttribute('href')) ?? '', server.url);
  const response = await fetch(manifestUrl);
  expect(response.headers.get('content-type')).toMatch(/^application\/manifest\+json/);
  const manifest = await response.json();
  expect(manifest).toMatchObject({
    name: 'Mab & Sons "Parks"',
    short_name: 'Mab & Sons "Parks"',
    lang: 'en-GB',
    display: 'standalone',
    start_url: '/',
    scope: '/',
  });
  expect(manifest.icons.map(({ sizes, purpose }: Record<string, string>) => `${sizes} ${purpose}`)).toEqual([
    '192x192 any',
    '512x512 any',
    '192x192 maskable',
    '512x512 maskable',
  ]);
  const iconLinks = await page
    .locator('link[rel=apple-touch-icon], link[rel=icon][sizes]')
    .evaluateAll((links) =>
      links.map((link) => ({ src: link.getAttribute('href') ?? '', sizes: link.getAttribute('sizes') ?? '180x180' })),
    );
  expect(iconLinks).toHaveLength(2);
  for (const { src, sizes } of [...manifest.icons, ...iconLinks]) {
    const icon = await fetch(new URL(src, server.url));
    expect(icon.headers.get('content-type')).toBe('image/png');
    const { width, height } = await sharp(Buffer.from(await icon.arrayBuffer())).metadata();
    expect(`${width}x${height}`, src).toBe(sizes);
  }
  // The browser reports why it cannot install the app.
  const session = await page.context().newCDPSession(page);
  const { errors } = await session.send('Page.getAppManifest');
  expect(errors).toEqual([]);
});

test('the app does not read navigator.onLine', { tag: '@once' }, () => {
  const folder = join(import.meta.dirname, '../src/web');
  const files = globSync('**/*.{ts,tsx}', { cwd: folder });
  expect(files.length).toBeGreaterThan(100);
  const isReader = (file: string) => /^(?!\s*\/\/).*\bonLine\b/m.test(readFileSync(join(folder, file), 'utf8'));
  expect(files.filter(isReader)).toEqual([]);
});

test('the app opens offline after one visit, and sends a report written offline once it is online again', {
  tag: '@once',
}, async ({ page, context, server, signInAs }) => {
  await context.addInitScript(overrideOnLine, false);
  const reviewer = await server.as('Admin');
  await signInAs(page, 'None', 'Lido Beach');
  await openReporting(page);
  await goOffline(page, context);

  await page.goto('/');
  await page.waitForURL('**/reporting');
  await expect(page.getByRole('heading', { name: 'Accident Reporting Form' })).toBeVisible();
  await expect(offlineNotice(page)).toBeVisible();
  await expect(page.getByRole('banner').getByText('Mab & Sons "Parks"')).toBeVisible();
  expect(
    await page
      .getByRole('banner')
      .locator('img')
      .evaluate((image: HTMLImageElement) => image.naturalWidth),
  ).toBeGreaterThan(0);
  // The notice is visible at any scroll position, and does not cover a focused field.
  await field(page, 'Details').focus();
  await expect(offlineNotice(page)).toBeInViewport({ ratio: 1 });
  await fillIn(page, { person: 'Written Offline' });
  await addPhotos(page);
  await signByTyping(page, ownSignature);
  await signByTyping(page, affectedSignature);
  await expectAccessiblePage(page);

  await page.reload();
  await expect(field(page, 'Details')).toHaveValue(filled.Details);
  await expect(page.getByText('1 photo added.')).toBeVisible();
  await submit(page).click();
  await expect(page.getByText(savedText)).toBeVisible();
  // The service worker sends it without this page.
  await expect(page.getByText('You can put the phone away.')).toBeVisible();
  await context.setOffline(false);
  await expect(offlineNotice(page)).toBeHidden();
  await expect(page.getByText('Accident report submitted successfully!')).toBeVisible();
  expect(await reviewer(api.listReports, { query: { q: 'Written Offline', limit: 9 } })).toHaveLength(1);
});

test.describe('with navigator.onLine stuck at true', () => {
  test.beforeEach(({ context }) => context.addInitScript(overrideOnLine, true));

  test('a remembered user who opens the app offline sees their screen without delay', { tag: '@once' }, async ({
    page,
    context,
    signInAs,
  }) => {
    await signInAs(page, 'None', 'Lido Beach');
    await openReporting(page);
    await goOffline(page, context);
    await expectVisibleWithin(page, '/reporting', 900, page.getByRole('heading', { name: 'Accident Reporting Form' }));
  });

  test('the app opens offline after a user has signed in, but not before, and not after Logout', {
    tag: '@once',
  }, async ({ page, context, server }) => {
    const person = await server.as('None');
    const noConnection = page.getByRole('heading', { name: 'There is no connection' });
    const openMenu = () => page.getByRole('button', { name: 'Menu' }).click();
    await page.goto('/login');
    await goOffline(page, context);
    await page.goto('/incidentreporting');
    await expect(noConnection).toBeVisible();
    await expect(page.getByText('You are offline. Signing in needs a connection.')).toBeVisible();
    await expectAccessiblePage(page);
    await context.setOffline(false);
    await page.waitForURL('**/login');
    await signIn(page, person.username);
    await page.waitForURL('**/incidentreporting');
    await expect(page.getByRole('banner')).toBeVisible();

    // Signed out offline: the server is told later, but the device forgets the user at once.
    await context.setOffline(true);
    await openMenu();
    // The notice is above the bar of links, and must not cover the menu.
    await expect(page.getByText('You are offline. You can keep typing and submit.')).toBeVisible();
    await page.getByRole('button', { name: 'Logout' }).click();
    await page.waitForURL('**/login');
    await page.goto('/reporting');
    await expect(noConnection).toBeVisible();
    expect(await page.evaluate(() => localStorage.getItem('last-person'))).toBeNull();
    await context.setOffline(false);
    await page.waitForURL('**/login');
    await page.goto('/reporting');
    await page.waitForURL('**/login');
    await signIn(page, person.username);
    await page.waitForURL('**/reporting');
  });

  test('the app does not open offline for a user whose session would have ended', { tag: '@once' }, async ({
    page,
    context,
    signInAs,
  }) => {
    await signInAs(page, 'None');
    await openReporting(page);
    await goOffline(page, context);
    await page.clock.setFixedTime(Date.now() + 13 * 60 * 60_000);
    await page.goto('/reporting');
    await expect(page.getByRole('heading', { name: 'There is no connection' })).toBeVisible();
  });
});

test.describe('with navigator.onLine stuck at false', () => {
  test.beforeEach(({ context }) => context.addInitScript(overrideOnLine, false));

  test('every URL opens offline, and loads its data once the server can be reached again', {
    tag: '@once',
  }, async ({ page, context, signInAs }) => {
    await signInAs(page, 'Admin');
    await openReporting(page);
    await waitForReviewerScreens(page);
    await goOffline(page, context);
    for (const [path, title] of [
      ['/accidentreporting', 'Accident Reporting Form'],
      ['/incidentreporting', 'Incident Reporting Form'],
      ['/reporting?tab=incident', 'Reporting'],
      ['/get-reports', 'Reports'],
      ['/overview', 'Overview'],
      ['/admin', 'Admin Panel'],
      ['/admin/activity', 'Activity'],
      ['/admin/deleted', 'Deleted'],
      ['/checklists', 'Checklists'],
      ['/audits', 'Audit Folders'],
    ] as const) {
      await page.goto(path);
      await expect(page.getByRole('heading', { name: title }).first(), path).toBeVisible();
      await expect(offlineNotice(page)).toBeVisible();
    }
    await page.goto('/no/such/page');
    await expect(page.getByText('404 - Page Not Found')).toBeVisible();

    await page.goto('/admin/activity');
    const errorNotice = page.getByRole('alert').filter({ has: page.getByRole('button', { name: 'Try Again' }) });
    await expect(errorNotice).toContainText('this is not kept on this device');
    await expectAccessiblePage(page);
    await context.setOffline(false);
    // The error disappears soon, without waiting for the next check of the session.
    await expect(errorNotice).toBeHidden({ timeout: 10_000 });
    await expect(page.getByRole('main').getByRole('listitem').first()).toBeVisible();
  });

  test('a user whose session ended while they were offline signs in again in a dialog and loses no input', {
    tag: '@once',
  }, async ({ page, context, signInAs }) => {
    const person = await signInAs(page, 'None');
    await openReporting(page);
    await goOffline(page, context);
    await page.goto('/reporting');
    await field(page, 'Details').fill('Typed without a signal');
    await context.clearCookies();
    await context.setOffline(false);
    const dialog = page.getByRole('dialog', { name: 'Please sign in again' });
    await expect(dialog).toBeVisible();
    expect(await page.evaluate(() => localStorage.getItem('last-person'))).toBeNull();
    await signIn(page, person.username);
    await expect(dialog).toBeHidden();
    await expect(field(page, 'Details')).toHaveValue('Typed without a signal');
  });
});

test('API requests and uploads are never cached', { tag: '@once' }, async ({ page, context, server, signInAs }) => {
  await signInAs(page, 'Admin');
  await openReporting(page);
  await waitForCachedScreens(page);
  for (const path of ['/get-reports', '/admin', '/audits', '/checklists']) {
    await page.goto(path);
    await page.waitForLoadState('networkidle');
  }
  const cachedPaths = await page.evaluate(async () => {
    const found: string[] = [];
    for (const name of await caches.keys())
      for (const { url } of await (await caches.open(name)).keys()) found.push(new URL(url).pathname);
    return found;
  });
  expect(cachedPaths).toContain('/index.html');
  expect(cachedPaths.filter((path) => !/^\/(?:assets\/(?!heic)|index\.html$|operator-logo$)/.test(path))).toEqual([]);

  await context.setOffline(true);
  for (const path of ['/api/get-reports', '/api/report-pdf/x', '/uploads/x', '/healthz', '/metrics', '/logo.svg'])
    await expect(page.goto(new URL(path, server.url).href), path).rejects.toThrow(/ERR_INTERNET_DISCONNECTED/);
});
