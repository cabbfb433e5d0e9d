// Endpoints of the RIDDOR assessment. The product advises; the manager decides.
import type { Api } from '#shared/api.ts';
import { getToday } from '#shared/dates.ts';
import { assessmentLimits } from '#shared/law/assessment.ts';
import type { Authority } from '#shared/law/authority.ts';
import { evaluate, type Result } from '#shared/law/evaluate.ts';
import type { Answers } from '#shared/law/facts.ts';
import type { RuleSet } from '#shared/law/rule-set.ts';
import { findAnswerErrors } from '#shared/law/validate.ts';
import type { Database } from '../db/schema.ts';
import { HttpError } from '../errors/http-error.ts';
import type { HandlerContext, Handlers } from '../http/handler-context.ts';
import { newId } from '../ids.ts';
import { limitToVisible } from '../reports/filter.ts';
import {
  findCorrection,
  getAccidentDay,
  getFacts,
  getReportRiddorState,
  isSettled,
  listOpenQuestions,
  type StoredAnswers,
  toAssessment,
} from './assessments.ts';
import { findAuthority } from './authorities.ts';
import { compareUrgency, getDuty, getReportRiddorStates } from './deadlines.ts';
import { updateExposureHold } from './holds.ts';
import {
  type AssessedReport,
  type AssessmentRow,
  countDeletedToDo,
  countUnassessed,
  findAssessedReport,
  findAssessment,
  insertNotice,
  listNotices,
  listUnfinished,
  listUnsettled,
  type NoticeRow,
  saltText,
  setSettled,
  writeAssessment,
} from './store.ts';

type LawEndpoints =
  | 'getAssessment'
  | 'saveAssessment'
  | 'decideAssessment'
  | 'addRiddorNotice'
  | 'listOpenDuties'
  | 'countDuties'
  | 'getRuleSet';

