// Vitest's global set-up: a migrated PostgreSQL database that test servers copy.
import { connect } from '../db/connect.ts';
import { migrate } from '../db/migrate.ts';
import { createDatabase } from './databases.ts';

let template: Awaited<ReturnType<typeof createDatabase>> | undefined;

export async function setup() {
  if (!process.env.TEST_DATABASE_URL) return;
  template = await createDatabase();
  const db = await connect({ databaseUrl: template.url, dataDir: '' });
  await migrate(db);
  await db.destroy();
  process.env.TEST_DATABASE_TEMPLATE = template.name;
}

export const teardown = () => template?.drop();
