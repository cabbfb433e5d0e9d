import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { api } from '#shared/api.ts';
import type { EndpointInput } from '#shared/client.ts';
import { useFeedback } from '../ui/feedback/useFeedback.ts';
import { callApi } from './api.ts';

type Deleting = (typeof api)[
  | 'deleteReport'
  | 'deleteChecklist'
  | 'deleteSubmission'
  | 'deleteUser'
  | 'deleteFolder'
  | 'deleteAudit'
  | 'deletePack'];

/** Without `deleted`, the screen shows its own message. */
type Texts = { deleted?: string; failed: string };

type Options<Thing> = {
  /** Sent in addition to the id. */
  body?: { reason: string };
  onDeleted?: (thing: Thing) => void;
};

/**
 * Deletes a record after confirmation: call `ask` with it, pass `dialog` to a ConfirmDialog and
 * `feedback` to a Toast.
 */
export function useDeletion<Thing extends { id: string }>(
  endpoint: Deleting,
  { deleted, failed }: Texts,
  { body, onDeleted }: Options<Thing> = {},
) {
  const { mutate, reset, isPending, isSuccess, error, variables } = useMutation({
    // Only reports have a body; the other endpoints ignore it.
    mutationFn: (input: EndpointInput<typeof api.deleteReport>) => callApi(endpoint as typeof api.deleteReport, input),
  });
  const [asked, setAsked] = useState<Thing>();
  const feedback = useFeedback();
  const close = () => setAsked(undefined);
  const dialog = {
    isOpen: asked !== undefined,
    confirm: 'Delete',
    isDangerous: true,
    isBusy: isPending,
    error: error ? failed : '',
    reason: error?.message,
    onConfirm() {
      if (!asked) return;
      const onSuccess = () => {
        close();
        if (deleted) feedback.showSuccess(deleted);
        onDeleted?.(asked);
      };
      mutate({ params: { id: asked.id }, ...(body && { body }) }, { onSuccess });
    },
    onCancel() {
      close();
      reset();
    },
  };
  return {
    asked,
    ask: setAsked as (thing: Thing) => void,
    error,
    dialog,
    feedback,
    /** The id of the last deleted record. */
    deletedId: isSuccess ? variables.params.id : undefined,
  };
}
