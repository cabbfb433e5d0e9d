import { Button, Text, Title } from '@mantine/core';
import { CircleHelp, Plus } from 'lucide-react';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { type Contradiction, withdraw } from '#shared/law/ask-backs.ts';
import { assessmentLimits } from '#shared/law/assessment.ts';
import type { Result } from '#shared/law/evaluate.ts';
import { describeAnswer, listAnswersToConfirm } from '#shared/law/explain.ts';
import type { Answer, Answers, Facts } from '#shared/law/facts.ts';
import {
  type AskedQuestion,
  answerQuestion,
  describeOpenResult,
  listAskBacks,
  withoutImpliedAnswers,
} from '#shared/law/questions.ts';
import type { AnswerValues, RuleSet } from '#shared/law/rule-set.ts';
import { findAnswerErrors } from '#shared/law/validate.ts';
import type { Report } from '#shared/reports/reports.ts';
import { moveToHeading } from '../ui/navigation/moveToHeading.ts';
import { AnswerField } from './AnswerField.tsx';
import {
  type AssessmentDraft,
  findNextQuestion,
  getAnswer,
  getHintFromReport,
  getQuestionKey,
  isAnswered,
  listQuestions,
  suggestAnswer,
} from './assessmentState.ts';
import styles from './riddor.module.css';

type QuestionStepsProps = {
  report: Report;
  ruleSet: RuleSet;
  facts: Facts;
  result: Result;
  questions: AskedQuestion[];
  /** Errors by path in the payload, as the server names them. */
  errors: Record<string, string>;
  today: string;
  onChange: (changes: Partial<AssessmentDraft>) => void;
};

/** The highest total to show. If there are more questions, most of them are never asked. */
const maxTotalToShow = 20;

function findError(errors: Record<string, string>, { question, person }: AskedQuestion): string | undefined {
  const path = person === null ? `answers.${question.field}` : `people.${person}.${question.field}`;
  return Object.entries(errors).find(([at]) => at === path || at.startsWith(`${path}.`))?.[1];
}

