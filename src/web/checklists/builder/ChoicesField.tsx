// In the checklist editor: the list to choose from, and which of it is failing.
import { Checkbox, Group, Textarea } from '@mantine/core';
import { useState } from 'react';
import { checklistLimits } from '#shared/checklists.ts';
import { listLines } from '#shared/shown-questions.ts';
import { type EditedChoice, readChoices } from './editorState.ts';
import styles from './SectionRules.module.css';

type ChoicesFieldProps = {
  name: string;
  choices: EditedChoice[];
  error: string | undefined;
  onChange: (choices: EditedChoice[]) => void;
};

const toText = (choices: EditedChoice[]) => choices.map(({ text }) => text).join('\n');

export function ChoicesField({ name, choices, error, onChange }: ChoicesFieldProps) {
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
          <Group gap="sm" className={styles.options ?? ''}>
            {choices.map(({ key, text }) => (
              <Checkbox key={key} value={key} label={text} />
            ))}
          </Group>
        </Checkbox.Group>
      )}
    </div>
  );
}
