import { Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Deletion } from '#shared/activity.ts';
import { api } from '#shared/api.ts';
import { textLimits } from '#shared/choices.ts';
import { formatDay } from '#shared/dates.ts';
import { mutationFor } from '../client/api.ts';
import { Dialog } from '../ui/dialogs/Dialog.tsx';
import { ErrorBox } from '../ui/feedback/ErrorBox.tsx';

type ReleaseDialogProps = { deletion: Deletion; onClose: () => void; onReleased: () => void };

/** Lets a deleted report be permanently deleted although its legal period is not over. */
export function ReleaseDialog({ deletion, onClose, onReleased }: ReleaseDialogProps) {
  const release = useMutation(mutationFor(api.releaseDeleted));
  const [reason, setReason] = useState('');
  const [error, setError] = useState('');
  const submit = () => {
    if (reason.trim().length < 3) return setError('Enter the reason: a duplicate, a test or a mistake');
    release.mutate(
      { params: { id: deletion.id }, body: { reason } },
      {
        onSuccess() {
          onReleased();
          onClose();
        },
      },
    );
  };
  return (
    <Dialog opened onClose={onClose} title={`Release ${deletion.label}?`}>
      <Stack>
        <Text>
          The law asks for this report to be kept until {formatDay(deletion.kept_until ?? '')}. Release it only if it is
          a duplicate, a test or a mistake. It is then permanently deleted 30 days after it was deleted. You cannot undo
          that.
        </Text>
        <Textarea
          label="Reason"
          value={reason}
          maxLength={textLimits.note}
          error={error}
          autosize
          minRows={2}
          onChange={({ currentTarget }) => {
            setError('');
            setReason(currentTarget.value);
          }}
        />
        {release.error && <ErrorBox message="This could not be released." reason={release.error.message} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button color="red" loading={release.isPending} onClick={submit}>
            Release
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
