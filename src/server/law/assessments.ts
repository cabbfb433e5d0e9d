// An assessment as users see it: answers, result, notices and RIDDOR state.
import { getToday, parseDay } from '#shared/dates.ts';
import {
  type Assessment,
  listMissingParticulars,
  type ParticularField,
  type ReportRiddorState,
} from '#shared/law/assessment.ts';
import type { Authority } from '#shared/law/authority.ts';
import type { Result } from '#shared/law/evaluate.ts';
import type { Answers, Facts } from '#shared/law/facts.ts';
import { listUnsettled } from '#shared/law/questions.ts';
import {
  type Assessed,
  getRiddorState,
  type Notice,
  type RiddorState,
  withoutTypedText,
} from '#shared/law/riddor-state.ts';
import type { RuleSet } from '#shared/law/rule-set.ts';
import { findCorrection, getRuleSetInForce } from './rule-sets.ts';
import type { AssessmentRow, NoticeRow, ReportForAssessment } from './store.ts';

/**
 * Returns the day of the accident, or the day of submission if an old report has no readable date.
 */
export const getAccidentDay = (report: ReportForAssessment): string =>
  parseDay(report.date) ?? getToday(new Date(report.created_at));

/** The shape of the `answers` column. */
export type StoredAnswers = { asOf: string; event: Answers; people: Answers[] };
type StoredResult = Result & { openQuestions: string[] };

export const getFacts = (report: ReportForAssessment, { asOf, event, people }: StoredAnswers): Facts => ({
  accidentOn: getAccidentDay(report),
  asOf,
  event,
  people,
});

/**
 * Returns the short names of the questions whose answers could still change an undecided result.
 */
export function listOpenQuestions(set: RuleSet, facts: Facts): string[] {
  return [...new Set(listUnsettled(set, facts).map(({ question }) => question.label.replace(/\?$/, '')))];
}

const toNotice = (row: NoticeRow): Notice => ({
  duties: JSON.parse(row.duties) as string[],
  how: row.how,
  on: row.on,
  hseReference: row.hse_reference,
});

export function getReportRiddorState(
  report: ReportForAssessment,
  row: AssessmentRow | undefined,
  notices: NoticeRow[],
  now: Date,
  { hasTypedText = true } = {},
): RiddorState {
  const result = row && (JSON.parse(row.result) as StoredResult);
  const particulars = row && (JSON.parse(row.particulars) as Partial<Record<ParticularField, string>>);
  const assessed: Assessed | null =
    row && result
      ? {
          result,
          decision: row.decision,
          reason: row.reason,
          notices: notices.map(toNotice),
          openQuestions: result.openQuestions,
          firm: particulars?.employer || null,
        }
      : null;
  return getRiddorState({
    accidentOn: getAccidentDay(report),
    filedOn: getToday(new Date(report.created_at)),
    today: getToday(now),
    assessed: assessed && !hasTypedText ? withoutTypedText(assessed) : assessed,
  });
}

/** Whether nothing is left to do about a report under RIDDOR, so that no deadline can become due. */
export const isSettled = (riddorState: RiddorState, row: Pick<AssessmentRow, 'decision'>): boolean =>
  riddorState.state === 'reported' ||
  (riddorState.state === 'theirs' && riddorState.dueOn === null) ||
  ((riddorState.state === 'record' || riddorState.state === 'notReportable') && row.decision !== null);

export const toReportRiddorState = (report: ReportForAssessment, riddorState: RiddorState): ReportRiddorState => ({
  ...riddorState,
  report_id: report.id,
  number: report.number,
  name: report.name,
  park: report.selectedPlace,
});

export function toAssessment(
  report: ReportForAssessment,
  row: AssessmentRow | undefined,
  notices: NoticeRow[],
  authority: Authority,
  now: Date,
): Assessment {
  const accidentOn = getAccidentDay(report);
  const stored: StoredAnswers = row
    ? (JSON.parse(row.answers) as StoredAnswers)
    : { asOf: getToday(now), event: {}, people: [{}] };
  const particulars = row ? (JSON.parse(row.particulars) as Record<string, string>) : {};
  const isDecided = row?.decision != null;
  const ruleSet = row?.rule_set ?? getRuleSetInForce(accidentOn).id;
  return {
    report_id: report.id,
    number: report.number,
    version: row?.version ?? 0,
    ruleSet,
    correctedBy: row && !isDecided ? findCorrection(ruleSet) : null,
    authority,
    accidentOn,
    asOf: stored.asOf,
    answers: stored.event,
    people: stored.people,
    particulars,
    missingParticulars: listMissingParticulars(particulars, report),
    result: row ? (JSON.parse(row.result) as Record<string, unknown>) : null,
    decision: row?.decision ?? null,
    reason: row?.reason ?? null,
    decided_by: row?.decided_by_name ?? null,
    decided_at: row?.decided_at ?? null,
    notices: notices.map((notice) => ({
      id: notice.id,
      duties: JSON.parse(notice.duties) as string[],
      how: notice.how,
      on: notice.on,
      hse_reference: notice.hse_reference,
      note: notice.note,
      created_at: notice.created_at,
      created_by: notice.created_by_name,
    })),
    clock: getReportRiddorState(report, row, notices, now),
  };
}
