// What stays below a checklist after it was submitted, with a connection and without one.
import type { Page } from '@playwright/test';
import { api } from '#shared/api.ts';
import { waitForCachedScreens } from './installed-app.ts';
import { expect, expectAccessiblePage, test } from './server.ts';

const park = 'Lyndale';
const onFail = { when: 'No' as const, audit: { days: 1 } };
const sections = [{ title: 'Water clear?', type: 'na' as const, required: true, onFail }];

async function submit(page: Page, answer: 'Yes' | 'No') {
  await page.getByRole('radio', { name: answer }).check();
  if (answer === 'No') await page.getByLabel('What is wrong?').fill('Milky');
  await page.getByRole('button', { name: 'Submit Checklist' }).click();
}

test.use({ serviceWorkers: 'allow', allowedConsoleErrors: /ERR_INTERNET_DISCONNECTED|Failed to load resource/ });

test('a receipt stays after the panel has closed, and without a connection says only what is known', {
  tag: '@once',
}, async ({ page, context, server, signInAs }) => {
  const admin = await server.as('Admin');
  await admin(api.addPlaces, { body: { park, names: ['Indoor pool', 'Outdoor pool'] } });
  const places = (await admin(api.listPlaces)).filter((place) => place.park === park).map(({ id }) => id);
  const { id: checklist_id } = await admin(api.createChecklist, { body: { title: 'Receipt test', sections } });
  const times = { repeat: 'daily' as const, opens_at: '00:00', closes_at: '00:00', starts_on: '2026-01-01' };
  await admin(api.createSchedule, { body: { checklist_id, parks: [park], ...times, places, opens: true } });
  await signInAs(page, 'None', park);
  await page.goto('/checklists');
  await waitForCachedScreens(page);
  await page.reload();

  await page.getByRole('button', { name: 'Fill In Receipt test, Indoor pool' }).click();
  await submit(page, 'No');
  await expect(page.getByText('Checklist submitted successfully!')).toBeVisible();
  const receipt = page.getByRole('region', { name: 'Receipt' });
  await expect(receipt.getByText('Keep Indoor pool closed')).toBeVisible();
  await expect(receipt.getByText(`1 answer fails; the reviewers of ${park} were told.`)).toBeVisible();
  const away = receipt.getByText(/You can put the (phone|device) away\./);
  await expect(page.getByRole('button', { name: 'Next: Outdoor pool, 2 of 2' })).toBeVisible();
  await expect(away).toBeHidden();
  await expect(page.getByRole('button', { name: /^Receipt test/ })).toHaveAttribute('aria-expanded', 'false');
  await expect(receipt.getByRole('link', { name: 'Water clear?' })).toBeVisible();
  await expectAccessiblePage(page);

  await context.setOffline(true);
  await page.getByRole('button', { name: 'Next: Outdoor pool, 2 of 2' }).click();
  await submit(page, 'Yes');
  await expect(receipt.getByText('This check has no failing answer.')).toBeVisible();
  await expect(receipt.getByText('Whether Outdoor pool may open shows when it has arrived.')).toBeVisible();
  await expect(page.getByText('Saved on this device').first()).toBeVisible();
  await context.setOffline(false);
  await expect(receipt.getByText(/^Outdoor pool: Checked/)).toBeVisible();
  await expect(away).toBeVisible();
});
