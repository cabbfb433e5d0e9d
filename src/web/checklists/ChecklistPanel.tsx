import { Badge, Text } from '@mantine/core';
import { ChevronDown } from 'lucide-react';
import { useEffect, useEffectEvent, useRef } from 'react';
import type { Checklist } from '#shared/checklists.ts';
import { formatInstant } from '#shared/dates.ts';
import type { Park } from '#shared/park-list.ts';
import type { Place } from '#shared/places/places.ts';
import { pluralise } from '#shared/pluralise.ts';
import { useUser } from '../client/session.ts';
import { signedOutUserId } from '../client/signedOutUserId.ts';
import { InOneTab } from '../drafts/InOneTab.tsx';
import type { Receipt } from '../outbox/items.ts';
import { formatReceived, savedOnDevice } from '../outbox/receiptText.ts';
import { type SubmissionState, useSubmission } from '../outbox/useSubmission.ts';
import type { useFeedback } from '../ui/feedback/useFeedback.ts';
import { ChecklistForm } from './ChecklistForm.tsx';
import styles from './ChecklistPanel.module.css';
import { hasChecklistDraft } from './checklistDrafts.ts';
import { getChecklistFormName } from './submittedChecklist.ts';

type ChecklistPanelProps = {
  checklist: Checklist;
  isOpen: boolean;
  onToggle: (isOpen: boolean) => void;
  feedback: ReturnType<typeof useFeedback>;
  onSubmitted: () => void;
  suggestedPark: Park | undefined;
  /** The place from whose page the list was opened. */
  place: Place | undefined;
};

/**
 * A checklist in the list, expanded in place to fill in. While it is collapsed, it shows the state
 * of the last submission.
 */
export function ChecklistPanel({
  checklist,
  isOpen,
  onToggle,
  feedback,
  onSubmitted,
  suggestedPark,
  place,
}: ChecklistPanelProps) {
  const user = useUser();
  const outboxState = useSubmission(getChecklistFormName(checklist.id));
  const { submission } = outboxState;
  const { phase } = submission;
  const { id, title, sections } = checklist;
  const hasDraft = !isOpen && hasChecklistDraft(user.id, id);
  const hasSignedOutDraft =
    !isOpen && !hasDraft && user.id !== signedOutUserId && hasChecklistDraft(signedOutUserId, id);
  const badge = badgeByPhase[phase];
  const rejectedItemId = phase === 'refused' ? submission.item.id : '';

  // An outcome from before the page was opened is shown, but not announced as a message.
  const outcome = phase === 'sent' || phase === 'saved' ? `${phase} ${getId(submission)}` : '';
  const announcedOutcome = useRef(outcome);
  const announceOutcome = useEffectEvent(() =>
    feedback.showSuccess(phase === 'sent' ? getSubmittedMessage(submission.receipt) : savedOnDevice),
  );
  useEffect(() => {
    if (outcome && outcome !== announcedOutcome.current) announceOutcome();
    announcedOutcome.current = outcome;
  }, [outcome]);

  const open = useEffectEvent(() => onToggle(true));
  useEffect(() => {
    if (rejectedItemId) open();
  }, [rejectedItemId]);

  return (
    <li className={styles.panel}>
      <h2 className={styles.heading}>
        <button
          type="button"
          id={`checklist-${id}`}
          className={styles.button}
          aria-expanded={isOpen}
          aria-controls={isOpen ? `checklist-${id}-form` : undefined}
          onClick={() => onToggle(!isOpen)}
        >
          <span className={styles.text}>
            <span className={styles.title}>{title}</span>
            {badge && <Badge variant="light">{badge}</Badge>}
            {hasDraft && <Badge variant="light">In progress</Badge>}
            {hasSignedOutDraft && <Badge variant="light">Started without signing in</Badge>}
            <span className={styles.count}>{pluralise(sections.length, 'question')}</span>
          </span>
          <ChevronDown aria-hidden className={styles.chevron} />
        </button>
      </h2>
      {!isOpen && phase === 'sent' && (
        <Text size="sm" className={styles.outcome}>
          {describeReceipt(submission.receipt)}
        </Text>
      )}
      {!isOpen && phase === 'saved' && (
        <Text size="sm" className={styles.outcome}>
          {savedOnDevice}
        </Text>
      )}
      {isOpen && (
        <div id={`checklist-${id}-form`} className={styles.content}>
          <InOneTab name={`${getChecklistFormName(id)} of ${user.id}`}>
            <ChecklistForm
              // Remount when a submission is rejected, so that the form shows its answers.
              key={rejectedItemId}
              checklist={checklist}
              outboxState={outboxState}
              feedback={feedback}
              onSubmitted={onSubmitted}
              suggestedPark={suggestedPark}
              place={place}
            />
          </InOneTab>
        </div>
      )}
    </li>
  );
}

const badgeByPhase: Partial<Record<SubmissionState['phase'], string>> = {
  sending: 'Sending',
  signIn: 'Waiting to send',
  saved: 'Waiting to send',
  retrying: 'Waiting to send',
  refused: 'Needs attention',
};

const getSubmittedMessage = ({ number }: Receipt) =>
  `Checklist submitted successfully!${number ? ` Its number is ${number}.` : ''}`;

const getId = ({ item, receipt }: SubmissionState) => (item ?? receipt)?.id;

/** `CHK-2026-0003, sent 22/11/2026, 14:02, received with 1 signature.` */
const describeReceipt = (receipt: Receipt) =>
  `${[receipt.number, `sent ${formatInstant(new Date(receipt.sentAt).toISOString())}`, formatReceived(receipt)].filter(Boolean).join(', ')}.`;
