// Checklists that are due at several places of a park.
import type { Page } from '@playwright/test';
import { api } from '#shared/api.ts';
import type { TestClient } from '../src/server/testing/server.ts';
import { readChecklistDrafts } from './checklists.ts';
import { waitForCachedScreens } from './installed-app.ts';
import { expect, expectAccessiblePage, test } from './server.ts';

const mounds = 'Mounds';
const sections = [{ title: 'Water clear?', type: 'na' as const, required: true, onFail: { when: 'No' as const } }];

/** Schedules one checklist, every day, at these places of a park, which may open after their check. */
async function scheduleAt(admin: TestClient, title: string, names: string[], park: string = mounds) {
  await admin(api.addPlaces, { body: { park, names } });
  const places = (await admin(api.listPlaces)).filter((place) => place.park === park && names.includes(place.name));
  const { id: checklist_id } = await admin(api.createChecklist, { body: { title, sections } });
  const times = { repeat: 'daily' as const, opens_at: '00:00', closes_at: '00:00', starts_on: '2026-01-01' };
  const ids = names.map((name) => places.find((place) => place.name === name)?.id ?? '');
  await admin(api.createSchedule, { body: { checklist_id, parks: [park], ...times, places: ids, opens: true } });
  return { ids, checklistId: checklist_id };
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
  await signInAs(page, 'None', mounds);
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
  await expect(ready.getByRole('button', { name: `Fill In ${title} for Indoor pool, ${mounds}` })).toBeVisible();
  await expect(ready.getByRole('button', { name: `Print Door Sign for Outdoor pool, ${mounds}` })).toBeVisible();
  await expectAccessiblePage(page);
});

/** The keys of drafts of checklists in this browser. */
const listDraftKeys = async (page: Page) => (await readChecklistDrafts(page)).map(([key]) => key);

test('a draft of an earlier version asks where it is from, and drafts of two places stay side by side', {
  tag: '@once',
}, async ({ page, server, signInAs }) => {
  const admin = await server.as('Admin');
  const title = 'Spa test';
  const { ids, checklistId } = await scheduleAt(admin, title, ['Indoor spa', 'Outdoor spa'], 'Oakfield');
  await signInAs(page, 'None', 'Oakfield');
  await page.goto('/checklists');
  const due = page.getByRole('region', { name: 'Due now' });
  const note = page.getByLabel('What is wrong?');
  await due.getByRole('button', { name: `Fill In ${title}, Indoor spa` }).click();
  await answer(page, 'No');
  await note.fill('From before');
  await expect.poll(() => listDraftKeys(page)).toEqual([expect.stringMatching(`-${checklistId}-${ids[0]}$`)]);
  // Earlier versions had one draft for each checklist, without a place.
  await page.evaluate((id) => {
    const [key = ''] = Object.keys(localStorage).filter((name) => name.endsWith(`-${id}`));
    const { place: _, ...earlier } = JSON.parse(localStorage.getItem(key) ?? '');
    localStorage.removeItem(key);
    localStorage.setItem(key.replace(`-${id}`, ''), JSON.stringify(earlier));
  }, ids[0] ?? '');
  await page.reload();
  const panel = page.getByRole('button', { name: new RegExp(`^${title}`) });
  await expect(panel).toContainText('In progress');
  await panel.click();
  await page.getByLabel('Which place?').selectOption('Outdoor spa');
  const question = page.getByRole('dialog', { name: 'These answers were begun without a place' });
  await question.getByRole('button', { name: 'They Are from Outdoor spa' }).click();
  await expect(note).toHaveValue('From before');
  await expect(question).toBeHidden();
  await expect.poll(() => listDraftKeys(page)).toEqual([expect.stringMatching(`-${checklistId}-${ids[1]}$`)]);

  // The other place opens empty, and both stay after a reload.
  await due.getByRole('button', { name: `Fill In ${title}, Indoor spa` }).click();
  await expect(page.getByRole('radio', { name: 'No' })).not.toBeChecked();
  await answer(page, 'No');
  await note.fill('Indoors');
  await page.reload();
  for (const [name, text] of [
    ['Indoor spa', 'Indoors'],
    ['Outdoor spa', 'From before'],
  ]) {
    await due.getByRole('button', { name: `Fill In ${title}, ${name}` }).click();
    await expect(page.getByLabel('Which place?')).toHaveValue(ids[name === 'Indoor spa' ? 0 : 1] ?? '');
    await expect(note).toHaveValue(text ?? '');
  }
});

