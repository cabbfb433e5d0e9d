// What is done about each cause. Actions are audits, which someone else verifies.
import { Button, Group, NativeSelect, Text, Textarea, TextInput, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { CircleCheck, Plus, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { api } from '#shared/api.ts';
import { textLimits } from '#shared/choices.ts';
import { formatDay } from '#shared/dates.ts';
import { type Action, type Investigation, nameCause, riskCause } from '#shared/investigations.ts';
import { callApiWithRetry, queryFor } from '../client/api.ts';
import { useNames } from '../client/names.ts';
import { QueryState } from '../client/QueryState.tsx';
import { InlineForm } from '../forms/InlineForm.tsx';
import { useForm } from '../forms/useForm.ts';
import { PeoplePicker } from '../people/PeoplePicker.tsx';
import { Tag } from '../ui/feedback/Tag.tsx';
import { DateField } from '../ui/forms/DateField.tsx';
import { hasTypedInput } from '../ui/forms/useTypedInput.ts';
import { PageSection } from '../ui/navigation/PageSection.tsx';
import { RecordRow } from '../ui/navigation/RecordRow.tsx';
import rows from '../ui/theme/rows.module.css';
import styles from './investigations.module.css';
import { getNoteFormName, NoteForm } from './NoteForm.tsx';
import { ActionTag } from './StateTags.tsx';

export function InvestigationActions({ investigation }: { investigation: Investigation }) {
  const { questions, actions } = investigation;
  const asked = questions.map(({ cause }) => cause);
  const others = actions.filter(({ cause }) => !asked.includes(cause));
  return (
    <PageSection isCard title="Actions">
      <Text size="sm" c="dimmed">
        An action is an audit that someone else verifies. Who does it sees the audit, and nothing of this investigation.
        Everyone at the park can read it: leave out who was hurt and how.
      </Text>
      {questions.length === 0 && <Text>Choose a level and write the causes first.</Text>}
      {questions.map((question) => (
        <CauseActions key={question.cause} investigation={investigation} {...question} />
      ))}
      {others.length > 0 && (
        <>
          <Title order={3} size="h5">
            Other Actions
          </Title>
          <ActionList investigation={investigation} actions={others} />
        </>
      )}
    </PageSection>
  );
}

type Question = Investigation['questions'][number];

function CauseActions({ investigation, cause, isAnswered }: Question & { investigation: Investigation }) {
  const { id, actions, notes, sections } = investigation;
  const causes = sections.causes.content.list;
  const showName = useNames();
  const about = cause === null ? '' : String(cause);
  const [open, setOpen] = useState<'action' | 'noAction' | undefined>(() => {
    if (hasTypedInput(getActionName(id, cause))) return 'action';
    return hasTypedInput(getNoteFormName(id, 'noAction', about)) ? 'noAction' : undefined;
  });
  const close = () => setOpen(undefined);
  const note = notes.find(({ kind, about: of }) => kind === 'noAction' && of === about);
  const name = nameCause(cause, causes);
  const text = causes.find(({ id }) => id === cause)?.text;
  return (
    <div className={styles.item}>
      <Title order={3} size="h5">
        {name}
      </Title>
      {text && <Text>{text}</Text>}
      <Tag
        label={isAnswered ? 'Answered' : 'Not Answered'}
        icon={isAnswered ? CircleCheck : TriangleAlert}
        tone={isAnswered ? 'success' : 'warning'}
      />
      <ActionList investigation={investigation} actions={actions.filter((action) => action.cause === cause)} />
      {note && (
        <Text size="sm">
          No action, because: {note.text} ({showName(note.created_by)})
        </Text>
      )}
      {open === 'action' && <ActionForm id={id} cause={cause} onClose={close} />}
      {open === 'noAction' && (
        <NoteForm
          id={id}
          kind="noAction"
          about={about}
          label={`${name}: no action, because`}
          submit="Save Reason"
          onClose={close}
        />
      )}
      {!open && (
        <Group gap="xs">
          <Button
            variant="default"
            leftSection={<Plus aria-hidden size={18} />}
            aria-label={`Add an action: ${name}`}
            onClick={() => setOpen('action')}
          >
            Add an Action
          </Button>
          {!isAnswered && cause !== riskCause && (
            <Button variant="subtle" aria-label={`No action needed: ${name}`} onClick={() => setOpen('noAction')}>
              No Action Needed
            </Button>
          )}
        </Group>
      )}
    </div>
  );
}

function ActionList({ investigation, actions }: { investigation: Investigation; actions: Action[] }) {
  return (
    <ul className={rows.list}>
      {actions.map((action) => (
        <ActionRow key={action.id} investigation={investigation} action={action} />
      ))}
    </ul>
  );
}

function ActionRow({ investigation: { id, notes }, action }: { investigation: Investigation; action: Action }) {
  const showName = useNames();
  const [isWaiving, setWaiving] = useState(() => hasTypedInput(getNoteFormName(id, 'waived', action.id)));
  const { title, park, assignee, due, state, current_id, canWaive } = action;
  const waiver = notes.find(({ kind, about }) => kind === 'waived' && about === action.id);
  return (
    <RecordRow
      to={title && state !== 'deleted' && `/audit/${current_id}`}
      title={title || 'An audit that you may not see'}
      text={state === 'waived' && waiver ? `${waiver.text} (${showName(waiver.created_by)})` : ''}
      details={[park, assignee && showName(assignee), due && `due ${formatDay(due)}`]}
    >
      <div className={rows.actions}>
        <ActionTag state={state} />
        {canWaive && !isWaiving && (
          <Button variant="subtle" aria-label={`Waive ${title}`} onClick={() => setWaiving(true)}>
            Waive
          </Button>
        )}
      </div>
      {isWaiving && canWaive && (
        <NoteForm
          id={id}
          kind="waived"
          about={action.id}
          label="Why it need not be done"
          submit="Waive Action"
          onClose={() => setWaiving(false)}
        />
      )}
    </RecordRow>
  );
}

const getActionName = (id: string, cause: number | null) => `action of ${id} ${cause}`;

type ActionFields = { folder_id: string; title: string; description: string; assignee: string; date: string };

function ActionForm({ id, cause, onClose }: { id: string; cause: number | null; onClose: () => void }) {
  const folders = useQuery(queryFor(api.listFolders));
  const form = useForm<ActionFields>(getActionName(id, cause), {
    start: { folder_id: '', title: '', description: '', assignee: '', date: '' },
    check: ({ folder_id, title }) => ({
      ...(folder_id === '' && { folder_id: 'Choose a folder' }),
      ...(title.trim() === '' && { title: 'Title is required' }),
    }),
    send: ({ date, ...fields }, key) =>
      callApiWithRetry(api.createAudit, {
        body: {
          ...fields,
          date: date || null,
          source: { thing: 'investigation', id, ...(cause !== null && { cause }) },
        },
        key,
      }),
    onSaved: onClose,
  });
  if (!folders.data) return <QueryState query={folders} failed="Failed to fetch audit folders" shape="fields" />;
  if (folders.data.length === 0) return <Text>There is no audit folder. Create one under Audits.</Text>;
  const { field, values } = form;
  const park = folders.data.find((folder) => folder.id === values.folder_id)?.park;
  return (
    <InlineForm
      form={form}
      label="Add an action"
      submit="Create Action"
      failed="The action could not be created. It is still here."
      onClose={onClose}
    >
      <NativeSelect
        {...field('folder_id')}
        label="Park and folder"
        required
        data={[
          { value: '', label: 'Please choose' },
          ...folders.data
            .map((folder) => ({ value: folder.id, label: `${folder.park}: ${folder.name}` }))
            .toSorted((one, other) => one.label.localeCompare(other.label, 'en')),
        ]}
      />
      <TextInput {...field('title')} label="Title" required maxLength={textLimits.line} />
      <Textarea {...field('description')} label="Description" rows={3} maxLength={textLimits.description} />
      <div className={styles.pair}>
        <PeoplePicker {...field('assignee')} label="Person who should complete this job" park={park} />
        <DateField {...field('date')} label="Due day" />
      </div>
    </InlineForm>
  );
}
