// Assessments, their history and the notices beside them.
import { randomBytes } from 'node:crypto';
import type { ReportQuery } from '#shared/reports.ts';
import type { Database, Tables } from '../db/schema.ts';
import { sha256 } from '../hash.ts';
import { newId } from '../ids.ts';
import { filterReports } from '../reports/filter.ts';

export type AssessmentRow = Tables['assessments'];
export type NoticeRow = Tables['riddor_notices'];

/** The fields of a report that its assessment needs. */
export type AssessedReport = Pick<
  Tables['reports'],
  'id' | 'number' | 'name' | 'age' | 'date' | 'selectedPlace' | 'employmentStatus' | 'created_at'
>;
const reportColumns = [
  'reports.id',
  'reports.number',
  'reports.name',
  'reports.age',
  'reports.date',
  'reports.selectedPlace',
  'reports.employmentStatus',
  'reports.created_at',
] as const;

/** A text kept where it can be erased; the log holds only its hash, which without the salt says nothing. */
export function saltReason(reason: string): { salt: string; hash: string } {
  const salt = randomBytes(16).toString('hex');
  return { salt, hash: sha256(salt + reason) };
}

export const findAssessedReport = (db: Database, id: string): Promise<AssessedReport | undefined> =>
  db
    .selectFrom('reports')
    .select(reportColumns)
    .where('id', '=', id)
    .where('deletion_id', 'is', null)
    .executeTakeFirst();

export const findAssessment = (db: Database, reportId: string): Promise<AssessmentRow | undefined> =>
  db.selectFrom('assessments').selectAll().where('report_id', '=', reportId).executeTakeFirst();

export const listNotices = (db: Database, assessmentIds: string[]): Promise<NoticeRow[]> =>
  db
    .selectFrom('riddor_notices')
    .selectAll()
    .where('assessment_id', 'in', assessmentIds)
    .orderBy('created_at')
    .orderBy('id')
    .execute();

/** Writes an assessment and its next version. */
export async function writeAssessment(
  db: Database,
  row: AssessmentRow,
  by: { id: string; username: string },
  now: Date,
): Promise<void> {
  const { id, report_id: _, ...changes } = row;
  if (row.version === 1) await db.insertInto('assessments').values(row).execute();
  else await db.updateTable('assessments').set(changes).where('id', '=', id).execute();
  await db
    .insertInto('assessment_versions')
    .values({
      id: newId(),
      assessment_id: id,
      version: row.version,
      assessment: JSON.stringify(row),
      saved_at: now.toISOString(),
      saved_by: by.id,
      saved_by_name: by.username,
    })
    .execute();
}

export async function insertNotice(db: Database, notice: NoticeRow): Promise<void> {
  await db.insertInto('riddor_notices').values(notice).execute();
}

export async function setSettled(db: Database, id: string, settled: 0 | 1): Promise<void> {
  await db.updateTable('assessments').set({ settled }).where('id', '=', id).execute();
}

export type ReportWithAssessment = { report: AssessedReport; assessment: AssessmentRow | undefined };

/** Unassessed reports to look at in one go; older ones follow once these are done. */
const mostUnassessed = 2000;

/** The reports of which something is left to do, or those with these ids. */
export async function listToDo(
  db: Database,
  { park, ids }: { park?: string | undefined; ids?: string[] | undefined },
): Promise<ReportWithAssessment[]> {
  const rows = await db
    .selectFrom('reports')
    .leftJoin('assessments', 'assessments.report_id', 'reports.id')
    .select(reportColumns)
    .select('assessments.id as assessment_id')
    .where('reports.deletion_id', 'is', null)
    .$if(park !== undefined, (only) => only.where('reports.selectedPlace', '=', park ?? ''))
    .$if(ids !== undefined, (only) => only.where('reports.id', 'in', ids ?? []))
    .$if(ids === undefined, (only) =>
      only.where((eb) => eb.or([eb('assessments.id', 'is', null), eb('assessments.settled', '=', 0)])),
    )
    // Begun assessments come first, however old they are.
    .orderBy((eb) => eb.case().when('assessments.id', 'is', null).then(1).else(0).end())
    .orderBy('reports.position', 'desc')
    .limit(mostUnassessed)
    .execute();
  const assessments = await listAssessments(
    db,
    rows.flatMap(({ assessment_id }) => assessment_id ?? []),
  );
  return rows.map(({ assessment_id, ...report }) => ({
    report,
    assessment: assessment_id ? assessments.get(assessment_id) : undefined,
  }));
}

async function listAssessments(db: Database, ids: string[]): Promise<Map<string, AssessmentRow>> {
  const found = new Map<string, AssessmentRow>();
  const size = 200;
  for (let start = 0; start < ids.length; start += size) {
    const page = ids.slice(start, start + size);
    const rows = await db.selectFrom('assessments').selectAll().where('id', 'in', page).execute();
    for (const row of rows) found.set(row.id, row);
  }
  return found;
}

type Filter = Pick<ReportQuery, 'reportType' | 'month' | 'q' | 'park'>;

/**
 * How many of the reports that a list shows are not assessed. Looking for each report that has no
 * assessment would take several times as long as these two counts.
 */
export async function countUnassessed(db: Database, filter: Filter): Promise<number> {
  const listed = filterReports(db, filter)
    .found.select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  const assessed = filterReports(db, filter)
    .found.innerJoin('assessments', 'assessments.report_id', 'reports.id')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number((await listed).count) - Number((await assessed).count);
}

/** The reports that a list shows and whose assessment is not settled. */
export async function listUnsettled(db: Database, filter: Filter): Promise<ReportWithAssessment[]> {
  const rows = await filterReports(db, filter)
    .found.innerJoin('assessments', 'assessments.report_id', 'reports.id')
    .where('assessments.settled', '=', 0)
    .select(reportColumns)
    .select('assessments.id as assessment_id')
    .execute();
  const assessments = await listAssessments(
    db,
    rows.map(({ assessment_id }) => assessment_id),
  );
  return rows.map(({ assessment_id, ...report }) => ({ report, assessment: assessments.get(assessment_id) }));
}

/** Deleted reports that were never assessed, or whose assessment is not settled. */
export async function countDeletedToDo(db: Database): Promise<number> {
  const { count } = await db
    .selectFrom('reports')
    .leftJoin('assessments', 'assessments.report_id', 'reports.id')
    .where('reports.deletion_id', 'is not', null)
    .where((eb) => eb.or([eb('assessments.id', 'is', null), eb('assessments.settled', '=', 0)]))
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Deletes what the law asked of reports that are gone, and lifted holds on them. Their history may go only after them. */
export async function deleteAssessments(db: Database, reportIds: string[]): Promise<void> {
  if (reportIds.length === 0) return;
  await db.deleteFrom('holds').where('thing', '=', 'report').where('thing_id', 'in', reportIds).execute();
  const gone = await db.deleteFrom('assessments').where('report_id', 'in', reportIds).returning('id').execute();
  const ids = gone.map(({ id }) => id);
  if (ids.length === 0) return;
  await db.deleteFrom('riddor_notices').where('assessment_id', 'in', ids).execute();
  await db.deleteFrom('assessment_versions').where('assessment_id', 'in', ids).execute();
}
