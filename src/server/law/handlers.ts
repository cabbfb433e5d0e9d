// Endpoints of the RIDDOR assessment. The product advises; the manager decides.
import type { Api } from '#shared/api.ts';
import { getToday } from '#shared/dates.ts';
import { assessmentLimits, exposureField } from '#shared/law/assessment.ts';
import type { Authority } from '#shared/law/authority.ts';
import { evaluate, type Result } from '#shared/law/evaluate.ts';
import { getDuty } from '#shared/law/riddor-state.ts';
import type { RuleSet } from '#shared/law/rule-set.ts';
import { findAnswerErrors } from '#shared/law/validate.ts';
import type { Database } from '../db/schema.ts';
import { createFieldError, createStaleError, HttpError, required } from '../errors/http-error.ts';
import { saltText } from '../hash.ts';
import { holdForExposure } from '../holds/holds.ts';
import type { HandlerContext, Handlers } from '../http/handler-context.ts';
import { newId } from '../ids.ts';
import { findAuthority } from '../parks/settings.ts';
import { prepareSearch } from '../reports/queries/report-filter.ts';
import {
  findReview,
  getAccidentDay,
  getFacts,
  getReportRiddorState,
  isSettled,
  listOpenQuestions,
  type StoredAnswers,
  toAssessment,
} from './assessments.ts';
import { compareUrgency, getReportRiddorStates, listIdsToReview } from './deadlines.ts';
import { findCorrection, findRuleSet, getRuleSetInForce } from './rule-sets.ts';
import {
  type AssessmentRow,
  countDeletedUnfinished,
  countUnassessed,
  findAssessment,
  findReportForAssessment,
  insertNotice,
  listNotices,
  listReportsToReview,
  listReportsWithOpenDuties,
  listUnsettledReports,
  type NoticeRow,
  type ReportForAssessment,
  setSettled,
  writeAssessment,
} from './store.ts';

