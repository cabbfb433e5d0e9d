import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { parseConfig } from '../../config.ts';
import { createTestFolder } from '../../testing/folder.ts';
import { createDatabase, engines } from '../../testing/server.ts';
import { testSettings } from '../../testing/settings.ts';
import { connect } from '../connect.ts';
import { migrate, migrations } from '../migrate.ts';

test.each(engines)('an authority that an earlier version stored for a park on %s is kept', async (engine) => {
  const folder = createTestFolder(onTestFinished);
  const database = engine === 'postgres' ? await createDatabase({ isMigrated: false }) : undefined;
  const db = await connect(parseConfig({ ...testSettings, DATA_DIR: folder, DATABASE_URL: database?.url ?? '' }));
  try {
    await migrate(db, Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '027')));
    await sql`insert into park_settings values ('Mounds', 'HSE', '2026-01-01', 'u1')`.execute(db);
    await migrate(db);
    expect(await db.selectFrom('park_settings').selectAll().execute()).toEqual([
      {
        ...{ park: 'Mounds', authority: 'HSE', assignee_id: null, updated_at: '2026-01-01', updated_by: 'u1' },
        ...{ hazard_assignee_id: null, telephone: null, guest_telephone: null },
        ...{ gas_telephone: null, guests_off: null },
      },
    ]);
  } finally {
    await db.destroy();
    await database?.drop();
  }
});
