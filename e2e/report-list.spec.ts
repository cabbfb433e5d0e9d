import { randomUUID } from 'node:crypto';
import type { Locator } from '@playwright/test';
import { api } from '#shared/api.ts';
import { getToday } from '#shared/dates.ts';
import { newReport } from '../src/server/testing/factories.ts';
import type { TestServer } from '../src/server/testing/server.ts';
import { openMore } from './interactions.ts';
import { month, section, submitReport } from './reports.ts';
import { expect, expectAccessiblePage, test } from './server.ts';

/** Inserts old reports directly into the table, with dates in their old formats. */
async function insertOldReports(server: TestServer, reports: { name: string; date: string; month: string }[]) {
  const submittedReport = await submitReport(await server.as('Admin'), { name: 'The pattern' });
  const pattern = await server.db
    .selectFrom('reports')
    .selectAll()
    .where('id', '=', submittedReport.id)
    .executeTakeFirstOrThrow();
  const { min } = await server.db
    .selectFrom('reports')
    .select((eb) => eb.fn.min('position').as('min'))
    .executeTakeFirstOrThrow();
  let position = Math.min(0, Number(min));
  const rows = reports.map(({ name, ...when }) => {
    const id = randomUUID().replaceAll('-', '');
    position -= 1;
    return {
      ...pattern,
      ...when,
      id,
      name,
      number: `OLD-${id}`,
      position,
      search_text: name.toLowerCase(),
      signature: null,
      affectedUserSignature: null,
      mediaFiles: '[]',
    };
  });
  for (let at = 0; at < rows.length; at += 500)
    await server.db
      .insertInto('reports')
      .values(rows.slice(at, at + 500))
      .execute();
}

test('reports are grouped by month, newest first and unknown months last, and searches are not in the URL', {
  tag: '@once',
}, async ({ page, server, signInAs }) => {
  await insertOldReports(server, [
    { name: 'Undated', date: '', month: 'Unknown Date' },
    { name: 'Odd', date: 'last spring', month: 'Unknown Date Format' },
    { name: 'Wrong day', date: '31/02/2019', month: 'Invalid Date' },
    { name: 'Wrong month', date: '01/13/2019', month: 'Invalid Month' },
    { name: 'Long ago', date: '2001-02-03', month: '2001-02' },
  ]);
  await signInAs(page, 'Admin');
  await page.goto('/get-reports');
  const accidents = section(page, 'Accident');
  await expect(month(accidents, 'February 2001')).toBeVisible();
  const names = await accidents.getByRole('heading', { level: 3 }).allTextContents();
  expect(names.slice(-5)).toEqual([
    expect.stringMatching(/^February 2001/),
    expect.stringMatching(/^Unknown Date\d/),
    expect.stringMatching(/^Unknown Date Format/),
    expect.stringMatching(/^Invalid Date/),
    expect.stringMatching(/^Invalid Month/),
  ]);
  await month(accidents, 'Unknown Date Format').click();
  await expect(accidents.getByText('last spring')).toBeVisible();

  await accidents.getByPlaceholder('Search accident reports...').fill('LONG ago');
  // A search with few results shows all of them at once.
  await expect(accidents.getByRole('button', { name: /^Long ago/ })).toBeVisible();
  await expect(accidents.getByRole('heading', { level: 3 })).toHaveCount(1);
  await page.getByRole('button', { name: 'List View' }).click();
  await expect(page).toHaveURL(/get-reports\?view=list$/);
  await expect(accidents.getByPlaceholder('Search accident reports...')).toHaveValue('LONG ago');
  await expect(page.getByRole('button', { name: 'List View' })).toHaveAttribute('aria-pressed', 'true');
  await expect(accidents.getByRole('button', { name: /^Long ago/ })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('button', { name: 'Group by Month' })).toHaveAttribute('aria-pressed', 'true');

  await accidents.getByPlaceholder('Search accident reports...').fill('nobody of that name');
  await expect(accidents.getByText('No reports found.')).toBeVisible();
  await expectAccessiblePage(page);
  await accidents.getByRole('button', { name: 'Clear the search' }).click();
  await expect(month(accidents, 'February 2001')).toBeVisible();
});

