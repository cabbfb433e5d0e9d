// A database filled by the first release.
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { engines } from '../../testing/server.ts';
import { connectTo, createStorage } from '../../testing/storage.ts';
import { migrate, migrations } from '../migrate.ts';

const at = (minute: number) => `2026-03-14T14:${String(minute).padStart(2, '0')}:00.000Z`;
const upload = '/uploads/2026/03/abcdefghijklmnopqrstuvwxyz.jpg';

/** Replies as the first release stored them; it deleted their text after a week. */
const rows = `
insert into users values ('u1', 'sian', 'sian', 'x', 0, 'None', '', '${at(0)}', null, null);
insert into users values ('u2', 'huw', 'huw', 'x', 0, 'None', '', '${at(0)}', null, null);
insert into reports (id, position, number, "reportType", "selectedPlace", name, age, "contactNumber", reporter, date, time, month, type, location, "employmentStatus", "emergencyService", details, "mediaFiles", search_text, fingerprint, created_at, created_by, created_by_name)
values ('r1', 1, 'ACC-2026-0001', 'accident', 'Mounds', 'A', 3, '07700900123', 'B', '2026-03-14', '14:00', '2026-03', 'Slip', 'Plot', 'Guest', 'None', 'x', '[]', '', '', '${at(1)}', 'u1', 'sian');
insert into replies values ('u1', 'submitAccident', 'k1', 'f', 201, null, '${at(1)}');
insert into replies values ('u2', 'submitAccident', 'k1', 'f', 201, null, '${at(1)}');
insert into replies values ('u1', 'submitAccident', 'k2', 'f', 201, null, '${at(2)}');
insert into checklists values ('c1', 'Pool', 1, '${at(0)}', '${at(0)}', null);
insert into checklist_versions values ('c1', 1, 'Pool', '[]', '${at(0)}', 'u1');
insert into submissions values ('s1', 1, 'CHK-2026-0001', 'c1', 1, 'Pool', '{}', '', '${at(3)}', 'u1', 'sian', null);
insert into replies values ('u1', 'submitChecklist', 'k3', 'f', 201, null, '${at(3)}');
insert into folders values ('f1', 'Fire', '', null, 'Mounds', 1, '${at(0)}', 'u1', null);
insert into audits values ('a1', 'f1', 'Check', null, null, 0, 0, null, null, '{}', 1, '${at(4)}', 'u1', null);
insert into replies values ('u1', 'createAudit', 'k4', 'f', 201, '{"success":true,"id":"a1"}', '${at(4)}');
insert into replies values ('u1', 'uploadImage', 'k5', 'f', 200, '{"success":true,"filePath":"${upload}"}', '${at(5)}');
insert into replies values ('u1', 'createUser', 'k6', 'f', 201, null, '${at(6)}')`;

describe.each(engines)('stored replies of the first release on %s', (engine) => {
  test('the migration restores the deleted text of stored replies whose records exist', async () => {
    const db = await connectTo(await createStorage(engine));
    const { '001-initial': first } = migrations;
    if (!first) throw new Error('the first migration is gone');
    await migrate(db, { '001-initial': first });
    for (const statement of rows.split(/;\n/)) await sql.raw(statement).execute(db);
    await migrate(db);
    const replies = await db
      .selectFrom('replies')
      .select(['user_id', 'key', 'record', 'body'])
      .orderBy('key')
      .orderBy('user_id')
      .execute();
    expect(replies).toEqual([
      { user_id: 'u1', key: 'k1', record: 'r1', body: '{"success":true,"id":"r1","number":"ACC-2026-0001"}' },
      { user_id: 'u2', key: 'k1', record: null, body: null },
      { user_id: 'u1', key: 'k2', record: null, body: null },
      { user_id: 'u1', key: 'k3', record: 's1', body: '{"success":true,"id":"s1"}' },
      { user_id: 'u1', key: 'k4', record: 'a1', body: '{"success":true,"id":"a1"}' },
      { user_id: 'u1', key: 'k5', record: upload, body: `{"success":true,"filePath":"${upload}"}` },
      { user_id: 'u1', key: 'k6', record: null, body: null },
    ]);
  });
});
