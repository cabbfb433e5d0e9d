// What can be done with several chosen messages at once: close them, or mark them as junk.
import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#shared/api.ts';
import type { ListedMessage } from '#shared/places/messages.ts';
import { pluralise } from '#shared/pluralise.ts';
import { callApi, mutationFor } from '../client/api.ts';
import { useConfirmed } from '../client/useConfirmed.tsx';
import { ErrorBox } from '../ui/feedback/ErrorBox.tsx';
import rows from '../ui/theme/rows.module.css';
import { CloseMessagesDialog } from './CloseMessagesDialog.tsx';

type MessageSelectionProps = {
  chosen: ListedMessage[];
  onChooseAll: () => void;
  /** Called when the chosen messages are closed. */
  onClear: () => void;
  onClose: () => void;
};

type Outcome = { what: string; changed: number; skipped: number; junk: string[] };

export function MessageSelection({ chosen, onChooseAll, onClear, onClose }: MessageSelectionProps) {
  const [isClosing, setClosing] = useState(false);
  const [outcome, setOutcome] = useState<Outcome>();
  const undo = useMutation(mutationFor(api.undoJunk));
  const notHurt = chosen.filter(({ hurt }) => hurt !== 'hurt');
  const hurtCount = chosen.length - notHurt.length;
  const hurtText = `${pluralise(hurtCount, 'chosen message')} about someone who was hurt ${hurtCount === 1 ? 'is' : 'are'} no junk and ${hurtCount === 1 ? 'stays' : 'stay'} open. `;
  const junk = useConfirmed<string[]>({
    title: `Mark ${pluralise(notHurt.length, 'message')} as junk?`,
    text: `${hurtCount > 0 ? hurtText : ''}Junk is deleted after 30 days. Until then it is under Closed, where you can open it again.`,
    confirm: 'Mark as Junk',
    isDangerous: true,
    async send(ids) {
      const reply = await callApi(api.markJunk, { body: { ids } });
      setOutcome({ what: 'marked as junk', ...reply, junk: ids });
    },
    failed: 'The messages could not be marked as junk.',
    onDone: onClear,
  });
  const undoJunk = (ids: string[]) =>
    undo.mutate(
      { body: { ids } },
      { onSuccess: ({ changed, skipped }) => setOutcome({ what: 'open again', changed, skipped, junk: [] }) },
    );
  return (
    <section aria-label="Chosen messages" className={rows.selection} data-form-bar>
      <div role="status" className={rows.result}>
        <b>{chosen.length} chosen.</b> {outcome && `${pluralise(outcome.changed, 'message')} ${outcome.what}.`}{' '}
        {outcome &&
          outcome.skipped > 0 &&
          `${outcome.skipped} skipped: closed by someone else, or kept for a hold or an investigation.`}
      </div>
      <ErrorBox message={undo.error ? 'The messages could not be opened again.' : ''} reason={undo.error?.message} />
      <Button px="sm" disabled={chosen.length === 0} onClick={() => setClosing(true)}>
        Close
      </Button>
      <Button
        variant="default"
        px="sm"
        disabled={notHurt.length === 0}
        onClick={() => junk.ask(notHurt.map(({ id }) => id))}
      >
        Junk
      </Button>
      {outcome && outcome.junk.length > 0 && (
        <Button variant="default" px="sm" loading={undo.isPending} onClick={() => undoJunk(outcome.junk)}>
          Undo
        </Button>
      )}
      <Button variant="default" px="sm" onClick={onChooseAll}>
        Choose All Shown
      </Button>
      <Button variant="default" px="sm" onClick={onClose}>
        Done
      </Button>
      {junk.dialog}
      {isClosing && (
        <CloseMessagesDialog
          messages={chosen}
          onClose={() => setClosing(false)}
          onClosed={(reply) => {
            setClosing(false);
            setOutcome({ what: 'closed', ...reply, junk: [] });
            onClear();
          }}
        />
      )}
    </section>
  );
}
