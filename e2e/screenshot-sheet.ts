// Makes one contact sheet of ten screens with different amounts of data, in all sizes and colour schemes:
// npm run screenshots -- --sheet. Each screenshot is also stored alone beside it.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium } from '@playwright/test';
import { api } from '#shared/api.ts';
import { defaultParks as parks } from '#shared/choices.ts';
import { seedDemoData } from '../src/server/demo/demo.ts';
import { newAudit, newFolder, newReport } from '../src/server/testing/factories.ts';
import { seedReports } from '../src/server/testing/seed-reports.ts';
import { startTestServer, type TestClient, type TestServer } from '../src/server/testing/server.ts';
import { section } from './checklists.ts';

const folder = join(import.meta.dirname, '../test-results/sheet');
const longName = 'Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch';

/** Those of a phone first, as they are taken. */
const views = [
  { name: '320 light', width: 320, height: 640, colorScheme: 'light' },
  { name: '320 dark', width: 320, height: 640, colorScheme: 'dark' },
  { name: '390 light', width: 390, height: 780, colorScheme: 'light' },
  { name: '390 dark', width: 390, height: 780, colorScheme: 'dark' },
  { name: '320 text 200 %', width: 320, height: 640, colorScheme: 'light', hasLargeText: true },
  { name: '390 text 200 %', width: 390, height: 780, colorScheme: 'light', hasLargeText: true },
  { name: '1360 light', width: 1360, height: 850, colorScheme: 'light' },
  { name: '1360 dark', width: 1360, height: 850, colorScheme: 'dark' },
  { name: '1360 text 200 %', width: 1360, height: 850, colorScheme: 'light', hasLargeText: true },
] as const;

/** How each amount of data is made. The person who looks is an Admin of all parks. */
const states: Record<string, (server: TestServer, admin: TestClient) => Promise<unknown>> = {
  none: async () => {},
  one: (_, admin) => addRecords(admin, { name: 'Siân Hughes', title: 'Pool area', count: 1 }),
  typical: async () => {},
  many: async (server, admin) => {
    await seedReports(server.db, 2000, admin);
    await addRecords(admin, { name: `${longName} ap Gruffudd`, title: `${longName} play area`, count: 40 });
  },
};

async function addRecords(admin: TestClient, { name, title, count }: { name: string; title: string; count: number }) {
  await admin(api.submitAccident, { body: await newReport(admin, { name, location: title }) });
  for (const [index, park] of parks.slice(0, count).entries()) {
    const auditFolder = await newFolder(admin, { name: title, park });
    await admin(api.createAudit, { body: newAudit(auditFolder, { title: `${title} ${index + 1}`, assignee: name }) });
  }
  for (let index = 0; index < count; index++)
    await admin(api.createChecklist, { body: { title: `${title} ${index + 1}`, sections: [section('Clean')] } });
}

/** The ten screens, by name. A screen of a record is left out while there is none. */
async function listScreens(admin: TestClient): Promise<[string, string | undefined][]> {
  const [report] = await admin(api.listReports, { query: { limit: 1 } });
  const [audit] = await admin(api.listOpenAudits, { query: { limit: 1 } });
  return [
    ['Reporting', '/reporting'],
    ['Checklists', '/checklists'],
    ['Audits', '/audits'],
    ['Audit', audit && `/audit/${audit.id}`],
    ['Reports', '/get-reports'],
    ['List View', '/get-reports?view=list'],
    ['Report Details', report && `/get-reports?report=${report.id}`],
    ['Overview', '/overview'],
    ['Users', '/admin?tab=users'],
    ['Records', '/admin/records'],
  ];
}

const launch = (...args: string[]) =>
  chromium.launch({
    executablePath: process.env.CHROMIUM_PATH,
    args: [...args, ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
  });
const browser = await launch();
/** With the text size of Chromium's settings, which also decides from which width on the layout is that of a phone. */
const largeTextBrowser = await launch('--blink-settings=defaultFontSize=32');
const tables: string[] = [];
for (const [state, fill] of Object.entries(states)) {
  const server = await startTestServer('sqlite', { RATE_SCALE: '100' }, Date.now, undefined, async (config) => {
    if (state === 'typical') await seedDemoData(config, new Date(), 60);
  });
  const admin = await server.as('Admin');
  await fill(server, admin);
  const rows: string[] = [];
  for (const [screen, path] of await listScreens(admin)) {
    const files = path === undefined ? [] : await takeScreenshots(server, admin, path, `${state} ${screen}`);
    const cells = files.map((file) => `<td><img src="${pathToFileURL(file)}"></td>`);
    rows.push(`<tr><th>${screen}</th>${cells.join('')}</tr>`);
  }
  const heads = views.map(({ name }) => `<th>${name}</th>`).join('');
  tables.push(`<h1>${state}</h1><table><tr><th></th>${heads}</tr>${rows.join('')}</table>`);
  await server.stop();
  process.stdout.write(`${state}: done\n`);
}
await writeSheet(browser, tables.join(''));
await browser.close();
await largeTextBrowser.close();

/** Takes a screenshot for each view, and returns their files. */
async function takeScreenshots(server: TestServer, admin: TestClient, path: string, name: string) {
  await mkdir(folder, { recursive: true });
  const takeForDevice = async (isPhone: boolean, hasLargeText: boolean) => {
    const files: string[] = [];
    const context = await (hasLargeText ? largeTextBrowser : browser).newContext({
      baseURL: server.url,
      locale: 'en-GB',
      timezoneId: 'Europe/London',
      reducedMotion: 'reduce',
      ...(isPhone && { hasTouch: true, isMobile: true }),
    });
    const [cookieName = '', value = ''] = admin.cookie.split('=');
    await context.addCookies([{ name: cookieName, value, url: server.url, httpOnly: true, sameSite: 'Strict' }]);
    const page = await context.newPage();
    for (const view of views) {
      if (view.width < 1000 !== isPhone || 'hasLargeText' in view !== hasLargeText) continue;
      await page.emulateMedia({ colorScheme: view.colorScheme });
      // Screens choose their layout when they open.
      if (page.viewportSize()?.width !== view.width) {
        await page.setViewportSize(view);
        await page.goto(path);
        await page.getByRole('banner').waitFor();
        await page.waitForLoadState('networkidle');
        await page.getByRole('main').getByRole('heading').first().waitFor();
        const loading = page.getByRole('status').filter({ hasText: /\.\.\.$/ });
        await loading.first().waitFor({ state: 'hidden' });
      }
      const isWider = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
      if (isWider) process.stdout.write(`${name} ${view.name} is wider than the screen\n`);
      const file = join(folder, `${name} ${view.name}.png`.replaceAll(' ', '-').replace('%', 'percent'));
      await page.screenshot({ path: file });
      files.push(file);
    }
    await context.close();
    return files;
  };
  const devices = [true, false].flatMap((isPhone) => [takeForDevice(isPhone, false), takeForDevice(isPhone, true)]);
  return (await Promise.all(devices)).flat();
}

async function writeSheet(browser: Browser, tables: string) {
  const style = 'body{font:14px sans-serif} td{vertical-align:top} img{height:240px;border:1px solid #888}';
  const source = join(folder, 'sheet.html');
  await writeFile(source, `<!doctype html><meta charset="utf-8"><style>${style}</style>${tables}`);
  const page = await browser.newPage({ viewport: { width: 2100, height: 1000 } });
  await page.goto(String(pathToFileURL(source)));
  const sheet = join(folder, 'sheet.png');
  await page.screenshot({ path: sheet, fullPage: true, timeout: 0 });
  process.stdout.write(`${sheet}\n`);
}
