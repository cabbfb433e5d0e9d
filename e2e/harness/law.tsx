// The questions of the RIDDOR assessment without a server: answers every case of the rule set on
// the screen, as a user would.
import { useState } from 'react';
import { flushSync } from 'react-dom';
import { matchesExpected } from '#shared/law/cases.ts';
import { runCases } from '#shared/law/check.ts';
import { evaluate } from '#shared/law/evaluate.ts';
import type { AbsenceSpell, Answer, Facts } from '#shared/law/facts.ts';
import { keepAskedAnswers } from '#shared/law/questions.ts';
import type { Question } from '#shared/law/rule-set.ts';
import { riddor2013v2 as ruleSet } from '#shared/law/rules/shipped.ts';
import { riddor2013v2Cases } from '#shared/law/rules/shipped-cases.ts';
import type { Report } from '#shared/reports/reports.ts';
import { type AssessmentDraft, listQuestions } from '../../src/web/law/assessmentState.ts';
import { QuestionSteps } from '../../src/web/law/QuestionSteps.tsx';
import { ResultSummary } from '../../src/web/law/ResultSummary.tsx';

const cases = riddor2013v2Cases.vectors;

export type LawHarness = {
  /** The result of the rules in this browser, without the screen. */
  runAll(): { passed: number; total: number };
  ids: string[];
  /** Those whose answers can all be given one after the other: none contradicts an earlier one. */
  consistentIds: string[];
  /**
   * Answers every question of a case on the screen; returns the differences from the expected
   * result, or ''.
   */
  answer(id: string): string;
  /** Answers a case with taps; returns their number, with the one on Save. */
  countTaps(id: string): number;
};

const emptyErrors = {};
const report = { name: 'Ellie Barker', employmentStatus: 'Visitor' } as Report;
const unsavedAssessment = { version: 0, authority: 'council', notices: [] } as never;

/** Set by the component while it is shown. */
let screen: { facts: Facts; show(facts: Facts): void };

export function LawScreen() {
  const [{ facts, round }, setState] = useState({ facts: getInitialFacts('r01'), round: 0 });
  screen = { facts, show: (facts) => setState((before) => ({ facts, round: before.round + 1 })) };
  const change = (changes: Partial<AssessmentDraft>) =>
    setState((before) => ({ ...before, facts: { ...before.facts, ...changes.facts } }));
  return (
    <div key={round}>
      <QuestionSteps
        report={report}
        ruleSet={ruleSet}
        facts={facts}
        result={evaluate(ruleSet, facts)}
        questions={listQuestions(ruleSet, facts)}
        errors={emptyErrors}
        today="2999-12-31"
        onChange={change}
      />
      <ResultSummary
        ruleSet={ruleSet}
        result={evaluate(ruleSet, facts)}
        facts={facts}
        saved={unsavedAssessment}
        today={facts.asOf}
        isChanged
      />
    </div>
  );
}

const findCase = (id: string) => cases.find((one) => one.id === id) ?? (cases[0] as (typeof cases)[number]);

/**
 * The facts with which the RIDDOR tab starts: no answers, except whether the accident happened on
 * hospital premises.
 */
function getInitialFacts(id: string): Facts {
  const { facts } = findCase(id);
  const { hospitalPremises = 'no' } = facts.event;
  return { ...facts, event: { hospitalPremises }, people: facts.people.map(() => ({})) };
}

const queryAll = <T extends HTMLElement>(selector: string, within: ParentNode = document) => [
  ...within.querySelectorAll<T>(selector),
];
const getHeading = () => document.querySelector('h3')?.textContent ?? '';

/** Taps since a case was begun; undefined while the keyboard is used, whose clicks have no detail. */
let taps: number | undefined;

function clickElement(element: HTMLElement | undefined, description: string): void {
  if (!element) throw new Error(`${description} is not on the screen at "${getHeading()}"`);
  if (taps !== undefined) taps += 1;
  const detail = taps === undefined ? 0 : 1;
  flushSync(() => element.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, detail })));
}

const clickButton = (...names: string[]) =>
  clickElement(
    queryAll('button').find(({ textContent }) => names.includes(textContent)),
    names.join(' or '),
  );

