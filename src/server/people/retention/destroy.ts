// Destroys a record: its rows, texts and files. Only a ledger entry, the activity log and a count
// without personal data are left. Users, access requests and holds are not counted; the row of a user
// stays as "Former user" with a number.
import { sql } from 'kysely';
import { getMonth, getToday } from '#shared/dates.ts';
import type { Result } from '#shared/law/evaluate.ts';
import { deleteNotesOf } from '../../audits/notes.ts';
import { deleteLessonsWithoutAudits } from '../../audits/soft-delete.ts';
import { incrementCounter } from '../../db/counters.ts';
import { deleteRepliesOf } from '../../db/idempotency.ts';
import { deleteLinksOf } from '../../db/place-links.ts';
import { markTraces } from '../../db/remove-traces.ts';
import type { Database, Tables } from '../../db/schema.ts';
import { sha256 } from '../../hash.ts';
import { deleteInvestigation } from '../../investigations/store.ts';
import { deleteAssessments } from '../../law/store.ts';
import { deleteDeliveriesOf } from '../../notifications/notify.ts';
import { expirePacksWith } from '../../packs/store.ts';
import { deleteAttached } from '../../uploads/store.ts';
import type { RecordType } from './due.ts';
import { listFiles, listUploadOwners } from './files.ts';
import { renameInLists } from './lists.ts';

type Destroyed = {
  /** Files to delete after the commit. */
  paths: string[];
  entry: Tables['destroyed'];
  /** The record's label in the activity log. */
  label: string;
};

/** Types of records whose label in lists is a person's name. */
const typesLabelledByName: RecordType[] = ['user', 'accessRequest', 'hold'];

type RecordToDestroy = { id: string; thing: RecordType; class: string; until: string };

/**
 * Destroys a record. Call it inside a write transaction. Returns undefined if there is no such
 * record.
 */
export async function destroy(db: Database, record: RecordToDestroy, now: Date): Promise<Destroyed | undefined> {
  const { id, thing } = record;
  const owners = await listUploadOwners(db, thing, id);
  const files = await listFiles(db, owners);
  const packs = await expirePacksWith(db, [{ thing, id }]);
  const label = await deleteRow(db, thing, id);
  if (label === undefined) return undefined;
  const lessons = thing === 'audit' ? await deleteLessonsWithoutAudits(db) : [];
  const paths = [...(await deleteAttached(db, [...owners, ...lessons])), ...packs];
  await deleteRepliesOf(db, [id, ...paths]);
  await deleteLinksOf(db, [id]);
  if (typesLabelledByName.includes(thing)) await renameInLists(db, id, 'A destroyed record');
  await markTraces(db);
  await deleteDeliveriesOf(db, [id, ...owners.map(({ attached_id }) => attached_id)]);
  const entry = {
    id,
    thing,
    class: record.class,
    until: record.until,
    files: files.length,
    hash: sha256(JSON.stringify([id, ...files.map(({ sha256_stored }) => sha256_stored)])),
    destroyed_at: now.toISOString(),
  };
  await db
    .insertInto('destroyed')
    .values(entry)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
  return { paths, entry, label };
}

/**
 * Deletes the record's rows and counts it in the statistics. Returns its label in the activity log; undefined if
 * there is no such record.
 */
