// Installing the app, updating it, and repairing it.
import type { Request } from '@playwright/test';
import { goOffline, newerVersionMark, test, waitForCachedScreens } from './installed-app.ts';
import { field } from './report-form.ts';
import { expect, expectAccessiblePage, openReporting } from './server.ts';

test.use({ serviceWorkers: 'allow', allowedConsoleErrors: /Failed to load resource|status of 401/ });

test('the screens are cached in the end if the connection breaks while they are being cached', {
  tag: '@once',
}, async ({ page, context, signInAs }) => {
  const isFromWorker = (request: Request) => request.serviceWorker() !== null;
  await context.route('**/assets/*.js', (route) =>
    isFromWorker(route.request()) ? route.abort('connectionreset') : route.continue(),
  );
  await page.clock.install();
  await signInAs(page, 'None');
  const failedRequest = context.waitForEvent('requestfailed', isFromWorker);
  await openReporting(page);
  await page.clock.runFor(2500);
  await failedRequest;
  const countRegistrations = async () => (await navigator.serviceWorker.getRegistrations()).length;
  await expect.poll(() => page.evaluate(countRegistrations)).toBe(0);
  await context.unrouteAll();
  const isInstalled = async () => Boolean((await navigator.serviceWorker.getRegistration())?.active);
  await expect
    .poll(async () => {
      await page.clock.runFor(15_000);
      return page.evaluate(isInstalled);
    })
    .toBe(true);
  await goOffline(page, context);
  await page.reload();
  await expect(field(page, 'Details')).toBeVisible();
});

test('requests for data do not pass through the service worker, which could delay a new version', {
  tag: '@once',
}, async ({ page, context, signInAs }) => {
  await signInAs(page, 'None');
  await openReporting(page);
  await waitForCachedScreens(page);
  const [worker] = context.serviceWorkers();
  // Requests that the worker's own listener did not answer.
  const paths = await worker?.evaluateHandle(() => {
    const received: string[] = [];
    addEventListener('fetch', (event) =>
      received.push(new URL((event as Event & { request: { url: string } }).request.url).pathname),
    );
    return received;
  });
  const dataArrived = page.waitForResponse('**/api/notifications/count');
  await page.reload();
  await dataArrived;
  await page.evaluate(() => fetch('/healthz'));
  expect(await paths?.jsonValue()).toEqual(['/healthz']);
});

test('a new version of the app is offered, can be dismissed and is installed on request', { tag: '@once' }, async ({
  page,
  context,
  server,
  signInAs,
}) => {
  await signInAs(page, 'None');
  await openReporting(page);
  await waitForCachedScreens(page);
  const other = await context.newPage();
  await other.goto('/incidentreporting');
  await expect(other.getByRole('heading', { name: 'Incident Reporting Form' })).toBeVisible();

  let pageLoads = 0;
  page.on('load', () => (pageLoads += 1));
  other.on('load', () => (pageLoads += 1));
  await server.upgrade();
  await field(page, 'Details').fill('Half a sentence');
  await page.evaluate(async () => (await navigator.serviceWorker.ready).update());
  const offer = page.getByText('A new version is ready.');
  await expect(offer).toBeVisible();
  await expectAccessiblePage(page);
  // The end of the page has room for it.
  const size = page.viewportSize() ?? { width: 360, height: 740 };
  for (const width of [360, 1440]) {
    await page.setViewportSize({ width, height: 740 });
    const endsAbove = () =>
      page.evaluate(() => {
        scrollTo(0, document.documentElement.scrollHeight);
        const getBox = (selector: string) => document.querySelector(selector)?.getBoundingClientRect();
        return (
          (getBox('main form button[type="submit"]')?.bottom ?? NaN) <=
          (getBox('[aria-label="New version"]')?.top ?? NaN)
        );
      });
    await expect.poll(endsAbove).toBe(true);
  }
  await page.setViewportSize(size);
  await page.getByRole('button', { name: 'Not Now' }).click();
  await expect(offer).toBeHidden();
  // If the offer is dismissed, the current version still works after a reload.
  await page.reload();
  await expect(offer).toBeVisible();
  expect(await page.content()).not.toContain(newerVersionMark);
  await expect(field(page, 'Details')).toHaveValue('Half a sentence');
  expect(pageLoads).toBe(1);

  const pageLoaded = page.waitForEvent('load');
  await page.getByRole('button', { name: 'Update Now' }).click();
  await pageLoaded;
  expect(await page.content()).toContain(newerVersionMark);
  await expect(field(page, 'Details')).toHaveValue('Half a sentence');
  await expect(offer).toBeHidden();
  // The other tab shows a notice and does not reload.
  await expect(other.getByText('A new version is ready.')).toBeVisible();
  expect(pageLoads).toBe(2);
  // A user who is asked whether to leave, and stays, can update later.
  await other.evaluate(() => window.addEventListener('beforeunload', (event) => event.preventDefault()));
  const update = other.getByRole('button', { name: 'Update Now' });
  const question = other.waitForEvent('dialog');
  const clicked = update.click();
  await (await question).dismiss();
  await clicked;
  await expect(update).toBeEnabled();
  await expect(update).not.toHaveAttribute('data-loading');
  other.once('dialog', (dialog) => void dialog.accept());
  const otherPageLoaded = other.waitForEvent('load');
  await other.getByRole('button', { name: 'Update Now' }).click();
  await otherPageLoaded;
  expect(await other.content()).toContain(newerVersionMark);
});

