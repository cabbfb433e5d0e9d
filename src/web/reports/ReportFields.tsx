import { Button, NativeSelect, Paper, Textarea, TextInput, Title, type TitleProps } from '@mantine/core';
import { useState } from 'react';
import { emergencyServices, employmentStatuses, limits, parks } from '#shared/choices.ts';
import { getTimeNow, getToday } from '#shared/dates.ts';
import { parseTelephone } from '#shared/telephone.ts';
import { DateField, TimeField } from '../ui/forms/DateField.tsx';
import type { FieldErrors } from '../ui/forms/fieldErrors.ts';
import { DeferredContent } from '../ui/loading/DeferredContent.tsx';
import { ChoiceField } from './ChoiceField.tsx';
import styles from './ReportForm.module.css';
import type { FieldName, ReportValues } from './reportDraft.ts';
import { getFieldLabels, type Variant } from './variants.ts';

type ReportFieldsProps = {
  variant: Variant;
  values: ReportValues;
  errors: FieldErrors;
  heading: Pick<TitleProps, 'order' | 'size'>;
  /** Whether the form was opened on an earlier day, which is still its date. */
  isDateOld: boolean;
  isDisabled: boolean;
  onTouched: (name: FieldName) => void;
  onChange: (name: FieldName, text: string) => void;
};

/** All text and choice fields, in the order of the paper form. */
export function ReportFields({
  variant,
  values,
  errors,
  heading,
  isDateOld,
  isDisabled,
  onTouched,
  onChange,
}: ReportFieldsProps) {
  const [latestReporter, setLatestReporter] = useState<string>();
  const labels = getFieldLabels(variant);
  const field = (name: FieldName) => ({
    name,
    label: labels[name],
    value: values[name],
    error: errors[name],
    required: true,
    withAsterisk: false,
    autoComplete: 'off',
    onChange: (event: { currentTarget: { value: string } }) => onChange(name, event.currentTarget.value),
  });
  const line = { enterKeyHint: 'next' } as const;

  return (
    <fieldset disabled={isDisabled} className={styles.fields}>
      <Paper component="section" className={styles.section}>
        <Title {...heading}>Who and where</Title>
        <div className={styles.grid}>
          <NativeSelect {...field('selectedPlace')} data={[{ value: '', label: 'Please choose' }, ...parks]} />
          <TextInput {...field('name')} {...line} autoCapitalize="words" />
          <TextInput
            {...field('age')}
            {...line}
            type="number"
            inputMode="numeric"
            min={0}
            max={limits.age}
            // Otherwise scrolling over a focused number field would change its value.
            onWheel={(event) => event.currentTarget.blur()}
          />
          <TextInput
            {...field('contactNumber')}
            {...line}
            // Accepts +44 7700 900 123 while typing, and becomes eleven digits on blur.
            onBlur={() => {
              const number = parseTelephone(values.contactNumber);
              if (number !== values.contactNumber) onChange('contactNumber', number);
            }}
            description="11 digits"
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            type="tel"
            inputMode="tel"
          />
          <TextInput
            {...field('reporter')}
            {...line}
            autoComplete="name"
            autoCapitalize="words"
            onFocus={() => onTouched('reporter')}
          />
        </div>
      </Paper>

      <DeferredContent>
        <Paper component="section" className={styles.section}>
          <Title {...heading}>What happened</Title>
          <div className={styles.grid}>
            <DateField
              {...field('date')}
              note={isDateOld && 'You began this report on that day. Check that it is the day it happened.'}
              onChange={(text) => onChange('date', text)}
              min="1900-01-01"
              max={latestReporter}
              // Calculated on demand: loading time zone rules is slow, and midnight may pass.
              onFocus={() => setLatestReporter(getToday())}
            />
            <TimeField
              {...field('time')}
              onChange={(text) => onChange('time', text)}
              inputContainer={(input) => (
                <div className={styles.withNow}>
                  {input}
                  <Button variant="default" disabled={isDisabled} onClick={() => onChange('time', getTimeNow())}>
                    Now
                  </Button>
                </div>
              )}
            />
            <TextInput {...field('type')} {...line} />
            <TextInput {...field('location')} {...line} />
            <ChoiceField
              {...field('employmentStatus')}
              choices={employmentStatuses}
              onChange={(choice) => onChange('employmentStatus', choice)}
            />
            <ChoiceField
              {...field('emergencyService')}
              choices={emergencyServices}
              onChange={(choice) => onChange('emergencyService', choice)}
            />
            <Textarea
              {...field('details')}
              rows={5}
              className={styles.wide}
              classNames={{ input: styles.details ?? '' }}
            />
          </div>
        </Paper>
      </DeferredContent>
    </fieldset>
  );
}