test('a list of 5,000 reports loads page by page', { tag: '@once' }, async ({ page, server, signInAs }) => {
  const manyReports = Array.from({ length: 5000 }, (_, index) => {
    const month = `19${String(50 + (index % 40)).padStart(2, '0')}-0${1 + (index % 9)}`;
    return { name: `Person ${index}`, date: `${month}-11`, month };
  });
  await signInAs(page, 'Admin');
  await insertOldReports(server, manyReports);
  const bytes: number[] = [];
  page.on('response', async (response) => {
    if (response.url().includes('/api/')) bytes.push((await response.body().catch(() => '')).length);
  });
  await page.goto('/get-reports?view=list');
  const accidents = section(page, 'Accident');
  await expect(accidents.getByRole('listitem')).toHaveCount(25);
  await accidents.getByRole('button', { name: 'Show More' }).click();
  await expect(accidents.getByRole('listitem')).toHaveCount(50);
  // The old list is marked as outdated until the response arrives.
  const heldRequest = Promise.withResolvers<void>();
  await page.route(/\/api\/.*4999/, async (route) => {
    await heldRequest.promise;
    await route.continue();
  });
  const listRequested = page.waitForRequest(/\/api\/.*4999/);
  await accidents.getByPlaceholder('Search accident reports...').fill('Person 4999');
  await listRequested;
  await expect(accidents.getByRole('listitem')).toHaveCount(50);
  await expect(accidents.getByRole('button', { name: 'Show More' })).toHaveCount(0);
  await expect(accidents.getByText('End of list.')).toHaveCount(0);
  heldRequest.resolve();
  await expect(accidents.getByRole('button', { name: /^Person 4999/ }).first()).toBeVisible();
  await page.getByRole('button', { name: 'Group by Month' }).click();
  await accidents
    .getByRole('button', { name: /reports?$/, expanded: true })
    .first()
    .waitFor();
  expect(bytes).not.toHaveLength(0);
  expect(Math.max(...bytes)).toBeLessThan(100_000);
  await server.db.deleteFrom('reports').where('number', 'like', 'OLD-%').execute();
});

test('on a phone the second list appears where it stays, not above reports that are still loading', {
  tag: '@once',
}, async ({ page, signInAs }) => {
  await signInAs(page, 'Admin');
  const first = Promise.withResolvers<void>();
  await page.route('**/api/report-months?reportType=incident*', async (route) => {
    await first.promise;
    await route.continue();
  });
  const second = page.waitForResponse('**/api/report-months?reportType=accident*');
  await page.goto('/get-reports');
  await second;
  const below = page.getByRole('heading', { level: 2, name: 'Accident Reports', includeHidden: true });
  await expect(section(page, 'Incident')).toBeVisible();
  await expect(below).toBeAttached();
  await expect(below).toBeHidden();
  first.resolve();
  await expect(section(page, 'Accident')).toBeVisible();
});

test('this week is one tap away, opened reports too, and leaves the other filters', { tag: '@once' }, async ({
  page,
  server,
  signInAs,
}) => {
  const reviewer = await server.as('Admin');
  const today = getToday();
  for (const date of [today, '2019-06-03'])
    await submitReport(reviewer, { name: `Week of ${date}`, date, time: '00:00', location: 'Weekly room' });
  await signInAs(page, 'Admin');
  await page.goto('/get-reports?location=Weekly+room&unopened=1');
  await page.setViewportSize({ width: 360, height: 740 });
  const accidents = section(page, 'Accident');
  const week = page.getByRole('button', { name: 'This Week' });
  await expect(week).toHaveAttribute('aria-pressed', 'false');
  expect((await week.boundingBox())?.y).toBe((await page.getByRole('button', { name: 'List View' }).boundingBox())?.y);
  // It is no third view beside the two.
  await expect(page.getByRole('group', { name: 'View' }).getByRole('button')).toHaveText([
    'Group by Month',
    'List View',
  ]);
  await week.click();
  await expect(week).toHaveAttribute('aria-pressed', 'true');
  await expect(page).toHaveURL(/location=Weekly\+room&view=list&from=\d{4}-\d\d-\d\d$/);
  await expect(accidents.getByRole('button', { name: `Week of ${today}` })).toBeVisible();
  await expect(accidents.getByRole('button', { name: 'Week of 2019' })).toHaveCount(0);
  // Fields are in line, although the day in words stands below one.
  await page.setViewportSize({ width: 390, height: 740 });
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('button', { name: 'Filters (2)' }).click();
  const readTop = async (label: string) => (await page.getByLabel(label, { exact: true }).boundingBox())?.y;
  expect(await readTop('From')).toBe(await readTop('To'));
  await week.click();
  await expect(accidents.getByRole('button', { name: 'Week of 2019' })).toBeVisible();
});

