// The field for one answer: a choice, several choices, a number, a day or the days of an absence.
import { Button, Text, TextInput } from '@mantine/core';
import { Plus, X } from 'lucide-react';
import { type ChangeEvent, type MouseEvent, useId } from 'react';
import { parseDay } from '#shared/dates.ts';
import { assessmentLimits } from '#shared/law/assessment.ts';
import type { AbsenceSpell, Answer } from '#shared/law/facts.ts';
import type { AnswerValues, Question } from '#shared/law/rule-set.ts';
import { absenceTooEarly } from '#shared/law/validate.ts';
import { DateField } from '../ui/forms/DateField.tsx';
import styles from './AnswerField.module.css';

type AnswerFieldProps = {
  question: Question;
  values: AnswerValues;
  answer: Answer | undefined;
  error?: string | undefined;
  labelledBy: string;
  /** The last day that can be entered. */
  today: string;
  /** The first day of an absence. */
  accidentOn: string;
  onAnswer: (answer: Answer | undefined) => void;
  /** Called with an answer that was tapped and needs nothing else. */
  onTap: (answer: Answer) => void;
};

export function AnswerField(props: AnswerFieldProps) {
  const { values, question, answer, onAnswer, error } = props;
  if (values === 'day')
    return (
      <DateField
        label="Day"
        max={props.today}
        value={typeof answer === 'string' ? answer : ''}
        onChange={(text) => onAnswer(text === '' ? undefined : text)}
        error={error}
      />
    );
  if (values === 'number or unsure') return <NumberAnswer {...props} />;
  if (typeof values[0] === 'object') return <AbsenceAnswer {...props} />;
  return question.several ? <MultipleChoice {...props} /> : <SingleChoice {...props} />;
}

const getOptions = ({ question, values }: AnswerFieldProps) =>
  (values as string[]).map((value) => ({ value, label: question.options?.[value] ?? value }));

/**
 * Handles a tap or click on an answer. The keyboard only chooses, so that the arrows can pass over
 * answers; its clicks have no detail.
 */
const handleTap = (onTap: () => void) => (event: MouseEvent) => {
  if (event.detail === 0) return;
  event.preventDefault();
  onTap();
};

/** Handles a change by the keyboard. A tap on the box itself is a change too, which `handleTap` already handled. */
const handleKey =
  (onKey: () => void) =>
  ({ nativeEvent }: ChangeEvent) => {
    if (!(nativeEvent instanceof UIEvent) || nativeEvent.detail === 0) onKey();
  };

function SingleChoice(props: AnswerFieldProps) {
  const { question, answer, labelledBy, onAnswer, onTap } = props;
  const groupName = useId();
  return (
    <div role="radiogroup" aria-labelledby={labelledBy} className="stack tight">
      {getOptions(props).map(({ value, label }) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the radio button handles the keyboard
        <label key={value} className={styles.option} onClick={handleTap(() => onTap(value))}>
          <input
            type="radio"
            name={`${groupName}-${question.field}`}
            checked={answer === value}
            onChange={handleKey(() => onAnswer(value))}
          />
          <span>{label}</span>
        </label>
      ))}
    </div>
  );
}

/** Values that exclude all others: choosing one removes the others, and the other way round. */
const exclusiveValues = ['none'];

function MultipleChoice(props: AnswerFieldProps) {
  const { answer, labelledBy, onAnswer, onTap } = props;
  const chosen = Array.isArray(answer) ? (answer as string[]) : [];
  const toggle = (value: string) => {
    if (chosen.includes(value)) {
      const left = chosen.filter((other) => other !== value);
      return onAnswer(left.length > 0 ? left : undefined);
    }
    if (exclusiveValues.includes(value)) return onAnswer([value]);
    onAnswer([...chosen.filter((other) => !exclusiveValues.includes(other)), value]);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: its name is the question's heading
    <div role="group" aria-labelledby={labelledBy} className="stack tight">
      {getOptions(props).map(({ value, label }) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the checkbox handles the keyboard
        <label
          key={value}
          className={styles.option}
          onClick={exclusiveValues.includes(value) ? handleTap(() => onTap([value])) : undefined}
        >
          <input
            type="checkbox"
            checked={chosen.includes(value)}
            onChange={exclusiveValues.includes(value) ? handleKey(() => toggle(value)) : () => toggle(value)}
          />
          <span>{label}</span>
        </label>
      ))}
    </div>
  );
}