export const lawHandlers = {
  async getAssessment(context) {
    const assessedReport = await findReportWithAssessment(context.db, context.params.id);
    await context.logActivity({ action: 'opened the assessment of', ...toLogFields(assessedReport.report) });
    return toAssessmentReply(context, assessedReport);
  },

  saveAssessment: (context) =>
    context.writeTransaction(async (db, logActivity) => {
      const { body, user, now } = context;
      const assessedReport = await findReportWithAssessment(db, context.params.id);
      assertNotStale(context, assessedReport, body.version);
      const set = await getRuleSetToUse(db, body.ruleSet, assessedReport);
      const storedAnswers: StoredAnswers = {
        asOf: body.asOf ?? getToday(now),
        event: body.answers,
        people: body.people,
      };
      const facts = getFacts(assessedReport.report, storedAnswers);
      assertValidAnswers(findAnswerErrors(set, facts, getToday(now)));
      const result = { ...evaluate(set, facts), openQuestions: listOpenQuestions(set, facts) };
      const before = assessedReport.row && (JSON.parse(assessedReport.row.answers) as StoredAnswers);
      const row: AssessmentRow = {
        id: assessedReport.row?.id ?? newId(),
        report_id: assessedReport.report.id,
        version: (assessedReport.row?.version ?? 0) + 1,
        rule_set: set.id,
        answers: JSON.stringify(storedAnswers),
        result: JSON.stringify(result),
        particulars: JSON.stringify(body.particulars ?? JSON.parse(assessedReport.row?.particulars ?? '{}')),
        ...getDecisionLeft(assessedReport.row, storedAnswers, result),
        settled: 0,
        to_review: 0,
        updated_at: now.toISOString(),
        updated_by: user.id,
        updated_by_name: user.username,
      };
      // Filling in the accident book keeps the decision, which is still to be checked.
      if (row.decision) row.to_review = assessedReport.row?.to_review ?? 0;
      const { row: savedRow, hash } = await storeAssessment(db, context, { ...assessedReport, row });
      const changedParticulars = listDifferentFields(
        JSON.parse(assessedReport.row?.particulars ?? '{}'),
        JSON.parse(row.particulars),
      );
      logActivity({
        action: 'saved the assessment of',
        ...toLogFields(assessedReport.report),
        changes: { fields: [...listChangedFields(before, storedAnswers), ...changedParticulars], texts: hash },
      });
      const isExposureNew = changedParticulars.includes(exposureField) && body.particulars?.[exposureField]?.trim();
      const hold = isExposureNew ? await holdForExposure(db, assessedReport.report.id, user, now) : undefined;
      if (hold)
        logActivity({
          action: 'set a hold on',
          ...toLogFields(assessedReport.report),
          changes: { hold: hold.id, of: 'report', reason: hold.hash },
        });
      return toAssessmentReply(context, { ...assessedReport, row: savedRow });
    }),

  decideAssessment: (context) =>
    context.writeTransaction(async (db, logActivity) => {
      const { body, user, now } = context;
      const assessedReport = await findReportWithAssessment(db, context.params.id);
      assertNotStale(context, assessedReport, body.version);
      const { row } = assessedReport;
      if (!row) throw new HttpError(409, 'Answer the RIDDOR questions first');
      if (!row.decision && findCorrection(row.rule_set))
        throw new HttpError(409, 'The rules were corrected. Answer the changed question, save, then decide.');
      const reason = body.reason?.trim() ?? '';
      const { outcome } = JSON.parse(row.result) as Result;
      if (body.decision !== outcome && reason === '')
        throw new HttpError(409, 'Give a reason, because the decision differs from the result', {
          code: 'REASON_NEEDED',
        });
      if (reason !== '' && reason.length < assessmentLimits.reasonMin)
        throw createFieldError('reason', `Give a reason of at least ${assessmentLimits.reasonMin} characters`);
      const saltedReason = reason === '' ? undefined : saltText(reason);
      const { row: stored, hash } = await storeAssessment(db, context, {
        ...assessedReport,
        row: {
          ...row,
          version: row.version + 1,
          decision: body.decision,
          reason: reason || null,
          reason_salt: saltedReason?.salt ?? null,
          decided_by: user.id,
          decided_by_name: user.username,
          decided_at: now.toISOString(),
          // A decision that is saved again was checked.
          to_review: 0,
          updated_at: now.toISOString(),
          updated_by: user.id,
          updated_by_name: user.username,
        },
      });
      logActivity({
        action: 'decided the assessment of',
        ...toLogFields(assessedReport.report),
        changes: {
          fields: ['decision', ...(saltedReason ? ['reason'] : [])],
          ...(saltedReason && { reason: saltedReason.hash }),
          texts: hash,
        },
      });
      return toAssessmentReply(context, { ...assessedReport, row: stored });
    }),

  addRiddorNotice: (context) =>
    context.writeTransaction(async (db, logActivity) => {
      const { body, user, now } = context;
      const assessedReport = await findReportWithAssessment(db, context.params.id);
      const { report, row } = assessedReport;
      if (!row) throw new HttpError(409, 'Answer the RIDDOR questions first');
      if (body.on > getToday(now)) throw createFieldError('on', 'A day cannot be in the future');
      if (body.on < getAccidentDay(report)) throw createFieldError('on', 'This day is before the accident');
      if (body.how === 'online' && !body.hseReference && !body.note?.trim())
        throw createFieldError('hseReference', "Enter HSE's reference, or in the note why there is none");
      const { duties, openDuties } = JSON.parse(row.result) as Result;
      const allDuties = [...duties, ...openDuties];
      const named = body.duties.map((name) => ({
        name,
        ids: allDuties.filter(({ id, rule, regulation }) => [id, rule, regulation].includes(name)).map(({ id }) => id),
      }));
      const unknownDuty = named.find(({ ids }) => ids.length === 0);
      if (unknownDuty) throw createFieldError('duties', `This assessment has no duty ${unknownDuty.name}`);
      const notice: Omit<NoticeRow, 'salt'> = {
        id: newId(),
        assessment_id: row.id,
        duties: JSON.stringify([...new Set(named.flatMap(({ ids }) => ids))]),
        how: body.how,
        on: body.on,
        hse_reference: body.hseReference || null,
        note: body.note?.trim() || null,
        created_at: now.toISOString(),
        created_by: user.id,
        created_by_name: user.username,
      };
      const texts = await insertNotice(db, notice);
      const riddorState = getReportRiddorState(
        report,
        row,
        [...assessedReport.notices, { ...notice, salt: null }],
        now,
      );
      await setSettled(db, row.id, isSettled(riddorState, row) ? 1 : 0);
      logActivity({
        action: 'recorded a notice for',
        ...toLogFields(report),
        changes: { notice: notice.id, fields: ['how', 'on'], texts },
      });
      return { success: true, id: notice.id } as const;
    }),

  async listOpenDuties({ db, query, now }) {
    const reports = await listReportsWithOpenDuties(db, { park: query.park, ids: query.ids?.split(',') });
    const riddorStates = await getReportRiddorStates(db, reports, now);
    const matchingStates = riddorStates.filter(({ state }) => query.state === undefined || state === query.state);
    return query.ids ? matchingStates : matchingStates.toSorted(compareUrgency);
  },

  async countDuties({ db, query: requestedQuery, user, now, search }) {
    const query = await prepareSearch(db, requestedQuery, user);
    const [unsettledReports, unassessedCount, reviewedReports] = await search(query.q, async (db) => [
      await listUnsettledReports(db, query),
      await countUnassessed(db, query),
      await listReportsToReview(db, query),
    ]);
    const count = Object.groupBy(await getReportRiddorStates(db, unsettledReports, now), getDuty);
    return {
      overdue: count.overdue?.length ?? 0,
      toReport: count.toReport?.length ?? 0,
      toAssess: (count.toAssess?.length ?? 0) + unassessedCount,
      toReview: listIdsToReview(reviewedReports).length,
      deleted: user.role === 'Admin' ? await countDeletedUnfinished(db) : null,
    };
  },

  async getRuleSet({ db, params }) {
    const set = required(await findRuleSet(db, params.id), 'Rule set not found');
    return set as unknown as Record<string, unknown>;
  },
} satisfies Partial<Handlers>;

