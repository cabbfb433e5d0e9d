// One section of a checklist with the input for its type.
import { Checkbox, NativeSelect, Text, Textarea, TextInput, Title } from '@mantine/core';
import { type JSX, memo, type ReactNode, use, useId, useMemo, useState } from 'react';
import { type Answer, checklistLimits, listPossibleAnswers, notApplicable, type Section } from '#shared/checklists.ts';
import { getTimeNow, getToday } from '#shared/dates.ts';
import { describeConsequence, formatRange } from '#shared/failing-answers.ts';
import { listLines } from '#shared/shown-questions.ts';
import type { PersonName } from '#shared/users.ts';
import { PeopleContext } from '../client/names.ts';
import { useUser } from '../client/session.ts';
import { PeoplePicker } from '../people/PeoplePicker.tsx';
import { blobToDataUrl, dataUrlToBlob } from '../signature/png.ts';
import { SignatureField } from '../signature/SignatureField.tsx';
import { DateField, TimeField } from '../ui/forms/DateField.tsx';
import { FieldGroup } from '../ui/forms/FieldGroup.tsx';
import { groupParks } from '../ui/forms/parkChoices.ts';
import { withQuickAnswer } from '../ui/forms/withQuickAnswer.tsx';
import styles from './SectionField.module.css';

type FrameProps = {
  section: Section;
  index: number;
  /** The heading above it; by default its own, and none if ''. */
  heading?: string | undefined;
  error: string | undefined;
};

type SectionFieldProps = FrameProps & {
  answer: Answer | undefined;
  /** Whether something else than the user answers it. */
  isFixed?: boolean;
  /** `undefined` removes the answer. */
  onChange: (index: number, answer: Answer | undefined) => void;
  /** Called with the id of the user whom the answer names; undefined if it is no user. */
  onPerson?: (index: number, userId: string | undefined) => void;
};

type FieldProps = Omit<SectionFieldProps, 'onChange' | 'onPerson' | 'index'> & {
  onAnswer: (answer: Answer | undefined, userId?: string) => void;
};

/** A question with the heading above it. */
export const QuestionFrame = ({ section, index, heading, error, children }: FrameProps & { children: ReactNode }) => (
  <div className={styles.section} data-index={index} data-invalid={error ? true : undefined}>
    {(heading ?? section.heading) && (
      <Title order={3} size="h4" mb="md">
        {heading ?? section.heading}
      </Title>
    )}
    {children}
  </div>
);

/** Memoised: a checklist may have 200 sections, and typing redraws the one that changes. */
export const SectionField = memo(function SectionField({ onChange, onPerson, ...rest }: SectionFieldProps) {
  const { index, section } = rest;
  const onAnswer = (answer: Answer | undefined, userId?: string) => {
    onChange(index, answer);
    if (section.type === 'person') onPerson?.(index, userId);
  };
  return (
    <QuestionFrame {...rest}>
      <AnswerField {...rest} onAnswer={onAnswer} />
    </QuestionFrame>
  );
});

/** The range or the unit of a number, what a failing answer does, and the help. */
function describeQuestion(section: Section) {
  const { number } = section;
  const range = number && (formatRange(number) || number.unit);
  const lines = [[range, describeConsequence(section)].filter(Boolean).join('. '), section.help].filter(Boolean);
  return lines.length > 0 ? <span className={styles.help}>{lines.join('\n')}</span> : undefined;
}