export const lawHandlers: Pick<Handlers, LawEndpoints> = {
  async getAssessment(context) {
    const found = await find(context.db, context.params.id);
    await context.logActivity({ action: 'opened the assessment of', ...thing(found.report) });
    return toAssessmentReply(context, found);
  },

  saveAssessment: (context) =>
    context.writeTransaction(async (db, logActivity) => {
      const { body, user, now } = context;
      const found = await find(db, context.params.id);
      assertNotStale(context, found, body.version);
      const set = getRuleSetToUse(context, found);
      const stored: StoredAnswers = { asOf: body.asOf ?? getToday(now), event: body.answers, people: body.people };
      const facts = getFacts(found.report, stored);
      assertValidAnswers(findAnswerErrors(set, facts, getToday(now)));
      const result = { ...evaluate(set, facts), openQuestions: listOpenQuestions(set, facts) };
      const before = found.row && (JSON.parse(found.row.answers) as StoredAnswers);
      const row: AssessmentRow = {
        id: found.row?.id ?? newId(),
        report_id: found.report.id,
        version: (found.row?.version ?? 0) + 1,
        rule_set: set.id,
        answers: JSON.stringify(stored),
        result: JSON.stringify(result),
        particulars: JSON.stringify(body.particulars ?? JSON.parse(found.row?.particulars ?? '{}')),
        ...getDecisionLeft(found.row, stored, result),
        settled: 0,
        updated_at: now.toISOString(),
        updated_by: user.id,
        updated_by_name: user.username,
      };
      const { stored: changed, hash } = await store(db, context, { ...found, row });
      const { exposure = '' } = JSON.parse(row.particulars) as Record<string, string>;
      await updateExposureHold(db, found.report.id, exposure.trim() !== '', user, now);
      logActivity({
        action: 'saved the assessment of',
        ...thing(found.report),
        changes: { fields: listChangedFields(before, stored), texts: hash },
      });
      return toAssessmentReply(context, { ...found, row: changed });
    }),

  decideAssessment: (context) =>
    context.writeTransaction(async (db, logActivity) => {
      const { body, user, now } = context;
      const found = await find(db, context.params.id);
      assertNotStale(context, found, body.version);
      const { row } = found;
      if (!row) throw new HttpError(409, 'Answer the questions first');
      const reason = body.reason?.trim() ?? '';
      const { outcome } = JSON.parse(row.result) as Result;
      if (body.decision !== outcome && reason === '')
        throw new HttpError(409, 'Give a reason, because the decision differs from the result', {
          code: 'REASON_NEEDED',
        });
      if (reason !== '' && reason.length < assessmentLimits.reasonMin) {
        const message = `Give a reason of at least ${assessmentLimits.reasonMin} characters`;
        throw new HttpError(400, message, { code: 'INVALID', fields: { reason: message } });
      }
      const saltedReason = reason === '' ? undefined : saltText(reason);
      const { stored, hash } = await store(db, context, {
        ...found,
        row: {
          ...row,
          version: row.version + 1,
          decision: body.decision,
          reason: reason || null,
          reason_salt: saltedReason?.salt ?? null,
          decided_by: user.id,
          decided_by_name: user.username,
          decided_at: now.toISOString(),
          updated_at: now.toISOString(),
          updated_by: user.id,
          updated_by_name: user.username,
        },
      });
      logActivity({
        action: 'decided the assessment of',
        ...thing(found.report),
        changes: {
          fields: ['decision', ...(saltedReason ? ['reason'] : [])],
          ...(saltedReason && { reason: saltedReason.hash }),
          texts: hash,
        },
      });
      return toAssessmentReply(context, { ...found, row: stored });
    }),

  addRiddorNotice: (context) =>
    context.writeTransaction(async (db, logActivity) => {
      const { body, user, now } = context;
      const found = await find(db, context.params.id);
      const { report, row } = found;
      if (!row) throw new HttpError(409, 'Answer the questions first');
      const refuse = (field: string, message: string) =>
        new HttpError(400, message, { code: 'INVALID', fields: { [field]: message } });
      if (body.on > getToday(now)) throw refuse('on', 'A day cannot be in the future');
      if (body.on < getAccidentDay(report)) throw refuse('on', 'This day is before the accident');
      if (body.how === 'online' && !body.hseReference && !body.note?.trim())
        throw refuse('hseReference', "Enter HSE's reference, or in the note why there is none");
      const { duties, openDuties } = JSON.parse(row.result) as Result;
      const known = [...duties, ...openDuties];
      const named = body.duties.map((name) => ({
        name,
        ids: known.filter(({ id, rule, regulation }) => [id, rule, regulation].includes(name)).map(({ id }) => id),
      }));
      const unknown = named.find(({ ids }) => ids.length === 0);
      if (unknown) throw refuse('duties', `This assessment has no duty ${unknown.name}`);
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
      const riddorState = getReportRiddorState(report, row, [...found.notices, { ...notice, salt: null }], now);
      await setSettled(db, row.id, isSettled(riddorState, row) ? 1 : 0);
      logActivity({
        action: 'recorded a notice for',
        ...thing(report),
        changes: { notice: notice.id, fields: ['how', 'on'], texts },
      });
      return { success: true, id: notice.id } as const;
    }),

  async listOpenDuties({ db, query, now }) {
    const found = await listUnfinished(db, { park: query.park, ids: query.ids?.split(',') });
    const riddorStates = await getReportRiddorStates(db, found, now);
    const matchingStates = riddorStates.filter(({ state }) => query.state === undefined || state === query.state);
    return query.ids ? matchingStates : matchingStates.toSorted(compareUrgency);
  },

  async countDuties({ db, query: asked, user, now, search }) {
    const query = limitToVisible(asked, user);
    const [found, unassessedCount] = await search(query.q, async (db) => [
      await listUnsettled(db, query),
      await countUnassessed(db, query),
    ]);
    const count = Object.groupBy(await getReportRiddorStates(db, found, now), getDuty);
    return {
      overdue: count.overdue?.length ?? 0,
      toReport: count.toReport?.length ?? 0,
      toAssess: (count.toAssess?.length ?? 0) + unassessedCount,
      deleted: user.role === 'Admin' ? await countDeletedToDo(db) : null,
    };
  },

  getRuleSet({ params, ruleSets }) {
    const set = ruleSets.get(params.id);
    if (!set) throw new HttpError(404, 'Rule set not found');
    return set as unknown as Record<string, unknown>;
  },
};

