// The fields of each section.
import { Button, Checkbox, NativeSelect, Text, Textarea, TextInput } from '@mantine/core';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { textLimits } from '#shared/choices.ts';
import { formatDay } from '#shared/dates.ts';
import {
  type Cause,
  causeHeadingLabels,
  causeKindLabels,
  choiceLabels,
  daysToFinish,
  getFirstLookDay,
  levelLabels,
  proposeLevel,
  riskLabels,
  type SectionName,
  sectionLabels,
} from '#shared/investigations.ts';
import { pluralise } from '#shared/pluralise.ts';
import { DateField } from '../ui/forms/DateField.tsx';
import type { SectionForm } from './InvestigationSection.tsx';
import styles from './investigations.module.css';
import { SectionPhotos } from './SectionPhotos.tsx';
import { emptyStatement, newCauseId, type StatementInput } from './sectionInput.ts';

type FieldsProps<Name extends SectionName> = { form: SectionForm<Name> };

const toData = (labels: Record<string, string>, none = 'Please choose') => [
  { value: '', label: none },
  ...Object.entries(labels).map(([value, label]) => ({ value, label })),
];

const longText = { rows: 5, maxLength: textLimits.details };

export const MadeSafeFields = ({ form }: FieldsProps<'madeSafe'>) => (
  <Textarea
    {...form.field('text')}
    label="What was done at once to make it safe"
    description="For example: closed, switched off, taped off, mended, people told."
    rows={3}
    maxLength={textLimits.details}
  />
);

export function DepthFields({ form, startedOn }: FieldsProps<'depth'> & { startedOn: string }) {
  const { worst, likely, level } = form.values;
  const proposed = proposeLevel(worst, likely);
  const select = (name: 'worst' | 'likely' | 'level') => ({
    value: form.values[name] ?? '',
    error: form.errors[name],
    data: toData(choiceLabels[name]),
    label: sectionLabels[name],
  });
  const choose = (changes: Partial<Pick<typeof form.values, 'worst' | 'likely'>>) => {
    const next = { worst, likely, ...changes };
    form.set({ ...changes, level: proposeLevel(next.worst, next.likely) ?? level });
  };
  return (
    <>
      <div className={styles.pair}>
        <NativeSelect
          {...select('worst')}
          onChange={({ currentTarget }) => choose({ worst: (currentTarget.value || null) as typeof worst })}
        />
        <NativeSelect
          {...select('likely')}
          onChange={({ currentTarget }) => choose({ likely: (currentTarget.value || null) as typeof likely })}
        />
      </div>
      <NativeSelect
        {...select('level')}
        description={proposed ? `Proposed: ${levelLabels[proposed]}. You decide.` : 'Proposed from the two answers.'}
        onChange={({ currentTarget }) => form.set({ level: (currentTarget.value || null) as typeof level })}
      />
      {level && (
        <Text size="sm">
          {level === 'minimal' ? 'Write what happened, what was learnt and one action.' : 'Write also why it happened.'}{' '}
          Finish in {pluralise(daysToFinish[level], 'day')}.
          {level === 'high' &&
            ` Take a first look by ${formatDay(getFirstLookDay(startedOn))}. A second reviewer confirms the findings.`}
        </Text>
      )}
    </>
  );
}

export function FactsFields({ form }: FieldsProps<'facts'>) {
  const { photos, added, files } = form.values;
  const setFile = (index: number, changes: Partial<(typeof files)[number]>) =>
    form.set({ files: files.map((file, at) => (at === index ? { ...file, ...changes } : file)) });
  return (
    <>
      <Textarea {...form.field('text')} label={sectionLabels.facts} {...longText} />
      <Textarea {...form.field('learnt')} label={sectionLabels.learnt} rows={3} maxLength={textLimits.details} />
      <Textarea
        {...form.field('tookPart')}
        label={`${sectionLabels.tookPart} in the investigation`}
        description="Optional. A safety representative, for example."
        rows={2}
        maxLength={textLimits.note}
      />
      <SectionPhotos
        label="Photos"
        form="photos of the facts"
        photos={photos}
        added={added}
        error={form.errors.photos}
        onChange={form.set}
      />
      {files.map(({ what, where }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity
        <fieldset key={index} className={styles.item}>
          <legend>Kept elsewhere {index + 1}</legend>
          <div className={styles.pair}>
            <TextInput
              label="What it is"
              value={what}
              maxLength={textLimits.line}
              onChange={({ currentTarget }) => setFile(index, { what: currentTarget.value })}
            />
            <TextInput
              label="Where it is kept"
              value={where}
              maxLength={textLimits.line}
              onChange={({ currentTarget }) => setFile(index, { where: currentTarget.value })}
            />
          </div>
          <RemoveButton
            what={`what is kept elsewhere ${index + 1}`}
            onClick={() => form.set({ files: files.filter((_, at) => at !== index) })}
          />
        </fieldset>
      ))}
      <AddButton
        label="Add Something Kept Elsewhere"
        onClick={() => form.set({ files: [...files, { what: '', where: '' }] })}
      />
      <Text size="sm" c="dimmed">
        Camera recordings, letters and other files are not uploaded: say what they are and where they are kept.
      </Text>
    </>
  );
}

