import { Textarea, TextInput } from '@mantine/core';
import { api } from '#shared/api.ts';
import { textLimits } from '#shared/choices.ts';
import { needsReasonMessage } from '#shared/places/messages.ts';
import { hasVisibleText } from '#shared/text.ts';
import { callApiWithRetry } from '../client/api.ts';
import { formNames } from '../formNames.ts';
import { FormDialog } from '../forms/FormDialog.tsx';
import { useForm } from '../forms/useForm.ts';

type CloseMessageDialogProps = { id: string; wasHurt: boolean; onClose: () => void; onClosed: () => void };

export function CloseMessageDialog({ id, wasHurt, onClose, onClosed }: CloseMessageDialogProps) {
  const form = useForm(formNames.closeMessage(id), {
    start: { answer: '', reason: '', number: '' },
    check: ({ reason, number }) =>
      wasHurt && !hasVisibleText(reason) && number.trim() === '' ? { reason: needsReasonMessage } : {},
    send: (body, key) => callApiWithRetry(api.closeMessage, { params: { id }, body, key }),
    onSaved: onClosed,
  });
  return (
    <FormDialog
      form={form}
      title="Close Message"
      submit="Close Message"
      failed="The message could not be closed."
      onClose={onClose}
    >
      <Textarea
        {...form.field('answer')}
        label="Sentence for the sender (optional)"
        description="The sender reads it on the receipt. Promise nothing."
        maxLength={textLimits.reason}
        data-autofocus
      />
      <Textarea
        {...form.field('reason')}
        label={wasHurt ? 'Reason' : 'Reason (optional)'}
        description={wasHurt ? 'Someone was hurt. Enter a reason or a report number.' : 'For reviewers'}
        maxLength={textLimits.note}
      />
      <TextInput
        {...form.field('number')}
        label="Report number (optional)"
        description="If someone has submitted a report of it, for example ACC-2026-0001"
        maxLength={textLimits.username}
      />
    </FormDialog>
  );
}
