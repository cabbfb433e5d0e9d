// What is done about each cause. Actions are audits, which someone else verifies.
import { Group, NativeSelect, Text, Textarea, TextInput, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { CircleCheck, Plus, TriangleAlert } from 'lucide-react';
import { api } from '#shared/api.ts';
import { textLimits } from '#shared/choices.ts';
import { formatDay } from '#shared/dates.ts';
import {
  type Action,
  type Investigation,
  type InvestigationNote,
  nameCause,
  riskCause,
  toAbout,
} from '#shared/investigations.ts';
import { callApiWithRetry, queryFor } from '../client/api.ts';
import { useNames } from '../client/names.ts';
import { QueryState } from '../client/QueryState.tsx';
import { type FormName, formNames } from '../formNames.ts';
import { FormButton } from '../forms/FormButton.tsx';
import { InlineForm } from '../forms/InlineForm.tsx';
import { useForm } from '../forms/useForm.ts';
import { PeoplePicker } from '../people/PeoplePicker.tsx';
import { Name } from '../ui/feedback/Name.tsx';
import { Tag } from '../ui/feedback/Tag.tsx';
import { DateField } from '../ui/forms/DateField.tsx';
import { PageSection } from '../ui/navigation/PageSection.tsx';
import { RecordRow } from '../ui/navigation/RecordRow.tsx';
import rows from '../ui/theme/rows.module.css';
import styles from './investigations.module.css';
import { NoteButton } from './NoteForm.tsx';
import { ActionTag } from './StateTags.tsx';

export function InvestigationActions({ investigation }: { investigation: Investigation }) {
  const { questions, actions } = investigation;
  const asked = questions.map(({ cause }) => cause);
  const others = actions.filter(({ cause }) => !asked.includes(cause));
  return (
    <PageSection isCard title="Actions">
      <Text size="sm" c="dimmed">
        An action is an audit that someone else verifies. Everyone at its park can read the audit, but nothing of this
        investigation: leave out who was hurt and how.
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
  const about = toAbout(cause);
  const note = notes.find(({ kind, about: of }) => kind === 'noAction' && of === about);
  const name = nameCause(cause, causes);
  const form = formNames.investigationAction(id, about);
  return (
    <div className={styles.item}>
      <Title order={3} size="h5">
        {name}
      </Title>
      <Text>{causes.find(({ id }) => id === cause)?.text}</Text>
      <Tag
        label={isAnswered ? 'Answered' : 'Not Answered'}
        icon={isAnswered ? CircleCheck : TriangleAlert}
        tone={isAnswered ? 'success' : undefined}
      />
      <ActionList investigation={investigation} actions={actions.filter((action) => action.cause === cause)} />
      {note && (
        <Text size="sm">
          No action, because: {note.text} (<Name>{showName(note.created_by)}</Name>)
        </Text>
      )}
      <Group gap="xs">
        <FormButton
          form={form}
          button="Add an Action"
          aria-label={`Add an action: ${name}`}
          leftSection={<Plus aria-hidden size={18} />}
        >
          {(close) => <ActionForm id={id} cause={cause} name={form} onClose={close} />}
        </FormButton>
        {!isAnswered && cause !== riskCause && (
          <NoteButton
            button="No Action Needed"
            aria-label={`No action needed: ${name}`}
            variant="subtle"
            note={{ id, kind: 'noAction', about, label: `${name}: no action, because`, submit: 'Save Reason' }}
          />
        )}
      </Group>
    </div>
  );
}

const ActionList = ({ investigation: { id, notes }, actions }: { investigation: Investigation; actions: Action[] }) => (
  <ul className={rows.list}>
    {actions.map((action) => {
      const waiver = notes.find(({ kind, about }) => kind === 'waived' && about === action.id);
      return <ActionRow key={action.id} id={id} action={action} waiver={waiver} />;
    })}
  </ul>
);

function ActionRow({ id, action, waiver }: { id: string; action: Action; waiver: InvestigationNote | undefined }) {
  const showName = useNames();
  const { title, park, assignee, due, state, current_id, canWaive } = action;
  return (
    <RecordRow
      to={title && state !== 'deleted' && `/audit/${current_id}`}
      title={title || 'An audit that you may not see'}
      text={state === 'waived' && waiver ? `${waiver.text} (${showName(waiver.created_by)})` : ''}
      details={[park, assignee && showName(assignee), due && `due ${formatDay(due)}`]}
    >
      <ActionTag state={state} />
      {canWaive && (
        <NoteButton
          button="Waive"
          aria-label={`Waive ${title}`}
          variant="subtle"
          note={{ id, kind: 'waived', about: action.id, label: 'Why it need not be done', submit: 'Waive Action' }}
        />
      )}
    </RecordRow>
  );
}

type ActionFields = { folder_id: string; title: string; description: string; assignee: string; date: string };

type ActionFormProps = { id: string; cause: number | null; name: FormName; onClose: () => void };

function ActionForm({ id, cause, name, onClose }: ActionFormProps) {
  const folders = useQuery(queryFor(api.listFolders));
  const form = useForm<ActionFields>(name, {
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
      failed="The action could not be created. What you entered is still here."
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
