// The list of audits in each state, and the way to it from the page of a place.
import { api } from '#shared/api.ts';
import { newAudit, newFolder } from '../src/server/testing/factories.ts';
import { expect, expectAccessiblePage, test } from './server.ts';

test('what was ever put right at a place is two taps away, and is found by a note', { tag: '@once' }, async ({
  page,
  server,
  signInAs,
}) => {
  // A park of this test alone, because tests share a server.
  const park = 'Caerelwan';
  const manager = await server.as('Health & Safety Manager', park);
  await manager(api.addPlaces, { body: { park, names: ['Chalet 229'] } });
  const placeId = (await manager(api.listPlaces)).find(({ name }) => name === 'Chalet 229')?.id ?? '';
  const folder = await newFolder(manager, { park });
  const staff = await signInAs(page, 'None', park);
  const create = async (title: string, changes: object = {}) =>
    (await staff(api.createAudit, { body: newAudit(folder, { title, location: 'Chalet 229', placeId, ...changes }) }))
      .id;
  const done = await create('Loose handrail');
  await staff(api.addAuditNote, { params: { id: done }, body: { text: 'New brackets fitted' } });
  await staff(api.updateAudit, { params: { id: done }, body: { data: { completed: true } } });
  const toVerify = await create('Broken step', { verification: {} });
  await staff(api.updateAudit, { params: { id: toVerify }, body: { data: { completed: true } } });
  await create('Dripping tap');
  await create('Gate', { location: 'Gate', placeId: undefined });

  await page.setViewportSize({ width: 390, height: 780 });
  await page.goto(`/places/${placeId}`);
  await page.getByRole('link', { name: 'Audits Here' }).click();
  const rows = page.getByRole('main').getByRole('listitem');
  await expect(rows).toHaveCount(3);
  await expect(rows.filter({ hasText: 'Loose handrail' })).toContainText(/Completed \d\d\/\d\d\/\d{4}/);
  await expect(page.getByText('All audits', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Filters (2)' }).click();
  await expectAccessiblePage(page);
  // The label of the list of open audits does not stand over others, and its numbers not over a filter.
  const tab = page.getByRole('link', { name: 'All Open Audits' });
  await expect(tab).not.toHaveAttribute('aria-current');
  const counts = page.getByText(/\d+ unassigned/);
  await expect(counts).toHaveCount(0);
  // The place can be taken out and chosen again, also after the filters were closed.
  await page.getByLabel('Place').selectOption('All places');
  await expect(rows).toHaveCount(4);
  await page.getByRole('button', { name: 'Filters (1)' }).click();
  await page.getByRole('button', { name: 'Filters (1)' }).click();
  await page.getByLabel('Place').selectOption('Chalet 229');
  await expect(rows).toHaveCount(3);
  await page.getByLabel('State').selectOption('To Verify');
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText('Broken step');
  await expect(page.getByRole('button', { name: 'Select' })).toHaveCount(0);
  await page.getByLabel('State').selectOption('Completed');
  await expect(rows).toHaveCount(2);
  await page.getByLabel('Search audits...').fill('BRACKETS');
  await expect(rows).toHaveCount(1);
  await page.reload();
  await expect(rows).toHaveCount(1);
  await rows.getByRole('link', { name: 'Loose handrail' }).click();
  await expect(page.getByText('New brackets fitted')).toBeVisible();
  await page.goBack();
  await page.getByRole('button', { name: 'Filters (2)' }).click();
  await page.getByRole('button', { name: 'Clear Filters' }).click();
  await expect(page.getByText('No open audits found')).toBeVisible();
  await page.getByLabel('Search audits...').fill('');
  // Neither the completed one nor the one to verify is open.
  await expect(rows).toHaveCount(2);
  await expect(rows.filter({ hasText: /Loose handrail|Broken step/ })).toHaveCount(0);
  await expect(tab).toHaveAttribute('aria-current', 'page');
  await expect(counts).toHaveText('2 overdue, 0 unassigned, 1 to verify');
});
