// Reminders of investigations, and how many rows are read to count them.
import type { KyselyPlugin } from 'kysely';
import { describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { addDays } from '#shared/calendar.ts';
import { getToday } from '#shared/dates.ts';
import type { Level } from '#shared/investigations.ts';
import type { Database } from '../db/schema.ts';
import { findHolds } from '../retention/kept-until.ts';
import { newReport } from '../testing/factories.ts';
import { engines, type TestClient } from '../testing/server.ts';
import { createTestServer } from '../testing/test-server.ts';
import { remindOfInvestigations } from './reminders.ts';
import { countOpenInvestigations } from './store.ts';

describe.each(engines)('an investigation on %s', (engine) => {
  const { server, admin } = createTestServer(engine);
  const starter = server.user('Health & Safety Manager', 'Lido Beach');
  const colleague = server.user('Health & Safety Manager', 'Lido Beach');

  async function start(level: Level) {
    const report = await starter(api.submitAccident, { body: await newReport(starter) });
    const { id } = await starter(api.createInvestigation, { body: { thing: 'report', id: report.id } });
    const { sections } = await starter(api.getInvestigation, { params: { id } });
    const save = (section: 'madeSafe' | 'depth' | 'facts', content: object) =>
      starter(api.saveInvestigationSection, {
        params: { id: sections[section].id },
        body: { section, version: 0, content } as never,
      });
    const { number } = await save('depth', { level });
    return { id, number, reportId: report.id, save };
  }
  const remindOn = (days: number) => {
    const now = new Date(`${addDays(getToday(), days)}T12:00:00Z`);
    return Promise.all([remindOfInvestigations(server.db, now), remindOfInvestigations(server.db, now)]);
  };
  const list = async (client: TestClient, number: string) =>
    (await client(api.listNotifications))
      .filter(({ kind, text }) => kind === 'investigationDue' && text.includes(number))
      .map(({ text }) => text.replace(`: ${number} at Lido Beach`, ''))
      .toReversed();
  async function complete({ id, save }: Awaited<ReturnType<typeof start>>) {
    await save('madeSafe', { text: 'Closed' });
    await save('facts', { text: 'It fell', learnt: 'Look above' });
    await starter(api.addInvestigationNote, { params: { id }, body: { kind: 'complete' } });
  }

  test('reviewers are reminded of an investigation until its findings are complete, and of the first look at a high-level one', async () => {
    const [minimal, high, looked] = [await start('minimal'), await start('high'), await start('high')];
    await looked.save('facts', { text: 'It fell' });
    for (const day of [0, 1, 2, 4, 5]) await remindOn(day);
    expect(await list(starter, minimal.number)).toEqual(['Investigation due tomorrow']);
    expect(await list(colleague, minimal.number)).toEqual([]);
    const firstLook = 'First look at an investigation is due';
    for (const client of [starter, colleague]) expect(await list(client, high.number)).toEqual([firstLook]);
    expect(await list(colleague, looked.number)).toEqual([]);
    for (const day of [6, 8, 12]) await remindOn(day);
    const escalated = 'Investigation overdue by 3 days';
    expect(await list(starter, minimal.number)).toEqual([
      ...['Investigation due tomorrow', 'Investigation overdue by 1 day', escalated],
    ]);
    expect(await list(colleague, minimal.number)).toEqual([escalated]);
    expect(await list(admin, minimal.number)).toEqual([escalated, 'Investigation overdue by 7 days']);
    const done = await start('minimal');
    await complete(done);
    await remindOn(20);
    expect(await list(starter, done.number)).toEqual([]);
  });

  /** Returns the database with a counter of the rows that it returns. */
  function countRows(db: Database) {
    const counted = { rows: 0 };
    const plugin: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        counted.rows += result.rows.length;
        return result;
      },
    };
    return { counted, db: db.withPlugin(plugin) };
  }

  test('counting open investigations and finding holds reads no rows of other investigations', async () => {
    const held = await start('minimal');
    const measure = async () => {
      const { counted, db } = countRows(server.db);
      expect([...(await findHolds(db, [{ thing: 'report', id: held.reportId }])).values()]).toEqual([]);
      return { open: await countOpenInvestigations(db, ['Lido Beach']), rows: counted.rows };
    };
    const before = await measure();
    const others = [await start('high'), await start('low')];
    expect(await measure()).toEqual({ open: before.open + others.length, rows: before.rows });
    const query = { from: getToday(), to: getToday(), park: 'Lido Beach' };
    const { attention } = await admin(api.getOverview, { query });
    expect(attention.openInvestigations).toBe(before.open + others.length);
    expect(await countOpenInvestigations(server.db, ['Mounds'])).toBe(0);
  });
});
