// When the findings are complete, what is left until the investigation closes, and corrections.
import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { api } from '#shared/api.ts';
import { endpointUrl } from '#shared/client.ts';
import { formatDay, formatInstant } from '#shared/dates.ts';
import { createCopyText, type Investigation, nameAbout, noteKindLabels } from '#shared/investigations.ts';
import { pluralise } from '#shared/pluralise.ts';
import { callApiWithRetry } from '../client/api.ts';
import { useNames } from '../client/names.ts';
import { useSave } from '../client/useSave.ts';
import { ConfirmDialog } from '../ui/dialogs/ConfirmDialog.tsx';
import { ErrorBox } from '../ui/feedback/ErrorBox.tsx';
import { Name } from '../ui/feedback/Name.tsx';
import { PageSection } from '../ui/navigation/PageSection.tsx';
import { PdfButton } from '../ui/navigation/PdfButton.tsx';
import styles from './investigations.module.css';
import { NoteButton } from './NoteForm.tsx';

export function Findings({ investigation }: { investigation: Investigation }) {
  const { id, state, missing, needsConfirmation, canConfirm, notes, closed_on } = investigation;
  const [isAsking, setAsking] = useState(false);
  const showName = useNames();
  const saving = useSave<'complete' | 'confirmed', unknown>(`findings of ${id}`, {
    send: (kind, key) => callApiWithRetry(api.addInvestigationNote, { params: { id }, body: { kind }, key }),
    onSaved: () => setAsking(false),
  });
  const left = listLeft(investigation);
  const failed = saving.error ? 'This could not be saved.' : '';
  return (
    <PageSection isCard title="Findings">
      {state === 'open' && missing.length > 0 && <Text>Still to write: {missing.join(', ')}.</Text>}
      {state === 'open' && missing.length === 0 && (
        <>
          <Text>Once the findings are complete, the sections above and the covered reports cannot be changed.</Text>
          <Group gap="xs">
            <Button onClick={() => setAsking(true)}>Findings Complete</Button>
          </Group>
        </>
      )}
      {state === 'findingsComplete' && (
        <Text>
          The investigation closes by itself when every cause is answered and every action is verified. Left:{' '}
          {left.join(', ')}.
        </Text>
      )}
      {state === 'closed' && <Text>Closed on {formatDay(closed_on ?? '')}.</Text>}
      {needsConfirmation &&
        (canConfirm ? (
          <>
            <Group gap="xs">
              <Button loading={saving.isSaving} onClick={() => saving.save('confirmed')}>
                Confirm Findings
              </Button>
            </Group>
            <ErrorBox message={failed} reason={saving.error?.message} />
          </>
        ) : (
          <Text>Another reviewer confirms the findings, because you completed them.</Text>
        ))}
      <dl className={styles.facts}>
        {notes.map((note) => (
          <div key={note.id}>
            <dt>
              {noteKindLabels[note.kind]}, <Name>{showName(note.created_by)}</Name>, {formatInstant(note.created_at)}
            </dt>
            {note.text && (
              <dd>
                {note.kind === 'noAction' && `${nameAbout(note, investigation)}: `}
                {note.text}
              </dd>
            )}
          </div>
        ))}
      </dl>
      {state !== 'open' && (
        <Group gap="xs">
          <NoteButton
            button="Add a Correction"
            note={{ id, kind: 'correction', label: 'What was wrong, and what is right', submit: 'Save Correction' }}
          />
          <NoteButton
            button="Copy for Safety Representatives"
            note={{
              id,
              kind: 'released',
              submit: 'Release Copy',
              start: createCopyText(investigation),
              label: 'Text of the copy for safety representatives',
              description: 'Read it: take out names, ages and jobs, and whatever else shows who someone is.',
            }}
          />
          {notes.some(({ kind }) => kind === 'released') && (
            <PdfButton href={endpointUrl(api.getRepresentativeCopy, { params: { id } })}>Download Copy</PdfButton>
          )}
        </Group>
      )}
      <ConfirmDialog
        isOpen={isAsking}
        title="Are the findings complete?"
        confirm="Findings Complete"
        isBusy={saving.isSaving}
        error={failed}
        reason={saving.error?.message}
        onConfirm={() => saving.save('complete')}
        onCancel={() => setAsking(false)}
      >
        The sections and the covered reports cannot be changed afterwards. You can still add corrections and actions.
      </ConfirmDialog>
    </PageSection>
  );
}

function listLeft({ questions, actions_left, needsConfirmation }: Investigation): string[] {
  const unanswered = questions.filter(({ isAnswered }) => !isAnswered).length;
  return [
    ...(unanswered > 0 ? [`${pluralise(unanswered, 'cause')} without an answer`] : []),
    ...(actions_left > 0 ? [pluralise(actions_left, 'action')] : []),
    ...(needsConfirmation ? ['the confirmation by a second reviewer'] : []),
  ];
}