type Found = {
  report: AssessedReport;
  row: AssessmentRow | undefined;
  notices: NoticeRow[];
  authority: Authority;
};

async function find(db: Database, reportId: string): Promise<Found> {
  const report = await findAssessedReport(db, reportId);
  if (!report) throw new HttpError(404, 'Report not found');
  const row = await findAssessment(db, report.id);
  const authority = await findAuthority(db, report.selectedPlace);
  return { report, row, notices: row ? await listNotices(db, [row.id]) : [], authority };
}

const thing = (report: AssessedReport) => ({ thing: 'report', thing_id: report.id, label: report.number }) as const;

const toAssessmentReply = (
  { ruleSets, now }: HandlerContext<Api['getAssessment']> | RuleSetContext,
  { report, row, notices, authority }: Found,
) => toAssessment(ruleSets, report, row, notices, authority, now);
type RuleSetContext = Pick<HandlerContext<Api['getAssessment']>, 'ruleSets' | 'now'>;

function assertNotStale(context: RuleSetContext, found: Found, version: number): void {
  if (version === (found.row?.version ?? 0)) return;
  throw new HttpError(409, 'Someone else has changed this assessment. Your changes are not lost.', {
    code: 'STALE',
    body: { current: toAssessmentReply(context, found) },
  });
}

/**
 * An assessment keeps its rule set, unless it is not decided and the manager answers the questions of
 * a corrected one. Throws if the answers are to the questions of another rule set.
 */
function getRuleSetToUse({ body, ruleSets }: HandlerContext<Api['saveAssessment']>, { report, row }: Found): RuleSet {
  const own = row?.rule_set ?? ruleSets.pick(getAccidentDay(report)).id;
  const correctedRules = row && !row.decision ? findCorrection(ruleSets, own) : null;
  const asked = body.ruleSet ?? own;
  if (asked !== own && asked !== correctedRules)
    throw new HttpError(409, 'The rules were replaced. Your answers are not lost. Check them again.', {
      code: 'STALE',
    });
  const set = ruleSets.get(asked);
  if (!set)
    throw new HttpError(
      409,
      `The rules ${asked} are missing. Put their file back into the folder “law” of the data folder.`,
    );
  return set;
}

function assertValidAnswers(fields: Record<string, string>): void {
  const [message] = Object.values(fields);
  if (message) throw new HttpError(400, message, { code: 'INVALID', fields });
}

async function store(
  db: Database,
  { user, now }: Pick<HandlerContext<Api['saveAssessment']>, 'user' | 'now'>,
  { report, row, notices }: Found & { row: AssessmentRow },
): Promise<{ stored: AssessmentRow; hash: string }> {
  const riddorState = getReportRiddorState(report, row, notices, now);
  const stored: AssessmentRow = { ...row, settled: isSettled(riddorState, row) ? 1 : 0 };
  return { stored, hash: await writeAssessment(db, stored, user, now) };
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
 * Changed answers may change the result, so the manager has to decide again. Fields only for the
 * accident book do not count.
 */
function getDecisionLeft(before: AssessmentRow | undefined, answers: StoredAnswers, result: Result) {
  if (!before) return undecidedFields;
  const was = JSON.parse(before.answers) as StoredAnswers;
  const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
  const summarise = ({ outcome, duties, openDuties }: Result) => [
    outcome,
    [...duties, ...openDuties].map(({ id, dueOn }) => [id, dueOn]),
  ];
  const isUnchanged =
    isSame([was.event, was.people], [answers.event, answers.people]) &&
    isSame(summarise(JSON.parse(before.result) as Result), summarise(result));
  if (!isUnchanged) return undecidedFields;
  const { decision, reason, reason_salt, decided_by, decided_by_name, decided_at } = before;
  return { decision, reason, reason_salt, decided_by, decided_by_name, decided_at };
}

/** The names of the questions whose answer changed; never the answers. */
function listChangedFields(before: StoredAnswers | undefined, after: StoredAnswers): string[] {
  const listDifferentFields = (one: Answers = {}, other: Answers = {}) =>
    [...new Set([...Object.keys(one), ...Object.keys(other)])].filter(
      (field) => JSON.stringify(one[field]) !== JSON.stringify(other[field]),
    );
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
