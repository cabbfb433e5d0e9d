import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { accessSync, constants, createWriteStream, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { sql } from 'kysely';
import pg from 'pg';
import type { Config } from '../config.ts';
import { connect } from '../db/connect.ts';
import { tablesEmptyInBackups } from '../db/tables.ts';
import type { BackupEngine } from './engine.ts';

export const postgresBackup: BackupEngine = {
  name: 'postgres',
  fileName: 'database.pgdump',

  async dump(config, file, read) {
    const program = findProgram('pg_dump');
    const db = await connect(config);
    try {
      // The dump and the queries use the same snapshot.
      return await db
        .transaction()
        .setIsolationLevel('repeatable read')
        .execute(async (db) => {
          const { rows } = await sql<{ snapshot: string }>`select pg_export_snapshot() as snapshot`.execute(db);
          const options = [
            '--format=custom',
            '--no-owner',
            '--no-privileges',
            '--no-comments',
            `--snapshot=${rows[0]?.snapshot}`,
            ...tablesEmptyInBackups.map((name) => `--exclude-table-data=${name}`),
          ];
          const dump = startProgram(program, options, config.databaseUrl);
          await Promise.all([pipeline(dump.stdout, createWriteStream(file, { flags: 'wx', flush: true })), dump.end]);
          return read(db);
        });
    } finally {
      await db.destroy();
    }
  },

  async inspect(config, file, temporaryFolder, read) {
    const name = `verify_${randomBytes(6).toString('hex')}`;
    await temporaryFolder.recordUnfinished({ database: name });
    await executeSql(config.databaseUrl, `create database ${name} template template0`).catch((error: Error) => {
      throw new Error(
        `Checking the backup needs a temporary database, which this user cannot create (${error.message}). Set DATABASE_URL with a user that has CREATEDB.`,
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
      await executeSql(config.databaseUrl, `drop database ${name} with (force)`);
    }
  },

  async hasData({ databaseUrl }) {
    const { rows } = await executeSql(databaseUrl, "select 1 from pg_tables where schemaname = 'public' limit 1");
    return rows.length > 0;
  },

  replaceDatabase: ({ databaseUrl }, file) => restore(file, databaseUrl, dropObjectsSql),
};

/** Drops the temporary database of a verification that was killed. */
export async function dropVerificationDatabase({ databaseUrl }: Config, name: string): Promise<void> {
  if (databaseUrl && /^verify_[0-9a-f]{12}$/.test(name))
    await executeSql(databaseUrl, `drop database if exists ${name} with (force)`);
}

/** Drops all our objects, including those only a newer version has; objects of extensions stay. */
const dropObjectsSql = `
do $$ declare statement text; begin
  for statement in
    select format('drop table if exists %s cascade', oid::regclass) from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
        and not exists (select 1 from pg_depend where objid = pg_class.oid and deptype = 'e')
    union all
    select format('drop routine if exists %s cascade', oid::regprocedure) from pg_proc
      where pronamespace = 'public'::regnamespace
        and not exists (select 1 from pg_depend where objid = pg_proc.oid and deptype = 'e')
  loop execute statement; end loop;
end $$;
`;

/**
 * Runs `firstStatements` and restores a dump in one transaction. This process commits it: if this
 * process is killed, pg_restore and psql run on for a moment but change nothing.
 */
async function restore(file: string, url: string, firstStatements = ''): Promise<void> {
  const script = startProgram(findProgram('pg_restore'), ['--no-owner', '--no-privileges', '--file=-', file]);
  const session = startProgram(findProgram('psql'), ['--quiet', '--no-psqlrc', '--set=ON_ERROR_STOP=1'], url);
  session.stdout.resume();
  session.stdin.write(`begin;\n${firstStatements}`);
  // If psql exits early, its own message is the reason, so ignore the error of the broken pipe.
  const passed = pipeline(script.stdout, session.stdin, { end: false }).catch(() => {});
  try {
    await Promise.all([script.end, passed]);
  } catch (error) {
    session.stdin.end();
    await session.end;
    throw error;
  }
  session.stdin.end('commit;\n');
  await session.end;
}

async function executeSql(url: string, statement: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client.query(statement).finally(() => client.end());
}

/**
 * Returns the path of the program's newest installed version. Throws if there is none, with what to
 * install.
 */
function findProgram(name: string): string {
  const debianFolder = '/usr/lib/postgresql';
  const versions = listFolder(debianFolder).sort((a, b) => Number(b) - Number(a));
  const folders = [
    ...versions.map((version) => `${debianFolder}/${version}/bin`),
    ...(process.env.PATH ?? '').split(delimiter).filter(Boolean),
  ];
  const programPath = folders.map((folder) => join(folder, name)).find(isExecutable);
  if (programPath) return programPath;
  throw new Error(
    `${name} is not on this machine. Install PostgreSQL's client programs, of the server's version or newer (on Debian: apt-get install postgresql-client).`,
  );
}

function isExecutable(path: string): boolean {
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

/**
 * Starts a program, with the database's URL as an argument if given. Passes the password in the
 * environment instead, since arguments are visible to other users. `end` rejects with the program's
 * error output.
 */
function startProgram(program: string, args: string[], databaseUrl?: string) {
  const url = databaseUrl ? new URL(databaseUrl) : undefined;
  const password = decodeURIComponent(url?.password ?? '');
  if (url) url.password = '';
  const child = spawn(program, [...args, ...(url ? [`--dbname=${url.href}`] : [])], {
    env: { PATH: process.env.PATH, LC_ALL: 'C', ...(password && { PGPASSWORD: password }) },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let errorOutput = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errorOutput += text;
  });
  child.stdin.on('error', () => {}); // reported by the exit code
  const end = new Promise<void>((resolve, reject) =>
    child
      .once('error', reject)
      .once('close', (code) =>
        code === 0 ? resolve() : reject(new Error(errorOutput.trim() || `${program} failed.`)),
      ),
  );
  end.catch(() => {}); // reported where it is awaited
  return { stdin: child.stdin, stdout: child.stdout, end };
}
