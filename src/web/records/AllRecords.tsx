// Buttons that decide about several records of an access request at once.
import { Button, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { textLimits } from '#shared/choices.ts';
import type { Choice, Hit } from '#shared/people/access-requests.ts';
import { pluralise } from '#shared/pluralise.ts';
import rows from '../ui/theme/rows.module.css';
import { type Choices, listSendable, redactInAll } from './accessChoices.ts';

type AllRecordsProps = { hits: Hit[]; choices: Choices; onChoose: (choices: Choice[]) => void };

export function AllRecords({ hits, choices, onChoose }: AllRecordsProps) {
  const [name, setName] = useState('');
  const [result, setResult] = useState('');
  const sendable = listSendable(hits, choices);
  const others = [...new Set(hits.filter(({ isPossible }) => !isPossible).flatMap(({ others }) => others))].sort();
  const redact = (name: string) => {
    const redacted = redactInAll(name, hits, choices);
    onChoose(redacted);
    setResult(`${name}: blacked out in ${pluralise(redacted.length, 'record')}.`);
  };
  return (
    <>
      <div className={rows.actions}>
        <Button
          variant="default"
          disabled={sendable.length === 0}
          onClick={() => onChoose(sendable.map(({ id }) => ({ id, choice: 'send' })))}
        >
          Send All
        </Button>
        <Text size="sm">
          {sendable.length === 0
            ? 'There is no record without a choice that names only this person.'
            : `Chooses Send for ${pluralise(sendable.length, 'record')} that ${sendable.length === 1 ? 'names' : 'name'} nobody else in a field. Read the texts and look at the photos first.`}
        </Text>
      </div>
      <details>
        <summary>Black out another person in all records</summary>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (name.trim()) redact(name.trim());
            setName('');
          }}
        >
          <div className={rows.actions}>
            {others.map((other) => (
              <Button key={other} variant="default" size="compact-md" mih="2.75rem" onClick={() => redact(other)}>
                {other}
              </Button>
            ))}
          </div>
          <div className={rows.actions}>
            <TextInput
              label="Another name or word"
              value={name}
              maxLength={textLimits.line}
              autoComplete="off"
              onChange={({ currentTarget }) => setName(currentTarget.value)}
            />
            <Button type="submit" variant="default" style={{ alignSelf: 'end' }}>
              Black Out
            </Button>
          </div>
        </form>
        <Text size="sm" role="status">
          {result}
        </Text>
      </details>
    </>
  );
}
