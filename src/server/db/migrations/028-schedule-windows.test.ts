import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { startUpgradedServer } from '../../testing/first-release.ts';
import { insertRow, readRow } from '../../testing/rows.ts';
import { engines } from '../../testing/server.ts';

const check = {
  ...{ id: 'd', schedule_id: 's', checklist_id: 'c', park: 'Mounds', day: '2026-01-01', gate: '', failures: 0 },
  ...{ opens_at: '2026-01-01T06:00:00.000Z', closes_at: '2026-01-01T10:00:00.000Z', submission_id: 'x' },
  ...{ filled_in_at: '2026-01-01T07:00:00.000Z', received_at: '2026-01-01T07:00:00.000Z' },
  ...{ reason: 'Storm', reason_by_name: 'u', reason_at: '2026-01-02T07:00:00.000Z' },
};

test.each(engines)(
  'schedules and checks of an earlier version on %s stay, with one window and weekday',
  async (engine) => {
    await using server = await startUpgradedServer(engine, '027', async (db) => {
      await sql`insert into users (id, username, username_key, password_hash, must_change_password, role, park, created_at, full_name, email) values ('u', 'u', 'u', 'x', 0, 'Admin', '', '2026-01-01', '', '')`.execute(
        db,
      );
      await sql`insert into checklists (id, title, version, created_at, updated_at) values ('c', 'Pool', 1, '2026-01-01', '2026-01-01')`.execute(
        db,
      );
      await sql`insert into schedules (id, checklist_id, parks, repeat, weekday, opens_at, closes_at, starts_on, gate, version, written_until, created_at, created_by) values ('s', 'c', '["Mounds"]', 'weekly', 3, '06:00', '10:00', '2026-01-01', '', 1, '2026-01-02', '2026-01-01', 'u')`.execute(
        db,
      );
      await db
        .insertInto('due_checks')
        .values(check as never)
        .execute();
    });
    const { db } = server;
    expect(await readRow(db, 'due_checks', { id: 'd' })).toEqual({ ...check, place_id: '' });
    expect(await readRow(db, 'schedules', { id: 's' })).toMatchObject({
      ...{ opens_at: '06:00', more_windows: '[]', every: 1, weekdays: '[3]' },
    });
    const noon = { ...check, place_id: '', id: 'e', opens_at: '2026-01-01T12:00:00.000Z' };
    await insertRow(db, 'due_checks', noon);
    await expect(insertRow(db, 'due_checks', { ...noon, id: 'f' })).rejects.toThrow(/unique/i);
  },
);
