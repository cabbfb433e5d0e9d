// In the checklist editor: the earlier question that decides whether this one is shown, and the answers with which it is.
import { Checkbox, Group, NativeSelect } from '@mantine/core';
import { type Dependence, type EditedSection, listAnswerKeys } from './editorState.ts';

type DependenceFieldsProps = {
  /** The sections above. */
  above: EditedSection[];
  showIf: Dependence | undefined;
  error: string | undefined;
  onChange: (showIf: Dependence | undefined) => void;
};

export function DependenceFields({ above, showIf, error, onChange }: DependenceFieldsProps) {
  const source = above.find(({ key }) => key === showIf?.key);
  const questions = above.flatMap((section, index) =>
    listAnswerKeys(section).length > 0
      ? [{ value: section.key, label: `${index + 1}. ${section.title || 'No title yet'}` }]
      : [],
  );
  const answers = source ? listAnswerKeys(source) : [];
  const gone = showIf?.answers.filter((answer) => !answers.some(({ value }) => value === answer)) ?? [];
  function choose(key: string) {
    const chosen = above.find((section) => section.key === key);
    const [first] = chosen ? listAnswerKeys(chosen) : [];
    onChange(chosen && first && { key, answers: [first.value] });
  }
  return (
    <>
      <NativeSelect
        label="Shown only if"
        value={showIf?.key ?? ''}
        data={[{ value: '', label: 'Always shown' }, ...questions]}
        description={
          questions.length === 0 &&
          'An earlier question with Yes, No or N/A, a checkbox, or a list can decide whether this one is shown.'
        }
        error={source ? undefined : error}
        onChange={(event) => choose(event.currentTarget.value)}
      />
      {showIf && source && (
        <Checkbox.Group
          label="is answered with"
          value={showIf.answers}
          error={error}
          onChange={(answers) => onChange({ key: showIf.key, answers })}
        >
          <Group gap="sm" pt="0.375rem">
            {answers.map(({ value, label }) => (
              <Checkbox key={value} value={value} label={label} />
            ))}
            {gone.map((answer) => (
              <Checkbox key={answer} value={answer} label={`${answer} (no longer in the list)`} />
            ))}
          </Group>
        </Checkbox.Group>
      )}
    </>
  );
}
