import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { getToday } from '#shared/dates.ts';
import {
  attentionLists,
  createAllReportsList,
  createEmploymentList,
  createHourList,
  createLocationList,
  createMonthList,
  createWeekList,
  measureLists,
  type OverviewList,
} from '#shared/overview/lists.ts';
import { parseParks } from '#shared/park-list.ts';
import { hours } from '#shared/reports/report-url.ts';
import { duties as dutyNames } from '#shared/reports/reports.ts';
import { fractureAnswers } from '../testing/assessments.ts';
import { newAudit, newFolder, newReport } from '../testing/factories.ts';
import { sendMessage } from '../testing/messages.ts';
import { changeRows } from '../testing/rows.ts';
import { engines, type TestClient } from '../testing/server.ts';
import { createTestServer } from '../testing/test-server.ts';

describe.each(engines)('the overview on %s', (engine) => {
  const { server, admin, manager } = createTestServer(engine);

  const days = { from: '2026-01-01', to: getToday() };

  test('a report needs attention until a reviewer other than its author opens it', async () => {
    const countUnopened = async () => (await admin(api.getOverview, { query: days })).attention.unopenedReports;
    const countListedUnopened = async () =>
      (await admin(api.listReports, { query: { unopened: '1', limit: 100 } })).length;
    const before = await countUnopened();
    const { id } = await manager(api.submitAccident, { body: await newReport(manager) });
    await manager(api.submitAccident, { body: await newReport(manager) });
    await manager(api.getReport, { params: { id } });
    expect([await countUnopened(), await countListedUnopened()]).toEqual([before + 2, before + 2]);
    await admin(api.getReportPdf, { params: { id } });
    expect([await countUnopened(), await countListedUnopened()]).toEqual([before + 1, before + 1]);
  });

  test('reports are filtered by park, days, status and emergency service, in lists, months and exports', async () => {
    const submit = async (changes: Record<string, unknown>) =>
      admin(api.submitIncident, { body: await newReport(admin, { selectedPlace: 'Winkups', ...changes }) });
    await submit({ date: '2025-02-10', employmentStatus: 'Staff' });
    const { id } = await submit({ date: '2025-02-11', employmentStatus: 'Owner', emergencyService: 'Police' });
    await submit({ date: '2025-02-12', employmentStatus: 'Owner' });
    const listDays = async (query: object) =>
      (await admin(api.listReports, { query: { reportType: 'incident', park: 'Winkups', limit: 50, ...query } })).map(
        ({ date }) => date.slice(8),
      );
    expect(await listDays({})).toEqual(['12', '11', '10']);
    expect(await listDays({ from: '2025-02-11' })).toEqual(['12', '11']);
    expect(await listDays({ to: '2025-02-11' })).toEqual(['11', '10']);
    expect(await listDays({ employmentStatus: 'Owner' })).toEqual(['12', '11']);
    expect(await listDays({ emergencyService: 'Any' })).toEqual(['11']);
    expect(await listDays({ emergencyService: 'Ambulance' })).toEqual([]);
    const emergency = { park: 'Winkups', emergencyService: 'Any' } as const;
    expect(await admin(api.listReportMonths, { query: { reportType: 'incident', ...emergency } })).toEqual([
      { month: '2025-02', count: 1 },
    ]);
    const duties = { reportType: 'incident', park: 'Winkups' } as const;
    expect(await admin(api.countDuties, { query: duties })).toMatchObject({ toAssess: 3 });
    expect(await admin(api.countDuties, { query: { ...duties, ...emergency } })).toMatchObject({ toAssess: 1 });
    expect(await admin(api.countDuties, { query: { ...duties, from: '2025-02-11' } })).toMatchObject({ toAssess: 2 });
    const csv = await admin(api.exportReports, { query: { format: 'csv', ...emergency } });
    expect(parse(Buffer.from(csv), { bom: true, columns: true })).toHaveLength(1);
    expect((await admin(api.getReport, { params: { id } })).selectedPlace).toBe('Winkups');
    await expect(admin(api.listReports, { query: { park: 'Atlantis' as never } })).rejects.toMatchObject({
      status: 400,
      fields: { park: 'Choose a park' },
    });
  });

  test('reports whose types differ only in case are counted and listed together', async () => {
    for (const type of ['Wasp sting', 'wasp STING ', 'Bee sting'])
      await admin(api.submitAccident, { body: await newReport(admin, { type, selectedPlace: 'Oakfield' }) });
    const query = { ...days, park: 'Oakfield', type: 'WASP sting' } as const;
    const { parks, types } = await admin(api.getOverview, { query });
    expect([parks[0]?.now.accidents, types]).toEqual([2, [{ name: 'Wasp sting', count: 2, before: 0 }]]);
    expect(await admin(api.listReports, { query: { ...query, limit: 50 } })).toHaveLength(2);
  });

  test("audits of the user's parks are counted, and each number links to a list of that length", async () => {
    for (const park of ['Mounds', 'Kingsley'] as const) {
      const folder = await newFolder(admin, { park });
      await admin(api.createAudit, { body: newAudit(folder, { date: '2026-03-20' }) });
      const { id } = await admin(api.createAudit, { body: newAudit(folder, { verification: {} }) });
      await admin(api.updateAudit, { params: { id }, body: { data: { completed: true } } });
      for (const source_thing of ['hazard', 'message'] as const) {
        const body = { hazard: { park, kind: 'Broken or loose' as const }, location: `Slide of ${park}` };
        const { id } = await admin(api.createAudit, { body });
        await changeRows(server.db, 'audits', { id }, { source_thing });
      }
    }
    const parkManager = await server.as('Health & Safety Manager', 'Mounds');
    const { attention, parks, hazards } = await parkManager(api.getOverview, { query: days });
    for (const { park, now, before } of parks) {
      const numbers = [now.openAudits, now.overdueAudits, before.openAudits, before.overdueAudits];
      expect(numbers, park).toEqual(park === 'Mounds' ? [3, 1, 0, 0] : [null, null, null, null]);
    }
    const elsewhere = await parkManager(api.getOverview, { query: { ...days, park: 'Kingsley' } });
    expect(elsewhere.attention.overdueAudits).toBeNull();
    const overdue = await parkManager(api.listAuditsOnDay, { query: { state: 'overdue', on: getToday() } });
    expect([attention.overdueAudits, overdue.map(({ park }) => park)]).toEqual([1, ['Mounds']]);
    expect([attention.auditsToVerify, hazards]).toEqual([1, [{ name: 'Slide of Mounds', count: 2 }]]);
  });

  test("the filter of open audits reveals none outside the user's park, in any number or list", async () => {
    const [park, otherPark] = ['Mounds', 'Kingsley'] as const;
    const submit = async (selectedPlace: string) =>
      (await admin(api.submitAccident, { body: await newReport(admin, { selectedPlace }) })).id;
    const [ownParkReport, otherParkReport] = [await submit(park), await submit(otherPark)];
    const listIdsAndMonths = async (client: TestClient) => {
      const query = { openAudits: '1', reportType: 'accident' } as const;
      const rows = await client(api.listReports, { query: { ...query, limit: 200 } });
      const months = await client(api.listReportMonths, { query });
      const { toAssess } = await client(api.countDuties, { query });
      const exportedRows = parse(Buffer.from(await client(api.exportReports, { query: { ...query, format: 'csv' } })));
      return {
        ids: rows.map(({ id }) => id),
        counts: [months.reduce((sum, { count }) => sum + count, 0), toAssess, exportedRows.length - 1],
      };
    };
    const manager = await server.as('Health & Safety Manager', park);
    const before = await listIdsAndMonths(manager);
    const add = async (folder_id: string, id: string) =>
      admin(api.createAudit, { body: newAudit(folder_id, { source: { thing: 'report', id } }) });
    await add(await newFolder(admin, { park }), ownParkReport);
    await add(await newFolder(admin, { park: otherPark }), otherParkReport);
    const after = await listIdsAndMonths(manager);
    expect(after.ids).toEqual([ownParkReport, ...before.ids]);
    expect(after.counts).toEqual(before.counts.map((count) => count + 1));
    expect((await listIdsAndMonths(admin)).ids.filter((id) => [ownParkReport, otherParkReport].includes(id))).toEqual([
      otherParkReport,
      ownParkReport,
    ]);
  });

  test('an overview of a period that ends before it begins is rejected', async () => {
    const wrong = admin(api.getOverview, { query: { from: '2026-02-01', to: '2026-01-01' } });
    await expect(wrong).rejects.toMatchObject({ status: 400, fields: { to: 'The last day is before the first' } });
  });

  test('each number of the overview is the length of the list it links to, for one park, several and all', async () => {
    const [firstPark, secondPark, thirdPark] = ['Winkups', 'Mounds', 'Caerelwan'] as const;
    const day = getToday();
    const dateAndTime = { date: day, time: '00:00' };
    const reports = [
      { selectedPlace: firstPark, type: 'Burn', emergencyService: 'Ambulance', ...dateAndTime },
      { selectedPlace: firstPark, type: 'burn ', location: 'CAFFI TŶ ', ...dateAndTime },
      { selectedPlace: secondPark, type: 'Slip', employmentStatus: 'Staff', location: 'Caffi Tŷ', ...dateAndTime },
      { selectedPlace: thirdPark, type: 'Burn', ...dateAndTime },
      { selectedPlace: thirdPark, type: 'Burn', date: '2025-03-01' },
    ];
    for (const changes of reports) {
      const { id } = await admin(api.submitAccident, { body: await newReport(admin, changes) });
      await admin(api.submitIncident, { body: await newReport(admin, changes) });
      const source = { thing: 'report' as const, id };
      await admin(api.createInvestigation, { body: source });
      const folder_id = await newFolder(admin, { park: changes.selectedPlace });
      await admin(api.createAudit, { body: newAudit(folder_id, { date: '2026-03-20', source }) });
      await admin(api.createAudit, { body: newAudit(folder_id, { date: '2099-03-20' }) });
    }
    // Give one report a later due day, make one overdue, and leave the others unassessed.
    const rows = await admin(api.listReports, { query: { park: thirdPark, reportType: 'accident', limit: 50 } });
    for (const { id } of rows)
      await admin(api.saveAssessment, { params: { id }, body: { version: 0, ...fractureAnswers } });
    // One was decided by rules that were corrected since.
    const [decided] = await admin(api.listReports, { query: { park: thirdPark, reportType: 'incident' } });
    const params = { id: decided?.id ?? '' };
    const answers = { ...fractureAnswers.answers, exclusions: ['medical' as const], treatmentCheck: 'right' as const };
    await admin(api.saveAssessment, { params, body: { version: 0, ...fractureAnswers, answers } });
    await server.db
      .updateTable('assessments')
      .set({ rule_set: 'riddor-2013-v1', decision: 'notReportable', decided_by_name: 'huw', settled: 1, to_review: 1 })
      .set({ decided_at: new Date().toISOString() })
      .where('report_id', '=', params.id)
      .execute();
    const { id: checklist_id } = await admin(api.createChecklist, {
      body: {
        title: 'Pool',
        sections: [{ title: 'Clear?', type: 'checkbox', required: false, onFail: { when: 'notTicked' } }],
      },
    });
    await admin(api.createSchedule, {
      body: {
        checklist_id,
        parks: [firstPark, secondPark, thirdPark],
        repeat: 'daily',
        gate: 'Pool',
        opens_at: '00:00',
        closes_at: '00:00',
        starts_on: day,
      },
    });
    // Two checks were due the day before yesterday: one was missed, one was submitted.
    const getTimeBefore = (ms: number) => new Date(Date.now() - ms).toISOString();
    const closed = { opens_at: getTimeBefore(7_200_000), closes_at: getTimeBefore(3_600_000) };
    await changeRows(server.db, 'due_checks', {}, closed);
    await changeRows(server.db, 'due_checks', { park: secondPark }, { filled_in_at: getTimeBefore(5_000_000) });

    for (const park of [firstPark, thirdPark]) await sendMessage(server, {}, { park });

    const count = async (list: OverviewList): Promise<number> => {
      if (list.list === 'reports')
        return (await admin(api.listReports, { query: { ...list.query, limit: 500 } })).length;
      if (list.list === 'audits') return (await admin(api.listAuditsOnDay, { query: list.query })).length;
      if (list.list === 'checks') return (await admin(api.listChecks, { query: { ...list.query, limit: 500 } })).length;
      if (list.list === 'messages') return (await admin(api.listMessages, { query: list.query })).length;
      const requestedParks = parseParks(list.query.park ?? '');
      if (list.list === 'investigations')
        return (await admin(api.listInvestigations, { query: {} })).filter(
          ({ state, park }) =>
            state !== 'closed' && (requestedParks.length === 0 || requestedParks.some((one) => one === park)),
        ).length;
      const { ready } = await admin(api.listDueChecks, { query: {} });
      return ready.filter(
        ({ is_ready, park }) =>
          !is_ready && (requestedParks.length === 0 || requestedParks.some((one) => one === park)),
      ).length;
    };
    let comparedCount = 0;
    for (const type of [undefined, 'BURN'])
      for (const park of [undefined, firstPark, `${secondPark},${firstPark}`]) {
        const overview = await admin(api.getOverview, { query: { ...days, park, type } });
        const duties = await admin(api.countDuties, { query: { park } });
        const listContext = { days, park, type, today: getToday() };
        const check = async (name: string, number: number | null | undefined, list: OverviewList) => {
          expect(await count(list), `${name} of ${park}, ${type}`).toBe(number);
          comparedCount += 1;
        };
        const names = Object.keys(measureLists) as (keyof typeof measureLists)[];
        // With a type, check only the parks that have reports of this type.
        const used: readonly string[] = type
          ? [firstPark, secondPark, thirdPark]
          : overview.parks.map((row) => row.park);
        for (const row of overview.parks.filter((row) => used.includes(row.park)))
          for (const name of names)
            await check(
              `${name} at ${row.park}`,
              row.now[name],
              measureLists[name]({ ...listContext, park: row.park }),
            );
        for (const name of names) {
          const total = overview.parks.reduce((sum, { now }) => sum + (now[name] ?? 0), 0);
          await check(`all ${name}`, total, measureLists[name](listContext));
        }
        const reports = overview.parks.reduce((sum, { now }) => sum + now.accidents + now.incidents, 0);
        await check('all reports', reports, createAllReportsList(listContext));
        if (!type) {
          const missed = await admin(api.countChecks, { query: { state: 'missed', ...days, park } });
          for (const { checklist_id, checks, parks } of missed) {
            const query = { state: 'missed' as const, ...days, park, checklist: checklist_id };
            await check('missed', checks, { list: 'checks', query });
            for (const one of parks)
              await check(`missed at ${one.park}`, one.checks, { list: 'checks', query: { ...query, park: one.park } });
          }
          expect(missed.reduce((sum, { checks }) => sum + checks, 0)).toBe(overview.attention.missedChecks);
        }
        const numbers: Record<string, number | null | undefined> = { ...duties, ...overview.attention };
        for (const name of Object.keys(attentionLists) as (keyof typeof attentionLists)[])
          await check(name, numbers[name], attentionLists[name](listContext));
        for (const { name, count } of overview.employment)
          await check(name, count, createEmploymentList(name, listContext));
        for (const location of overview.locations)
          if (!location.isRest) await check(location.name, location.count, createLocationList(location, listContext));
        for (const { month, accidents, incidents } of overview.months)
          await check(month, accidents + incidents, createMonthList(month, listContext));
        for (const { week, checks } of overview.weeks) await check(week, checks, createWeekList(week, listContext));
        for (const [index, day] of overview.hours.entries())
          for (const [hour, count] of day.entries())
            if (count > 0 || hour === 1)
              await check(`${index} ${hour}`, count, createHourList(index + 1, hours[hour] ?? '', listContext));
        if (!type && !park) for (const duty of dutyNames) expect(numbers[duty], duty).toBeGreaterThan(0);
      }
    expect(comparedCount).toBeGreaterThan(200);
    const withOpenAudits = await admin(api.listReports, { query: { openAudits: '1', park: firstPark, limit: 50 } });
    expect(withOpenAudits.map(({ reportType }) => reportType)).toEqual(['accident', 'accident']);
    const [first] = await admin(api.listReportAudits, { params: { id: withOpenAudits[0]?.id ?? '' } });
    await changeRows(server.db, 'audits', { id: first?.id ?? '' }, { completed: 1 });
    const [second, ...others] = await admin(api.listReports, { query: { openAudits: '1', park: firstPark } });
    expect(others).toEqual([]);
    for (const audit of await admin(api.listReportAudits, { params: { id: second?.id ?? '' } }))
      await admin(api.deleteAudit, { params: { id: audit.id } });
    expect(await admin(api.listReports, { query: { openAudits: '1', park: firstPark } })).toEqual([]);
  });
});
