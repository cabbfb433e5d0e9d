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

/** `deleted` is left out where the screen itself says so. */
type Texts = { deleted?: string; failed: string };

type Options<Thing> = {
  /** What is sent besides the id. */
  body?: { reason: string };
  /** `false` leaves it to `onDeleted` to refetch what is on the screen. */
  refreshes?: boolean;
  onDeleted?: (thing: Thing) => void;
};

/**
 * Deletes a record after asking: call `ask` with it, pass `dialog` to a ConfirmDialog and `feedback`
 * to a Toast.
 */
export function useDeletion<Thing extends { id: string }>(
  endpoint: Deleting,
  { deleted, failed }: Texts,
  { body, refreshes = true, onDeleted }: Options<Thing> = {},
) {
  const { mutate, reset, isPending, isSuccess, error, variables } = useMutation({
    // The others ignore the body, which only reports have.
    mutationFn: (input: EndpointInput<typeof api.deleteReport>) => callApi(endpoint as typeof api.deleteReport, input),
    meta: { refreshes },
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
    /** The id of the record that was deleted last. */
    deletedId: isSuccess ? variables.params.id : undefined,
  };
}
