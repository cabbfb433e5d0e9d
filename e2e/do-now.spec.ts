// What the user should do now, under the heading of Reporting.
import type { Page } from '@playwright/test';
import { api } from '#shared/api.ts';
import { newAudit, newFolder, newReport } from '../src/server/testing/factories.ts';
import { sendMessage } from '../src/server/testing/messages.ts';
import { expect, expectAccessiblePage, openReporting, test } from './server.ts';

test.use({ allowedConsoleErrors: /status of 503/ });

const line = (page: Page) => page.locator('h1').locator('xpath=following::p[1]');

test('staff see what is due on one line from the first picture on, also offline, and its numbers open the list', {
  tag: '@once',
}, async ({ page, server, signInAs }) => {
  const park = 'Molfre View';
  const admin = await server.as('Admin');
  const staff = await signInAs(page, 'None', park);
  const tabs = page.getByRole('tablist');
  await openReporting(page);
  await expect(tabs).toBeVisible();
  await expect(page.getByText('Due now')).toHaveCount(0);

  const { username } = (await staff(api.getSession)).user;
  const folder = await newFolder(admin, { park });
  await admin(api.createAudit, { body: newAudit(folder, { assignee: username, title: 'Mend the step' }) });
  await page.addInitScript(() => {
    const shifts: number[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.push((entry as PerformanceEntry & { value: number }).value);
    }).observe({ type: 'layout-shift', buffered: true });
  });
  await page.reload();
  await expect(line(page)).toHaveText('Due now: 1 audit');
  expect((await line(page).boundingBox())?.height).toBe(32);
  expect(await page.evaluate(() => (window as unknown as { shifts: number[] }).shifts)).toEqual([]);
  await expectAccessiblePage(page);

  await page.route('**/api/**', (route) => route.fulfill({ status: 503 }));
  await page.reload();
  await expect(line(page)).toHaveText('Due now when last connected: 1 audit');
  await page.unroute('**/api/**');
  await expect(line(page)).toHaveText('Due now: 1 audit', { timeout: 30_000 });
  await line(page).getByRole('link', { name: '1 audit' }).click();
  await expect(page).toHaveURL(/\/audits\?tab=mine$/);
  await expect(page.getByText('Mend the step')).toBeVisible();
});

test('reviewers see new reports and people hurt at their parks, and each number opens exactly those', {
  tag: '@once',
}, async ({ page, server, signInAs }) => {
  const park = 'Marian Resort';
  const staff = await server.as('None', park);
  await staff(api.submitAccident, { body: await newReport(staff, { selectedPlace: park }) });
  await sendMessage(server, { words: 'A loose step' }, { park });
  await sendMessage(server, { words: 'Cut on glass', hurt: 'hurt' }, { park });
  await signInAs(page, 'Health & Safety Manager', park);
  await openReporting(page);
  await expect(line(page)).toHaveText('Needs attention: 1 new report, 1 message: someone was hurt');
  await expectAccessiblePage(page);
  await page.getByRole('link', { name: 'someone was hurt' }).click();
  await expect(page.getByText('Cut on glass')).toBeVisible();
  await expect(page.getByText('A loose step')).toHaveCount(0);
  await expectAccessiblePage(page);
  await page.getByRole('link', { name: 'All Messages' }).click();
  await expect(page.getByText('A loose step')).toBeVisible();
  await openReporting(page);
  await page.getByRole('link', { name: '1 new report' }).click();
  await expect(page).toHaveURL(/unopened=1/);
});
