// A real browser and server whose connection fails in every way, and which are both killed. For
// longer runs: `npm run crash -- --outbox`.
import { expect, test } from '@playwright/test';
import { type OutboxRig, startOutboxRig } from './faults/outbox-rig.ts';
import { runEveryFailure, runKillRounds, runSchedule, sampleSchedules } from './faults/outbox-rounds.ts';
import { savedText } from './outbox.ts';
import { fillInReport, submit } from './report-form.ts';

test.describe.configure({ timeout: 180_000, mode: 'serial' });

let rig: OutboxRig;
test.beforeAll(async () => {
  rig = await startOutboxRig({ hangMs: 1500 });
  await rig.fillInTemplate();
});
test.afterAll(() => rig?.stop());

test('three reports and a checklist submitted offline arrive after the browser was killed and the app is opened again', {
  tag: '@once',
}, async () => {
  await rig.insertChecklist('Pool round');
  const hourMs = 60 * 60_000;
  const page = await rig.open('/checklists');
  await page.setViewportSize({ width: 360, height: 740 });
  await page.getByRole('button', { name: /Pool round/ }).waitFor();
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  rig.proxy.setOffline(true);
  await page.getByRole('button', { name: /Pool round/ }).click();
  await page.getByLabel('Chlorine').fill('1.4');
  await page.getByRole('button', { name: 'Submit Checklist' }).click();
  await expect(page.getByText('Saved on this device.').first()).toBeVisible();
  // The service worker opens the app from its cache.
  await page.goto(rig.url('/reporting'));
  for (const person of ['Phone One', 'Phone Two', 'Phone Three']) {
    await fillInReport(page, { person });
    await submit(page).click();
    await expect(page.getByText(savedText)).toBeVisible();
  }
  await expect(page.getByRole('link', { name: 'Waiting to send: 4' })).toBeVisible();

  await rig.killBrowser();
  rig.proxy.setOffline(false);
  const later = await rig.open('/', hourMs);
  await expect.poll(() => rig.countReports('Phone %'), { timeout: 60_000 }).toBe(3);
  await expect(later.getByRole('link', { name: /^(Waiting|Sending)/ })).toBeHidden();
  await later.goto(rig.url('/outbox'));
  const receipts = later.getByRole('listitem').filter({ hasText: 'Sent' });
  await expect(receipts.filter({ hasText: /^ACC-\d{4}-\d{4}, Accident report/ })).toHaveCount(3);
  await expect(receipts.filter({ hasText: /^CHK-\d{4}-\d{4}, Checklist/ })).toHaveCount(1);
  await later.close();
});

test('every report arrives exactly once and complete although each of its requests fails in different ways', {
  tag: '@once',
}, async () => {
  expect(await runEveryFailure(rig, { isShort: true })).toEqual([]);
});

test('every report arrives exactly once and complete although browser and server are killed', {
  tag: '@once',
}, async () => {
  expect(await runKillRounds(rig, 2)).toEqual([]);
  const [schedule] = sampleSchedules(1, Date.now());
  if (schedule) expect(await runSchedule(rig, schedule, 'Schedule'), JSON.stringify(schedule)).toEqual([]);
});

test('reports arrive although the browser has deleted its database', { tag: '@once' }, async () => {
  const page = await rig.open('/reporting');
  await fillInReport(page, { person: 'Before' });
  rig.proxy.setOffline(true);
  await submit(page).click();
  await expect(page.getByText(savedText)).toBeVisible();
  const countBackups = async () => (await (await caches.open('outbox-backups')).keys()).length;
  await expect.poll(() => page.evaluate(countBackups)).toBe(1);
  await page.close();
  await rig.killBrowserWhileItWrites();
  rig.proxy.setOffline(false);
  const copies = await rig.insertCopies(['After']);
  await rig.killBrowser();
  await rig.open('/');
  await expect.poll(() => rig.countReports('Before'), { timeout: 60_000 }).toBe(1);
  expect(rig.getBrowserLog()).toContain('recovering from a corrupted (and deleted) database');
  await rig.waitUntilSent();
  expect(await rig.findProblems(copies)).toEqual([]);
});

test('Background Sync sends waiting items with all tabs closed', { tag: '@once' }, async () => {
  const page = await rig.open('/outbox');
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  const session = await rig.context.newCDPSession(page);
  const registrationDone = new Promise<string>((resolve) => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [registration] = registrations;
      if (registration) resolve(registration.registrationId);
    });
  });
  await session.send('ServiceWorker.enable');
  const registrationId = await registrationDone;
  const copies = await rig.insertCopies(['Background']);
  // The app's last tab is closed; this page only triggers the event.
  await page.goto('about:blank');
  expect(await rig.countReports('Background')).toBe(0);
  const event = { origin: rig.url(''), registrationId, tag: 'outbox', lastChance: false };
  await session.send('ServiceWorker.dispatchSyncEvent', event);
  await expect.poll(() => rig.countReports('Background')).toBe(1);
  expect(await rig.findProblems(copies)).toEqual([]);
});