type Found = {
  report: ReportForAssessment;
  row: AssessmentRow | undefined;
  notices: NoticeRow[];
  authority: Authority;
};

async function findReportWithAssessment(db: Database, reportId: string): Promise<Found> {
  const report = required(await findReportForAssessment(db, reportId), 'Report not found');
  const row = await findAssessment(db, report.id);
  const authority = await findAuthority(db, report.selectedPlace);
  return { report, row, notices: row ? await listNotices(db, [row.id]) : [], authority };
}

const toLogFields = (report: ReportForAssessment) =>
  ({ thing: 'report', thing_id: report.id, label: report.number }) as const;

const toAssessmentReply = ({ now }: { now: Date }, { report, row, notices, authority }: Found) =>
  toAssessment(report, row, notices, authority, now);

function assertNotStale(context: { now: Date }, assessedReport: Found, version: number): void {
  if (version === (assessedReport.row?.version ?? 0)) return;
  const current = toAssessmentReply(context, assessedReport);
  throw createStaleError('Someone else has changed this assessment. Your changes are not lost.', current);
}

/**
 * Returns the rule set for an assessment: the one it was begun with, or a corrected version if
 * there is no decision yet and the manager has answered the questions of that version. Throws if
 * the answers belong to another rule set.
 */
async function getRuleSetToUse(db: Database, wantedId: string | undefined, { report, row }: Found): Promise<RuleSet> {
  const defaultRuleSetId = row?.rule_set ?? getRuleSetInForce(getAccidentDay(report)).id;
  const mayBeCorrected = row && (!row.decision || findReview(report, row) !== null);
  const correctedRules = mayBeCorrected ? findCorrection(defaultRuleSetId) : null;
  const ruleSetId = wantedId ?? defaultRuleSetId;
  if (ruleSetId !== defaultRuleSetId && ruleSetId !== correctedRules)
    throw new HttpError(409, 'The rules were replaced. Your answers are not lost. Check them again.', {
      code: 'STALE',
    });
  const set = await findRuleSet(db, ruleSetId);
  if (!set) throw new HttpError(409, `The rules ${ruleSetId} are missing.`);
  return set;
}

function assertValidAnswers(fields: Record<string, string>): void {
  const [message] = Object.values(fields);
  if (message) throw new HttpError(400, message, { code: 'INVALID', fields });
}

async function storeAssessment(
  db: Database,
  { user, now }: Pick<HandlerContext<Api['saveAssessment']>, 'user' | 'now'>,
  { report, row, notices }: Found & { row: AssessmentRow },
): Promise<{ row: AssessmentRow; hash: string }> {
  const riddorState = getReportRiddorState(report, row, notices, now);
  const rowToStore: AssessmentRow = { ...row, settled: isSettled(riddorState, row) ? 1 : 0 };
  return { row: rowToStore, hash: await writeAssessment(db, rowToStore, user, now) };
}

const undecidedFields = {
  decision: null,
  reason: null,
  reason_salt: null,
  decided_by: null,
  decided_by_name: null,
  decided_at: null,
} as const;

/**
 * Returns what is left of a decision after a save: nothing if the result or the answers changed,
 * because the manager must decide again. Fields that are only for the accident book do not count.
 */
function getDecisionLeft(before: AssessmentRow | undefined, answers: StoredAnswers, result: Result) {
  if (!before) return undecidedFields;
  const previousAnswers = JSON.parse(before.answers) as StoredAnswers;
  const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
  const summarise = ({ outcome, duties, openDuties }: Result) => [
    outcome,
    [...duties, ...openDuties].map(({ id, dueOn }) => [id, dueOn]),
  ];
  const isUnchanged =
    isSame([previousAnswers.event, previousAnswers.people], [answers.event, answers.people]) &&
    isSame(summarise(JSON.parse(before.result) as Result), summarise(result));
  if (!isUnchanged) return undecidedFields;
  const { decision, reason, reason_salt, decided_by, decided_by_name, decided_at } = before;
  return { decision, reason, reason_salt, decided_by, decided_by_name, decided_at };
}

/**
 * Returns the names of the questions whose answers changed, but not the answers, which must not be
 * in the log.
 */
const listDifferentFields = (one: Record<string, unknown> = {}, other: Record<string, unknown> = {}) =>
  [...new Set([...Object.keys(one), ...Object.keys(other)])].filter(
    (field) => JSON.stringify(one[field] ?? '') !== JSON.stringify(other[field] ?? ''),
  );

function listChangedFields(before: StoredAnswers | undefined, after: StoredAnswers): string[] {
  const people = Math.max(before?.people.length ?? 0, after.people.length);
  return [
    ...new Set([
      ...listDifferentFields(before?.event, after.event),
      ...Array.from({ length: people }, (_, index) =>
        listDifferentFields(before?.people[index], after.people[index]),
      ).flat(),
    ]),
  ];
}
