// A guest scans the label of a place and writes, on a page without the app.
import { type BrowserContext, devices, type Page } from '@playwright/test';
import { api } from '#shared/api.ts';
import { hurtTexts, kindTexts, pageTexts } from '#shared/places/guest-texts.ts';
import { addLabel } from '../src/server/testing/guests.ts';
import { readCodes } from '../src/server/testing/read-labels.ts';
import { copied, pasteImage, photo } from './interactions.ts';
import { expectAccessiblePage } from './page-checks.ts';
import { expect, signIn, test } from './server.ts';

/** The pages for guests have an address of their own. */
test.use({ allowedConsoleErrors: /^asked http:\/\/127\.0\.0\.1:\d+\/h\/|status of (?:400|401|404)/ });

const park = 'Kingsley';
const phone = { width: 390, height: 844 };
const choose = (page: Page, name: string) => page.locator('.choice', { hasText: name }).click();
const isUrlOfReceipt = /\/h\/r\/[0-9A-Z]{16}\?lang=/;

test('a guest scans a printed label, writes in Welsh with a photo, and reads the closing sentence', {
  tag: '@once',
}, async ({ page, context, server }) => {
  const admin = await server.as('Admin');
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  // Chromium shares nothing here, so that it is seen what would be.
  await page.addInitScript(() =>
    Object.defineProperty(navigator, 'share', {
      value: async (data: object) => Object.assign(window, { shared: data }),
    }),
  );
  await addLabel(server, park, 'Pwll nofio');
  await admin(api.saveParkSettings, { body: { park, guestTelephone: '01745 123456', gasTelephone: '0800 111 999' } });
  const [address = ''] = await readCodes(await admin(api.getLabels, { query: { park, size: '8' } }), '8');
  await page.setViewportSize(phone);
  await page.goto(address);
  await page.getByLabel(pageTexts.words.en).fill('Mae’r ysgol wrth y pwll yn rhydd.');
  await page.getByRole('button', { name: 'Cymraeg' }).click();
  await expect(page.getByText('Oes rhywun wedi cael niwed?').first()).toBeVisible();
  await expectAccessiblePage(page);
  await page.setViewportSize({ width: 320, height: 640 });
  await expectAccessiblePage(page);
  const numbers = page.getByRole('status');
  await expect(numbers).toBeHidden();
  await choose(page, kindTexts.Fire.cy);
  await expect(numbers).toContainText('0800 111 999');
  await choose(page, kindTexts.Other.cy);
  await expect(numbers).toBeHidden();
  await choose(page, hurtTexts.hurt.cy);
  await expect(numbers).toBeVisible();
  await expect(page.getByLabel(pageTexts.words.cy)).toHaveValue('Mae’r ysgol wrth y pwll yn rhydd.');
  await page.getByText('Nid ydym yn gofyn pwy ydych chi.').click();
  await page.getByLabel(pageTexts.contact.cy).fill('mair@example.com');
  await page.getByLabel(pageTexts.photo.cy).setInputFiles(photo('phone-jolla.jpg'));
  await expectAccessiblePage(page);
  await page.getByRole('button', { name: pageTexts.send.cy }).click();
  await expect(page).toHaveURL(isUrlOfReceipt);
  await expect(page.getByText(/^Daeth i law ar/)).toBeVisible();
  await expect(page.getByRole('heading', { name: pageTexts.thanks.cy })).toBeVisible();
  await expect(page.getByText('Mae’r ysgol wrth y pwll yn rhydd.')).toBeVisible();
  await expect(page.getByText(pageTexts.withPhoto.cy)).toBeVisible();
  await expect(page.getByRole('link', { name: '01745 123456' }).first()).toBeVisible();
  await expect(page.getByText('mair@example.com')).toHaveCount(0);
  await expect(page.locator('img')).toHaveCount(0);
  const kept = (await page.getByRole('link', { name: /\/h\/r\// }).getAttribute('href')) ?? '';
  await page.getByRole('button', { name: pageTexts.copy.cy }).click();
  await expect(page.getByRole('status')).toHaveText(pageTexts.copied.cy);
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(kept);
  await page.getByRole('button', { name: pageTexts.share.cy }).click();
  await expect
    .poll(() => page.evaluate(() => (window as never as { shared: object }).shared))
    .toEqual({ title: pageTexts.yours.cy, url: kept });
  await expectAccessiblePage(page);
  const [message] = await server.db.selectFrom('guest_messages').selectAll().where('park', '=', park).execute();
  expect(message).toMatchObject({
    kind: 'Other',
    words: 'Mae’r ysgol wrth y pwll yn rhydd.',
    hurt: 'hurt',
    language: 'cy',
  });
  const [file] = JSON.parse(message?.media_files ?? '[]');
  expect(file.size).toBeLessThan(400_000);
  const at = new Date().toISOString();
  // Half an hour later the receipt has the state only.
  const created_at = new Date(Date.now() - 31 * 60 * 1000).toISOString();
  const closed = { created_at, read_at: at, closed_at: at, answer: 'Diolch. Mae’r ysgol yn sownd eto.' };
  await server.db.updateTable('guest_messages').set(closed).where('park', '=', park).execute();
  await page.reload();
  await expect(page.getByText('Diolch. Mae’r ysgol yn sownd eto.')).toBeVisible();
  await expect(page.getByText('Mae’r ysgol wrth y pwll yn rhydd.')).toHaveCount(0);
  await expect(page.getByRole('button')).toHaveCount(0);
  expect(await page.context().cookies()).toEqual([]);
  expect(await page.evaluate(() => Object.keys(localStorage).length + Object.keys(sessionStorage).length)).toBe(0);
});

test("a guest's photo that was cut off is marked, and a pasted image is a photo", { tag: '@once' }, async ({
  page,
  server,
}) => {
  const label = await addLabel(server, 'Lido Beach', 'Fence');
  const send = async (addPhoto: () => Promise<void>) => {
    await page.goto(`${server.guestUrl}/h/${label}`);
    await choose(page, 'Fire');
    await addPhoto();
    await page.getByRole('button', { name: pageTexts.send.en }).click();
    await expect(page).toHaveURL(isUrlOfReceipt);
  };
  const choosePhoto = (path: string) => page.getByLabel(pageTexts.photo.en).setInputFiles(path);
  await send(() => choosePhoto(copied('cut-off-at-70-percent.jpg')));
  await send(() => choosePhoto(copied('photo-without-extension')));
  await send(() => pasteImage(page.getByLabel(pageTexts.words.en)));
  const messages = await server.db
    .selectFrom('guest_messages')
    .select('media_files')
    .where('park', '=', 'Lido Beach')
    .orderBy('created_at')
    .execute();
  const photos = messages.map(({ media_files }) => JSON.parse(media_files)[0]);
  expect(photos.map(({ cutOff, type }) => [cutOff, type])).toEqual([
    [true, 'image/jpeg'],
    [undefined, 'image/jpeg'],
    [undefined, 'image/jpeg'],
  ]);
});

test('a guest who taps twice, reloads or goes back sends one message', { tag: '@once' }, async ({ page, server }) => {
  const label = await addLabel(server, 'Oakfield', 'Lake');
  await page.goto(`${server.guestUrl}/h/${label}`);
  await choose(page, 'Fire');
  await page.getByLabel(pageTexts.words.en).fill('Smoke behind the hut');
  const send = page.getByRole('button', { name: pageTexts.send.en });
  await send.dblclick();
  await expect(page).toHaveURL(isUrlOfReceipt);
  const receipt = page.url();
  await page.reload();
  await page.goBack();
  await expect(page.getByLabel(pageTexts.words.en)).toHaveValue('Smoke behind the hut');
  await send.click();
  await expect(page).toHaveURL(receipt);
  const query = server.db.selectFrom('guest_messages').select('words').where('park', '=', 'Oakfield');
  expect(await query.execute()).toHaveLength(1);
});

test('the form for guests works without scripts, and says what is missing', { tag: '@once' }, async ({
  browser,
  server,
}) => {
  const label = await addLabel(server, 'Mounds', 'Bar');
  const context: BrowserContext = await browser.newContext({ ...devices['iPhone SE'], javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${server.guestUrl}/h/${label}`);
  await page.getByRole('button', { name: 'Send' }).click();
  await expect(page.getByRole('alert')).toHaveText(pageTexts.nothing.en);
  await choose(page, 'Electrical');
  await expect(page.getByRole('status')).toBeVisible();
  await page.getByText(pageTexts.anonymous.en).click();
  await page.getByLabel(pageTexts.name.en).fill('Mair');
  await page.getByRole('button', { name: 'Cymraeg' }).click();
  await expect(page.getByRole('radio', { name: kindTexts.Electrical.cy })).toBeChecked();
  await expect(page.getByLabel(pageTexts.name.cy)).toHaveValue('Mair');
  await page.getByRole('button', { name: 'English' }).click();
  await page.getByLabel(pageTexts.photo.en).setInputFiles(photo('phone-jolla.jpg'));
  // Enter sends, although another button comes first.
  await page.getByLabel(pageTexts.name.en).press('Enter');
  await expect(page).toHaveURL(isUrlOfReceipt);
  await expect(page.getByText(pageTexts.withPhoto.en)).toBeVisible();
  await expect(page.getByRole('button')).toHaveCount(0);
  await page.goBack();
  await page.getByRole('button', { name: 'Send' }).click();
  await expect(page).toHaveURL(isUrlOfReceipt);
  await page.reload();
  const messages = await server.db.selectFrom('guest_messages').selectAll().where('park', '=', 'Mounds').execute();
  expect(messages.map(({ kind, media_files }) => [kind, JSON.parse(media_files).length])).toEqual([['Electrical', 1]]);
  await context.close();
});

test('a message whose label was replaced can still be read and copied in both languages', { tag: '@once' }, async ({
  page,
  server,
}) => {
  const label = await addLabel(server, 'Robin Hood', 'Jetty');
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto(`${server.guestUrl}/h/${label}`);
  await page.getByLabel(pageTexts.words.en).fill('The rail is loose');
  await server.db.updateTable('places').set({ label: null }).where('label', '=', label).execute();
  await page.getByRole('button', { name: pageTexts.send.en }).click();
  await expect(page.getByText(pageTexts.newLabel.en)).toBeVisible();
  await expect(page.getByLabel(pageTexts.words.en)).toHaveValue('The rail is loose');
  await expectAccessiblePage(page);
  await page.getByRole('button', { name: 'Cymraeg' }).click();
  await expect(page.getByText(pageTexts.newLabel.cy)).toBeVisible();
  await expect(page.getByLabel(pageTexts.words.cy)).toHaveValue('The rail is loose');
});

test('from the scan to the receipt with a photo of 8 megapixels takes less than 30 s at 40 kB/s on a slow phone', {
  tag: '@once',
}, async ({ page, server }) => {
  const label = await addLabel(server, 'Winkups', 'Gate');
  await page.setViewportSize(phone);
  const session = await page.context().newCDPSession(page);
  const bytesPerSecond = 40_000;
  await session.send('Network.emulateNetworkConditions', {
    ...{ offline: false, latency: 300, downloadThroughput: bytesPerSecond, uploadThroughput: bytesPerSecond },
  });
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  const started = performance.now();
  await page.goto(`${server.guestUrl}/h/${label}`);
  await choose(page, 'Broken or loose');
  await page.getByLabel(pageTexts.photo.en).setInputFiles(photo('phone-jolla.jpg'));
  await page.getByRole('button', { name: 'Send' }).click();
  await expect(page).toHaveURL(isUrlOfReceipt, { timeout: 30_000 });
  expect(performance.now() - started).toBeLessThan(30_000);
  await expect(page.getByText(pageTexts.withoutPhoto.en)).toHaveCount(0);
});

test('staff who follow the link of a label sign in and get to the page of its place', { tag: '@once' }, async ({
  page,
  server,
}) => {
  const label = await addLabel(server, 'Lido Beach', 'Splash pool');
  const { username } = await server.as('None', 'Lido Beach');
  await page.goto(`${server.url}/places/${label}`);
  await signIn(page, username);
  await expect(page.getByRole('heading', { name: 'Splash pool' })).toBeVisible();
  await page.getByRole('link', { name: 'Report a Hazard' }).click();
  await expect(page.getByLabel('Where is it?')).toHaveValue('Splash pool');
});
