import { Button, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { textLimits } from '#shared/choices.ts';
import { exposureField, exposureLabel, listMissingParticulars, particularFields } from '#shared/law/assessment.ts';
import type { Report } from '#shared/reports/reports.ts';
import styles from './riddor.module.css';

type ParticularsFormProps = {
  report: Report;
  particulars: Record<string, string>;
  onChange: (particulars: Record<string, string>) => void;
};

const holdText =
  'Anything you enter here puts a hold on the report: it is kept beyond its retention period until an Admin lifts the hold.';

/** Details that the accident book needs and the report lacks. All are optional. */
export function ParticularsForm({ report, particulars, onChange }: ParticularsFormProps) {
  const [isOpen, setOpen] = useState(false);
  const missing = listMissingParticulars(particulars, report);
  return (
    <section className={styles.particulars}>
      <Button variant="subtle" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        Accident Book
      </Button>
      {missing.length > 0 && (
        <Text size="sm" c="dimmed">
          {isOpen
            ? `Still missing for the accident book: ${missing.map((label) => label.toLowerCase()).join(', ')}.`
            : `Optional. Still missing: ${missing.length}`}
        </Text>
      )}
      {isOpen && (
        <div className={styles.form}>
          {Object.entries({ ...particularFields, [exposureField]: exposureLabel }).map(([field, label]) => (
            <Textarea
              key={field}
              label={label}
              description={field === exposureField && holdText}
              value={particulars[field] ?? ''}
              maxLength={textLimits.note}
              autosize
              minRows={1}
              onChange={({ currentTarget: { value } }) => onChange({ ...particulars, [field]: value })}
            />
          ))}
        </div>
      )}
    </section>
  );
}
