import type { api } from '#shared/api.ts';
import { useFeedback } from '../ui/feedback/useFeedback.ts';
import { callApi } from './api.ts';
import { useConfirmed } from './useConfirmed.ts';

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
  const feedback = useFeedback();
  const { asked, done, ask, error, dialog } = useConfirmed<Deleted>(
    // Only reports and submissions have a body; the other endpoints ignore it.
    ({ id }) => callApi(endpoint as typeof api.deleteReport, { params: { id }, ...(body && { body }) }),
    failed,
    (record) => {
      if (deleted) feedback.showSuccess(deleted);
      onDeleted?.(record);
    },
  );
  return {
    chosen: asked,
    ask,
    error,
    dialog: { confirm: 'Delete', isDangerous: true, ...dialog },
    feedback,
    /** The id of the last deleted record. */
    deletedId: done?.id,
  };
}
