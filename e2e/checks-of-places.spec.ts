// Checklists that are due at several places of a park.
import type { Page } from '@playwright/test';
import { api } from '#shared/api.ts';
import type { TestClient } from '../src/server/testing/server.ts';
import { waitForCachedScreens } from './installed-app.ts';
import { expect, expectAccessiblePage, test } from './server.ts';

const park = 'Mounds';
const sections = [{ title: 'Water clear?', type: 'na' as const, required: true, onFail: { when: 'No' as const } }];

/** Schedules one checklist, every day, at these places, which may open after their check. */
async function scheduleAt(admin: TestClient, title: string, names: string[]) {
  await admin(api.addPlaces, { body: { park, names } });
  const places = (await admin(api.listPlaces)).filter((place) => place.park === park && names.includes(place.name));
  const { id: checklist_id } = await admin(api.createChecklist, { body: { title, sections } });
  const times = { repeat: 'daily' as const, opens_at: '00:00', closes_at: '00:00', starts_on: '2026-01-01' };
  const ids = places.map(({ id }) => id);
  await admin(api.createSchedule, { body: { checklist_id, parks: [park], ...times, places: ids, opens: true } });
}

const answer = (page: Page, text: 'Yes' | 'No') => page.getByRole('radio', { name: text }).check();
const submitForm = (page: Page) => page.getByRole('button', { name: 'Submit Checklist' }).click();

test('a check of one pool says nothing about the other pool, and its answers stay with it', { tag: '@once' }, async ({
  page,
  server,
  signInAs,
}) => {
  const admin = await server.as('Admin');
  const title = 'Pool test';
  await scheduleAt(admin, title, ['Indoor pool', 'Outdoor pool']);
  await signInAs(page, 'None', park);
  await page.goto('/checklists');
  const ready = page.getByRole('region', { name: 'Ready to open' });
  await expect(ready.getByText('2 of 2 not ready')).toBeVisible();
  await expectAccessiblePage(page);

  // From the list the place is asked before the answers.
  const panel = page.getByRole('button', { name: new RegExp(`^${title}`) });
  await panel.click();
  const place = page.getByLabel('Which place?');
  await expect(place).toHaveValue('');
  await expect(page.getByRole('radio', { name: 'No' })).toHaveCount(0);
  await expectAccessiblePage(page);
  await place.selectOption('Indoor pool');
  await answer(page, 'No');
  await page.getByLabel('What is wrong?').fill('Milky');

  // Begun answers stay with their place, unless the user says where they are from.
  await place.selectOption('Outdoor pool');
  const question = page.getByRole('dialog', { name: 'These answers are from Indoor pool' });
  await expectAccessiblePage(page);
  await page.keyboard.press('Escape');
  await expect(question).toBeHidden();
  await expect(page.getByLabel('What is wrong?')).toHaveValue('Milky');
  await place.selectOption('Outdoor pool');
  await question.getByRole('button', { name: 'They Are from Outdoor pool' }).click();
  await expect(page.getByLabel('What is wrong?')).toHaveValue('Milky');
  await place.selectOption('Indoor pool');
  await page
    .getByRole('dialog', { name: 'These answers are from Outdoor pool' })
    .getByRole('button', { name: 'Clear Answers' })
    .click();
  await expect(page.getByRole('radio', { name: 'No' })).not.toBeChecked();

  // The pass outdoors leaves the indoor pool closed.
  await page.reload();
  const due = page.getByRole('region', { name: 'Due now' });
  await due.getByRole('button', { name: `Fill In ${title}, Outdoor pool` }).click();
  await answer(page, 'Yes');
  await submitForm(page);
  await expect(page.getByText('Checklist submitted successfully!')).toBeVisible();
  await expect(ready.getByText('1 of 2 not ready')).toBeVisible();
  await ready.getByText('1 of 2 not ready').click();
  await expect(ready.getByRole('button', { name: `Fill In ${title} for Indoor pool, ${park}` })).toBeVisible();
  await expect(ready.getByRole('button', { name: `Print Door Sign for Outdoor pool, ${park}` })).toBeVisible();
  await expectAccessiblePage(page);
});

test.describe('without a connection', () => {
  test.use({ serviceWorkers: 'allow', allowedConsoleErrors: /ERR_INTERNET_DISCONNECTED|Failed to load resource/ });

  test('a round of four places takes at most three taps each beside the answers', { tag: '@once' }, async ({
    page,
    context,
    server,
    signInAs,
  }) => {
    const admin = await server.as('Admin');
    const title = 'Play round';
    await scheduleAt(admin, title, ['Area 1', 'Area 2', 'Area 3', 'Area 4']);
    await signInAs(page, 'None', park);
    await page.goto('/checklists');
    await waitForCachedScreens(page);
    await page.reload();
    await expect(page.getByRole('region', { name: 'Due now' })).toContainText('Area 4');
    await context.setOffline(true);
    await page.getByRole('button', { name: `Fill In ${title}, Area 1` }).click();
    for (const number of [1, 2, 3, 4]) {
      await answer(page, 'Yes');
      await submitForm(page);
      await expect(page.getByText('Saved on this device').first()).toBeVisible();
      if (number < 4) await page.getByRole('button', { name: `Next: Area ${number + 1}, ${number + 1} of 4` }).click();
    }
    await expect(page.getByRole('button', { name: /^Next:/ })).toHaveCount(0);
    // What the device has says nothing about what may open.
    await expect(page.getByRole('region', { name: 'Ready to open' })).not.toContainText(/\bReady\b(?! to open)/);
    await context.setOffline(false);
    await expect
      .poll(async () => (await admin(api.listSubmissions, { query: { title } })).map(({ place }) => place?.name).sort())
      .toEqual(['Area 1', 'Area 2', 'Area 3', 'Area 4']);
  });
});
