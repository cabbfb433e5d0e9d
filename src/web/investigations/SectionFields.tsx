// The fields of each section.
import {
  Button,
  Checkbox,
  Group,
  NativeSelect,
  type NativeSelectProps,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { Plus } from 'lucide-react';
import { type ComponentType, type ReactNode, useState } from 'react';
import { textLimits } from '#shared/choices.ts';
import { formatDay, getToday } from '#shared/dates.ts';
import {
  type Cause,
  causeHeadingLabels,
  causeKindLabels,
  daysToFinish,
  depthLabels,
  getFirstLookDay,
  type Investigation,
  levelLabels,
  proposeLevel,
  riskLabels,
  type SectionName,
  sectionLabels,
} from '#shared/investigations.ts';
import { pluralise } from '#shared/pluralise.ts';
import { toData } from '../forms/Fields.tsx';
import { useIsPreparing } from '../photos/preparing.ts';
import { bindFields } from '../ui/forms/bindFields.ts';
import { DateField } from '../ui/forms/DateField.tsx';
import type { FieldErrors } from '../ui/forms/fieldErrors.ts';
import { IconButton } from '../ui/forms/IconButton.tsx';
import styles from './investigations.module.css';
import { SectionPhotos } from './SectionPhotos.tsx';
import { getPhotoForm, newCauseId, type SectionForm } from './sectionInput.ts';

export type FieldsProps<Name extends SectionName> = { form: SectionForm<Name>; investigation: Investigation };

const longText = { rows: 5, maxLength: textLimits.details };
const shortText = { rows: 2, maxLength: textLimits.note };

const MadeSafeFields = ({ form }: FieldsProps<'madeSafe'>) => (
  <Textarea
    {...form.field('text')}
    label="What was done at once to make it safe"
    description="For example: closed, switched off, taped off, repaired, people told."
    rows={3}
    maxLength={textLimits.details}
  />
);

function DepthFields({ form, investigation }: FieldsProps<'depth'>) {
  const { worst, likely, level } = form.values;
  const proposed = proposeLevel(worst, likely);
  const { field } = form;
  return (
    <>
      <div className={styles.pair}>
        <Choice
          {...field('worst')}
          label={sectionLabels.worst}
          labels={depthLabels.worst}
          onChange={(worst) => form.set({ worst, level: proposeLevel(worst, likely) ?? level })}
        />
        <Choice
          {...field('likely')}
          label={sectionLabels.likely}
          labels={depthLabels.likely}
          onChange={(likely) => form.set({ likely, level: proposeLevel(worst, likely) ?? level })}
        />
      </div>
      <Choice
        {...field('level')}
        label={sectionLabels.level}
        labels={levelLabels}
        description={proposed ? `Proposed: ${levelLabels[proposed]}. You decide.` : 'Proposed from the two answers.'}
      />
      {level && (
        <Text size="sm">
          {level === 'minimal' ? 'Write what happened, what was learnt and one action.' : 'Write also why it happened.'}{' '}
          Finish in {pluralise(daysToFinish[level], 'day')}.
          {level === 'high' &&
            ` Take a first look by ${formatDay(getFirstLookDay(getToday(new Date(investigation.created_at))))}. A second reviewer confirms the findings.`}
        </Text>
      )}
    </>
  );
}

const FactsFields = ({ form, investigation }: FieldsProps<'facts'>) => (
  <>
    <Textarea {...form.field('text')} label={sectionLabels.facts} {...longText} />
    <Textarea {...form.field('learnt')} label={sectionLabels.learnt} rows={3} maxLength={textLimits.details} />
    <Textarea
      {...form.field('tookPart')}
      label={`${sectionLabels.tookPart} in the investigation`}
      description="Optional. A safety representative, for example."
      {...shortText}
    />
    <SectionPhotos {...form.field('photos')} label="Photos" form={getPhotoForm(investigation.id, 'facts')} />
    <Items
      name="Kept elsewhere"
      add="Add Something Kept Elsewhere"
      items={form.values.files}
      empty={() => ({ what: '', where: '' })}
      onChange={(files) => form.set({ files })}
    >
      {({ field }) => (
        <div className={styles.pair}>
          <TextInput {...field('what')} label="What it is" maxLength={textLimits.line} />
          <TextInput {...field('where')} label="Where it is kept" maxLength={textLimits.line} />
        </div>
      )}
    </Items>
    <Text size="sm" c="dimmed">
      Camera recordings, letters and other files are not uploaded: say what they are and where they are kept.
    </Text>
  </>
);

const emptyStatement = {
  person: '',
  role: '',
  day: null,
  isUnder18: false,
  accompaniedBy: '',
  text: '',
  photos: [],
};

function StatementsFields({ form, investigation }: FieldsProps<'statements'>) {
  const { list } = form.values;
  const getForm = (index: number) => getPhotoForm(investigation.id, 'statements', index);
  // A photo that is being prepared is added to the statement at its index.
  const isPreparing = useIsPreparing(list.map((_, index) => getForm(index)));
  return (
    <Items
      name="Statement"
      add="Add a Statement"
      items={list}
      isBusy={isPreparing}
      errors={form.errors}
      empty={() => emptyStatement}
      onChange={(list) => form.set({ list })}
    >
      {({ field, checkbox, item, index }) => (
        <>
          <div className={styles.pair}>
            <TextInput {...field('person')} label="Name" maxLength={textLimits.name} autoComplete="off" />
            <TextInput {...field('role')} label="Role" maxLength={textLimits.name} />
          </div>
          <DateField {...field('day')} value={item.day ?? ''} label="Day" />
          <Checkbox {...checkbox('isUnder18')} label="Under 18" description="Do not ask a child to sign." />
          {item.isUnder18 && (
            <TextInput {...field('accompaniedBy')} label="Who was with them" maxLength={textLimits.name} />
          )}
          <Textarea
            {...field('text')}
            label="What they said"
            description="In their words, or photos of the paper."
            {...longText}
          />
          <SectionPhotos
            label={`Photos of statement ${index + 1}`}
            {...field('photos')}
            form={getForm(index)}
            error={index === list.length - 1 ? form.errors.photos : undefined}
          />
        </>
      )}
    </Items>
  );
}

const headings = {
  place: `${causeHeadingLabels.place}: the building, the ground, light, weather`,
  plant: `${causeHeadingLabels.plant}: equipment, machines, substances`,
  people: `${causeHeadingLabels.people}: training, experience, tiredness`,
  process: `${causeHeadingLabels.process}: instructions, planning, checks`,
};

const createCause = (kind: Cause['kind']): Cause => ({ id: newCauseId(), kind, heading: null, text: '' });

function CausesFields({ form }: FieldsProps<'causes'>) {
  // Shown while there is no cause, so that the first needs no button.
  const [first] = useState(() => createCause('immediate'));
  const { list } = form.values;
  return (
    <Items
      name="Cause"
      add="Add a Cause"
      items={list.length > 0 ? list : [first]}
      isRemovable={list.length > 0}
      errors={form.errors}
      empty={() => createCause('underlying')}
      onChange={(list) => form.set({ list })}
    >
      {({ field }) => (
        <>
          <Textarea {...field('text')} label="Why it happened" {...shortText} />
          <div className={styles.pair}>
            <NativeSelect {...field('kind')} label="What kind of cause" data={toData(causeKindLabels)} />
            <Choice {...field('heading')} label="Where the cause is" labels={headings} none="Optional" />
          </div>
        </>
      )}
    </Items>
  );
}

const RiskFields = ({ form }: FieldsProps<'risk'>) => (
  <>
    <Choice
      {...form.field('outcome')}
      label={sectionLabels.outcome}
      description="If the assessment no longer holds, or there is none, add an action."
      labels={riskLabels}
    />
    <Textarea
      {...form.field('text')}
      label={sectionLabels.risk}
      description="Optional. Which assessment, and of which day."
      {...shortText}
    />
  </>
);

export const sectionFields: { [Name in SectionName]: ComponentType<FieldsProps<Name>> } = {
  madeSafe: MadeSafeFields,
  depth: DepthFields,
  facts: FactsFields,
  statements: StatementsFields,
  causes: CausesFields,
  risk: RiskFields,
};

type ChoiceProps<Value extends string> = Omit<NativeSelectProps, 'value' | 'onChange'> & {
  value: Value | null;
  labels: Record<Value, string>;
  none?: string;
  onChange: (value: Value | null) => void;
};

/** A select with the labels as choices, and none of them as the first. */
const Choice = <Value extends string>({
  value,
  labels,
  none = 'Please choose',
  onChange,
  ...props
}: ChoiceProps<Value>) => (
  <NativeSelect
    {...props}
    value={value ?? ''}
    data={toData(labels, none)}
    onChange={({ currentTarget }) => onChange((currentTarget.value || null) as Value | null)}
  />
);

type Bound<Item extends object> = ReturnType<typeof bindFields<Item>> & {
  item: Item;
  index: number;
};
type ItemsProps<Item extends object> = {
  /** What an item is called, and the label of the button that adds one. */
  name: string;
  add: string;
  items: Item[];
  isRemovable?: boolean;
  /** Whether items cannot be removed now. */
  isBusy?: boolean;
  /** Errors by path: that of `list.0.text` is about the first item. */
  errors?: FieldErrors;
  empty: () => Item;
  onChange: (items: Item[]) => void;
  children: (bound: Bound<Item>) => ReactNode;
};

/** The fields of each item of a list, with buttons to add and remove items. */
function Items<Item extends object>(props: ItemsProps<Item>) {
  const { name, add, items, isRemovable = true, isBusy = false, errors = {}, empty, onChange, children } = props;
  return (
    <>
      {items.map((item, index) => {
        const set = (changes: Partial<Item>) => onChange(items.with(index, { ...item, ...changes }));
        const prefix = `list.${index}.`;
        const itemErrors = Object.entries(errors).map(([path, error]) => [path.replace(prefix, ''), error]);
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: items have no identity
          <fieldset key={index} className={styles.item}>
            <legend>
              {name} {index + 1}
            </legend>
            {children({ ...bindFields(item, Object.fromEntries(itemErrors), set), item, index })}
            {isRemovable && (
              <Group>
                <Button
                  variant="subtle"
                  size="compact-md"
                  aria-label={`Remove ${name.toLowerCase()} ${index + 1}`}
                  disabled={isBusy}
                  onClick={() => onChange(items.filter((_, at) => at !== index))}
                >
                  Remove
                </Button>
              </Group>
            )}
          </fieldset>
        );
      })}
      <Group>
        <IconButton icon={Plus} onClick={() => onChange([...items, empty()])}>
          {add}
        </IconButton>
      </Group>
    </>
  );
}
