// The monthly counts that triggers maintain equal a recount, whatever happens to the reports.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { getMonth } from '#shared/dates.ts';
import type { ReportType } from '#shared/reports/reports.ts';
import { insertDeletion, markDeleted } from '../deletions/bin/deletions.ts';
import { newId } from '../ids.ts';
import { removeRecords } from '../records/remove.ts';
import { restoreRecord } from '../records/restore.ts';
import { newReport } from '../testing/factories.ts';
import { startOnFirstRelease } from '../testing/first-release.ts';
import { changeRows } from '../testing/rows.ts';
import { engines, type TestServer } from '../testing/server.ts';
import { createTestServer } from '../testing/test-server.ts';
import { countByMonth, countMatches } from './store.ts';

const dates = ['2026-03-01', '2026-03-31', '2024-02-29', '1999-12-31', '', 'last Tuesday', '31/02/2019', '14/13/2019'];
const date = fc.constantFrom(...dates);
const type = fc.constantFrom<ReportType>('accident', 'incident');
const reportIndex = fc.nat(30);
const moves = fc.array(
  fc.oneof(
    fc.record({ do: fc.constant('insert' as const), date, type }),
    fc.record({ do: fc.constant('delete' as const), which: reportIndex }),
    fc.record({ do: fc.constant('restore' as const), which: reportIndex }),
    fc.record({ do: fc.constant('purge' as const), which: reportIndex }),
    fc.record({ do: fc.constant('correct the date' as const), which: reportIndex, date }),
    fc.record({ do: fc.constant('roll back' as const), date, type }),
  ),
  { maxLength: 25 },
);
type Move = typeof moves extends fc.Arbitrary<(infer One)[]> ? One : never;

async function expectSameAsRecount({ db }: TestServer) {
  for (const query of [{}, { reportType: 'accident' }, { reportType: 'incident' }] as const) {
    const toCountsByMonth = (months: { month: string; count: number }[]) =>
      Object.fromEntries(months.map(({ month, count }) => [month, count]));
    expect(toCountsByMonth(await countByMonth(db, query))).toEqual(toCountsByMonth(await countMatches(db, query)));
  }
}

describe.each(engines)('counts by month on %s', (engine) => {
  const { server } = createTestServer(engine);

  test('counts of reports by month equal a recount after random changes', async () => {
    const staff = await server.as('None');
    const { id } = await staff(api.submitAccident, { body: await newReport(staff) });
    const template = await server.db.selectFrom('reports').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    let { position } = template;
    const by = { id: staff.id, username: staff.username };
    const createRow = (date: string, reportType: ReportType) => {
      position += 1;
      const uniqueColumns = { id: newId(), number: `N-${position}`, position };
      return {
        ...template,
        ...uniqueColumns,
        reportType,
        date,
        month: getMonth(date),
        signature: null,
        affectedUserSignature: null,
      };
    };
    const pick = async (index: number) => {
      const rows = await server.db.selectFrom('reports').select(['id', 'deletion_id']).orderBy('position').execute();
      return rows[index % Math.max(1, rows.length)];
    };

    async function applyMove(move: Move): Promise<void> {
      const { db } = server;
      if (move.do === 'insert')
        return void (await db.insertInto('reports').values(createRow(move.date, move.type)).execute());
      if (move.do === 'roll back')
        return db
          .transaction()
          .execute(async (db) => {
            await db.insertInto('reports').values(createRow(move.date, move.type)).execute();
            throw new Error('not kept');
          })
          .catch(() => undefined);
      const report = await pick(move.which);
      if (!report) return;
      if (move.do === 'delete') {
        const deletion = { thing: 'report', thing_id: report.id, label: '', by, now: new Date() } as const;
        await markDeleted(db, 'reports', report.id, await insertDeletion(db, deletion));
      }
      if (move.do === 'restore') await restoreRecord(db, 'report', report.deletion_id ?? '', new Date());
      if (move.do === 'purge' && report.deletion_id) await removeRecords(db, 'report', [report.id]);
      if (move.do === 'correct the date')
        await changeRows(db, 'reports', { id: report.id }, { date: move.date, month: getMonth(move.date) });
    }

    await fc.assert(
      fc.asyncProperty(moves, async (moveList) => {
        for (const move of moveList) await applyMove(move);
        await expectSameAsRecount(server);
      }),
      { numRuns: 40 },
    );
  });

  test('counts of reports by month have the newest month first, unknown months last, and no month without reports', async () => {
    const reviewer = await server.as('Admin');
    const counts = await reviewer(api.listReportMonths, { query: { reportType: 'accident' } });
    const months = counts.map(({ month }) => month);
    const validMonths = months.filter((month) => /^\d{4}-\d\d$/.test(month));
    expect(validMonths).toEqual(validMonths.toSorted().reverse());
    expect(months.slice(0, validMonths.length)).toEqual(validMonths);
    for (const { count } of counts) expect(count).toBeGreaterThan(0);
  });

  test('counts of reports by month include reports stored by the first release', async () => {
    const firstReleaseServer = await startOnFirstRelease(engine);
    expect(await countByMonth(firstReleaseServer.db, {})).not.toEqual([]);
    await expectSameAsRecount(firstReleaseServer);
    await firstReleaseServer.stop();
  });
});
