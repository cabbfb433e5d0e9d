// In the checklist editor: the limits of a number, the list to choose from, the failing answer, and its consequences.
import { Checkbox, Group, NativeSelect, NumberInput, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useState } from 'react';
import { api } from '#shared/api.ts';
import { checklistLimits, type FailureRule, failingChoices, type SectionType } from '#shared/checklists.ts';
import { textLimits } from '#shared/choices.ts';
import { describePlannedAudit, hasLimits } from '#shared/failing-answers.ts';
import { isOpenPark, listParks } from '#shared/park-list.ts';
import { hasChoices, listLines } from '#shared/shown-questions.ts';
import { queryFor } from '../../client/api.ts';
import { useNames } from '../../client/names.ts';
import { PeoplePicker } from '../../people/PeoplePicker.tsx';
import { type EditedChoice, type EditedSection, readChoices, type SectionEdit } from './editorState.ts';
import styles from './SectionRules.module.css';

type SectionRulesProps = {
  section: EditedSection;
  name: string;
  choicesError: string | undefined;
  onChange: (to: SectionEdit) => void;
  onKeyDown: (event: KeyboardEvent) => void;
};

export function SectionRules({ section, name, choicesError, onChange, onKeyDown }: SectionRulesProps) {
  const { type, number, onFail } = section;
  const { data: settings } = useQuery({ ...queryFor(api.listParkSettings), enabled: onFail?.audit !== undefined });
  const showName = useNames();
  const failing = failingChoices[type];
  if (!failing) return null;
  const mayFail = hasChoices(section)
    ? section.choices?.some(({ fails }) => fails) === true
    : type !== 'text' || number;
  const isNumber = type === 'text' && number !== undefined;
  const setOnFail = (to: Partial<FailureRule>) => onFail && onChange({ onFail: { ...onFail, ...to } });
  const audit = onFail?.audit;
  const setAudit = (to: Partial<NonNullable<FailureRule['audit']>>) =>
    audit && setOnFail({ audit: { ...audit, ...to } });
  /** Undefined for a park whose settings the user does not see. */
  const describeParkAssignee = (park: string) => {
    const one = settings?.find((settings) => settings.park === park);
    return one && (one.assignee ? `Otherwise ${showName(one.assignee)}` : 'Otherwise no one');
  };
  const chooseFailingAnswer = (when: string) => {
    const chosen = failing.find(({ value }) => value === when);
    onChange({ onFail: chosen && { photo: 'optional', ...onFail, when: chosen.value } });
  };
  return (
    <fieldset className={styles.rules} aria-label={`Rules of ${name}`}>
      {type === 'text' && (
        <Checkbox
          label="The answer is a number"
          checked={isNumber}
          onChange={(event) =>
            onChange(
              event.currentTarget.checked
                ? { number: { unit: '', min: null, max: null } }
                : { number: undefined, onFail: undefined },
            )
          }
        />
      )}
      {isNumber && (
        <div className={styles.fields}>
          <LimitField
            label="Lowest"
            value={number.min}
            onChange={(min) => onChange({ number: { ...number, min } })}
            onKeyDown={onKeyDown}
          />
          <LimitField
            label="Highest"
            value={number.max}
            onChange={(max) => onChange({ number: { ...number, max } })}
            onKeyDown={onKeyDown}
          />
          <TextInput
            label="Unit"
            maxLength={textLimits.unit}
            onKeyDown={onKeyDown}
            value={number.unit}
            onChange={(event) => onChange({ number: { ...number, unit: event.currentTarget.value } })}
          />
        </div>
      )}
      {isNumber && (
        <Checkbox
          label="N/A can be answered"
          checked={number.allowNA === true}
          onChange={(event) =>
            onChange({
              number: { ...number, allowNA: event.currentTarget.checked || undefined, onNA: undefined },
            })
          }
        />
      )}
      {isNumber && number.allowNA && hasLimits(section) && (
        <Checkbox
          label="A check with N/A here still passes"
          description="Otherwise a place that may open only after its check stays closed."
          checked={number.onNA === 'passes'}
          onChange={(event) =>
            onChange({ number: { ...number, onNA: event.currentTarget.checked ? 'passes' : undefined } })
          }
        />
      )}
      {hasChoices(section) && (
        <ChoicesField
          name={name}
          choices={section.choices ?? []}
          error={choicesError}
          onChange={(choices) => onChange({ choices })}
        />
      )}
      {mayFail && (
        <div className={styles.fields}>
          <NativeSelect
            label="Failing answer"
            value={onFail?.when ?? ''}
            data={[{ value: '', label: noActionLabels[type] ?? 'None' }, ...failing]}
            onChange={(event) => chooseFailingAnswer(event.currentTarget.value)}
          />
          {onFail && (
            <NativeSelect
              label="Photo of the failure"
              value={onFail.photo}
              data={[
                { value: 'optional', label: 'Optional' },
                { value: 'required', label: 'Required' },
              ]}
              onChange={(event) => setOnFail({ photo: event.currentTarget.value as FailureRule['photo'] })}
            />
          )}
        </div>
      )}
      {onFail && (
        <Checkbox
          label="Create an audit"
          checked={audit !== undefined}
          onChange={(event) =>
            setOnFail({ audit: event.currentTarget.checked ? { urgent: false, days: 1, assignees: {} } : undefined })
          }
        />
      )}
      {audit && (
        <>
          <div className={styles.fields}>
            <NumberInput
              label="Days until due"
              description={`The latest day; staff may choose an earlier one. At most ${checklistLimits.daysUntilDue}.`}
              min={0}
              max={checklistLimits.daysUntilDue}
              allowDecimal={false}
              value={audit.days}
              onChange={(days) => setAudit({ days: Number(days) || 0 })}
            />
            <Checkbox
              label="Urgent"
              checked={audit.urgent}
              onChange={(event) => setAudit({ urgent: event.currentTarget.checked })}
            />
          </div>
          <details>
            <summary>Who should complete it, by park</summary>
            <p className="quiet">
              Audits go to the person chosen for each park. Choose someone here only to replace them for this audit.
            </p>
            <div className={styles.fields}>
              {listParks()
                .filter((park) => isOpenPark(park) || audit.assignees[park])
                .map((park) => (
                  <PeoplePicker
                    key={park}
                    label={park}
                    usersOnly
                    park={park}
                    description={describeParkAssignee(park)}
                    value={audit.assignees[park] ?? ''}
                    onChange={(value) => {
                      const assignees = { ...audit.assignees, [park]: value };
                      setAudit({ assignees: Object.fromEntries(Object.entries(assignees).filter(([, name]) => name)) });
                    }}
                  />
                ))}
            </div>
          </details>
          <p className="quiet">{describePlannedAudit(section)}, in the park's folder “From checks”.</p>
        </>
      )}
    </fieldset>
  );
}