export function QuestionSteps({
  report,
  ruleSet,
  facts,
  result,
  questions,
  errors,
  today,
  onChange,
}: QuestionStepsProps) {
  const firstOpenIndex = questions.findIndex((askedQuestion) => !isAnswered(facts, askedQuestion));
  const [current, setCurrent] = useState<string | undefined>(() => {
    const askedQuestion = questions[firstOpenIndex];
    return askedQuestion && getQuestionKey(askedQuestion);
  });
  /** After a question that asked back, questions with an answer are not shown again. */
  const [skipsAnswered, setSkipsAnswered] = useState(false);
  const [isExplained, setExplained] = useState(false);
  const [isChecked, setChecked] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const hasMoved = useRef(false);
  /** The questions before the one of this step was answered: the keyboard answers first, and moves on later. */
  const earlierQuestions = useRef(questions);
  const skipped = useRef(new Set<string>());
  const id = useId();

  // Focus the question of the new step, always at the same height.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for every step
  useEffect(() => {
    earlierQuestions.current = questions;
    if (hasMoved.current) moveToHeading(heading.current);
  }, [current]);

  const move = (askedQuestion: AskedQuestion | undefined, { skips = false } = {}) => {
    hasMoved.current = true;
    setSkipsAnswered(skips);
    setExplained(false);
    setChecked(false);
    setCurrent(askedQuestion ? getQuestionKey(askedQuestion) : 'end');
  };
  // The server rejected an answer: its question is shown again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only new errors move
  useEffect(() => {
    const rejected = questions.find((askedQuestion) => findError(errors, askedQuestion) !== undefined);
    if (rejected) move(rejected);
  }, [errors]);

  const addPerson = () => onChange({ facts: { ...facts, people: [...facts.people, {}] } });
  const removePerson = (index: number) =>
    onChange({ facts: { ...facts, people: facts.people.toSpliced(index, 1) as Answers[] } });
  const getName = (person: number) => (person === 0 ? report.name || 'Person 1' : `Person ${person + 1}`);

  const index = questions.findIndex((askedQuestion) => getQuestionKey(askedQuestion) === current);
  const askedQuestion = questions[index];
  if (!askedQuestion) {
    const open = questions.filter((one) => !isAnswered(facts, one)).length;
    return (
      <section className={styles.step}>
        <Title order={3} size="h4" ref={heading} tabIndex={-1}>
          {open === 0
            ? 'All questions are answered'
            : open === 1
              ? '1 question is not answered'
              : `${open} questions are not answered`}
        </Title>
        <Text>
          {open > 0
            ? 'A question without an answer counts as “Not sure”.'
            : describeOpenResult(ruleSet, facts, result) || 'Check the result, then choose Save.'}{' '}
          You can go back and change any answer.
        </Text>
        <details open={open > 0}>
          <summary>Your answers</summary>
          <ol className={styles.answers}>
            {questions.map((one) => (
              <li key={getQuestionKey(one)}>
                <Button variant="subtle" size="compact-md" onClick={() => move(one)} className={styles.answerLink}>
                  {one.person !== null && facts.people.length > 1 && `${getName(one.person)}: `}
                  {one.question.label}
                </Button>
                <Text size="sm" c="dimmed">
                  {isAnswered(facts, one)
                    ? describeAnswer(
                        ruleSet,
                        one.question.field,
                        (one.person === null ? facts.event : facts.people[one.person]) ?? {},
                      )
                    : 'Not answered: counts as “Not sure”'}
                </Text>
              </li>
            ))}
          </ol>
        </details>
        <div className={styles.actions}>
          <Button variant="default" onClick={() => move(questions.at(-1))} disabled={questions.length === 0}>
            Back
          </Button>
          <Button
            variant="default"
            leftSection={<Plus aria-hidden size={16} />}
            onClick={addPerson}
            disabled={facts.people.length >= assessmentLimits.people}
          >
            Add Another Person
          </Button>
          {facts.people.length > 1 && (
            <Button variant="subtle" onClick={() => removePerson(facts.people.length - 1)}>
              Remove {getName(facts.people.length - 1)}
            </Button>
          )}
        </div>
      </section>
    );
  }

  const { question, person } = askedQuestion;
  const answer = getAnswer(facts, askedQuestion);
  const shownAnswer = answer ?? suggestAnswer(report, askedQuestion);
  const isSuggested = answer === undefined && shownAnswer !== undefined;
  const answerError = findError(findAnswerErrors(ruleSet, facts, today), askedQuestion);
  const error = findError(errors, askedQuestion) ?? (isChecked ? answerError : undefined);
  const hint = getHintFromReport(report, askedQuestion);
  const answerWith = (newAnswer: Answer | undefined): Facts => {
    const newFacts = answerQuestion(ruleSet, withoutImpliedAnswers(ruleSet, facts), askedQuestion, newAnswer);
    setChecked(false);
    onChange({ facts: newFacts });
    return newFacts;
  };
  const { askBack } = question;
  const contradiction = listAskBacks(ruleSet, facts).find((one) => getQuestionKey(one) === current);
  /** Moves on from the answers in `facts`, which may have added and removed questions. */
  const moveOn = (facts: Facts) => {
    const skips = skipsAnswered || askBack !== undefined;
    const position = { current: askedQuestion, earlier: earlierQuestions.current, skipped: skipped.current, skips };
    move(findNextQuestion(listQuestions(ruleSet, facts), facts, position), { skips });
  };
  /** Takes back the answer that the question asked about: it is replaced, or asked again. */
  const takeBack = (contradiction: Contradiction) => {
    const newFacts = withdraw(withoutImpliedAnswers(ruleSet, facts), contradiction);
    onChange({ facts: newFacts });
    const { about, instead } = contradiction.question.askBack;
    const target = listQuestions(ruleSet, newFacts).find(
      (one) => one.question.field === about[0] && one.person === person,
    );
    if (instead || !target) moveOn(newFacts);
    else move(target, { skips: true });
  };
  const submit = (newAnswer: Answer | undefined) => {
    if (newAnswer === undefined) skipped.current.add(getQuestionKey(askedQuestion));
    if (contradiction && newAnswer === 'change') takeBack(contradiction);
    else moveOn(newAnswer === answer ? facts : answerWith(newAnswer));
  };
  const next = (event: FormEvent) => {
    event.preventDefault();
    if (answerError) return setChecked(true);
    submit(shownAnswer);
  };
  return (
    <form className={styles.step} onSubmit={next} noValidate>
      <Text size="sm" c="dimmed">
        Question {index + 1}
        {questions.length <= maxTotalToShow && ` of at most ${questions.length}`}
        {person === null ? ', about the event' : `, about ${getName(person)}`}
      </Text>
      <Title order={3} size="h4" id={`${id}-question`} ref={heading} tabIndex={-1}>
        {question.label}
      </Title>
      {contradiction && (
        <div className={styles.explained}>
          <Text>You answered:</Text>
          <ul className={styles.reasons}>
            {listAnswersToConfirm(ruleSet, facts, contradiction).map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
          <Text>{question.help}</Text>
        </div>
      )}
      {isSuggested && (
        <Text size="sm" c="dimmed">
          Suggested by the report. Tap it or choose Next to confirm it.
        </Text>
      )}
      {hint && (
        <Text size="sm" c="dimmed">
          {hint}
        </Text>
      )}
      <AnswerField
        key={getQuestionKey(askedQuestion)}
        question={question}
        values={ruleSet.values[question.field] as AnswerValues}
        answer={shownAnswer}
        error={error}
        today={today}
        accidentOn={facts.accidentOn}
        labelledBy={`${id}-question`}
        onAnswer={answerWith}
        onTap={submit}
      />
      {(question.help || question.law) && !contradiction && (
        <div>
          <Button
            variant="subtle"
            leftSection={<CircleHelp aria-hidden size={16} />}
            aria-expanded={isExplained}
            className={styles.explain}
            onClick={() => setExplained(!isExplained)}
          >
            What does this mean?
          </Button>
          {isExplained && (
            <div className={styles.explained}>
              {question.help && <Text>{question.help}</Text>}
              {question.law && (
                <Text size="sm" c="dimmed">
                  {question.law}
                </Text>
              )}
            </div>
          )}
        </div>
      )}
      <div className={styles.actions}>
        <Button variant="default" disabled={index === 0} onClick={() => move(questions[index - 1])}>
          Back
        </Button>
        <Button type="submit">{shownAnswer === undefined ? 'Skip' : 'Next'}</Button>
        <Button variant="subtle" onClick={() => move(undefined)}>
          Show All Answers
        </Button>
      </div>
    </form>
  );
}
