import { Textarea } from '@mantine/core';
import { api } from '#shared/api.ts';
import { textLimits } from '#shared/choices.ts';
import type { Reply } from '#shared/contract.ts';
import { formatInstant } from '#shared/dates.ts';
import type { ListedMessage } from '#shared/places/messages.ts';
import { pluralise } from '#shared/pluralise.ts';
import { hasVisibleText } from '#shared/text.ts';
import { callApiWithRetry } from '../client/api.ts';
import { formNames } from '../formNames.ts';
import { FormDialog } from '../forms/FormDialog.tsx';
import { useForm } from '../forms/useForm.ts';

type CloseMessagesDialogProps = {
  messages: ListedMessage[];
  onClose: () => void;
  onClosed: (reply: Reply<typeof api.closeMessages>) => void;
};

type Values = { answer: string; reason: string; [own: `reason ${string}`]: string };

/** Closes several messages. Each about someone who was hurt has a reason of its own. */
export function CloseMessagesDialog({ messages, onClose, onClosed }: CloseMessagesDialogProps) {
  const hurt = messages.filter((message) => message.hurt === 'hurt');
  const getField = ({ id }: ListedMessage) => `reason ${id}` as const;
  const start: Values = { answer: '', reason: '' };
  for (const message of hurt) start[getField(message)] = '';
  const form = useForm(formNames.closeMessages(messages.map(({ id }) => id).join()), {
    start,
    check: (values) =>
      Object.fromEntries(
        hurt.flatMap((message) =>
          hasVisibleText(values[getField(message)] ?? '') ? [] : [[getField(message), needsOwnReason]],
        ),
      ),
    toSent: ({ answer, reason, ...reasons }) => ({
      answer,
      reason,
      messages: messages.map((message) => ({ id: message.id, reason: reasons[getField(message)] ?? '' })),
    }),
    send: (body, key) => callApiWithRetry(api.closeMessages, { body, key }),
    onSaved: onClosed,
  });
  const title = `Close ${pluralise(messages.length, 'Message')}`;
  return (
    <FormDialog form={form} title={title} submit={title} failed="The messages could not be closed." onClose={onClose}>
      {hurt.map((message) => (
        <Textarea
          key={message.id}
          {...form.field(getField(message))}
          label={`Reason: ${message.place.name}, ${formatInstant(message.created_at)}`}
          description={`Someone was hurt. ${message.words || 'The guest wrote no text.'}`}
          maxLength={textLimits.note}
        />
      ))}
      <Textarea
        {...form.field('answer')}
        label="Sentence for the senders (optional)"
        description="They read it on their receipts. Promise nothing."
        maxLength={textLimits.reason}
        {...(hurt.length === 0 && { 'data-autofocus': true })}
      />
      {messages.length > hurt.length && (
        <Textarea
          {...form.field('reason')}
          label={hurt.length > 0 ? 'Reason for the others (optional)' : 'Reason (optional)'}
          description="For reviewers"
          maxLength={textLimits.note}
        />
      )}
    </FormDialog>
  );
}

const needsOwnReason = 'Someone was hurt: give a reason why there is no report';
