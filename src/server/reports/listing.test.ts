// Numbers without gaps, correct months, pages without repeats or losses, and imported reports with
// old date formats.
import { describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { getMonth } from '#shared/dates.ts';
import type { Report } from '#shared/reports/reports.ts';
import { foldText } from '#shared/text.ts';
import { newId } from '../ids.ts';
import { newReport } from '../testing/factories.ts';
import { engines } from '../testing/server.ts';
import { createTestServer } from '../testing/test-server.ts';
import { insertReport, readReportPages, readReportPagesAsJson } from './store.ts';

describe.each(engines)('the list of reports on %s', (engine) => {
  const { server } = createTestServer(engine);
  const staff = server.user('None');
  const reviewer = server.user('Admin');

  const year = new Date().getUTCFullYear();
  const numbers = (prefix: string, from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, at) => `${prefix}-${year}-${String(from + at).padStart(4, '0')}`);

  test('simultaneous reports are numbered in sequence, and rejected ones use no number', async () => {
    const bodies = await Promise.all(Array.from({ length: 20 }, () => newReport(staff)));
    const mediaFiles = bodies[0]?.mediaFiles ?? [];
    const submissions = await Promise.allSettled(
      bodies.flatMap((body, at) => [
        staff(at % 2 ? api.submitIncident : api.submitAccident, { body }),
        staff(api.submitAccident, { body: { ...body, mediaFiles: [...mediaFiles, ...mediaFiles] } }),
      ]),
    );
    const reportNumbers = submissions.flatMap((outcome) =>
      outcome.status === 'fulfilled' ? [outcome.value.number] : [],
    );
    expect(reportNumbers.toSorted()).toEqual([...numbers('ACC', 1, 10), ...numbers('INC', 1, 10)]);
  });

  /** Inserts a report as an import of old data might, with any text as date. */
  async function insertOld(date: string, changes: object = {}) {
    const { signature, affectedUserSignature, mediaFiles: _, ...fields } = await template();
    const id = newId();
    const report = { ...fields, signature, affectedUserSignature, date, ...changes };
    await server.db.transaction().execute((db) =>
      insertReport(db, {
        id,
        reportType: 'accident',
        report: report as never,
        mediaFiles: [],
        fingerprint: id,
        by: { id: staff.id, username: staff.username },
        now: new Date(),
      }),
    );
    await server.db.updateTable('reports').set({ age: null, signature: null }).where('id', '=', id).execute();
    return id;
  }
  let sampleReport: ReturnType<typeof newReport> | undefined;
  const template = () => {
    sampleReport ??= newReport(staff);
    return sampleReport;
  };

  test('reports with unreadable dates are listed after all months, in groups of unknown dates', async () => {
    const dates = ['', 'last Tuesday', '31/02/2019', '14/13/2019', '14/02/2019', '2024-02-29', '3-1-2024'];
    const ids = new Map<string, string>();
    for (const date of dates) ids.set(date, await insertOld(date, { details: 'old record' }));
    const months = await reviewer(api.listReportMonths, { query: { reportType: 'accident', q: 'old record' } });
    expect(months).toEqual([
      { month: '2024-02', count: 1 },
      { month: '2024-01', count: 1 },
      { month: '2019-02', count: 1 },
      { month: 'Unknown Date', count: 1 },
      { month: 'Unknown Date Format', count: 1 },
      { month: 'Invalid Date', count: 1 },
      { month: 'Invalid Month', count: 1 },
    ]);
    for (const [date, id] of ids) {
      const query = { month: getMonth(date), q: 'old record', limit: 500 };
      expect((await reviewer(api.listReports, { query })).map((report) => [report.id, report.date])).toEqual([
        [id, date],
      ]);
      expect(await reviewer(api.getReport, { params: { id } })).toMatchObject({ date, age: null, signature: null });
    }
    const listed = await reviewer(api.listReports, { query: { q: 'old record' } });
    expect(listed.slice(0, 3).map((report) => report.date)).toEqual(['2024-02-29', '3-1-2024', '14/02/2019']);
    expect(new Set(listed.slice(3).map((report) => report.date))).toEqual(new Set(dates.slice(0, 4)));
    const pdf = await reviewer(api.getReportPdf, { params: { id: ids.get('last Tuesday') ?? '' } });
    expect(Buffer.from(pdf).subarray(0, 5).toString()).toBe('%PDF-');
  });

  test('a search for a number with hyphens finds no other number with the same last digits', async () => {
    const search = async (q: string) =>
      (await reviewer(api.listReports, { query: { q, limit: 500 } })).map((report) => report.location).toSorted();
    for (const location of ['Gas-1990-4321', 'Gas-1991-4321', 'Gas-1990-4322', 'Gas-43210', 'Gas 4321 2015'])
      await insertOld('2018-05-01', { location });
    expect(await search('gas-1990-4321')).toEqual(['Gas-1990-4321']);
    expect(await search('1990-432')).toEqual(['Gas-1990-4321', 'Gas-1990-4322']);
    expect(await search('gas 4321 2015')).toEqual(['Gas 4321 2015']);
    expect(await search('gas-43210')).toEqual(['Gas-43210']);
    expect(await search('gas-1992-4321')).toEqual([]);
  });

  test('a report search finds dates, times, employment status and emergency services', async () => {
    const emergency = {
      employmentStatus: 'Owner',
      emergencyService: 'Fire Brigade',
      details: 'rows',
      contactNumber: '07700900456',
    };
    await insertOld('2017-11-22', { ...emergency, time: '16:47', location: 'A' });
    await insertOld('2017-03-01', {
      employmentStatus: 'Staff',
      emergencyService: 'None',
      details: 'rows',
      location: 'B',
    });
    const search = async (q: string) =>
      (await reviewer(api.listReports, { query: { q: `rows ${q}` } })).map((report) => report.location);
    for (const q of [
      '22/11/2017',
      '22/11',
      '22/11/17',
      '22-11-2017',
      '22.11.2017',
      '+44 7700 900 456',
      'tel:+447700900456',
      '\u202a07700 900456\u202c',
      'November 2017',
      '22 november',
      'NOV',
      'owner',
      'fire brig',
      '16:47',
    ])
      expect([q, await search(q)]).toEqual([q, ['A']]);
    for (const q of ['01/03/2017', '1/3/2017', '1/3/17', '01/03', '1 March 2017', 'staff'])
      expect([q, await search(q)]).toEqual([q, ['B']]);
    for (const q of ['23/11/2017', '22/11/2018', '11/22/2017', 'none', 'December 2017'])
      expect([q, await search(q)]).toEqual([q, []]);
  });

  test('an empty cursor returns the first page of reports', async () => {
    const first = await reviewer(api.listReports, { query: { limit: 2 } });
    expect(first).toHaveLength(2);
    expect(await reviewer(api.listReports, { query: { limit: 2, after: '' } })).toEqual(first);
  });

  test('counts of reports by month include only matching reports that are not deleted, by type', async () => {
    const [a, b] = [await insertOld('2021-05-01', { location: 'Żółw' }), await insertOld('31/05/2021')];
    const may = async (q?: string) =>
      (await reviewer(api.listReportMonths, { query: { reportType: 'accident', q } })).find(
        ({ month }) => month === '2021-05',
      )?.count;
    expect([await may(), await may(foldText('ŻÓŁW'))]).toEqual([2, 1]);
    expect(await reviewer(api.listReportMonths, { query: { reportType: 'incident', q: 'zzz' } })).toEqual([]);
    await reviewer(api.deleteReport, { params: { id: a } });
    expect([await may(), await may('żół')]).toEqual([1, undefined]);
    await reviewer(api.deleteReport, { params: { id: b } });
    expect(await may()).toBeUndefined();
    await expect(reviewer(api.deleteReport, { params: { id: b } })).rejects.toMatchObject({ status: 404 });
  });

  test('the neighbours of a report lead through the filtered list, across months and without deleted reports', async () => {
    const dates = ['2018-03-02', '2018-03-01', '2018-01-31', '2017-12-24'];
    const ids: string[] = [];
    for (const date of dates)
      ids.push(await insertOld(date, { details: 'walked through', location: date.slice(0, 4) }));
    const walk = async (query: { q?: string; location?: string }) => {
      const seen = [ids[0]];
      for (;;) {
        const params = { id: seen.at(-1) ?? '' };
        const { previous, next } = await reviewer(api.findReportNeighbours, {
          params,
          query: { reportType: 'accident', ...query },
        });
        expect(previous).toBe(seen.at(-2));
        if (!next) return seen;
        seen.push(next);
      }
    };
    expect(await walk({ q: 'walked through' })).toEqual(ids);
    expect(await walk({ q: 'walked through', location: '2018' })).toEqual(ids.slice(0, 3));
    await reviewer(api.deleteReport, { params: { id: ids[1] ?? '' } });
    expect(await walk({ q: 'walked through' })).toEqual([ids[0], ids[2], ids[3]]);
    const query = { reportType: 'incident', q: 'walked through' } as const;
    expect(await reviewer(api.findReportNeighbours, { params: { id: ids[0] ?? '' }, query })).toEqual({});
    // The lists of a screen follow each other: of the other one, its last and its first report.
    const other = await reviewer(api.submitIncident, {
      body: await newReport(reviewer, { details: 'walked through', location: '2016' }),
    });
    const params = { id: other.id };
    const list = { reportType: 'accident', q: 'walked through' } as const;
    expect(await reviewer(api.findReportNeighbours, { params, query: list })).toEqual({
      previous: ids[3],
      next: ids[0],
    });
    const deleted = reviewer(api.findReportNeighbours, { params: { id: ids[1] ?? '' }, query });
    await expect(deleted).rejects.toMatchObject({ status: 404 });
  });

  test('pages of the reports list have no gaps or repeats while reports are created and deleted', async () => {
    const before: string[] = [];
    for (let at = 0; at < 24; at++)
      before.push(await insertOld(`2020-0${1 + (at % 9)}-1${at % 3}`, { details: 'paged' }));
    const [deleted = '', ...remainingIds] = before;
    const seen: string[] = [];
    for (let after: string | undefined; ; ) {
      const page = await reviewer(api.listReports, { query: { q: 'paged', limit: 5, after } });
      seen.push(...page.map((report) => report.id));
      if (page.length < 5) break;
      after = page.at(-1)?.id;
      await Promise.all([insertOld('2020-12-31', { details: 'paged' }), insertOld('2020-06-15', { details: 'paged' })]);
      // Delete the report that the cursor names: the next page must work without it.
      if (seen.length === 5) await reviewer(api.deleteReport, { params: { id: after ?? '' } });
      if (seen.length === 10 && !seen.includes(deleted)) await reviewer(api.deleteReport, { params: { id: deleted } });
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(remainingIds.filter((id) => !seen.includes(id))).toEqual([]);
    expect(await reviewer(api.listReports, { query: { after: newId() } })).toEqual([]);
  });

  test('a request without filters lists all reports, newest first', async () => {
    const all = await reviewer(api.listReports);
    const { count } = await server.db
      .selectFrom('reports')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('deletion_id', 'is', null)
      .executeTakeFirstOrThrow();
    expect(all).toHaveLength(count);
    const days = all.map((report) => report.date).filter((date) => /^\d{4}-\d\d-\d\d$/.test(date));
    expect(days).toEqual(days.toSorted().toReversed());
  });

  test.each([
    ['the export of reports', readReportPages],
    ['the list of reports without a limit', readReportPagesAsJson],
  ])('%s continues when the report at the end of a page is destroyed before the next page', async (_, readPages) => {
    const id = await insertOld('1985-01-01', { type: 'Page end' });
    const row = await server.db.selectFrom('reports').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    const copies = Array.from({ length: 500 }, (_, at) => {
      const id = newId();
      return { ...row, id, number: `END-${id}`, position: row.position - at - 1 };
    });
    await server.db.insertInto('reports').values(copies).execute();
    const numbers: string[] = [];
    for await (const page of readPages(server.db, { type: 'Page end' })) {
      const reports: Report[] = page instanceof Buffer ? JSON.parse(page.toString()) : page;
      numbers.push(...reports.map(({ number }) => number));
      await server.db
        .deleteFrom('reports')
        .where('number', '=', numbers.at(-1) ?? '')
        .execute();
    }
    expect(numbers).toHaveLength(501);
    await server.db.deleteFrom('reports').where('type_key', '=', row.type_key).execute();
  });
});
