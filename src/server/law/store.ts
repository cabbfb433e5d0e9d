// Assessments, their history and their notices.
import { sql } from 'kysely';
import { countRows, splitList } from '../db/queries.ts';
import type { Database, Tables } from '../db/schema.ts';
import { saltText } from '../hash.ts';
import { newId } from '../ids.ts';
import { filterReports, type ReportSearch } from '../reports/queries/report-filter.ts';

export type AssessmentRow = Tables['assessments'];
export type NoticeRow = Tables['riddor_notices'];

/** The fields of a report that its assessment needs. */
export type ReportForAssessment = Pick<
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

export const findReportForAssessment = (db: Database, id: string): Promise<ReportForAssessment | undefined> =>
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

/** Writes an assessment and its next version. Returns the salted hash of that version, for the log. */
export async function writeAssessment(
  db: Database,
  row: AssessmentRow,
  by: { id: string; username: string },
  now: Date,
): Promise<string> {
  const { id, report_id: _, ...changes } = row;
  if (row.version === 1) await db.insertInto('assessments').values(row).execute();
  else await db.updateTable('assessments').set(changes).where('id', '=', id).execute();
  const assessment = JSON.stringify(row);
  const { salt, hash } = saltText(assessment);
  await db
    .insertInto('assessment_versions')
    .values({
      id: newId(),
      assessment_id: id,
      version: row.version,
      assessment,
      saved_at: now.toISOString(),
      saved_by: by.id,
      saved_by_name: by.username,
      salt,
    })
    .execute();
  return hash;
}

/** Returns the salted hash of the notice, for the log. */
export async function insertNotice(db: Database, notice: Omit<NoticeRow, 'salt'>): Promise<string> {
  const { salt, hash } = saltText(JSON.stringify(notice));
  await db
    .insertInto('riddor_notices')
    .values({ ...notice, salt })
    .execute();
  return hash;
}

export async function setSettled(db: Database, id: string, settled: 0 | 1): Promise<void> {
  await db.updateTable('assessments').set({ settled }).where('id', '=', id).execute();
}

export type ReportWithAssessment = { report: ReportForAssessment; assessment: AssessmentRow | undefined };

/** The most reports to check at once. Older ones without an assessment follow when the newer are assessed. */
const maxCheckedReports = 2000;

/**
 * Returns the reports with unfinished duties. With `ids`, returns those reports instead, finished or
 * not.
 */
export async function listReportsWithOpenDuties(
  db: Database,
  { park, ids }: { park?: string | undefined; ids?: string[] | undefined },
): Promise<ReportWithAssessment[]> {
  const rows = await db
    .selectFrom('reports')
    .leftJoin('assessments', 'assessments.report_id', 'reports.id')
    .select(reportColumns)
    .select('assessments.id as assessment_id')
    .where('reports.deletion_id', 'is', null)
    .$if(park !== undefined, (qb) => qb.where('reports.selectedPlace', '=', park ?? ''))
    .$if(ids !== undefined, (qb) => qb.where('reports.id', 'in', ids ?? []))
    .$if(ids === undefined, (qb) =>
      qb.where((eb) => eb.or([eb('assessments.id', 'is', null), eb('assessments.settled', '=', sql.lit(0))])),
    )
    // Started assessments come first, however old they are.
    .orderBy((eb) => eb.case().when('assessments.id', 'is', null).then(1).else(0).end())
    .orderBy('reports.position', 'desc')
    .limit(maxCheckedReports)
    .execute();
  return addAssessments(db, rows);
}

type Found = ReportForAssessment & { assessment_id: string | null };

async function addAssessments(db: Database, found: Found[]): Promise<ReportWithAssessment[]> {
  const assessments = new Map<string, AssessmentRow>();
  const ids = found.flatMap(({ assessment_id }) => assessment_id ?? []);
  for (const page of splitList(ids, 200)) {
    const rows = await db.selectFrom('assessments').selectAll().where('id', 'in', page).execute();
    for (const row of rows) assessments.set(row.id, row);
  }
  return found.map(({ assessment_id, ...report }) => ({ report, assessment: assessments.get(assessment_id ?? '') }));
}

type Filter = Omit<ReportSearch, 'duty' | 'dutyIds'>;

/**
 * Returns the number of listed reports without an assessment, as the difference of two counts,
 * which is several times faster than looking for them.
 */
export async function countUnassessed(db: Database, filter: Filter): Promise<number> {
  const { matches } = filterReports(db, filter);
  const [listed, assessed] = await Promise.all([
    countRows(matches),
    countRows(matches.innerJoin('assessments', 'assessments.report_id', 'reports.id')),
  ]);
  return listed - assessed;
}

/** Returns the listed reports whose assessment is not complete. */
export const listUnsettledReports = (db: Database, filter: Filter) => listAssessedReports(db, filter, 'settled', 0);

/** Returns the listed reports whose decision may have to be checked again. */
export const listReportsToReview = (db: Database, filter: Filter) => listAssessedReports(db, filter, 'to_review', 1);

async function listAssessedReports(
  db: Database,
  filter: Filter,
  column: 'settled' | 'to_review',
  value: 0 | 1,
): Promise<ReportWithAssessment[]> {
  const rows = await filterReports(db, filter)
    .matches.innerJoin('assessments', 'assessments.report_id', 'reports.id')
    .where(`assessments.${column}`, '=', sql.lit(value))
    .select(reportColumns)
    .select('assessments.id as assessment_id')
    .execute();
  return addAssessments(db, rows);
}

/**
 * Returns the number of deleted reports that were never assessed or whose assessment is not
 * complete.
 */
export async function countDeletedUnfinished(db: Database): Promise<number> {
  return countRows(
    db
      .selectFrom('reports')
      .leftJoin('assessments', 'assessments.report_id', 'reports.id')
      .where('reports.deletion_id', 'is not', null)
      .where((eb) => eb.or([eb('assessments.id', 'is', null), eb('assessments.settled', '=', sql.lit(0))])),
  );
}

/** Returns the number of the investigation that covers a report; undefined if there is none. */
export async function findInvestigationNumber(db: Database, reportId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('investigation_records')
    .innerJoin('investigations', 'investigations.id', 'investigation_records.investigation_id')
    .select('investigations.number')
    .where('investigation_records.thing_id', '=', reportId)
    .where('investigations.deletion_id', 'is', null)
    .executeTakeFirst();
  return row?.number;
}

type AssessmentWithHistory = {
  assessment: AssessmentRow;
  versions: Tables['assessment_versions'][];
  notices: NoticeRow[];
};

/**
 * Replaces the texts of an assessment and its history. Triggers protect the history while its
 * assessment exists, so all rows are deleted and inserted again.
 */
export async function replaceAssessment(
  db: Database,
  { assessment, versions, notices }: AssessmentWithHistory,
): Promise<void> {
  await db.deleteFrom('assessments').where('id', '=', assessment.id).execute();
  await db.deleteFrom('riddor_notices').where('assessment_id', '=', assessment.id).execute();
  await db.deleteFrom('assessment_versions').where('assessment_id', '=', assessment.id).execute();
  await db.insertInto('assessments').values(assessment).execute();
  for (const version of versions) await db.insertInto('assessment_versions').values(version).execute();
  for (const notice of notices) await db.insertInto('riddor_notices').values(notice).execute();
}
