// The assessment as printed with the signed report.
import { formatDay, formatInstant } from '#shared/dates.ts';
import { type ParticularField, particularFields } from '#shared/law/assessment.ts';
import { describeAuthority, describeResponsible } from '#shared/law/authority.ts';
import { type Duty, mayBeOwnDuty, type Outcome, type Result } from '#shared/law/evaluate.ts';
import { describeAnswer, getQuestionLabel, listReasons } from '#shared/law/explain.ts';
import type { Answers } from '#shared/law/facts.ts';
import { withoutImpliedAnswers } from '#shared/law/questions.ts';
import type { RiddorState } from '#shared/law/riddor-state.ts';
import type { RuleSet } from '#shared/law/rule-set.ts';
import type { Database } from '../db/schema.ts';
import type { NameFinder } from '../names/user-names.ts';
import { findAuthority } from '../parks/settings.ts';
import type { PdfPart } from '../pdf/document.ts';
import { getFacts, getReportRiddorState, type StoredAnswers, toAssessment } from './assessments.ts';
import { findRuleSet } from './rule-sets.ts';
import { findAssessment, findReportForAssessment, listNotices } from './store.ts';

const outcomes: Record<Outcome, string> = {
  reportable: 'Reportable',
  undecided: 'Not decided yet',
  record: 'Record only',
  notReportable: 'Not reportable',
};
const adviceText = 'This is advice: the Health & Safety Manager decides.';
const noticeWayTexts = {
  telephone: 'By telephone',
  online: "On HSE's form",
  toldThem: 'Told the firm that must report it',
};

/**
 * Returns the report's RIDDOR state, also without typed texts for copies without names; the sections that print
 * the assessment; and whether the person consented to be named to safety representatives.
 */
export async function getAssessmentForPdf(
  db: Database,
  reportId: string,
  now: Date,
  getName: NameFinder,
): Promise<{ riddor: RiddorState; riddorWithoutNames: RiddorState; parts: PdfPart[]; hasConsent: boolean }> {
  const report = await findReportForAssessment(db, reportId);
  if (!report) throw new Error('The report was deleted while its PDF was made');
  const row = await findAssessment(db, reportId);
  const notices = row ? await listNotices(db, [row.id]) : [];
  const riddor = getReportRiddorState(report, row, notices, now);
  const riddorWithoutNames = getReportRiddorState(report, row, notices, now, { hasTypedText: false });
  const set = row && (await findRuleSet(db, row.rule_set));
  if (!row) return { riddor, riddorWithoutNames, parts: [], hasConsent: false };
  if (!set) {
    const value = `${row.rule_set}: they are missing, so the assessment cannot be printed`;
    return {
      riddor,
      riddorWithoutNames,
      parts: [
        { kind: 'heading', text: 'RIDDOR assessment' },
        { kind: 'fields', rows: [{ label: 'Rules', value }] },
      ],
      hasConsent: false,
    };
  }
  const authority = await findAuthority(db, report.selectedPlace);
  const assessment = toAssessment(report, row, notices, authority, now);
  const result = assessment.result as unknown as Result;
  const describe = ({ rule, regulation, dueOn }: Duty) => {
    const text = [...set.people, ...set.event].find(({ id }) => id === rule)?.text ?? rule;
    return `${text} Regulation ${regulation}${dueOn ? `, by ${formatDay(dueOn)}` : ''}.`;
  };
  const facts = getFacts(report, JSON.parse(row.answers) as StoredAnswers);
  // Nobody was asked what follows from other answers, or from the park.
  const given = withoutImpliedAnswers(set, facts);
  const answers = [
    ...listAnswered(set, given.event, ''),
    ...given.people.flatMap((person, index) =>
      listAnswered(set, person, given.people.length > 1 ? `Person ${index + 1}: ` : ''),
    ),
  ];
  const particulars = (Object.keys(particularFields) as ParticularField[]).flatMap((field) => {
    const value = assessment.particulars[field];
    return value ? [{ label: particularFields[field], value }] : [];
  });
  const { decision, decided_by, decided_at, reason } = assessment;
  const { mayApply } = listReasons(set, facts, result);
  const ownDuties = result.duties.filter(mayBeOwnDuty);
  const parts: PdfPart[] = [
    { kind: 'heading', text: 'RIDDOR assessment' },
    {
      kind: 'fields',
      rows: [
        { label: 'Result of the answers', value: `${outcomes[result.outcome]}. ${adviceText}` },
        { label: 'Regulation', value: result.regulation.join('; ') },
        {
          label: 'Decision',
          value: decision
            ? `${outcomes[decision]}, by ${getName(decided_by)} on ${formatInstant(decided_at ?? '')}`
            : 'Not decided yet',
        },
        ...(reason ? [{ label: 'Reason', value: reason }] : []),
        ...result.duties.map((duty) => ({ label: 'Duty', value: describe(duty) })),
        ...describeResponsible(result).map((value) => ({ label: 'Who reports', value })),
        ...(ownDuties.length > 0 ? [{ label: 'Authority', value: describeAuthority(authority, ownDuties) }] : []),
        ...mayApply.map(({ text, open }) => ({
          label: 'May apply',
          value: [text, ...open].join(' '),
        })),
        ...assessment.notices.map(({ on, how, hse_reference, note }) => ({
          label: 'Notice',
          value: [formatDay(on), noticeWayTexts[how], hse_reference && `HSE ref ${hse_reference}`, note]
            .filter(Boolean)
            .join(', '),
        })),
        ...particulars,
        { label: 'Rules', value: `${set.title ?? set.id} (${set.id})` },
      ],
    },
    { kind: 'heading', text: 'Answers' },
    { kind: 'fields', rows: answers },
  ];
  return { riddor, riddorWithoutNames, parts, hasConsent: Boolean(assessment.particulars.consent?.trim()) };
}

const listAnswered = (set: RuleSet, answers: Answers, labelPrefix: string) =>
  Object.keys(set.values)
    .filter((field) => answers[field] !== undefined && answers[field] !== null)
    .filter((field) => !set.questions?.some((question) => question.field === field && question.ofPark))
    .map((field) => ({
      label: `${labelPrefix}${getQuestionLabel(set, field)}`,
      value: describeAnswer(set, field, answers),
    }));
