// Schedules that are changed while their coming checks are being inserted.
import { describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { serverActor } from '../db/activity-log.ts';
import type { Database } from '../db/schema.ts';
import { writeTransaction } from '../db/write-transaction.ts';
import { startCheckServer } from '../testing/checks.ts';
import { onQuery } from '../testing/on-query.ts';
import { engines } from '../testing/server.ts';
import { setUp } from '../testing/test-server.ts';
import { insertComingChecks } from './due-checks.ts';
import { listChosenPlaces } from './schedule-places.ts';
import { insertClosure, updateSchedule } from './store.ts';

describe.each(engines)('coming checks on %s', (engine) => {
  const server = setUp(() => startCheckServer(engine, 'Lido Beach', '2026-06-01T04:00:00.000Z'));

  /** Twelve windows a day, so that a few places have many rows. */
  const toWindows = (minute: number) => {
    const [first, ...more_windows] = Array.from({ length: 12 }, (_, index) => {
      const hour = String(6 + index).padStart(2, '0');
      return { opens_at: `${hour}:${minute}`, closes_at: `${hour}:${minute + 20}` };
    });
    return { ...(first as { opens_at: string; closes_at: string }), more_windows };
  };

  /** Inserts coming checks, and makes a change right after the transaction that inserts the first ones. */
  async function insertWhileChanging(change: (db: Database) => Promise<unknown>): Promise<void> {
    const now = new Date(server.now());
    let changing: Promise<unknown> | undefined;
    const plugin = onQuery(({ kind }) => {
      if (kind === 'InsertQueryNode') changing ??= writeTransaction(db, serverActor, now, change);
    });
    const db = server.server.db.withPlugin(plugin);
    await insertComingChecks(db, now);
    expect(changing).toBeDefined();
    await changing;
  }

  test.each([
    ['schedule changes', '2026-06', 30, 21],
    ['closed days change', '2026-09', 10, 18],
  ])('are those of the rule when its %s meanwhile', async (what, month, minute, days) => {
    const { admin, park } = server;
    const { db } = server.server;
    server.at('04:00', `${month}-01`);
    const places = await server.addPlaces(['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H'].map((name) => `${name} ${what}`));
    const id = await server.schedule(await server.createChecklist(), places, toWindows(10));
    // The checks of 19 days are missing, which are written in two slices.
    server.at('04:00', `${month}-20`);
    const now = new Date(server.now());
    const user = { id: admin.id, parks: null };
    const rule = {
      repeat: 'daily',
      every: 1,
      month: null,
      month_day: null,
      season_from: null,
      season_to: null,
    } as const;
    const changed = { ...rule, weekdays: [], ...toWindows(30), parks: [park], starts_on: `${month}-01`, ends_on: null };
    await insertWhileChanging(async (db) =>
      what === 'schedule changes'
        ? updateSchedule(
            db,
            { id, version: 1, before: await listChosenPlaces(db, id) },
            { ...changed, places, opens: true },
            { user, now },
          )
        : insertClosure(db, { park, starts_on: `${month}-23`, ends_on: `${month}-25` }, user.id, now),
    );
    await insertComingChecks(db, now);
    const rows = await db
      .selectFrom('due_checks')
      .select(['place_id', 'opens_at'])
      .where('schedule_id', '=', id)
      .where('day', '>', `${month}-20`)
      .execute();
    expect(new Set(rows.map(({ opens_at }) => opens_at.slice(14, 16)))).toEqual(new Set([String(minute)]));
    const byPlace = Map.groupBy(rows, ({ place_id }) => place_id);
    expect(places.map((place) => byPlace.get(place)?.length)).toEqual(places.map(() => days * 12));
    await admin(api.endSchedule, { params: { id } });
  });
});