test.describe('recovery from broken cached screens', () => {
  test.use({ allowedConsoleErrors: /status of 401|broken on this device|Failed to load resource/ });

  test('broken screens in the cache are fetched again when the user reloads the page', { tag: '@once' }, async ({
    page,
    signInAs,
  }) => {
    await signInAs(page, 'None');
    await openReporting(page);
    await waitForCachedScreens(page);
    await page.evaluate(async () => {
      for (const name of await caches.keys()) {
        const cache = await caches.open(name);
        for (const request of await cache.keys())
          if (request.url.includes('/assets/ReportingPage-'))
            await cache.put(
              request,
              new Response('throw new Error("broken on this device")', {
                headers: { 'content-type': 'text/javascript' },
              }),
            );
      }
    });
    await page.reload();
    await expect(page.getByRole('heading', { name: 'Something went wrong' })).toBeVisible();
    await page.getByRole('button', { name: 'Reload the Page' }).click();
    await expect(page.getByRole('heading', { name: 'Accident Reporting Form' })).toBeVisible();
    await waitForCachedScreens(page);
  });

  test('a server with offline use switched off removes the cached screens from devices', { tag: '@once' }, async ({
    page,
    context,
    server,
    signInAs,
  }) => {
    await signInAs(page, 'None');
    await openReporting(page);
    await waitForCachedScreens(page);
    await page.evaluate(async () => (await caches.open('outbox-backups')).put('/a-backup', new Response('kept')));
    // The offer appears although no file can be loaded any more.
    await page.evaluate(async () => {
      for (const name of await caches.keys()) {
        const cache = await caches.open(name);
        for (const request of await cache.keys()) if (request.url.includes('/assets/')) await cache.delete(request);
      }
    });
    await context.route('**/assets/*.js', (route) => route.abort());
    server.config.isOfflineEnabled = false;
    await server.restart();
    await page.evaluate(async () => (await navigator.serviceWorker.ready).update());
    await expect(page.getByText('A new version is ready.')).toBeVisible();
    await context.unrouteAll();
    await page.getByRole('button', { name: 'Update Now' }).click();
    // Waiting items keep their backups.
    const listCaches = async () => (await caches.keys()).filter((name) => name !== 'outbox-backups');
    await expect.poll(() => page.evaluate(listCaches).catch(String)).toEqual([]);
    await page.reload();
    await expect(page.getByRole('heading', { name: 'Accident Reporting Form' })).toBeVisible();
    expect(await page.evaluate(listCaches)).toEqual([]);
    expect(await page.evaluate(async () => (await caches.match('/a-backup'))?.text())).toBe('kept');
    server.config.isOfflineEnabled = true;
    await server.restart();
  });
});
