// The deadlines of unfinished duties under RIDDOR.
import type { ReportRiddorState } from '#shared/law/assessment.ts';
import { getDuty } from '#shared/law/riddor-state.ts';
import type { DutyKind } from '#shared/reports/reports.ts';
import { splitList } from '../db/queries.ts';
import type { Database } from '../db/schema.ts';
import { findReview, getReportRiddorState, toReportRiddorState } from './assessments.ts';
import {
  listNotices,
  listReportsToReview,
  listReportsWithOpenDuties,
  listUnsettledReports,
  type NoticeRow,
  type ReportWithAssessment,
} from './store.ts';

/** Returns the reports with unfinished duties, with state, text and day, earliest day first. */
export const listOpenRiddorStates = async (db: Database, now: Date): Promise<ReportRiddorState[]> =>
  (await getReportRiddorStates(db, await listReportsWithOpenDuties(db, {}), now)).toSorted(compareUrgency);

export async function getReportRiddorStates(
  db: Database,
  reports: ReportWithAssessment[],
  now: Date,
): Promise<ReportRiddorState[]> {
  const ids = reports.flatMap(({ assessment }) => assessment?.id ?? []);
  const notices = new Map<string, NoticeRow[]>();
  for (const page of splitList(ids, 500))
    for (const notice of await listNotices(db, page))
      notices.set(notice.assessment_id, [...(notices.get(notice.assessment_id) ?? []), notice]);
  return reports.map(({ report, assessment }) =>
    toReportRiddorState(
      report,
      getReportRiddorState(report, assessment, (assessment && notices.get(assessment.id)) ?? [], now),
    ),
  );
}

/** Returns the ids of assessed reports with this kind of unfinished duty, to filter a list. */
export async function listIdsWithDuty(db: Database, duty: DutyKind, now: Date): Promise<string[]> {
  if (duty === 'toReview') return listIdsToReview(await listReportsToReview(db, {}));
  const riddorStates = await getReportRiddorStates(db, await listUnsettledReports(db, {}), now);
  return riddorStates.filter((riddorState) => getDuty(riddorState) === duty).map(({ report_id }) => report_id);
}

/** Returns the ids of those reports whose decision is to be checked again. */
export const listIdsToReview = (reports: ReportWithAssessment[]): string[] =>
  reports
    .filter(({ report, assessment }) => assessment && findReview(report, assessment) !== null)
    .map(({ report }) => report.id);

/** Compares by due day, earliest first; entries without a day come last. */
export const compareUrgency = (a: { dueOn: string | null }, b: { dueOn: string | null }) =>
  (a.dueOn ?? '9999') < (b.dueOn ?? '9999') ? -1 : 1;
