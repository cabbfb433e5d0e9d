// An assessment as users see it: answers, result, notices and RIDDOR state.
import { getToday, parseDay } from '#shared/dates.ts';
import {
  type Assessment,
  listMissingParticulars,
  type ParticularField,
  type ReportRiddorState,
} from '#shared/law/assessment.ts';
import type { Authority } from '#shared/law/authority.ts';
import { evaluate, outcomes, type Result } from '#shared/law/evaluate.ts';
import { getQuestionLabel } from '#shared/law/explain.ts';
import { type Answers, type Facts, listAnswers, unsure } from '#shared/law/facts.ts';
import { listUnsettled } from '#shared/law/questions.ts';
import {
  type Assessed,
  getRiddorState,
  type Notice,
  type RiddorState,
  withoutTypedText,
} from '#shared/law/riddor-state.ts';
import type { RuleSet } from '#shared/law/rule-set.ts';
import { findCorrection, getRuleSetInForce, shippedRuleSets } from './rule-sets.ts';
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
  return [...new Set(listUnsettled(set, facts).map(({ question }) => shortenLabel(question.label)))];
}

const shortenLabel = (label: string) => label.replace(/\?$/, '');

const toNotice = (row: NoticeRow): Notice => ({
  duties: JSON.parse(row.duties) as string[],
  how: row.how,
  on: row.on,
  hseReference: row.hse_reference,
});

/** Returns the rule set that corrects another one, or undefined. */
function getCorrection(ruleSetId: string): RuleSet | undefined {
  const id = findCorrection(ruleSetId);
  return id === null ? undefined : shippedRuleSets.find((set) => set.id === id);
}

/** Returns the answers with "not sure" in place of those that the correction doubts; undefined if there are none. */
function withoutDoubtfulAnswers(
  stored: StoredAnswers,
  { doubtful }: NonNullable<RuleSet['corrects']>,
): StoredAnswers | undefined {
  let isDoubtful = false;
  const replace = (answers: Answers): Answers =>
    Object.fromEntries(
      Object.entries(answers).map(([field, answer]) => {
        if (!listAnswers(answers, field).some((value) => doubtful[field]?.includes(value))) return [field, answer];
        isDoubtful = true;
        return [field, Array.isArray(answer) ? [unsure] : unsure];
      }),
    );
  const replaced = { ...stored, event: replace(stored.event), people: stored.people.map(replace) };
  return isDoubtful ? replaced : undefined;
}

/** Returns the result of an assessment if the answers that a correction doubts are not believed, or undefined. */
function getDoubtedResult(report: ReportForAssessment, row: AssessmentRow): StoredResult | undefined {
  const corrects = getCorrection(row.rule_set)?.corrects;
  const set = shippedRuleSets.find(({ id }) => id === row.rule_set);
  if (!corrects || !set) return undefined;
  const answers = withoutDoubtfulAnswers(JSON.parse(row.answers) as StoredAnswers, corrects);
  if (!answers) return undefined;
  const openQuestions = corrects.askAgain.map((field) => shortenLabel(getQuestionLabel(set, field)));
  return { ...evaluate(set, getFacts(report, answers)), openQuestions };
}

/** Returns the id of the corrected rule set by which a decision is to be checked again, or null. */
export function findReview(report: ReportForAssessment, row: AssessmentRow): string | null {
  if (row.to_review === 0) return null;
  const before = JSON.parse(row.result) as StoredResult;
  const doubted = getDoubtedResult(report, row);
  const isExempted = doubted && outcomes.indexOf(doubted.outcome) > outcomes.indexOf(before.outcome);
  return isExempted ? findCorrection(row.rule_set) : null;
}

/** Returns the saved result. Without a decision, answers that a correction doubts do not count. */
export function getResult(report: ReportForAssessment, row: AssessmentRow): StoredResult {
  const doubted = row.decision === null ? getDoubtedResult(report, row) : undefined;
  return doubted ?? (JSON.parse(row.result) as StoredResult);
}

export function getReportRiddorState(
  report: ReportForAssessment,
  row: AssessmentRow | undefined,
  notices: NoticeRow[],
  now: Date,
  { hasTypedText = true } = {},
): RiddorState {
  const result = row && getResult(report, row);
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
    reviewBy: row && isDecided ? findReview(report, row) : null,
    authority,
    accidentOn,
    asOf: stored.asOf,
    answers: stored.event,
    people: stored.people,
    particulars,
    missingParticulars: listMissingParticulars(particulars, report),
    result: row ? (getResult(report, row) as unknown as Record<string, unknown>) : null,
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
