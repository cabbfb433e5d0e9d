// What stands above a checklist that was filled in before, with a connection and without one.
import { api } from '#shared/api.ts';
import { waitForCachedScreens } from './installed-app.ts';
import { expect, expectAccessiblePage, test } from './server.ts';

const onFail = { when: 'No' as const, audit: { days: 1 } };
const sections = [{ title: 'Water clear?', type: 'na' as const, required: true, onFail }];

test.use({ serviceWorkers: 'allow', allowedConsoleErrors: /ERR_INTERNET_DISCONNECTED|Failed to load resource/ });

test('a checklist says what it found here last time, also without a connection', { tag: '@once' }, async ({
  page,
  context,
  server,
  signInAs,
}) => {
  // A park of this test alone, because tests share a server.
  const park = 'Abbeyffordd';
  const admin = await server.as('Admin');
  const title = 'Last result';
  const names = ['Splash pool', 'Plunge pool'];
  const [pool = ''] = names;
  await admin(api.addPlaces, { body: { park, names } });
  const places = (await admin(api.listPlaces))
    .filter((place) => place.park === park && names.includes(place.name))
    .map(({ id }) => id);
  const { id: checklist_id } = await admin(api.createChecklist, { body: { title, sections } });
  const times = { repeat: 'daily' as const, opens_at: '00:00', closes_at: '00:00', starts_on: '2026-01-01' };
  await admin(api.createSchedule, { body: { checklist_id, parks: [park], ...times, places, opens: true } });
  await signInAs(page, 'None', park);
  await page.goto('/checklists');
  const due = page.getByRole('region', { name: 'Due now' });
  const last = page.getByRole('region', { name: 'Last Result' });
  await due.getByRole('button', { name: `Fill In ${title}, ${pool}` }).click();
  await expect(last).toContainText('Not filled in here before.');
  await page.getByRole('radio', { name: 'No' }).check();
  await page.getByLabel('What is wrong?').fill('Milky');
  await page.getByRole('button', { name: 'Submit Checklist' }).click();
  await expect(page.getByText('Checklist submitted successfully!')).toBeVisible();

  await page.reload();
  await waitForCachedScreens(page);
  const panel = page.getByRole('button', { name: new RegExp(`^${title}`) });
  const open = async () => {
    await panel.click();
    await page.getByLabel('Which place?').selectOption(pool);
  };
  await open();
  await expect(last).toContainText(/Last filled in \d.*: 1 failing answer \(Water clear\?\)\./);
  await expect(last).not.toContainText('Milky');
  await expect(last.getByRole('link', { name: 'Water clear?' })).toBeVisible();
  await expectAccessiblePage(page);

  await context.setOffline(true);
  await page.reload();
  await open();
  await expect(last).toContainText('1 failing answer');
  await expect(last).toContainText('Copy from');
  await context.setOffline(false);
});