/** Answers of these types fail also without a rule. */
const noActionLabels: Partial<Record<SectionType, string>> = {
  text: 'Out of range, no further action',
  choice: 'A failing choice, no further action',
  choices: 'A failing choice, no further action',
};

function LimitField({
  label,
  value,
  onChange,
  onKeyDown,
}: {
  label: string;
  value: number | null;
  onChange: (to: number | null) => void;
  onKeyDown: (event: KeyboardEvent) => void;
}) {
  return (
    <NumberInput
      label={label}
      placeholder="None"
      data-limit
      value={value ?? ''}
      onKeyDown={onKeyDown}
      onChange={(typed) => onChange(typed === '' || Number.isNaN(Number(typed)) ? null : Number(typed))}
    />
  );
}

type ChoicesFieldProps = {
  name: string;
  choices: EditedChoice[];
  error: string | undefined;
  onChange: (choices: EditedChoice[]) => void;
};

const toText = (choices: EditedChoice[]) => choices.map(({ text }) => text).join('\n');

function ChoicesField({ name, choices, error, onChange }: ChoicesFieldProps) {
  // Empty lines and spaces at an end stay while they are typed.
  const [typed, setTyped] = useState(toText(choices));
  const isSame = listLines(typed).join('\n') === toText(choices);
  const change = (text: string) => {
    setTyped(text);
    onChange(readChoices(text, choices));
  };
  const failing = choices.flatMap(({ key, fails }) => (fails ? [key] : []));
  return (
    <div className={styles.rules}>
      <Textarea
        label="Choices, one per line"
        required
        rows={Math.min(Math.max(choices.length + 1, 4), 10)}
        maxLength={checklistLimits.choices.max * (checklistLimits.choices.text + 1)}
        value={isSame ? typed : toText(choices)}
        error={error}
        onChange={(event) => change(event.currentTarget.value)}
      />
      {choices.length > 0 && (
        <Checkbox.Group
          label="Failing choices"
          aria-label={`Failing choices of ${name}`}
          value={failing}
          onChange={(keys) => onChange(choices.map((choice) => ({ ...choice, fails: keys.includes(choice.key) })))}
        >
          <Group gap="sm" pt="0.375rem">
            {choices.map(({ key, text }) => (
              <Checkbox key={key} value={key} label={text} />
            ))}
          </Group>
        </Checkbox.Group>
      )}
    </div>
  );
}
