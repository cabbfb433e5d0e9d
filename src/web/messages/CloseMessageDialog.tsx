import { api } from '#shared/api.ts';
import { textLimits } from '#shared/choices.ts';
import { needsReasonMessage } from '#shared/places/messages.ts';
import { hasVisibleText } from '#shared/text.ts';
import { callApiWithRetry } from '../client/api.ts';
import { formNames } from '../formNames.ts';
import { line, lines } from '../forms/Fields.tsx';
import { RequestDialog } from '../forms/RequestDialog.tsx';

type CloseMessageDialogProps = { id: string; wasHurt: boolean; onClose: () => void; onClosed: () => void };

export const CloseMessageDialog = ({ id, wasHurt, onClose, onClosed }: CloseMessageDialogProps) => (
  <RequestDialog
    name={formNames.closeMessage(id)}
    title="Close Message"
    start={{ answer: '', reason: '', number: '' }}
    fields={{
      answer: lines('Sentence for the sender (optional)', textLimits.reason, {
        description: 'The sender reads it on the receipt. Promise nothing.',
        'data-autofocus': true,
      }),
      reason: lines(wasHurt ? 'Reason' : 'Reason (optional)', textLimits.note, {
        description: wasHurt ? 'Someone was hurt. Enter a reason or a report number.' : 'For reviewers',
      }),
      number: line('Report number (optional)', textLimits.username, {
        description: 'If someone has submitted a report of it, for example ACC-2026-0001',
      }),
    }}
    check={({ reason, number }) =>
      wasHurt && !hasVisibleText(reason) && number.trim() === '' ? { reason: needsReasonMessage } : {}
    }
    send={(body, key) => callApiWithRetry(api.closeMessage, { params: { id }, body, key })}
    submit="Close Message"
    failed="The message could not be closed."
    isOpenedByUser={false}
    onSaved={onClosed}
    onClose={onClose}
  />
);
