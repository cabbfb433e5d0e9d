import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { api } from '#shared/api.ts';
import type { EndpointInput } from '#shared/client.ts';
import { useFeedback } from '../ui/feedback/useFeedback.ts';
import { callApi } from './api.ts';

type DeleteEndpoint = (typeof api)[
  | 'deleteReport'
  | 'deleteChecklist'
  | 'deleteSubmission'
  | 'deleteUser'
  | 'unlinkUser'
  | 'refuseIdentity'
  | 'deleteFolder'
  | 'deleteAudit'
  | 'deletePack'
  | 'deleteInvestigation'
  | 'deleteClosure'
  | 'endSchedule'
  | 'liftHold'];

/** Without `deleted`, the screen shows its own message. */
type Texts = { deleted?: string; failed: string };

type Options<Deleted> = {
  /** Sent in addition to the id. */
  body?: { reason: string };
  onDeleted?: (record: Deleted) => void;
};

/**
 * Deletes or ends a record after confirmation: call `ask` with it, pass `dialog` to a ConfirmDialog
 * and `feedback` to a Toast.
 */
export function useDeletion<Deleted extends { id: string }>(
  endpoint: DeleteEndpoint,
  { deleted, failed }: Texts,
  { body, onDeleted }: Options<Deleted> = {},
) {
  const { mutate, reset, isPending, isSuccess, error, variables } = useMutation({
    // Only reports have a body; the other endpoints ignore it.
    mutationFn: (input: EndpointInput<typeof api.deleteReport>) => callApi(endpoint as typeof api.deleteReport, input),
  });
  const [chosen, setChosen] = useState<Deleted>();
  const feedback = useFeedback();
  const close = () => setChosen(undefined);
  const dialog = {
    isOpen: chosen !== undefined,
    confirm: 'Delete',
    isDangerous: true,
    isBusy: isPending,
    error: error ? failed : '',
    reason: error?.message,
    onConfirm() {
      if (!chosen) return;
      const onSuccess = () => {
        close();
        if (deleted) feedback.showSuccess(deleted);
        onDeleted?.(chosen);
      };
      mutate({ params: { id: chosen.id }, ...(body && { body }) }, { onSuccess });
    },
    onCancel() {
      close();
      reset();
    },
  };
  return {
    chosen,
    ask: setChosen as (record: Deleted) => void,
    error,
    dialog,
    feedback,
    /** The id of the last deleted record. */
    deletedId: isSuccess ? variables.params.id : undefined,
  };
}
