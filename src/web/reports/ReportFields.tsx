import { NativeSelect, Paper, Textarea, TextInput, type TextInputProps, Title, type TitleProps } from '@mantine/core';
import { useState } from 'react';
import { limits } from '#shared/choices.ts';
import { getTimeNow, getToday } from '#shared/dates.ts';
import { isOptional, type ReportFieldName, reportFieldNames, reportFields } from '#shared/reports/report-fields.ts';
import { parseTelephone } from '#shared/telephone.ts';
import { useUser } from '../client/session.ts';
import { LocationInput } from '../parks/LocationInput.tsx';
import { DateField, TimeField } from '../ui/forms/DateField.tsx';
import type { FieldErrors } from '../ui/forms/fieldErrors.ts';
import { groupParks } from '../ui/forms/parkChoices.ts';
import { withQuickAnswer } from '../ui/forms/withQuickAnswer.tsx';
import { DeferredContent } from '../ui/loading/DeferredContent.tsx';
import { ChoiceField } from './ChoiceField.tsx';
import styles from './ReportForm.module.css';
import type { ReportValues } from './reportDraft.ts';
import { getFieldLabels, type Variant } from './variants.ts';

type ReportFieldsProps = {
  variant: Variant;
  values: ReportValues;
  errors: FieldErrors;
  heading: Pick<TitleProps, 'order' | 'size'>;
  /** Whether the form was opened on an earlier day, which is still its date. */
  isDateOld: boolean;
  isDisabled: boolean;
  onTouched: (name: ReportFieldName) => void;
  onChange: (name: ReportFieldName, text: string) => void;
};

const firstEventIndex = reportFieldNames.indexOf('date');

/** All text and choice fields, in the order of the paper form. */
export function ReportFields({ variant, values, errors, heading, onTouched, onChange, ...state }: ReportFieldsProps) {
  const labels = getFieldLabels(variant);
  const renderFields = (names: ReportFieldName[]) =>
    names.map((name) => (
      <ReportField
        key={name}
        {...state}
        name={name}
        park={values.selectedPlace}
        label={labels[name]}
        value={values[name]}
        error={errors[name]}
        onFocus={() => onTouched(name)}
        onChange={(text) => onChange(name, text)}
      />
    ));
  return (
    <fieldset disabled={state.isDisabled} className={styles.fields}>
      <Paper component="section" className={styles.section}>
        <Title {...heading}>Who and where</Title>
        <div className={styles.grid}>{renderFields(reportFieldNames.slice(0, firstEventIndex))}</div>
      </Paper>
      <DeferredContent>
        <Paper component="section" className={styles.section}>
          <Title {...heading}>What happened</Title>
          <div className={styles.grid}>{renderFields(reportFieldNames.slice(firstEventIndex))}</div>
        </Paper>
      </DeferredContent>
    </fieldset>
  );
}

type ReportFieldProps = Pick<ReportFieldsProps, 'isDateOld' | 'isDisabled'> & {
  name: ReportFieldName;
  park: string;
  label: string;
  value: string;
  error: string | undefined;
  onFocus: () => void;
  onChange: (text: string) => void;
};

const lineProps: Partial<Record<string, TextInputProps>> = {
  person: { autoCapitalize: 'words' },
  age: {
    ...{ type: 'number', inputMode: 'numeric', min: 0, max: limits.age },
    // Otherwise scrolling over a focused number field would change its value.
    onWheel: (event) => event.currentTarget.blur(),
  },
  telephone: {
    ...{ type: 'tel', inputMode: 'tel', description: '11 digits' },
    inputWrapperOrder: ['label', 'input', 'description', 'error'],
  },
};

function ReportField({ park, isDateOld, isDisabled, onFocus, onChange, ...props }: ReportFieldProps) {
  const user = useUser();
  const [latestDay, setLatestDay] = useState<string>();
  const { name, value } = props;
  const { kind, schema } = reportFields[name];
  const input = {
    ...props,
    required: !isOptional(name),
    withAsterisk: false,
    autoComplete: name === 'reporter' ? 'name' : 'off',
    onChange: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value),
  };
  // A telephone number may be typed as +44 7700 900 123.
  const tidy = () => {
    const tidied = kind === 'telephone' ? parseTelephone(value) : value;
    if (tidied !== value) onChange(tidied);
  };
  if (kind === 'park')
    return <NativeSelect {...input} data={[{ value: '', label: 'Please choose' }, ...groupParks(user)]} />;
  if (kind === 'choice') return <ChoiceField {...input} choices={schema.options} onChange={onChange} />;
  if (kind === 'lines')
    return <Textarea {...input} rows={5} className={styles.wide} classNames={{ input: styles.details ?? '' }} />;
  if (kind === 'date')
    return (
      <DateField
        {...input}
        note={isDateOld && 'You began this report on that day. Check that it is the day it happened.'}
        onChange={onChange}
        min="1900-01-01"
        max={latestDay}
        // Calculated on demand: loading time zone rules is slow, and midnight may pass.
        onFocus={() => setLatestDay(getToday())}
      />
    );
  if (kind === 'time')
    return (
      <TimeField
        {...input}
        onChange={onChange}
        inputContainer={withQuickAnswer({ label: 'Now', isDisabled, onPress: () => onChange(getTimeNow()) })}
      />
    );
  if (name === 'location') return <LocationInput {...input} park={park} enterKeyHint="next" onFocus={onFocus} />;
  return <TextInput {...input} enterKeyHint="next" {...lineProps[kind]} onFocus={onFocus} onBlur={tidy} />;
}
