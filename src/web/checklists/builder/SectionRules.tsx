// In the checklist editor: the limits of a number, the failing answer, and its consequences.
import { Checkbox, NativeSelect, NumberInput, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api } from '#shared/api.ts';
import { checklistLimits, type FailureRule, failingChoices, type Section } from '#shared/checklists.ts';
import { parks, textLimits } from '#shared/choices.ts';
import { describePlannedAudit } from '#shared/failing-answers.ts';
import { queryFor } from '../../client/api.ts';
import { useNames } from '../../client/names.ts';
import { PeoplePicker } from '../../people/PeoplePicker.tsx';
import styles from './SectionRules.module.css';

type SectionRulesProps = { section: Section; name: string; onChange: (to: Partial<Section>) => void };

export function SectionRules({ section, name, onChange }: SectionRulesProps) {
  const { type, number, onFail } = section;
  const { data: settings } = useQuery({ ...queryFor(api.listParkSettings), enabled: onFail?.audit !== undefined });
  const showName = useNames();
  const choices = failingChoices[type];
  if (!choices) return null;
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
    const chosen = choices.find(({ value }) => value === when);
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
          <LimitField label="Lowest" value={number.min} onChange={(min) => onChange({ number: { ...number, min } })} />
          <LimitField label="Highest" value={number.max} onChange={(max) => onChange({ number: { ...number, max } })} />
          <TextInput
            label="Unit"
            maxLength={textLimits.unit}
            value={number.unit}
            onChange={(event) => onChange({ number: { ...number, unit: event.currentTarget.value } })}
          />
        </div>
      )}
      {(type !== 'text' || isNumber) && (
        <div className={styles.fields}>
          <NativeSelect
            label="Failing answer"
            value={onFail?.when ?? ''}
            data={[{ value: '', label: isNumber ? 'Out of range, no further action' : 'None' }, ...choices]}
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
            <p className={styles.note}>
              Audits go to the person chosen for each park. Choose someone here only to replace them for this audit.
            </p>
            <div className={styles.fields}>
              {parks.map((park) => (
                <PeoplePicker
                  key={park}
                  label={park}
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
          <p className={styles.note}>{describePlannedAudit(section)}, in the park's folder “From checks”.</p>
        </>
      )}
    </fieldset>
  );
}

function LimitField({
  label,
  value,
  onChange,
}: {
  label: string;
  value: number | null;
  onChange: (to: number | null) => void;
}) {
  return (
    <NumberInput
      label={label}
      placeholder="None"
      value={value ?? ''}
      onChange={(typed) => onChange(typed === '' || Number.isNaN(Number(typed)) ? null : Number(typed))}
    />
  );
}
