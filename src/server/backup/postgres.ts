import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { accessSync, constants, readdirSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import { connect } from '../db/connect.ts';
import type { BackupEngine } from './engine.ts';

export const postgresBackup: BackupEngine = {
  name: 'postgres',
  fileName: 'database.pgdump',

  async dump(config, file, read) {
    const program = findProgram('pg_dump');
    const db = await connect(config);
    try {
      // The dump and what is read beside it see the same moment.
      return await db
        .transaction()
        .setIsolationLevel('repeatable read')
        .execute(async (db) => {
          const { rows } = await sql<{ snapshot: string }>`select pg_export_snapshot() as snapshot`.execute(db);
          const choices = ['--format=custom', '--no-owner', '--no-privileges', '--no-comments'];
          const what = [`--snapshot=${rows[0]?.snapshot}`, '--exclude-table-data=sessions', `--file=${file}`];
          await run(program, [...choices, ...what], config.databaseUrl);
          const handle = await open(file);
          await handle.sync().finally(() => handle.close());
          return read(db);
        });
    } finally {
      await db.destroy();
    }
  },

  async inspect(config, file, read) {
    const name = `verify_${randomBytes(6).toString('hex')}`;
    await execute(config.databaseUrl, `create database ${name} template template0`).catch((error: Error) => {
      throw new Error(
        `The backup's database is restored to a database of its own to be looked at, and this user may not make one (${error.message}). Let DATABASE_URL name a user with CREATEDB.`,
      );
    });
    const url = new URL(config.databaseUrl);
    url.pathname = `/${name}`;
    try {
      await restore(file, url.href).catch((error: Error) => {
        throw new Error(`The backup is damaged: its database cannot be restored. ${error.message}`);
      });
      const db = await connect({ ...config, databaseUrl: url.href });
      return await read(db).finally(() => db.destroy());
    } finally {
      await execute(config.databaseUrl, `drop database ${name} with (force)`);
    }
  },

  async hasData({ databaseUrl }) {
    const { rows } = await execute(databaseUrl, "select 1 from pg_tables where schemaname = 'public' limit 1");
    return rows.length > 0;
  },

  place: ({ databaseUrl }, file) => restore(file, databaseUrl),
};

const restore = (file: string, url: string) =>
  run(
    findProgram('pg_restore'),
    ['--single-transaction', '--exit-on-error', '--clean', '--if-exists', '--no-owner', '--no-privileges', file],
    url,
  );

async function execute(url: string, statement: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client.query(statement).finally(() => client.end());
}

/** The newest of this machine's; refuses with what to install. */
function findProgram(name: string): string {
  const debian = '/usr/lib/postgresql';
  const versions = listFolder(debian).sort((a, b) => Number(b) - Number(a));
  const folders = [
    ...versions.map((version) => `${debian}/${version}/bin`),
    ...(process.env.PATH ?? '').split(delimiter).filter(Boolean),
  ];
  const found = folders.map((folder) => join(folder, name)).find(isProgram);
  if (found) return found;
  throw new Error(
    `${name} is not on this machine. Install PostgreSQL's client programs, of the server's version or newer (on Debian: apt-get install postgresql-client).`,
  );
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function listFolder(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}

/** The password goes by the environment: arguments are for everyone on the machine to see. */
async function run(program: string, args: string[], url: string): Promise<void> {
  const { PATH } = process.env;
  const address = new URL(url);
  const password = decodeURIComponent(address.password);
  address.password = '';
  const child = spawn(program, [...args, `--dbname=${address.href}`], {
    env: { PATH, LC_ALL: 'C', ...(password && { PGPASSWORD: password }) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let complaint = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint += text;
  });
  const code = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
  if (code !== 0) throw new Error(complaint.trim());
}
