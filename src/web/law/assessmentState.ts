// The answers of an assessment on the screen.
import type { Assessment } from '#shared/law/assessment.ts';
import type { Outcome } from '#shared/law/evaluate.ts';
import type { Answer, Answers, Facts } from '#shared/law/facts.ts';
import { type AskedQuestion, listAskedQuestions } from '#shared/law/questions.ts';
import type { RuleSet } from '#shared/law/rule-set.ts';
import type { Report } from '#shared/reports/reports.ts';

export type AssessmentDraft = {
  /** The saved version that the answers are based on. */
  version: number;
  /** The rule set whose questions were answered. */
  ruleSet: string;
  facts: Facts;
  particulars: Record<string, string>;
};

export const toAssessmentDraft = (assessment: Assessment): AssessmentDraft => ({
  version: assessment.version,
  ruleSet: assessment.ruleSet,
  facts: {
    accidentOn: assessment.accidentOn,
    asOf: assessment.asOf,
    // Parks have no hospital, so this is not asked.
    event: { hospitalPremises: 'no', ...(assessment.answers as Answers) },
    people: assessment.people as Answers[],
  },
  particulars: assessment.particulars,
});

export const getQuestionKey = ({ question, person }: AskedQuestion) => `${person ?? 'event'}:${question.field}`;

export const getAnswer = (facts: Facts, { question, person }: AskedQuestion): Answer | undefined =>
  (person === null ? facts.event : facts.people[person])?.[question.field];

export function isAnswered(facts: Facts, askedQuestion: AskedQuestion): boolean {
  const answer = getAnswer(facts, askedQuestion);
  return answer !== undefined && answer !== null && answer !== '';
}

type Position = {
  current: AskedQuestion;
  /** The questions before the current one was answered. */
  earlier: AskedQuestion[];
  /** The keys of questions left without an answer: they are not shown again by themselves. */
  skipped: ReadonlySet<string>;
  /** Whether questions with an answer are not shown again. */
  skips: boolean;
};

/**
 * Returns the question to show after the current one, whose answer may have added and removed questions; none at the
 * end. One that asks back comes at once, and after it whatever it left open, earlier or later.
 */
export function findNextQuestion(
  questions: AskedQuestion[],
  facts: Facts,
  { current, earlier, skipped, skips }: Position,
): AskedQuestion | undefined {
  const isSame = (one: AskedQuestion, other: AskedQuestion) => getQuestionKey(one) === getQuestionKey(other);
  const asksBack = questions.find(
    (one) => one.question.askBack && !isAnswered(facts, one) && earlier.every((other) => !isSame(one, other)),
  );
  if (asksBack) return asksBack;
  const following = current.question.askBack
    ? questions.filter((one) => !isSame(one, current))
    : questions.slice(questions.findIndex((one) => isSame(one, current)) + 1);
  return following.find((one) => !skips || !(isAnswered(facts, one) || skipped.has(getQuestionKey(one))));
}

/** The facts of a draft, without the answers to questions whose words a corrected rule set changed. */
export function getFactsFor({ corrects, id }: RuleSet, draft: AssessmentDraft): Facts {
  if (draft.ruleSet === id || draft.ruleSet !== corrects?.ruleSet) return draft.facts;
  const keep = (answers: Answers): Answers =>
    Object.fromEntries(Object.entries(answers).filter(([field]) => !corrects.askAgain.includes(field)));
  return { ...draft.facts, event: keep(draft.facts.event), people: draft.facts.people.map(keep) };
}

export const outcomeTexts: Record<Outcome, string> = {
  reportable: 'Looks reportable',
  undecided: 'Not decided yet',
  record: 'Looks like a record only',
  notReportable: 'Looks not reportable',
};

const personClasses: Record<string, string> = { Staff: 'employee', Owner: 'public', Guest: 'public' };

/** The questions to ask the user, in order. */
export const listQuestions = (ruleSet: RuleSet, facts: Facts): AskedQuestion[] =>
  listAskedQuestions(ruleSet, facts).filter(({ question }) => !question.ofPark);

/** Answers suggested by the report: shown as chosen, but saved only when confirmed. */
export const suggestAnswer = (report: Report, { question, person }: AskedQuestion): Answer | undefined =>
  question.field === 'class' && person === 0 ? personClasses[report.employmentStatus] : undefined;

const statusHints: Record<string, string> = {
  Visitor: 'The report says Visitor. Were they here for work?',
  Contractor: 'The report says Contractor. Did a firm employ them, or were they self-employed?',
};

/** Returns a hint from the report that helps to answer a question; '' if there is none. */
export function getHintFromReport(
  { employmentStatus, emergencyService }: Report,
  { question, person }: AskedQuestion,
): string {
  if (person !== 0) return '';
  if (question.field === 'class') return statusHints[employmentStatus] ?? '';
  if (question.field === 'hospital' && emergencyService === 'Ambulance')
    return 'The report says that an ambulance came. That alone does not decide the answer.';
  return '';
}
