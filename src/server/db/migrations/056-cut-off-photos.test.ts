import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { firstReleaseRows, firstReleaseUserId, startUpgradedServer } from '../../testing/first-release.ts';
import { engines } from '../../testing/server.ts';

test.each(engines)('photos of the first and of the last version are not marked as cut off, on %s', async (engine) => {
  const by = firstReleaseUserId('huw');
  await using server = await startUpgradedServer(engine, '055', async (db) => {
    await sql`insert into uploads (path, label, type, size, blank, sha256_received, sha256_stored, uploaded_by, created_at)
      values ('/uploads/2026/11/later.jpg', 'later.jpg', 'image/jpeg', 1, 0, '', '', ${by}, '2026-11-10T09:00:00.000Z')`.execute(
      db,
    );
  });
  const rows = await server.db.selectFrom('uploads').select('cut_off').execute();
  expect(rows).toHaveLength(firstReleaseRows('uploads').length + 1);
  expect(rows.every(({ cut_off }) => cut_off === 0)).toBe(true);
});