const tickBox = (name: string, within: ParentNode = document) => {
  const label = queryAll('label', within).find((one) => one.textContent === name);
  clickElement(label?.querySelector('input') ?? undefined, name);
};

/** Types into a field so that React notices. */
function type(input: HTMLInputElement | undefined, text: string): void {
  if (!input) throw new Error(`There is no field at "${getHeading()}"`);
  if (taps !== undefined) taps += 1;
  const setValue = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set;
  flushSync(() => {
    setValue?.call(input, text);
    input.dispatchEvent(new Event('input', { bubbles: true }));
    input.dispatchEvent(new Event('change', { bubbles: true }));
  });
}

function answerQuestion({ field, options = {} }: Question, answer: Answer | undefined) {
  if (answer === undefined || answer === null) return undefined;
  const values = ruleSet.values[field];
  if (values === 'day') return type(queryAll<HTMLInputElement>('input[type=date]')[0], String(answer));
  if (typeof answer === 'number') return type(queryAll<HTMLInputElement>('input[type=number]')[0], String(answer));
  if (Array.isArray(answer) && typeof answer[0] === 'object') {
    for (const [index, { from, back }] of (answer as AbsenceSpell[]).entries()) {
      if (index > 0) clickButton('Add Another Absence');
      const getAbsenceFields = () => queryAll('fieldset')[index] as HTMLElement;
      type(queryAll<HTMLInputElement>('input[type=date]', getAbsenceFields())[0], from);
      if (back === null) continue;
      tickBox('Still off work', getAbsenceFields());
      type(queryAll<HTMLInputElement>('input[type=date]', getAbsenceFields())[1], back);
    }
    return undefined;
  }
  for (const value of (Array.isArray(answer) ? answer : [answer]) as string[])
    tickBox(options[value] ?? (value === 'unsure' ? 'Not sure' : value));
  return undefined;
}

/** The person whose question is shown, by index, or null for the event. */
function getPersonIndex(): number | null {
  const counterText = queryAll('p').find(({ textContent }) => textContent.startsWith('Question '))?.textContent ?? '';
  if (counterText.endsWith('about the event')) return null;
  return counterText.endsWith(report.name) ? 0 : Number(/Person (\d+)$/.exec(counterText)?.[1]) - 1;
}

/** Several people are asked the same question. */
const getStep = () => `${getHeading()} ${getPersonIndex()}`;

function answerCase(id: string): string {
  const { facts, expect } = findCase(id);
  flushSync(() => screen.show(getInitialFacts(id)));
  const maxSteps = 150;
  for (let count = 0; !/answered$/.test(getHeading()); count += 1) {
    if (count === maxSteps) return `${id} has no end: ${getHeading()}`;
    const question = ruleSet.questions?.find(({ label }) => label === getHeading());
    if (!question) return `${id}: ${getHeading()} is no question`;
    const person = getPersonIndex();
    const step = getStep();
    answerQuestion(question, (person === null ? facts.event : facts.people[person])?.[question.field]);
    // A tap may have moved on.
    if (getStep() === step) clickButton('Next', 'Skip');
  }
  // The answers as the RIDDOR tab saves them.
  const saved = keepAskedAnswers(ruleSet, screen.facts);
  const { hospitalPremises } = screen.facts.event;
  const result = evaluate(ruleSet, { ...saved, event: { ...saved.event, hospitalPremises } });
  const wrong = Object.entries(expect).filter(
    ([key, expected]) => !matchesExpected(expected, (result as Record<string, unknown>)[key]),
  );
  return wrong.length === 0 ? '' : `${id}: ${JSON.stringify({ wrong, answered: saved })}`;
}

export const lawHarness: LawHarness = {
  runAll: () => runCases(ruleSet, cases),
  ids: cases.map(({ id }) => id),
  consistentIds: cases.filter(({ asksBack }) => !asksBack).map(({ id }) => id),
  answer(id) {
    taps = undefined;
    try {
      return answerCase(id);
    } catch (error) {
      return `${id}: ${(error as Error).message}`;
    }
  },
  countTaps(id) {
    taps = 0;
    const failure = answerCase(id);
    if (failure) throw new Error(failure);
    return taps + 1;
  },
};
