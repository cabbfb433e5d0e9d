// One section of a checklist with the input for its type.
import { Checkbox, NativeSelect, Textarea, TextInput, Title } from '@mantine/core';
import { type JSX, memo, useId, useMemo } from 'react';
import { type Answer, checklistLimits, naAnswers, type Section } from '#shared/checklists.ts';
import { getTimeNow, getToday } from '#shared/dates.ts';
import { formatRange } from '#shared/failing-answers.ts';
import { useUser } from '../client/session.ts';
import { blobToDataUrl, dataUrlToBlob } from '../signature/png.ts';
import { SignatureField } from '../signature/SignatureField.tsx';
import { DateField, TimeField } from '../ui/forms/DateField.tsx';
import { FieldGroup } from '../ui/forms/FieldGroup.tsx';
import { groupParks } from '../ui/forms/parkChoices.ts';
import { withQuickAnswer } from '../ui/forms/withQuickAnswer.tsx';
import styles from './SectionField.module.css';

type SectionFieldProps = {
  section: Section;
  index: number;
  answer: Answer | undefined;
  error: string | undefined;
  /** Whether something else than the user answers it. */
  isFixed?: boolean;
  /** `undefined` removes the answer. */
  onChange: (index: number, answer: Answer | undefined) => void;
};

type FieldProps = Omit<SectionFieldProps, 'onChange' | 'index'> & { onAnswer: (answer: Answer | undefined) => void };

/** Memoised: a checklist may have 200 sections, and typing redraws the one that changes. */
export const SectionField = memo(function SectionField({ index, onChange, ...rest }: SectionFieldProps) {
  const field = { ...rest, onAnswer: (answer: Answer | undefined) => onChange(index, answer) };
  return (
    <div className={styles.section} data-index={index} data-invalid={rest.error ? true : undefined}>
      {rest.section.heading && (
        <Title order={3} size="h4" mb="md">
          {rest.section.heading}
        </Title>
      )}
      <AnswerField {...field} />
    </div>
  );
});

function AnswerField(props: FieldProps): JSX.Element {
  const { section, answer, error, onAnswer } = props;
  const user = useUser();
  const text = typeof answer === 'string' ? answer : '';
  const commonProps = { label: section.title, required: section.required, error: error };
  const quickAnswer = (label: string, getAnswer: () => string) => ({
    inputContainer: withQuickAnswer({ label, question: section.title, onPress: () => onAnswer(getAnswer()) }),
  });
  switch (section.type) {
    case 'text':
      if (section.number)
        return (
          <TextInput
            {...commonProps}
            description={formatRange(section.number)}
            // The number keyboard of an iPhone has no minus.
            inputMode={section.number.min !== null && section.number.min >= 0 ? 'decimal' : 'text'}
            className={styles.short ?? ''}
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
      return <ChoiceAnswer {...props} />;
  }
}

function FieldLabel({ isRequired, children }: { isRequired: boolean; children: string }) {
  return (
    <>
      {children}
      {isRequired && (
        // The space does not break, so that the asterisk stays on the line of the last word.
        <span aria-hidden className={styles.asterisk}>
          {'\u00a0*'}
        </span>
      )}
    </>
  );
}

function SignatureAnswer({ section, answer, error, onAnswer }: FieldProps) {
  const value = useMemo(() => {
    const png = typeof answer === 'string' ? dataUrlToBlob(answer) : undefined;
    return png ? { png } : null;
  }, [answer]);
  return (
    <SignatureField
      label={section.title}
      requestedSigner={{ role: section.title }}
      required={section.required}
      error={error}
      value={value}
      onChange={async (signature) => onAnswer(signature ? await blobToDataUrl(signature.png) : undefined)}
    />
  );
}

function ChoiceAnswer({ section, answer, error, onAnswer }: FieldProps) {
  const name = useId();
  return (
    <FieldGroup role="radiogroup" label={section.title} required={section.required} error={error}>
      <div className={styles.choices}>
        {naAnswers.map((choice) => (
          <label key={choice} className={styles.choice}>
            <input
              type="radio"
              name={name}
              value={choice}
              checked={answer === choice}
              onChange={() => onAnswer(choice)}
            />
            {choice}
          </label>
        ))}
      </div>
    </FieldGroup>
  );
}