export function StatementsFields({ form, name }: FieldsProps<'statements'> & { name: string }) {
  const { list } = form.values;
  const set = (index: number, changes: Partial<StatementInput>) =>
    form.set({ list: list.map((item, at) => (at === index ? { ...item, ...changes } : item)) });
  return (
    <>
      {list.map((statement, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: statements have no identity
        <fieldset key={index} className={styles.item}>
          <legend>Statement {index + 1}</legend>
          <div className={styles.pair}>
            <TextInput
              label="Name"
              value={statement.person}
              error={form.errors[`list.${index}.person`]}
              maxLength={textLimits.name}
              autoComplete="off"
              onChange={({ currentTarget }) => set(index, { person: currentTarget.value })}
            />
            <TextInput
              label="Role"
              value={statement.role}
              maxLength={textLimits.name}
              onChange={({ currentTarget }) => set(index, { role: currentTarget.value })}
            />
          </div>
          <DateField
            label="Day"
            value={statement.day ?? ''}
            error={form.errors[`list.${index}.day`]}
            onChange={(day) => set(index, { day: day || null })}
          />
          <Checkbox
            label="Under 18"
            description="Do not ask a child to sign."
            checked={statement.isUnder18}
            onChange={({ currentTarget }) => set(index, { isUnder18: currentTarget.checked })}
          />
          {statement.isUnder18 && (
            <TextInput
              label="Who was with them"
              value={statement.accompaniedBy}
              maxLength={textLimits.name}
              onChange={({ currentTarget }) => set(index, { accompaniedBy: currentTarget.value })}
            />
          )}
          <Textarea
            label="What they said"
            description="In their words, or photos of the paper."
            value={statement.text}
            error={form.errors[`list.${index}.text`]}
            {...longText}
            onChange={({ currentTarget }) => set(index, { text: currentTarget.value })}
          />
          <SectionPhotos
            label={`Photos of statement ${index + 1}`}
            form={`${name} ${index}`}
            photos={statement.photos}
            added={statement.added}
            error={index === list.length - 1 ? form.errors.photos : undefined}
            onChange={(changes) => set(index, changes)}
          />
          <RemoveButton
            what={`statement ${index + 1}`}
            onClick={() => form.set({ list: list.filter((_, at) => at !== index) })}
          />
        </fieldset>
      ))}
      <AddButton label="Add a Statement" onClick={() => form.set({ list: [...list, emptyStatement] })} />
    </>
  );
}

const headings = {
  place: `${causeHeadingLabels.place}: the building, the ground, light, weather`,
  plant: `${causeHeadingLabels.plant}: equipment, machines, substances`,
  people: `${causeHeadingLabels.people}: training, experience, tiredness`,
  process: `${causeHeadingLabels.process}: instructions, planning, checks`,
};

export function CausesFields({ form }: FieldsProps<'causes'>) {
  // The first cause needs no button.
  const [first] = useState<Cause>(() => ({ id: newCauseId(), kind: 'immediate', heading: null, text: '' }));
  const { list } = form.values;
  const shown = list.length > 0 ? list : [first];
  const set = (index: number, changes: Partial<Cause>) =>
    form.set({ list: shown.map((cause, at) => (at === index ? { ...cause, ...changes } : cause)) });
  return (
    <>
      {shown.map((cause, index) => (
        <fieldset key={cause.id} className={styles.item}>
          <legend>Cause {index + 1}</legend>
          <Textarea
            label="Why it happened"
            value={cause.text}
            error={form.errors[`list.${index}.text`]}
            rows={2}
            maxLength={textLimits.note}
            onChange={({ currentTarget }) => set(index, { text: currentTarget.value })}
          />
          <div className={styles.pair}>
            <NativeSelect
              label="What kind of cause"
              value={cause.kind}
              data={Object.entries(causeKindLabels).map(([value, label]) => ({ value, label }))}
              onChange={({ currentTarget }) => set(index, { kind: currentTarget.value as Cause['kind'] })}
            />
            <NativeSelect
              label="Where it lies"
              value={cause.heading ?? ''}
              data={toData(headings, 'Optional')}
              onChange={({ currentTarget }) =>
                set(index, { heading: (currentTarget.value || null) as Cause['heading'] })
              }
            />
          </div>
          {list.length > 0 && (
            <RemoveButton
              what={`cause ${index + 1}`}
              onClick={() => form.set({ list: list.filter((_, at) => at !== index) })}
            />
          )}
        </fieldset>
      ))}
      <AddButton
        label="Add a Cause"
        onClick={() =>
          form.set({ list: [...shown, { id: newCauseId(), kind: 'underlying', heading: null, text: '' }] })
        }
      />
    </>
  );
}

export const RiskFields = ({ form }: FieldsProps<'risk'>) => (
  <>
    <NativeSelect
      label={sectionLabels.outcome}
      description="If it does not hold, or there is none, it needs an action."
      value={form.values.outcome ?? ''}
      error={form.errors.outcome}
      data={toData(riskLabels)}
      onChange={({ currentTarget }) =>
        form.set({ outcome: (currentTarget.value || null) as typeof form.values.outcome })
      }
    />
    <Textarea
      {...form.field('text')}
      label={sectionLabels.risk}
      description="Optional. Which assessment, and of which day."
      rows={2}
      maxLength={textLimits.note}
    />
  </>
);

const AddButton = ({ label, onClick }: { label: string; onClick: () => void }) => (
  <div className={styles.actions}>
    <Button variant="default" leftSection={<Plus aria-hidden size={18} />} onClick={onClick}>
      {label}
    </Button>
  </div>
);

const RemoveButton = ({ what, onClick }: { what: string; onClick: () => void }) => (
  <div className={styles.actions}>
    <Button variant="subtle" size="compact-md" aria-label={`Remove ${what}`} onClick={onClick}>
      Remove
    </Button>
  </div>
);
