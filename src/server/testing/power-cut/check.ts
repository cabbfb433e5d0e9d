// Checks a disk after a power cut: the database is intact, and everything acknowledged before the cut
// is there.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { verifyLog } from '../../activity/verify.ts';
import { connect, getSqlitePath } from '../../db/connect.ts';
import type { Acknowledged } from './load.ts';

/** Opens and checks all data of a rebuilt disk. Throws the first error. */
export async function checkDisk(folder: string, acknowledged: Acknowledged[]): Promise<void> {
  const db = await connect({ databaseUrl: '', dataDir: folder });
  try {
    const { badRow } = await verifyLog(db);
    if (badRow) throw new Error(`Row ${badRow.seq} of the log ${badRow.reason}.`);
  } finally {
    await db.destroy();
  }
  const file = new Sqlite(getSqlitePath(folder));
  try {
    checkConsistency(file, folder);
    checkAcknowledged(file, acknowledged);
  } finally {
    file.close();
  }
}

function checkConsistency(file: Sqlite.Database, folder: string): void {
  const number = (sql: string) => Number(file.prepare(sql).pluck().get());
  const assertNoRows = (what: string, sql: string) => {
    const count = number(`select count(*) from (${sql})`);
    if (count > 0) throw new Error(`${what}: ${count}`);
  };
  const integrity = file.pragma('integrity_check', { simple: true });
  if (integrity !== 'ok') throw new Error(`The database is damaged: ${integrity}`);
  assertNoRows('Rows that name what is not there', 'select * from pragma_foreign_key_check');
  file.exec(`insert into reports_search (reports_search) values ('integrity-check')`);
  if (number('select count(*) from reports_search_docsize') !== number('select count(*) from reports'))
    throw new Error('The search index is not that of the reports.');
  assertNoRows('Audits there twice', 'select title from audits group by title having count(*) > 1');
  assertNoRows('Reports there twice', 'select name from reports group by name having count(*) > 1');
  for (const [table, route] of [
    ['reports', 'submitAccident'],
    ['audits', 'createAudit'],
  ])
    assertNoRows(
      `${table} without the reply stored with them`,
      `select id from ${table} where id not in (select json_extract(body, '$.id') from replies where route = '${route}')`,
    );
  assertNoRows(
    'Reports without their line of the log',
    `select id from reports where id not in (select thing_id from activity where action = 'filed')`,
  );
  assertNoRows(
    'Reports without their photos',
    'select id from reports where (select count(*) from uploads where attached_id = reports.id) <> 3',
  );
  const uploads = file.prepare(`select path, sha256_stored from uploads where sha256_stored <> ''`).all();
  for (const { path, sha256_stored } of uploads as { path: string; sha256_stored: string }[]) {
    const absolutePath = join(folder, path);
    const hash = existsSync(absolutePath) && createHash('sha256').update(readFileSync(absolutePath)).digest('hex');
    if (hash !== sha256_stored) throw new Error(`The row of ${path} names a file that is missing or not whole.`);
  }
}

/** Queries with a row if what was acknowledged is stored. */
const queries: Record<Exclude<Acknowledged['is'], 'logged'>, string> = {
  report: 'select 1 from reports where id = ?',
  audit: 'select 1 from audits where id = ?',
  upload: 'select 1 from uploads where path = ?',
  session: 'select 1 from sessions where token_hash = ?',
  'deleted report': 'select 1 from reports where id = ? and deletion_id is not null',
  'deleted audit': 'select 1 from audits where id = ? and deletion_id is not null',
  'completed audit': 'select 1 from audits where id = ? and completed = 1',
};

function checkAcknowledged(file: Sqlite.Database, acknowledged: Acknowledged[]): void {
  for (const fact of acknowledged) {
    const { is, of } = fact;
    const isStored =
      is === 'logged'
        ? Number(
            file.prepare('select count(*) from activity where actor = ? and action = ?').pluck().get(of, fact.action),
          ) >= fact.count
        : file.prepare(queries[is]).get(of) !== undefined;
    if (!isStored) throw new LostDataError(`${is} ${of}${is === 'logged' ? ` ${fact.action} ${fact.count}` : ''}`);
  }
}

/** Something acknowledged before the cut is not on the disk. */
class LostDataError extends Error {
  override name = 'Lost';
}
