import { describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { fractureAnswers, startLawTest } from '../testing/assessments.ts';
import { readPdfText } from '../testing/documents.ts';
import { readRow } from '../testing/rows.ts';
import { engines } from '../testing/server.ts';
import { setUp } from '../testing/test-server.ts';

describe.each(engines)('the deadlines of RIDDOR on %s', (engine) => {
  let now = Date.parse('2033-06-01T09:00:00Z');
  const { server, manager, createReport } = setUp(() => startLawTest(engine, () => now));

  test('counts, list, details and PDF show the same RIDDOR state of a report on every day for 20 days', {
    timeout: 120_000,
  }, async () => {
    const dayMs = 24 * 60 * 60 * 1000;
    // Winter time begins on 30 October 2033.
    const accident = Date.parse('2033-10-20T12:00:00Z');
    now = accident;
    const assessedReport = await createReport('2033-10-20');
    const unassessedReport = await createReport('2033-10-20');
    const absenceReport = await createReport('2033-10-20');
    const absence = { absence: 'spells', spells: [{ from: '2033-10-21', back: null }] };
    const readReport = async () => {
      const row = await readRow(server.db, 'reports', { id: assessedReport.id });
      // The report stores when a reviewer first opened it, once.
      return JSON.stringify({ ...row, first_opened_at: '' });
    };
    const signed = await readReport();
    const seen: string[] = [];
    for (let day = 0; day <= 20; day += 1) {
      now = accident + day * dayMs;
      if (day === 1) {
        await manager(api.saveAssessment, { params: assessedReport.params, body: { version: 0, ...fractureAnswers } });
        const people = [{ ...fractureAnswers.people[0], specified: ['none'], ...absence }];
        const answers = { ...fractureAnswers.answers, workHow: 'yes' };
        await manager(api.saveAssessment, { params: absenceReport.params, body: { version: 0, answers, people } });
      }
      const on = new Date(now).toISOString().slice(0, 10);
      const notice = { duties: ['4(1)'], on };
      if (day === 3)
        await manager(api.addRiddorNotice, { params: assessedReport.params, body: { ...notice, how: 'telephone' } });
      if (day === 14) {
        const body = { ...notice, how: 'online' as const, hseReference: 'HSE-9' };
        await manager(api.addRiddorNotice, { params: assessedReport.params, body });
      }
      for (const { id, number, params } of [assessedReport, unassessedReport, absenceReport]) {
        const [row] = await manager(api.listOpenDuties, { query: { ids: id } });
        const { clock } = await manager(api.getAssessment, { params });
        expect(row).toMatchObject(clock);
        // An unassessed report keeps its state even after its day.
        const isOver = clock.words.startsWith('Overdue');
        expect(isOver).toBe(clock.state !== 'notAssessed' && (clock.daysOver ?? 0) > 0);
        const mustBeReported = !isOver && ['tellNow', 'due', 'theirs'].includes(clock.state);
        const isUnfinished = clock.state !== 'reported';
        expect([day, await manager(api.countDuties, { query: { q: number } })]).toMatchObject([
          day,
          {
            overdue: Number(isOver),
            toReport: Number(mustBeReported),
            toAssess: Number(isUnfinished && !isOver && !mustBeReported),
          },
        ]);
        if (id !== assessedReport.id) continue;
        const pdf = await manager(api.getReportPdf, { params });
        const text = readPdfText(pdf);
        expect(text.replace(/\s+/g, ' ')).toContain(clock.words);
        seen.push(clock.words);
      }
      expect(await readReport()).toBe(signed);
    }
    expect(seen[0]).toBe('Not assessed. If reportable, due by 30/10/2033');
    expect(seen[2]).toBe('Tell HSE now; report by 30/10/2033');
    expect(seen[10]).toBe('Report by 30/10/2033, today');
    expect(seen.slice(11, 14)).toEqual(
      ['1 day', '2 days', '3 days'].map((days) => `Overdue by ${days}. Report it now`),
    );
    expect(new Set(seen.slice(14))).toEqual(new Set(['Reported 03/11/2033, HSE ref HSE-9']));
  });

  test("a report becomes overdue at midnight in the parks on both clock changes, whatever the server's time zone", async () => {
    const zone = process.env.TZ;
    process.env.TZ = 'Pacific/Auckland';
    try {
      // Summer time begins on 26 March 2034 and ends on 29 October: each of these nights begins before the clocks change.
      for (const [accident, midnight] of [
        ['2034-03-15', '2034-03-26T00:00:00Z'],
        ['2034-10-18', '2034-10-28T23:00:00Z'],
      ] as const) {
        now = Date.parse(midnight) - 60_000;
        const { id, params } = await createReport(accident);
        await manager(api.saveAssessment, { params, body: { version: 0, ...fractureAnswers } });
        const notice = { duties: ['4(1)'], how: 'telephone' as const, on: accident };
        await manager(api.addRiddorNotice, { params, body: notice });
        const getState = async () => {
          const [row] = await manager(api.listOpenDuties, { query: { ids: id } });
          return [row?.state, row?.daysOver];
        };
        expect(await getState()).toEqual(['due', 0]);
        now = Date.parse(midnight) + 60_000;
        expect(await getState()).toEqual(['overdue', 1]);
      }
    } finally {
      if (zone === undefined) delete process.env.TZ;
      else process.env.TZ = zone;
    }
  });
});
