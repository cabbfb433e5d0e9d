// What can be done with several chosen audits at once.
import { Button, Group, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api } from '#shared/api.ts';
import type { AuditsChange, AuditsChangeReply, OpenAudit } from '#shared/audits.ts';
import { parseDay } from '#shared/dates.ts';
import { pluralise } from '#shared/pluralise.ts';
import { mutationFor } from '../../client/api.ts';
import { PeoplePicker } from '../../people/PeoplePicker.tsx';
import { Dialog } from '../../ui/dialogs/Dialog.tsx';
import { ErrorBox } from '../../ui/feedback/ErrorBox.tsx';
import { DateField } from '../../ui/forms/DateField.tsx';
import rows from '../../ui/theme/rows.module.css';

type Action = AuditsChange['change']['action'];

const reasons: Record<AuditsChangeReply['unchanged'][number]['reason'], string> = {
  changed: 'someone else has changed it',
  completed: 'completed',
  notFound: 'deleted or moved',
  noAssignee: 'no user is assigned',
  reminded: 'already reminded today',
  failed: 'not changed because of an error',
};

type AuditSelectionProps = {
  chosen: OpenAudit[];
  onChoose: (ids: string[]) => void;
  onChooseAll: () => void;
  onClose: () => void;
};

export function AuditSelection({ chosen, onChoose, onChooseAll, onClose }: AuditSelectionProps) {
  const [dialogAction, setDialogAction] = useState<Exclude<Action, 'remind'>>();
  const [value, setValue] = useState('');
  const [titles, setTitles] = useState<ReadonlyMap<string, string>>();
  const { mutate, data, error, isPending, variables } = useMutation(mutationFor(api.changeAudits));
  const parks = new Set(chosen.map(({ park }) => park));
  const openDialog = (action: typeof dialogAction) => {
    setValue('');
    setDialogAction(action);
  };
  const send = (change: AuditsChange['change']) => {
    // The titles, because changed audits may leave the list.
    setTitles(new Map(chosen.map(({ id, title }) => [id, title])));
    mutate(
      { body: { audits: chosen.map(({ id, version }) => ({ id, version })), change } },
      // Audits that were not changed stay chosen.
      { onSuccess: ({ unchanged }) => unchanged.length > 0 && onChoose(unchanged.map(({ id }) => id)) },
    );
    setDialogAction(undefined);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send(
      dialogAction === 'assign'
        ? { action: 'assign', assignee: value }
        : { action: 'setDate', date: parseDay(value) ?? null },
    );
  };
  const isReminder = variables?.body.change.action === 'remind';
  const unchanged = data?.unchanged.map(({ id, reason }) => `${titles?.get(id)} (${reasons[reason]})`).join(', ');
  const renderAction = (label: string, onClick: () => void) => (
    <Button px="sm" disabled={chosen.length === 0 || isPending} onClick={onClick}>
      {label}
    </Button>
  );
  return (
    <section aria-label="Chosen audits" className={rows.selection} data-form-bar>
      <div role="status" className={rows.result}>
        <b>{chosen.length} chosen.</b>{' '}
        {data && `${pluralise(data.changed, 'audit')} ${isReminder ? 'with a reminder' : 'changed'}.`}{' '}
        {unchanged && `Not changed: ${unchanged}.`}
      </div>
      <ErrorBox
        message={error ? 'Some audits may not have been changed. Please try again: nothing is changed twice.' : ''}
        reason={error?.message}
      />
      {renderAction('Reassign', () => openDialog('assign'))}
      {renderAction('New Due Day', () => openDialog('setDate'))}
      {renderAction('Remind', () => send({ action: 'remind' }))}
      <Button variant="default" px="sm" onClick={onChooseAll}>
        Choose All Shown
      </Button>
      <Button variant="default" px="sm" onClick={onClose}>
        Done
      </Button>
      <Dialog
        opened={dialogAction !== undefined}
        onClose={() => setDialogAction(undefined)}
        title={`${dialogAction === 'assign' ? 'Reassign' : 'New due day for'} ${pluralise(chosen.length, 'audit')}`}
      >
        <form onSubmit={submit}>
          {/* The list of people has room above the buttons. */}
          <Stack mih={dialogAction === 'assign' ? '25rem' : undefined}>
            {dialogAction === 'assign' ? (
              <PeoplePicker
                label="Person who should complete these audits"
                park={parks.size === 1 ? chosen[0]?.park : undefined}
                value={value}
                onChange={setValue}
              />
            ) : (
              <DateField label="Due day" value={value} onChange={setValue} required />
            )}
            <Group justify="flex-end" mt="auto">
              <Button variant="default" onClick={() => setDialogAction(undefined)}>
                Cancel
              </Button>
              <Button type="submit">Save</Button>
            </Group>
          </Stack>
        </form>
      </Dialog>
    </section>
  );
}