const NumberAnswer = ({ question, answer, error, labelledBy, onAnswer, onTap }: AnswerFieldProps) => (
  <div className="stack tight">
    <TextInput
      type="number"
      inputMode="decimal"
      min={0}
      step="any"
      aria-labelledby={labelledBy}
      rightSection={question.unit}
      rightSectionWidth="4.5rem"
      value={typeof answer === 'number' ? String(answer) : ''}
      onChange={({ currentTarget: { value } }) => onAnswer(value === '' ? undefined : Number(value))}
      error={error}
    />
    {/* biome-ignore lint/a11y/useKeyWithClickEvents: the checkbox handles the keyboard */}
    <label className={styles.option} onClick={handleTap(() => onTap('unsure'))}>
      <input
        type="checkbox"
        checked={answer === 'unsure'}
        onChange={handleKey(() => onAnswer(answer === 'unsure' ? undefined : 'unsure'))}
      />
      <span>Not sure</span>
    </label>
  </div>
);

const futureError = 'A day cannot be in the future';

function AbsenceAnswer({ answer, error, today, accidentOn, onAnswer }: AnswerFieldProps) {
  const givenSpells = Array.isArray(answer) ? (answer as AbsenceSpell[]) : [];
  const spells = givenSpells.length > 0 ? givenSpells : [{ from: '', back: null }];
  const change = (index: number, spell: AbsenceSpell) => onAnswer(spells.with(index, spell));
  const isBefore = ({ from, back }: AbsenceSpell) => back !== null && parseDay(back) !== undefined && back < from;
  const isLater = (day: string | null) => day !== null && parseDay(day) !== undefined && day > today;
  const isEarly = ({ from }: AbsenceSpell) => parseDay(from) !== undefined && from < accidentOn;
  return (
    <div className="stack tight">
      {spells.map((spell, index) => {
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: an absence has no other name
          <fieldset key={index} className={styles.spell}>
            <legend>Absence {index + 1}</legend>
            <DateField
              label="First day off work"
              max={today}
              value={spell.from}
              error={isLater(spell.from) ? futureError : isEarly(spell) ? absenceTooEarly : undefined}
              onChange={(from) => change(index, { ...spell, from })}
            />
            <DateField
              label="Back on"
              max={today}
              value={spell.back ?? ''}
              disabled={spell.back === null}
              onChange={(back) => change(index, { ...spell, back })}
              error={
                isBefore(spell)
                  ? 'The day back is before the first day off work'
                  : isLater(spell.back)
                    ? `${futureError}. Choose “Still off work” until they are back`
                    : undefined
              }
            />
            <label className={styles.option}>
              <input
                type="checkbox"
                checked={spell.back === null}
                onChange={() => change(index, { ...spell, back: spell.back === null ? '' : null })}
              />
              <span>Still off work</span>
            </label>
            {spells.length > 1 && (
              <Button
                variant="subtle"
                leftSection={<X aria-hidden size={16} />}
                onClick={() => onAnswer(spells.toSpliced(index, 1))}
              >
                Remove Absence {index + 1}
              </Button>
            )}
          </fieldset>
        );
      })}
      {error &&
        !spells.some((spell) => isBefore(spell) || isEarly(spell) || isLater(spell.from) || isLater(spell.back)) && (
          <Text role="alert" c="var(--mantine-color-error)">
            {error}
          </Text>
        )}
      <Button
        variant="default"
        leftSection={<Plus aria-hidden size={16} />}
        disabled={spells.length >= assessmentLimits.spells}
        onClick={() => onAnswer([...spells, { from: '', back: null }])}
      >
        Add Another Absence
      </Button>
    </div>
  );
}
