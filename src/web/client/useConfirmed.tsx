// Dialogs that ask before one request is sent.
import { Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { api } from '#shared/api.ts';
import { textLimits } from '#shared/choices.ts';
import { ConfirmDialog } from '../ui/dialogs/ConfirmDialog.tsx';
import { RestorableNote } from '../ui/dialogs/RestorableNote.tsx';
import { Toast } from '../ui/feedback/Toast.tsx';
import { useFeedback } from '../ui/feedback/useFeedback.ts';
import { callApi } from './api.ts';

type About<Asked, Value> = Value | ((asked: Asked) => Value);

type Confirmation<Asked> = {
  title: About<Asked, string>;
  /** The consequences. */
  text: About<Asked, ReactNode>;
  /** Adds that an Admin can restore it. */
  isRestorable?: boolean;
  /** Asks for a reason, which may stay empty. */
  asksWhy?: boolean;
  /** The label of the button. */
  confirm: About<Asked, string>;
  isDangerous?: boolean;
  send: (asked: Asked, reason: string) => Promise<unknown>;
  /** The message if `send` rejects. The server's reason is shown below a text, but not below a function's. */
  failed: string | ((error: Error) => string);
  /** Said afterwards; without it, the screen says so itself. */
  done?: string;
  onDone?: (asked: Asked) => void;
};

/** Sends a request after confirmation: draw `dialog`, and call `ask` with what it is about. */
export function useConfirmed<Asked>(confirmation: Confirmation<Asked>) {
  const { title, text, isRestorable, asksWhy, confirm, isDangerous = false, send, failed, done, onDone } = confirmation;
  const feedback = useFeedback();
  const { mutate, reset, isPending, isSuccess, error, variables } = useMutation({
    mutationFn: ({ asked, reason }: { asked: Asked; reason: string }) => send(asked, reason),
  });
  const [asked, setAsked] = useState<Asked>();
  const [why, setWhy] = useState<{ about: Asked; reason: string }>();
  const reason = why !== undefined && why.about === asked ? why.reason : '';
  const get = <Value extends ReactNode>(value: About<Asked, Value>) =>
    typeof value === 'function' ? asked !== undefined && value(asked) : value;
  const close = () => setAsked(undefined);
  const dialog = (
    <>
      <ConfirmDialog
        isOpen={asked !== undefined}
        title={get(title) || ''}
        confirm={get(confirm) || ''}
        isDangerous={isDangerous}
        isBusy={isPending}
        error={error ? (typeof failed === 'string' ? failed : failed(error)) : ''}
        reason={typeof failed === 'string' ? error?.message : undefined}
        onConfirm={() => {
          if (asked === undefined) return;
          const onSuccess = () => {
            close();
            if (done) feedback.showSuccess(done);
            onDone?.(asked);
          };
          mutate({ asked, reason }, { onSuccess });
        }}
        onCancel={() => {
          close();
          reset();
        }}
      >
        {get(text)}
        {isRestorable && <RestorableNote />}
        {asksWhy && (
          <Textarea
            label="Why?"
            description="Optional. Admins can read it under Deleted Items."
            value={reason}
            maxLength={textLimits.note}
            autosize
            minRows={1}
            mt="md"
            onChange={({ currentTarget }) =>
              asked !== undefined && setWhy({ about: asked, reason: currentTarget.value })
            }
          />
        )}
      </ConfirmDialog>
      {done && <Toast feedback={feedback} />}
    </>
  );
  /** `asked` is what the dialog asks about, `confirmed` what was last confirmed. */
  return {
    asked,
    confirmed: isSuccess ? variables.asked : undefined,
    ask: (about: Asked) => setAsked(() => about),
    error,
    feedback,
    dialog,
  };
}

type DeleteEndpoint = (typeof api)[
  | Extract<keyof typeof api, `delete${string}`>
  | ('unlinkUser' | 'refuseIdentity' | 'endSchedule' | 'liftHold')];

/** What confirmations that delete or end a record have in common. */
export const dangerous = (endpoint: DeleteEndpoint, { asksWhy = false } = {}) => ({
  asksWhy,
  confirm: 'Delete',
  isDangerous: true,
  send: ({ id }: { id: string }, reason: string) =>
    callApi(endpoint as typeof api.deleteReport, { params: { id }, ...(asksWhy && { body: { reason } }) }),
});
