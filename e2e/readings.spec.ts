// The numbers that the checks of a place recorded, on its page.
import { readFile } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import { api } from '#shared/api.ts';
import { expect, expectAccessiblePage, test } from './server.ts';

const park = 'Marian Resort';

test('a reviewer reads each number of a place as a curve and as a table, and exports them', async ({
  page,
  server,
  signInAs,
}) => {
  const manager = await signInAs(page, 'Health & Safety Manager', park);
  const admin = await server.as('Admin');
  const name = `Pool ${crypto.randomUUID().slice(0, 8)}`;
  await admin(api.addPlaces, { body: { park, names: [name] } });
  const placeId = (await admin(api.listPlaces)).find((place) => place.name === name)?.id ?? '';
  const number = { unit: 'mg/l', min: 1, max: 3 };
  const { id: checklistId } = await admin(api.createChecklist, {
    body: { title: name, sections: [{ title: 'Free chlorine', type: 'text', required: true, number }] },
  });
  const days = ['1.8', '2.1', '3.6', '2.4', '1.5', '0.8', '1.9', '2.2'];
  for (const [day, value] of days.entries()) {
    const isFailing = Number(value) < number.min || Number(value) > number.max;
    const capturedAt = new Date(Date.now() - (days.length - day) * 86_400_000).toISOString();
    await manager(api.submitChecklist, {
      body: {
        checklistId,
        placeId,
        park,
        capturedAt,
        data: { '0': value },
        ...(isFailing && { failures: { '0': { note: 'Dosed', mediaFiles: [] } } }),
      },
    });
  }
  await page.goto(`/places/${placeId}`);
  const readings = page.getByRole('region', { name: 'Readings' });
  const series = readings.getByRole('region', { name: 'Free chlorine', exact: true });
  await expect(series).toContainText(`8 readings, 2 failing; the newest 2.2 mg/l on`);
  // A line each for the readings and both limits, and a mark for each failing reading.
  await expect(series.locator('path.recharts-line-curve')).toHaveCount(3);
  await expect(series.locator('[data-failing]')).toHaveCount(2);
  await series.getByText('Show as table').first().click();
  const rows = series.getByRole('row');
  await expect(rows).toHaveCount(9);
  await expect(rows.nth(1).getByRole('cell')).toHaveText(['2.2 mg/l', '1 to 3 mg/l', 'OK']);
  await expect(rows.nth(3).getByRole('cell')).toHaveText(['0.8 mg/l', '1 to 3 mg/l', 'Failing']);
  await expect(series.locator('svg font')).toHaveCount(0);
  await expectAccessiblePage(page);

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    readings.getByRole('group', { name: 'Export readings' }).getByRole('button', { name: 'CSV' }).click(),
  ]);
  const exported = parse(await readFile(await download.path()), { bom: true, columns: true }) as Record<
    string,
    string
  >[];
  expect(exported.map(({ Reading }) => Reading)).toEqual(days.toReversed());

  await rows.nth(1).getByRole('link').click();
  await expect(page.getByRole('dialog')).toContainText('2.2');
});

test('staff see no readings, and a place without numbers says so', { tag: '@once' }, async ({
  page,
  server,
  signInAs,
}) => {
  const admin = await server.as('Admin');
  const name = 'Place without numbers';
  await admin(api.addPlaces, { body: { park, names: [name] } });
  const id = (await admin(api.listPlaces)).find((place) => place.name === name)?.id ?? '';
  await signInAs(page, 'Health & Safety Manager', park);
  await page.goto(`/places/${id}`);
  await expect(page.getByText('No check of this place has recorded a number.')).toBeVisible();
  await signInAs(page, 'None', park);
  await page.goto(`/places/${id}`);
  await expect(page.getByRole('heading', { name: 'Records Here' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Readings' })).toHaveCount(0);
});
