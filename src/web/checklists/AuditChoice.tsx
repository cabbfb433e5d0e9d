// Whose job the audit of a failing answer becomes, and until when: its rule says it, and who fills in may change it.
import { Button, NativeSelect, Text } from '@mantine/core';
import { use, useState } from 'react';
import type { FailureRule } from '#shared/checklists.ts';
import { formatDay, getToday } from '#shared/dates.ts';
import { foldText } from '#shared/text.ts';
import { PeopleContext } from '../client/names.ts';
import { seesPark } from '../people/findPerson.ts';
import { Name } from '../ui/feedback/Name.tsx';
import { DateField } from '../ui/forms/DateField.tsx';
import { type Failure, getLastDay } from './failures.ts';

type AuditChoiceProps = {
  title: string;
  rule: NonNullable<FailureRule['audit']>;
  /** The park of the audit; '' until it is chosen. */
  park: string;
  failure: Failure;
  dateError: string | undefined;
  onChange: (change: (failure: Failure) => Failure) => void;
};

export function AuditChoice({ title, rule, park, failure: { audit = {} }, dateError, onChange }: AuditChoiceProps) {
  const known = use(PeopleContext);
  const [isOpen, setOpen] = useState(false);
  if (park === '') return <Text>Choose the park to see whose job it becomes.</Text>;
  const people = known.filter((person) => person.id && seesPark(person, park));
  const named = rule.assignees[park];
  const byRule = people.find(({ username, checksAt }) =>
    named ? foldText(username) === foldText(named) : checksAt?.includes(park),
  );
  const assignee = people.find(({ id }) => id === audit.assigneeId) ?? byRule;
  const lastDay = getLastDay(rule);
  const change = (changes: typeof audit) =>
    onChange((failure) => ({ ...failure, audit: { ...failure.audit, ...changes } }));
  return (
    <>
      <Text>
        {assignee && (
          <>
            It becomes the job of <Name>{assignee.name}</Name>
          </>
        )}
        {!assignee &&
          (people.length > 0
            ? `No one at ${park} is named for it`
            : `The settings of ${park} say whose job it becomes`)}
        , due {formatDay(audit.date || lastDay)}.{' '}
        {!isOpen && people.length > 0 && (
          <Button
            variant="subtle"
            size="compact-md"
            aria-label={`Change who does it, and when: ${title}`}
            onClick={() => setOpen(true)}
          >
            Change
          </Button>
        )}
      </Text>
      {(isOpen || dateError) && (
        <>
          <NativeSelect
            label="Person who should do it"
            value={assignee && assignee === byRule ? '' : (assignee?.id ?? '')}
            data={[
              { value: '', label: byRule ? byRule.name : 'No one' },
              ...people.filter((person) => person !== byRule).map(({ id, name }) => ({ value: id, label: name })),
            ]}
            onChange={({ currentTarget }) => change({ assigneeId: currentTarget.value || null })}
          />
          <DateField
            label="Due"
            value={audit.date ?? lastDay}
            min={getToday()}
            max={lastDay}
            help={`At the latest ${formatDay(lastDay)}`}
            error={dateError}
            onChange={(date) => change({ date: date || null })}
          />
        </>
      )}
    </>
  );
}
