import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { startUpgradedServer } from '../../testing/first-release.ts';
import { readRows } from '../../testing/rows.ts';
import { engines } from '../../testing/server.ts';

test.each(engines)('an authority that an earlier version stored for a park on %s is kept', async (engine) => {
  await using server = await startUpgradedServer(engine, '026', (db) =>
    sql`insert into park_settings values ('Mounds', 'HSE', '2026-01-01', 'u1')`.execute(db),
  );
  expect(await readRows(server.db, 'park_settings')).toEqual([
    {
      ...{ park: 'Mounds', authority: 'HSE', assignee_id: null, updated_at: '2026-01-01', updated_by: 'u1' },
      ...{ hazard_assignee_id: null, telephone: null, guest_telephone: null },
      ...{ gas_telephone: null, guests_off: null },
    },
  ]);
});
