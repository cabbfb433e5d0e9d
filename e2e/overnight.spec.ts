// Forms that were open overnight.
import type { Page } from '@playwright/test';
import { api } from '#shared/api.ts';
import { newReport } from '../src/server/testing/factories.ts';
import { expect, test } from './server.ts';

const dayIsOld = 'You began this form on that day. Check that it is right.';

/**
 * Returns a function that shows the page again at a time, of the device and of the server. The
 * session does not end.
 */
async function startAt(page: Page, start: string) {
  let time = new Date(start);
  await page.clock.setFixedTime(time);
  await page.route('**/api/**', async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replace(/"expiresAt":"[^"]+"/, '"expiresAt":"2099-01-01T00:00:00.000Z"');
    await route.fulfill({ response, body, headers: { ...response.headers(), date: time.toUTCString() } });
  });
  return async (next: string) => {
    time = new Date(next);
    await page.clock.setFixedTime(time);
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  };
}

// Requests may still be under way when a test ends.
test.afterEach(({ page }) => page.unrouteAll({ behavior: 'ignoreErrors' }));

test('the form of a new access request gets the new date after a night if untouched; with input it keeps its date and says so', {
  tag: '@once',
}, async ({ page, signInAs }) => {
  await signInAs(page, 'Admin');
  const showAt = await startAt(page, '2050-05-03T21:00:00Z');
  await page.goto('/admin/records?tab=access');
  const day = page.getByLabel('Request received on');
  await expect(day).toHaveValue('2050-05-03');
  await showAt('2050-05-04T08:00:00Z');
  await expect(day).toHaveValue('2050-05-04');
  await page.getByLabel('Other spellings').fill('Hylda');
  await showAt('2050-05-05T08:00:00Z');
  await expect(page.getByText(dayIsOld)).toBeVisible();
  await expect(day).toHaveValue('2050-05-04');
});

test('the form of a notice gets the new date after a night if untouched; with input it keeps its date and says so', {
  tag: '@once',
}, async ({ page, signInAs }) => {
  const manager = await signInAs(page, 'Health & Safety Manager');
  const { id, number } = await manager(api.submitAccident, { body: await newReport(manager) });
  const params = { id };
  await manager(api.saveAssessment, { params, body: { version: 0, answers: {}, people: [{}] } });
  const decision = { decision: 'reportable' as const, reason: 'The hospital found a fracture' };
  await manager(api.decideAssessment, { params, body: { version: 1, ...decision } });
  const showAt = await startAt(page, '2050-05-03T21:00:00Z');
  await page.goto(`/get-reports?view=list&accident=${number}`);
  await page.getByRole('button', { name: new RegExp(number) }).click();
  const details = page.getByRole('dialog', { name: 'Report Details' });
  await details.getByRole('tab', { name: 'RIDDOR' }).click();
  await details.getByRole('button', { name: 'I Have Reported It' }).click();
  const day = details.getByLabel('Day reported');
  await expect(day).toHaveValue('2050-05-03');
  await showAt('2050-05-04T08:00:00Z');
  await expect(day).toHaveValue('2050-05-04');
  await details.getByLabel("HSE's reference").fill('ABC');
  await showAt('2050-05-05T08:00:00Z');
  await expect(details.getByText(dayIsOld)).toBeVisible();
  await expect(day).toHaveValue('2050-05-04');
});
