import { Text, Textarea } from '@mantine/core';
import type { Deletion } from '#shared/activity.ts';
import { api } from '#shared/api.ts';
import { textLimits } from '#shared/choices.ts';
import { formatDay } from '#shared/dates.ts';
import { callApi } from '../client/api.ts';
import { formNames } from '../formNames.ts';
import { FormDialog } from '../forms/FormDialog.tsx';
import { useForm } from '../forms/useForm.ts';

type ReleaseReportDialogProps = { deletion: Deletion; onClose: () => void; onReleased: () => void };

/** Lets a deleted report be permanently deleted although its legal period is not over. */
export function ReleaseReportDialog({ deletion, onClose, onReleased }: ReleaseReportDialogProps) {
  const form = useForm(formNames.release(deletion.id), {
    start: { reason: '' },
    check: ({ reason }) =>
      reason.trim().length < 3 ? { reason: 'Enter the reason: a duplicate, a test or a mistake' } : {},
    send: (body) => callApi(api.releaseDeleted, { params: { id: deletion.id }, body }),
    isOpenedByUser: true,
    onSaved() {
      onReleased();
      onClose();
    },
  });
  return (
    <FormDialog
      form={form}
      title={`Release ${deletion.label}?`}
      submit="Release"
      failed="The report could not be released."
      isDangerous
      onClose={onClose}
    >
      <Text>
        The law requires this report to be kept until {formatDay(deletion.kept_until ?? '')}. Release it only if it is a
        duplicate, a test or a mistake. It is then permanently deleted 30 days after it was deleted. You cannot undo
        that.
      </Text>
      <Textarea
        {...form.field('reason')}
        label="Reason"
        maxLength={textLimits.note}
        autosize
        minRows={2}
        data-autofocus
      />
    </FormDialog>
  );
}