test('one name chooses a place at every park, adds it where it is missing, and says where it is retired', {
  tag: '@once',
}, async ({ page, signInAs }) => {
  const admin = await signInAs(page, 'Admin');
  const { id: checklistId } = await admin(api.createChecklist, { body: { title: 'Sauna test', sections } });
  for (const name of ['Kingsley', 'Winkups'] as const)
    await admin(api.addPlaces, { body: { park: name, names: ['Sauna'] } });
  const cabins = Array.from({ length: 11 }, (_, index) => `Cabin ${index + 1}`);
  await admin(api.addPlaces, { body: { park: 'Kingsley', names: cabins } });
  const retired = (await admin(api.listPlaces)).find((place) => place.park === 'Winkups' && place.name === 'Sauna');
  await admin(api.updatePlace, { params: { id: retired?.id ?? '' }, body: { isRetired: true } });
  await page.goto('/admin?tab=checklists');
  await page.getByRole('button', { name: 'Schedule Sauna test' }).click();
  const dialog = page.getByRole('dialog', { name: 'Schedule' });
  for (const name of ['Kingsley', 'Lyndale', 'Winkups']) await dialog.getByLabel(name, { exact: true }).check();
  await dialog.getByLabel('A place named … at every park').fill(' sauna');
  await dialog.getByRole('button', { name: 'Choose at Every Park' }).click();
  await expect(
    dialog.getByText('sauna is chosen at 2 parks, 1 added. It is retired at Winkups. Bring it back under Places.'),
  ).toBeVisible();
  await expect(dialog.locator('summary', { hasText: 'Winkups' })).toContainText('Checked as a whole');

  // 'All' chooses what was found.
  const kingsley = dialog.locator('summary', { hasText: 'Kingsley' });
  await kingsley.click();
  await dialog.getByLabel('Search places of Kingsley...').fill('cabin 1');
  await dialog.getByLabel('All Found: places of Kingsley').check();
  await expect(kingsley).toContainText('4 places');
  await dialog.getByLabel('All Found: places of Kingsley').uncheck();
  await expect(kingsley).toContainText('1 place');

  await dialog.getByLabel('The place may open only after this check has passed').check();
  await dialog.getByRole('button', { name: 'Save Schedule' }).click();
  await expect(dialog.getByText('Choose a place at Winkups')).toBeVisible();
  await expectAccessiblePage(page);
  await dialog.getByLabel('Winkups', { exact: true }).uncheck();
  await dialog.getByRole('button', { name: 'Save Schedule' }).click();
  await expect(dialog.getByText(/before opening/)).toBeVisible();
  const schedule = (await admin(api.listSchedules)).find((one) => one.checklist_id === checklistId);
  const all = await admin(api.listPlaces);
  expect(schedule?.places.map((id) => all.find((place) => place.id === id)?.park).sort()).toEqual([
    'Kingsley',
    'Lyndale',
  ]);
});

/** Tells the test whenever the page says, from now on, that a place is ready. Runs in the page. */
function watchReady() {
  const note = (window as unknown as { noteReady: (text: string) => void }).noteReady;
  const check = () => {
    const region = document.querySelector('section[aria-labelledby="ready-to-open"]')?.textContent ?? '';
    const said = region.replaceAll(/Ready to open|not ready/gi, '');
    if (/ready|valid until|print door sign/i.test(said)) note(region);
  };
  new MutationObserver(check).observe(document, { childList: true, characterData: true, subtree: true });
}

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
    const { checklistId, ids } = await scheduleAt(admin, 'Slide test', ['Slide']);
    await admin(api.submitChecklist, { body: { checklistId, data: { 0: 'Yes' }, park: mounds, placeId: ids[0] } });
    const said: string[] = [];
    await page.exposeFunction('noteReady', (text: string) => said.push(text));
    await signInAs(page, 'None', mounds);
    await page.goto('/checklists');
    await waitForCachedScreens(page);
    await page.reload();
    await expect(page.getByRole('region', { name: 'Due now' })).toContainText('Area 4');
    const ready = page.getByRole('region', { name: 'Ready to open' });
    await expect(ready).toContainText(/Slide\s*Checked/);
    await context.setOffline(true);
    // What the device has does not say what may open, at no time and not after a reload.
    await expect(ready).toContainText('Whether it may open shows when you are back online.');
    await page.evaluate(watchReady);
    await page.addInitScript(watchReady);
    await page.reload();
    await expect(ready).toContainText('Whether it may open shows when you are back online.');
    await page.getByRole('button', { name: `Fill In ${title}, Area 1` }).click();
    for (const number of [1, 2, 3, 4]) {
      await answer(page, 'Yes');
      await submitForm(page);
      await expect(page.getByText('Saved on this device').first()).toBeVisible();
      if (number < 4) await page.getByRole('button', { name: `Next: Area ${number + 1}, ${number + 1} of 4` }).click();
    }
    await expect(page.getByRole('button', { name: /^Next:/ })).toHaveCount(0);
    expect(said).toEqual([]);
    await context.setOffline(false);
    await expect
      .poll(async () => (await admin(api.listSubmissions, { query: { title } })).map(({ place }) => place?.name).sort())
      .toEqual(['Area 1', 'Area 2', 'Area 3', 'Area 4']);
  });
});
