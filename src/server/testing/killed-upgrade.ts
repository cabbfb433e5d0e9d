// An upgrade to a migration in a process of its own, killed with SIGKILL at the COUNTth query of that migration:
//   node killed-upgrade.ts NAME COUNT
import { parseConfig } from '../config.ts';
import { connect } from '../db/connect.ts';
import { migrate, migrations } from '../db/migrate.ts';
import { onQuery } from './on-query.ts';

const [name = '', count] = process.argv.slice(2);
const migration = migrations[name];
if (!migration) throw new Error(`There is no migration ${name}`);
let queries = 0;
const killAtCount = onQuery(() => {
  queries += 1;
  if (queries === Number(count)) process.kill(process.pid, 'SIGKILL');
});
const db = await connect(parseConfig());
const until = Object.entries(migrations).filter(([other]) => other <= name);
await migrate(db, { ...Object.fromEntries(until), [name]: { up: (db) => migration.up(db.withPlugin(killAtCount)) } });
await db.destroy();
