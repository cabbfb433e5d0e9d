import { Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { type FormEvent, useRef, useState } from 'react';
import type { Deletion } from '#shared/activity.ts';
import { api } from '#shared/api.ts';
import { textLimits } from '#shared/choices.ts';
import { formatDay } from '#shared/dates.ts';
import { callApi } from '../client/api.ts';
import { useSave } from '../client/useSave.ts';
import { Dialog } from '../ui/dialogs/Dialog.tsx';
import { useConfirmDiscard } from '../ui/dialogs/useConfirmDiscard.tsx';
import { ErrorBox } from '../ui/feedback/ErrorBox.tsx';

type ReleaseReportDialogProps = { deletion: Deletion; onClose: () => void; onReleased: () => void };

/** Lets a deleted report be permanently deleted although its legal period is not over. */
export function ReleaseReportDialog({ deletion, onClose, onReleased }: ReleaseReportDialogProps) {
  const form = useRef<HTMLFormElement>(null);
  const saving = useSave<string, unknown>(`release ${deletion.id}`, {
    send: (reason) => callApi(api.releaseDeleted, { params: { id: deletion.id }, body: { reason } }),
    isOpenedByUser: true,
    form,
    onSaved() {
      onReleased();
      onClose();
    },
  });
  const [reason, setReason] = useState(saving.variables ?? '');
  const discard = useConfirmDiscard(reason !== '' && !saving.isSaving, () => {
    saving.dismiss();
    onClose();
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const isShort = reason.trim().length < 3;
    if (!saving.showErrors(isShort ? { reason: 'Enter the reason: a duplicate, a test or a mistake' } : {}))
      saving.save(reason);
  };
  return (
    <Dialog opened discard={discard} title={`Release ${deletion.label}?`}>
      <form ref={form} onSubmit={submit} noValidate>
        <Stack>
          <Text>
            The law requires this report to be kept until {formatDay(deletion.kept_until ?? '')}. Release it only if it
            is a duplicate, a test or a mistake. It is then permanently deleted 30 days after it was deleted. You cannot
            undo that.
          </Text>
          <Textarea
            label="Reason"
            value={reason}
            maxLength={textLimits.note}
            error={saving.errors.reason}
            autosize
            minRows={2}
            data-autofocus
            onChange={({ currentTarget }) => {
              saving.clearErrors('reason');
              setReason(currentTarget.value);
            }}
          />
          <ErrorBox
            message={saving.failure ? 'The report could not be released.' : ''}
            reason={saving.failure?.message}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={discard.close}>
              Cancel
            </Button>
            <Button type="submit" color="red" loading={saving.isSaving}>
              Release
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