test('the first reports are visible on a phone without scrolling, and the RIDDOR line above them opens the reports to assess', {
  tag: '@once',
}, async ({ page, server, signInAs }) => {
  const admin = await server.as('Admin');
  await submitReport(admin, { date: '2025-10-09' });
  const body = await newReport(admin, { date: '2025-10-09' });
  await admin(api.submitIncident, { body });
  await page.setViewportSize({ width: 390, height: 780 });
  await signInAs(page, 'Admin');
  // All duties at once are too long for one line.
  await page.route('**/api/riddor/counts?*', (route) =>
    route.fulfill({ json: { overdue: 12, toReport: 30, toAssess: 140, toReview: 0, deleted: 10 } }),
  );
  await page.goto('/get-reports');
  const strip = page.getByRole('link', { name: /^\d+ to assess$/ });
  await expect(strip).toBeVisible();
  const getBottom = async (locator: Locator) => {
    const box = await locator.boundingBox();
    return (box?.y ?? 0) + (box?.height ?? 0);
  };
  expect(await getBottom(section(page, 'Incident').getByRole('heading', { level: 3 }).first())).toBeLessThan(400);
  await openMore(page);
  await expectAccessiblePage(page);
  await page.getByRole('button', { name: 'Accidents First' }).click();
  expect(await getBottom(section(page, 'Accident').getByRole('heading', { level: 3 }).first())).toBeLessThan(400);
  await page.reload();
  await strip.click();
  await expect(page).toHaveURL(/\?view=list&riddor=toAssess$/);
  const firstReport = section(page, 'Accident').getByRole('listitem').first();
  await expect(firstReport).toContainText('Not assessed');
  expect((await firstReport.boundingBox())?.y).toBeLessThan(400);
  await openMore(page);
  await page.getByRole('button', { name: 'Filters (1)' }).click();
  await expect(page.getByLabel('RIDDOR')).toHaveValue('toAssess');
  await page.getByRole('button', { name: 'Hide Filters' }).click();
  await expect(page.getByLabel('RIDDOR')).toHaveCount(0);

  // Nothing is to do at a park without reports.
  await page.route('**/api/riddor/counts?*', (route) =>
    route.fulfill({ json: { overdue: 0, toReport: 0, toAssess: 0, toReview: 0, deleted: null } }),
  );
  await page.goto('/get-reports');
  await expect(section(page, 'Accident').getByRole('heading', { level: 3 }).first()).toBeVisible();
  await expect(page.getByText(/^RIDDOR: /)).toHaveCount(0);
});

test('Previous, Next, J and K read through the filtered list, and only what was opened is logged', async ({
  page,
  server,
  signInAs,
}) => {
  const reviewer = await server.as('Admin');
  const dates = ['2019-05-03', '2019-05-02', '2019-04-30'];
  const ids: string[] = [];
  for (const date of dates)
    ids.push((await submitReport(reviewer, { name: `Reader ${date}`, date, location: 'Reading room' })).id);
  const opened: string[] = [];
  page.on('request', (request) => {
    const id = /\/api\/reports\/([^/?]+)$/.exec(request.url())?.[1];
    if (id) opened.push(id);
  });
  await signInAs(page, 'Admin');
  await page.goto('/get-reports?location=Reading+room');
  const accidents = section(page, 'Accident');
  await month(accidents, 'May 2019').click();
  await accidents.getByRole('button', { name: /^Reader 2019-05-03/ }).click();
  const details = page.getByRole('dialog', { name: 'Report Details' });
  const previous = details.getByRole('button', { name: 'Previous Report' });
  const next = details.getByRole('button', { name: 'Next Report' });
  await expect(details).toContainText('Reader 2019-05-03');
  await expect(previous).toHaveAttribute('aria-disabled', 'true');
  await expect(next).toHaveAttribute('aria-disabled', 'false');
  await expectAccessiblePage(page);
  await next.click();
  await expect(details).toContainText('Reader 2019-05-02');
  await expect(page).toHaveURL(new RegExp(`report=${ids[1]}`));
  await expect(next).toHaveAttribute('aria-disabled', 'false');
  await expect(next).toBeFocused();
  await page.keyboard.press('j');
  await expect(details).toContainText('Reader 2019-04-30');
  await expect(previous).toHaveAttribute('aria-disabled', 'false');
  await expect(next).toHaveAttribute('aria-disabled', 'true');
  await page.keyboard.press('j');
  await page.keyboard.press('k');
  await expect(details).toContainText('Reader 2019-05-02');
  await expect(next).toHaveAttribute('aria-disabled', 'false');
  // Not while typing, nor in another dialog.
  await details.getByRole('button', { name: 'Delete' }).click();
  await page.getByLabel('Why?').fill('j');
  await page.getByLabel('Why?').press('j');
  await page.getByRole('button', { name: 'Cancel' }).focus();
  await page.keyboard.press('j');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(details).toContainText('Reader 2019-05-02');
  expect(opened).toEqual([ids[0], ids[1], ids[2], ids[1]]);
  await page.goBack();
  await expect(details).toBeHidden();
  await expect(page).toHaveURL(/get-reports\?location=/);
  // One list leads on into the other.
  const { id } = await reviewer(api.submitIncident, {
    body: await newReport(reviewer, { name: 'Reader of the other list', location: 'Reading room' }),
  });
  await page.goto(`/get-reports?location=Reading+room&report=${id}`);
  await expect(details).toContainText('Reader of the other list');
  await expect(next).toHaveAttribute('aria-disabled', 'false');
  await expect(details.getByText('Last', { exact: true })).toHaveCount(0);
  await next.click();
  await expect(details).toContainText('Reader 2019-05-03');
  await expect(previous).toHaveAttribute('aria-disabled', 'false');
  await previous.click();
  await expect(details).toContainText('Reader of the other list');
  await page.goto(`/get-reports?location=Reading+room&report=${ids[2]}`);
  await expect(details.getByText('Last', { exact: true })).toBeVisible();
});
