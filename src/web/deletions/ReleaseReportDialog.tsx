import type { Deletion } from '#shared/activity.ts';
import { api } from '#shared/api.ts';
import { textLimits } from '#shared/choices.ts';
import { formatDay } from '#shared/dates.ts';
import { callApi } from '../client/api.ts';
import { formNames } from '../formNames.ts';
import { lines } from '../forms/Fields.tsx';
import { RequestDialog } from '../forms/RequestDialog.tsx';

type ReleaseReportDialogProps = { deletion: Deletion; onClose: () => void; onReleased: () => void };

/** Lets a deleted report be permanently deleted although its legal period is not over. */
export const ReleaseReportDialog = ({ deletion, onClose, onReleased }: ReleaseReportDialogProps) => (
  <RequestDialog
    name={formNames.release(deletion.id)}
    title={`Release ${deletion.label}?`}
    text={`The law requires this report to be kept until ${formatDay(deletion.kept_until ?? '')}. Release it only if it is a duplicate, a test or a mistake. It is then permanently deleted 30 days after it was deleted. You cannot undo that.`}
    start={{ reason: '' }}
    fields={{ reason: lines('Reason', textLimits.note, { minRows: 2, 'data-autofocus': true }) }}
    check={({ reason }) =>
      reason.trim().length < 3 ? { reason: 'Enter the reason: a duplicate, a test or a mistake' } : {}
    }
    send={(body) => callApi(api.releaseDeleted, { params: { id: deletion.id }, body })}
    submit="Release"
    isDangerous
    failed="The report could not be released."
    onSaved={() => {
      onReleased();
      onClose();
    }}
    onClose={onClose}
  />
);
