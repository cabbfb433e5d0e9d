// npm run screenshots     creates the README's screenshots from the running product with demo data.
// npm run screenshots -- --sheet     makes one contact sheet of ten screens: screenshot-sheet.ts.
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from '@playwright/test';
import { api } from '#shared/api.ts';
import { endpointUrl } from '#shared/client.ts';
import { parseConfig } from '../src/server/config.ts';
import { demoPassword, seedDemoData } from '../src/server/demo/demo.ts';
import { start } from '../src/server/start.ts';
import { findFreePort } from '../src/server/testing/free-port.ts';
import { readCodes } from '../src/server/testing/read-labels.ts';

if (process.argv.includes('--sheet')) {
  await import('./screenshot-sheet.ts');
  process.exit();
}

const pictures = join(import.meta.dirname, '../docs/pictures');
const sizes = { phone: { width: 390, height: 780 }, desktop: { width: 1280, height: 800 } };

const dataDir = await mkdtemp(join(tmpdir(), 'pictures-'));
const guestPort = await findFreePort();
const config = parseConfig({
  DATA_DIR: dataDir,
  PORT: '0',
  HOST: '127.0.0.1',
  LOG_LEVEL: 'silent',
  ADMIN_PASSWORD: demoPassword,
  ...{ GUEST_REPORTS: '1', GUEST_PORT: `${guestPort}`, GUEST_URL: 'https://safe.example.com' },
});
await seedDemoData(config, new Date());
const { address, stop } = await start(config);
await mkdir(pictures, { recursive: true });
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH,
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
});

const phonePage = await openSignedInPage(browser, 'sian', 'phone');
await takeScreenshot(phonePage, '/reporting', 'reporting');
await takeScreenshot(phonePage, '/checklists', 'checklists');
await takeScreenshot(phonePage, '/audits', 'audits');
const desktopPage = await openSignedInPage(browser, 'carys', 'desktop');
await takeScreenshot(desktopPage, '/get-reports', 'reports');
await desktopPage.getByRole('button', { name: 'List View' }).click();
await desktopPage
  .getByRole('region', { name: 'Accident Reports' })
  .getByRole('button', { name: /ACC-/ })
  .first()
  .click();
await desktopPage.getByRole('dialog').waitFor();
await takeScreenshot(desktopPage, undefined, 'report');
await takeScreenshot(desktopPage, '/overview', 'overview');
await takeScreenshot(desktopPage, '/admin', 'admin');
const labels = endpointUrl(api.getLabels, { query: { park: 'Lido Beach', size: '8' } });
const sheet = await desktopPage.request.get(new URL(labels, address).href);
execFileSync('pdftoppm', ['-png', '-r', '60', '-singlefile', '-', join(pictures, 'labels')], {
  input: await sheet.body(),
});
const [code] = await readCodes(await sheet.body(), '8');
const guestPage = await browser.newPage({ viewport: sizes.phone, locale: 'en-GB' });
await guestPage.goto(`http://127.0.0.1:${guestPort}${new URL(code ?? '').pathname}`);
await guestPage.screenshot({ path: join(pictures, 'guest.png') });

await browser.close();
await stop();
await rm(dataDir, { recursive: true, force: true });

async function openSignedInPage(browser: Browser, username: string, size: keyof typeof sizes): Promise<Page> {
  const page = await browser.newPage({
    viewport: sizes[size],
    locale: 'en-GB',
    timezoneId: 'Europe/London',
    deviceScaleFactor: size === 'phone' ? 2 : 1,
    baseURL: address,
  });
  await page.goto('/login');
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Password', { exact: true }).fill(demoPassword);
  await page.getByRole('button', { name: 'Login' }).click();
  await page.waitForURL('**/reporting');
  return page;
}

async function takeScreenshot(page: Page, path: string | undefined, name: string): Promise<void> {
  if (path) await page.goto(path);
  await page.waitForLoadState('networkidle');
  await page.screenshot({ path: join(pictures, `${name}.png`) });
}