function AnswerField(props: FieldProps): JSX.Element {
  const { section, answer, error, onAnswer } = props;
  const user = useUser();
  const text = typeof answer === 'string' ? answer : '';
  const description = describeQuestion(section);
  const commonProps = { label: section.title, required: section.required, error, description };
  const quickAnswer = (label: string, getAnswer: () => string) => ({
    inputContainer: withQuickAnswer({ label, question: section.title, onPress: () => onAnswer(getAnswer()) }),
  });
  switch (section.type) {
    case 'text':
      if (section.number)
        return (
          <TextInput
            {...commonProps}
            {...(section.number.allowNA && quickAnswer(notApplicable, () => notApplicable))}
            // The number keyboard of an iPhone has no minus.
            inputMode={section.number.min !== null && section.number.min >= 0 ? 'decimal' : 'text'}
            maw="14rem"
            value={text}
            maxLength={30}
            onChange={(event) => onAnswer(event.currentTarget.value || undefined)}
          />
        );
      return (
        <Textarea
          {...commonProps}
          value={text}
          rows={3}
          maxLength={checklistLimits.answer}
          classNames={{ input: styles.text ?? '' }}
          onChange={(event) => onAnswer(event.currentTarget.value || undefined)}
        />
      );
    case 'site':
      return (
        <NativeSelect
          {...commonProps}
          disabled={props.isFixed}
          value={text}
          data={[{ value: '', label: 'Choose a park' }, ...groupParks(user)]}
          onChange={(event) => onAnswer(event.currentTarget.value || undefined)}
        />
      );
    case 'checkbox':
      return (
        <Checkbox
          {...commonProps}
          label={<FieldLabel isRequired={section.required}>{section.title}</FieldLabel>}
          checked={answer === true}
          onChange={(event) => onAnswer(event.currentTarget.checked)}
        />
      );
    case 'time':
    case 'date': {
      const Field = section.type === 'date' ? DateField : TimeField;
      return (
        <Field
          {...commonProps}
          help={section.help}
          {...(section.type === 'date' ? quickAnswer('Today', getToday) : quickAnswer('Now', getTimeNow))}
          value={text}
          className={styles.medium ?? ''}
          onChange={(text) => onAnswer(text || undefined)}
        />
      );
    }
    case 'signature':
      return <SignatureAnswer {...props} />;
    case 'na':
    case 'choice':
    case 'choices':
      return <ChoiceAnswer {...props} />;
    case 'person':
      return <PersonAnswer {...props} />;
    case 'photo':
      return <p className={styles.info}>{section.title}</p>;
    case 'info':
      return (
        <div className={styles.info}>
          <Text fw={600}>{section.title}</Text>
          {section.help && <Text className={styles.help}>{section.help}</Text>}
        </div>
      );
  }
}

const FieldLabel = ({ isRequired, children }: { isRequired: boolean; children: string }) => (
  <>
    {children}
    {isRequired && (
      // The space does not break, so that the asterisk stays on the line of the last word.
      <span aria-hidden>{'\u00a0*'}</span>
    )}
  </>
);

function SignatureAnswer({ section, answer, error, onAnswer }: FieldProps) {
  const value = useMemo(() => {
    const png = typeof answer === 'string' ? dataUrlToBlob(answer) : undefined;
    return png ? { png } : null;
  }, [answer]);
  return (
    <SignatureField
      label={section.title}
      {...(section.help && { description: section.help })}
      requestedSigner={{ role: section.title }}
      required={section.required}
      error={error}
      value={value}
      onChange={async (signature) => onAnswer(signature ? await blobToDataUrl(signature.png) : undefined)}
    />
  );
}

/** A user by name or username, or another name. */
function PersonAnswer({ section, answer, error, onAnswer }: FieldProps) {
  const people = use(PeopleContext);
  const [chosen, setChosen] = useState<PersonName>();
  const name = typeof answer === 'string' ? answer : '';
  return (
    <PeoplePicker
      label={section.title}
      required={section.required}
      error={error}
      description={section.help}
      notUser="Not a user: only the name is kept"
      value={chosen?.name === name ? chosen.username : name}
      onChange={(value) => {
        const person = people.find(({ username }) => username === value);
        setChosen(person);
        onAnswer(person?.name ?? (value || undefined), person?.id);
      }}
    />
  );
}

/** From how many choices one is chosen from a list that opens. */
const minLongList = 8;

function ChoiceAnswer({ section, answer, error, onAnswer }: FieldProps) {
  const name = useId();
  const possible = listPossibleAnswers(section);
  const isMultiple = section.type === 'choices';
  const description = describeQuestion(section);
  const chosen = typeof answer === 'string' ? listLines(answer) : [];
  const toggle = (choice: string, checked: boolean) =>
    possible.filter((one) => (one === choice ? checked : chosen.includes(one))).join('\n') || undefined;
  if (section.type === 'choice' && possible.length >= minLongList)
    return (
      <NativeSelect
        label={section.title}
        description={description}
        required={section.required}
        error={error}
        value={chosen[0] ?? ''}
        data={[{ value: '', label: 'Choose' }, ...possible]}
        onChange={({ currentTarget }) => onAnswer(currentTarget.value || undefined)}
      />
    );
  return (
    <FieldGroup
      role={isMultiple ? 'group' : 'radiogroup'}
      label={section.title}
      description={description}
      required={section.required}
      error={error}
    >
      <div className={styles.choices} data-list={section.type !== 'na' || undefined}>
        {possible.map((choice) => (
          <label key={choice} className={styles.choice}>
            <input
              type={isMultiple ? 'checkbox' : 'radio'}
              name={name}
              value={choice}
              checked={chosen.includes(choice)}
              onChange={({ currentTarget: { checked } }) => onAnswer(isMultiple ? toggle(choice, checked) : choice)}
            />
            {choice}
          </label>
        ))}
      </div>
    </FieldGroup>
  );
}