async function deleteRow(db: Database, thing: RecordType, id: string): Promise<string | undefined> {
  if (thing === 'report') {
    const report = await db.selectFrom('reports').selectAll().where('id', '=', id).executeTakeFirst();
    if (!report) return undefined;
    await countReport(db, report);
    await db.deleteFrom('reports').where('id', '=', id).execute();
    await deleteAssessments(db, [id]);
    if (report.deletion_id) {
      await db.deleteFrom('releases').where('deletion_id', '=', report.deletion_id).execute();
      await db.deleteFrom('deletions').where('id', '=', report.deletion_id).execute();
    }
    return report.number;
  }
  if (thing === 'submission') {
    const row = await db.selectFrom('submissions').selectAll().where('id', '=', id).executeTakeFirst();
    if (!row) return undefined;
    await count(db, { kind: 'submission', park: row.park, month: getMonth(row.submitted_at.slice(0, 10)) });
    await db.deleteFrom('submission_signatures').where('submission_id', '=', id).execute();
    await db.deleteFrom('submissions').where('id', '=', id).execute();
    return row.number;
  }
  if (thing === 'audit') {
    const row = await db
      .selectFrom('audits')
      .leftJoin('folders', 'folders.id', 'audits.folder_id')
      .select(['audits.date', 'folders.park'])
      .where('audits.id', '=', id)
      .executeTakeFirst();
    if (!row) return undefined;
    await count(db, { kind: 'audit', park: row.park ?? '', month: getMonth(row.date ?? '') });
    await db.deleteFrom('audits').where('id', '=', id).execute();
    await deleteNotesOf(db, [id]);
    return '';
  }
  if (thing === 'investigation') {
    const row = await db.selectFrom('investigations').selectAll().where('id', '=', id).executeTakeFirst();
    if (!row) return undefined;
    await count(db, { kind: 'investigation', park: row.park, month: getMonth(getToday(new Date(row.created_at))) });
    await deleteInvestigation(db, id);
    return row.number;
  }
  if (thing === 'message') {
    const row = await db.deleteFrom('guest_messages').where('id', '=', id).returningAll().executeTakeFirst();
    if (!row) return undefined;
    await count(db, { kind: 'message', park: row.park, month: getMonth(getToday(new Date(row.created_at))) });
    return '';
  }
  if (thing === 'folder') {
    const deletedRow = await db.deleteFrom('folders').where('id', '=', id).returning('park').executeTakeFirst();
    if (deletedRow) await count(db, { kind: 'folder', park: deletedRow.park, month: '' });
    return deletedRow && '';
  }
  if (thing === 'user') {
    const name = `Former user ${await incrementCounter(db, 'former users')}`;
    const renamed = await db
      .updateTable('users')
      .set({ username: name, username_key: `former user ${id}`, full_name: '', email: '' })
      .where('id', '=', id)
      .where('deleted_at', 'is not', null)
      .executeTakeFirst();
    return renamed.numUpdatedRows > 0n ? name : undefined;
  }
  const table = thing === 'accessRequest' ? 'access_requests' : 'holds';
  const deletedRow = await db.deleteFrom(table).where('id', '=', id).returning('id').executeTakeFirst();
  return deletedRow && '';
}

/** Names of age bands, with the age below which each ends. */
const ageBands: [string, number][] = [
  ['under 18', 18],
  ['18 to 39', 40],
  ['40 to 64', 65],
];
const getAgeBand = (age: number | null) =>
  age === null ? 'not known' : (ageBands.find(([, below]) => age < below)?.[0] ?? '65 and over');

async function countReport(db: Database, report: Tables['reports']): Promise<void> {
  const assessment = await db
    .selectFrom('assessments')
    .select(['result', 'decision'])
    .where('report_id', '=', report.id)
    .executeTakeFirst();
  const result = assessment && (JSON.parse(assessment.result) as Result);
  await count(db, {
    kind: report.reportType,
    park: report.selectedPlace,
    month: report.month,
    status: report.employmentStatus,
    age_band: getAgeBand(report.age),
    rules: JSON.stringify([...new Set(result?.duties.map(({ rule }) => rule) ?? [])].sort()),
    outcome: assessment?.decision ?? result?.outcome ?? 'notAssessed',
  });
}

type CountedStatistic = Pick<Tables['record_statistics'], 'kind' | 'park' | 'month'> &
  Partial<Omit<Tables['record_statistics'], 'count'>>;

const count = (db: Database, statistic: CountedStatistic) =>
  db
    .insertInto('record_statistics')
    .values({ status: '', age_band: '', rules: '[]', outcome: '', ...statistic, count: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(['kind', 'park', 'month', 'status', 'age_band', 'rules', 'outcome'])
        .doUpdateSet({ count: sql`record_statistics.count + 1` }),
    )
    .execute();
