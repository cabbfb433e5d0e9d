import { execFileSync } from 'node:child_process';
import { api } from '#shared/api.ts';
import { addDays, addYears } from '#shared/calendar.ts';
import { employmentStatuses } from '#shared/choices.ts';
import { getToday } from '#shared/dates.ts';
import { Overview } from '#shared/overview/overview.ts';
import { newAudit, newFolder, newLesson, newReport } from '../src/server/testing/factories.ts';
import { openMore } from './interactions.ts';
import { expect, expectAccessiblePage, test } from './server.ts';

const sections = [
  { title: 'Water clear?', type: 'checkbox' as const, required: false, onFail: { when: 'notTicked' as const } },
];

test('the overview shows a manager missed checks, overdue audits and recent reports', { tag: '@once' }, async ({
  page,
  server,
  signInAs,
}) => {
  // A park of this test alone, because tests share a server.
  const park = test.info().project.name === 'phone' ? 'Winkups' : 'Sunny Sands';
  const manager = await signInAs(page, 'Health & Safety Manager', park);
  const staff = await server.as('None', park);
  const today = getToday();
  const report = async (changes: object) =>
    staff(api.submitAccident, {
      body: await newReport(staff, { selectedPlace: park, date: today, time: '00:00', ...changes }),
    });
  await report({ type: 'Burn' });
  await report({ type: 'burn ', emergencyService: 'Ambulance' });
  await report({ type: 'Slip', date: addDays(today, -90) });
  await staff(api.submitIncident, {
    body: await newReport(staff, { selectedPlace: park, date: today, time: '00:00', type: 'Other' }),
  });
  const folder = await newFolder(staff, { park });
  await staff(api.createAudit, { body: newAudit(folder, { title: 'Renew the signs', date: '2026-03-20' }) });
  await staff(api.createAudit, { body: newAudit(folder, { title: 'Paint the gate', date: '2099-03-20' }) });
  // Two checks of today that nobody filled in.
  const times = { opens_at: '00:00', closes_at: '00:00', starts_on: today };
  const [opens_at, closes_at] = [60, 1].map((minutes) => new Date(Date.now() - minutes * 60_000).toISOString());
  for (const [title, gate] of [
    ['Weekly pool check', 'Pool'],
    ['Fire points', ''],
  ] as const) {
    const { id: checklist_id } = await manager(api.createChecklist, { body: { title, sections } });
    const { id: schedule_id } = await manager(api.createSchedule, {
      body: { checklist_id, parks: [park], repeat: 'daily', gate, ...times },
    });
    const row = await server.db
      .selectFrom('due_checks')
      .select('id')
      .where('schedule_id', '=', schedule_id)
      .orderBy('day')
      .executeTakeFirstOrThrow();
    await server.db
      .updateTable('due_checks')
      .set({ opens_at: opens_at ?? '', closes_at: closes_at ?? '', day: today })
      .where('id', '=', row.id)
      .execute();
  }

  await page.goto('/get-reports');
  await openMore(page);
  await page.getByRole('main').getByRole('link', { name: 'Overview' }).click();
  await expect(page.getByLabel('Park', { exact: true })).toHaveValue(park);
  const attention = page.getByRole('region', { name: 'What needs attention' });
  await expect(attention.getByRole('link', { name: '4 reports not yet opened' })).toBeVisible();
  await expectAccessiblePage(page);

  // The manager looks up what happened since Friday.
  const period = page.getByRole('group', { name: 'Period' });
  await period.getByRole('button', { name: 'Since Friday' }).click();
  const table = page.getByRole('region', { name: 'Figures for each park' });
  await page.getByRole('link', { name: '3 reports', exact: true }).click();
  await expect(page.getByRole('region', { name: 'Accident Reports' }).getByRole('listitem')).toHaveCount(2);
  await expect(page.getByRole('region', { name: 'Incident Reports' }).getByRole('listitem')).toHaveCount(1);
  await page.goBack();
  await table.getByRole('link', { name: `Accidents, ${park}: 2, last year 0` }).click();
  await expect(page.getByRole('region', { name: 'Accident Reports' })).toContainText('2 reports');
  await expect(page.getByRole('region', { name: 'Incident Reports' })).toHaveCount(0);
  await expect(page.getByRole('region', { name: 'Accident Reports' }).getByRole('listitem')).toHaveCount(2);
  await expectAccessiblePage(page);
  await page.goBack();

  // Then show only the burns of this year, by park.
  await period.getByRole('button', { name: 'This Year' }).click();
  await page.getByRole('button', { name: 'Show Burn by park' }).click();
  await expect(page.getByRole('heading', { name: 'Parks: Burn' })).toBeFocused();
  await expect(table.getByRole('link', { name: `Accidents, ${park}: 2, last year 0` })).toBeVisible();
  await expect(page).toHaveURL(/type=Burn/);
  await page.getByLabel('Park', { exact: true }).selectOption('All parks');
  // Parks with no reports and no checks in the period, and no open audits, are one row.
  await expect(table.getByRole('row', { name: new RegExp(`^${park}`) })).toBeVisible();
  await expect(table.getByRole('button', { name: 'Oakfield' })).toHaveCount(0);
  await table.getByRole('button', { name: /^and \d+ quiet parks$/ }).click();
  await expect(table.getByRole('row')).toHaveCount(23);
  // On a phone, a card per park shows what needs attention, and a tap on its name all its figures.
  await expect(table.getByRole('row', { name: /^Oakfield/ })).toHaveText(/^OakfieldNothing stands out/);
  await expect(table.getByRole('row', { name: new RegExp(`^${park}`) }).getByRole('cell')).toHaveCount(4);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
  await table.getByRole('button', { name: park }).click();
  await expect(table.getByRole('row', { name: new RegExp(`^${park}`) }).getByRole('cell')).toHaveCount(6);
  await page.getByLabel('Park', { exact: true }).selectOption('All parks');
  // A manager of one park sees no audits of others.
  await expect(table.getByRole('row', { name: /^Oakfield/ }).getByText('–', { exact: true })).toHaveCount(2);
  await expect(table.getByText(`${park} only`)).toHaveCount(2);
  await expect(attention.getByRole('link', { name: `1 overdue audit at ${park}` })).toBeVisible();
  await page.getByLabel('Park', { exact: true }).selectOption('Several parks...');
  const parkCheckboxes = page.getByRole('group', { name: 'Parks' });
  for (const name of [park, 'Caerelwan']) await parkCheckboxes.getByRole('checkbox', { name }).click();
  await expect(parkCheckboxes.getByRole('checkbox', { checked: true })).toHaveCount(2);
  await expect(table.getByRole('row')).toHaveCount(4);
  await expectAccessiblePage(page);
  await table.getByRole('link', { name: /^Accidents, .+ and .+: 2, last year 0$/ }).click();
  await expect(page.getByRole('region', { name: 'Accident Reports' }).getByRole('listitem')).toHaveCount(2);
  await page.goBack();
  await page.getByLabel('Park', { exact: true }).selectOption(park);
  await page.getByRole('button', { name: 'Show All Types' }).click();
  await page.getByRole('button', { name: 'Show Other by park' }).click();
  await expect(table.getByRole('link', { name: `Incidents, ${park}: 1, last year 0` })).toBeVisible();
  await page.getByRole('button', { name: 'Show All Types' }).click();

  await page.getByRole('link', { name: 'Guest', exact: true }).click();
  await expect(page).toHaveURL((url) => url.searchParams.get('park') === park && url.searchParams.has('status'));
  await page.goBack();

  // A location, an hour and a month open the list of their reports.
  const reports = page.getByRole('region', { name: /^(Accident|Incident) Reports$/ }).getByRole('listitem');
  await page.getByRole('link', { name: 'Plot 12' }).click();
  await expect(page.getByText('at Plot 12')).toBeVisible();
  await expect(reports).toHaveCount(addDays(today, -90).slice(0, 4) === today.slice(0, 4) ? 4 : 3);
  await page.goBack();
  const hours = page.getByRole('table', { name: 'Reports by weekday and hour' });
  await hours.getByRole('link', { name: / 00:00: 3$/ }).click();
  await expect(page.getByText('00:00 to 00:59')).toBeVisible();
  await expect(reports).toHaveCount(3);
  await page.goBack();
  await page.getByRole('button', { name: 'Show as table: Reports by month' }).click();
  await page.getByRole('region', { name: 'Table: Reports by month' }).getByRole('link').last().click();
  await expect(reports).toHaveCount(3);
  await page.goBack();

  // Then the reports that need an assessment under RIDDOR.
  await attention.getByRole('link', { name: '4 to assess for RIDDOR' }).click();
  await expect(page.getByRole('region', { name: 'Accident Reports' }).getByRole('listitem')).toHaveCount(3);
  await expect(page.getByRole('region', { name: 'Incident Reports' }).getByRole('listitem')).toHaveCount(1);
  await page.goBack();

  // Then overdue audits.
  await attention.getByRole('link', { name: '1 overdue audit' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Overdue Audits');
  await expect(page.getByRole('region', { name: park }).getByRole('listitem')).toHaveText([
    /Renew the signs.*Siân.*\d+ days late/,
  ]);
  await expectAccessiblePage(page);
  await page.goBack();

  // Then who missed the weekly pool check.
  await attention.getByRole('link', { name: '2 missed checks in this period' }).click();
  await expectAccessiblePage(page);
  await page.getByRole('button', { name: /^Weekly pool check/ }).click();
  await expect(page.getByRole('main').getByRole('listitem')).toHaveText([
    /Weekly pool check.*Winkups|Weekly pool check.*Sunny Sands/,
  ]);
  await page.goBack();

  await attention.getByRole('link', { name: '1 not ready to open' }).click();
  await expect(page.getByRole('main').getByRole('listitem')).toHaveText([/Pool.*Not ready: check due since/]);
  await page.goBack();

  // Each chart has a table. Parks can be in alphabetical order.
  await page.getByRole('button', { name: 'Show as table: Reports by month' }).click();
  await expect(page.getByRole('region', { name: 'Table: Reports by month' })).toContainText('Accidents');
  await table.getByRole('button', { name: 'Park A to Z' }).click();
  await expect(table.getByRole('columnheader', { name: 'Park' })).toHaveAttribute('aria-sort', 'ascending');

  // An opened report no longer needs attention.
  await attention.getByRole('link', { name: '4 reports not yet opened' }).click();
  // The details are shown from the list before the server has sent them, which makes the report an
  // opened one.
  const reportLoaded = page.waitForResponse('**/api/reports/*');
  const unopened = page.getByRole('region', { name: 'Incident Reports' }).getByRole('listitem');
  await expect(unopened).toContainText('Not yet opened');
  await unopened.getByRole('button').click();
  await expect(page.getByRole('dialog', { name: 'Report Details' })).toContainText('Other');
  await reportLoaded;
  await expect(unopened).toHaveCount(0);
  await page.goto(`/overview`);
  await expect(attention.getByRole('link', { name: '3 reports not yet opened' })).toBeVisible();

  // Then who changed what.
  await page.getByRole('link', { name: 'Who Changed What' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Activity');
  await expect(page.getByRole('checkbox', { name: 'Changes only' })).toBeChecked();
  await page.getByRole('main').getByRole('link', { name: 'Overview', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Overview');
});

test('the numbers of two years say for screen readers that they are compared with 2 years earlier @once', async ({
  page,
  signInAs,
}) => {
  await signInAs(page, 'Health & Safety Manager', 'Mounds');
  await page.goto('/overview?period=custom&from=2024-01-01&to=2025-12-31');
  await expect(page.getByRole('link', { name: /^Accidents, Mounds: \d+, 2 years earlier \d+$/ })).toBeVisible();
});

test('the charts of the overview load when they are scrolled near @once', async ({ page, server, signInAs }) => {
  const staff = await server.as('None');
  await staff(api.submitAccident, { body: await newReport(staff, { date: getToday(), time: '00:00' }) });
  const charts: string[] = [];
  page.on('request', (request) => void (request.url().includes('/assets/Charts-') && charts.push(request.url())));
  await signInAs(page, 'Health & Safety Manager');
  // So low that the charts begin far below it.
  await page.setViewportSize({ width: 390, height: 300 });
  await page.goto('/overview');
  const rows = page.getByRole('region', { name: 'Figures for each park' }).getByRole('row');
  await expect(page.getByRole('button', { name: /^and \d+ quiet parks$/ })).toBeVisible();
  expect(charts).toEqual([]);
  await rows.last().scrollIntoViewIfNeeded();
  await expect(page.getByRole('heading', { name: 'Reports by month' })).toBeVisible();
  expect(charts).not.toEqual([]);
});

test('the overview prints on one A4 page, landscape @once', async ({ page, server, signInAs }) => {
  // As many types, places and statuses as the charts show.
  const staff = await server.as('None', 'Lido Beach');
  for (let at = 0; at < 12; at++) {
    const names = {
      date: getToday(),
      time: '00:00',
      type: `Type ${at}`,
      location: `Plot ${at}`,
      employmentStatus: employmentStatuses[at % 5],
    };
    await staff(api.submitAccident, { body: await newReport(staff, names) });
  }
  // At least two sentences: 'Slip: up by 1 on last year.' and '1 audit is overdue at Lido Beach.'
  const yearBefore = addYears(getToday(), -1);
  await staff(api.submitAccident, { body: await newReport(staff, { type: 'Slip', date: yearBefore }) });
  const manager = await server.as('Health & Safety Manager');
  await manager(api.createAudit, { body: newAudit(await newFolder(manager)) });
  for (let at = 0; at < 8; at++) await manager(api.createLesson, { body: newLesson({ title: `Lesson ${at}` }) });
  await signInAs(page, 'Health & Safety Manager');
  // Whatever ran before: every number but one needs attention, and three long sentences stand out.
  await page.route('**/api/overview?*', async (route) => {
    const response = await route.fetch();
    const overview = Overview.parse(await response.json());
    const attention = Object.fromEntries(Object.keys(overview.attention).map((name) => [name, 12]));
    for (const { now } of overview.parks.slice(0, 2)) now.overdueAudits = 12;
    const parks = [{ park: 'Pendyffryn Hall', checks: 12 }];
    const missed = [{ checklist_title: `${'Play area and outdoor equipment, '.repeat(4)}weekly`, parks }];
    await route.fulfill({ response, json: { ...overview, attention: { ...attention, notReady: 0 }, missed } });
  });
  await page.route('**/api/riddor/counts*', async (route) => {
    const response = await route.fetch();
    const duties = (await response.json()) as Record<string, number>;
    await route.fulfill({ response, json: Object.fromEntries(Object.keys(duties).map((name) => [name, 12])) });
  });
  await page.goto('/overview');
  await expect(page.getByRole('link', { name: 'Lesson 7' })).toBeVisible();
  // The bar marks this screen, and no other.
  const current = await page.getByRole('banner').locator('a[aria-current]').all();
  expect(current).not.toEqual([]);
  for (const link of current) await expect(link).toHaveAttribute('href', '/overview');
  await page.getByRole('button', { name: /^and \d+ quiet parks$/ }).click();
  await expect(page.getByRole('region', { name: 'Figures for each park' }).getByRole('row')).toHaveCount(23);
  const pdf = await page.pdf({ preferCSSPageSize: true });
  const text = pdf.toString('latin1');
  expect(text.match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
  const [, width = 0, height = 0] = /\/MediaBox\s*\[\s*0\s+0\s+([\d.]+)\s+([\d.]+)/.exec(text)?.map(Number) ?? [];
  expect([Math.round(width), Math.round(height)]).toEqual([842, 595]);
  const printed = execFileSync('pdftotext', ['-layout', '-', '-'], { input: pdf, encoding: 'utf8' });
  expect(printed).toMatch(/up by \d+ on last year\.(\n| {2,})\S/);
  expect(printed).toMatch(/\d+ audits are overdue/);
});
