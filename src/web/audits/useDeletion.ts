import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { api } from '#shared/api.ts';
import { mutationFor } from '../client/api.ts';
import { useFeedback } from '../ui/feedback/useFeedback.ts';

/**
 * Deletion from a list with confirmation: call `ask` with a record, pass `dialog` to a
 * ConfirmDialog and `feedback` to a Toast.
 */
export function useDeletion<Thing extends { id: string }>(
  row: typeof api.deleteFolder | typeof api.deleteAudit,
  deleted: string,
) {
  const { mutate, reset, isPending, error } = useMutation(mutationFor(row));
  const [asked, ask] = useState<Thing>();
  const feedback = useFeedback();
  const dialog = {
    isOpen: asked !== undefined,
    confirm: 'Delete',
    isDangerous: true,
    isBusy: isPending,
    onConfirm() {
      if (!asked) return;
      const onSuccess = () => {
        ask(undefined);
        feedback.showSuccess(deleted);
      };
      mutate({ params: { id: asked.id } }, { onSuccess });
    },
    onCancel() {
      ask(undefined);
      reset();
    },
  };
  return { asked, ask, error, dialog, feedback };
}
