import { Badge, Text, UnstyledButton } from '@mantine/core';
import { ChevronDown } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import type { Checklist } from '#shared/checklists.ts';
import { formatInstant } from '#shared/dates.ts';
import { pluralise } from '#shared/pluralise.ts';
import type { CheckedPlace } from '#shared/schedules/next-place.ts';
import { countQuestions } from '#shared/shown-questions.ts';
import { useUser } from '../client/session.ts';
import { signedOutUserId } from '../client/signedOutUserId.ts';
import type { Receipt } from '../outbox/items.ts';
import { formatReceived, savedOnDevice } from '../outbox/receiptText.ts';
import { type SubmissionState, useOutbox, useSubmission } from '../outbox/useSubmission.ts';
import type { useFeedback } from '../ui/feedback/useFeedback.ts';
import styles from './ChecklistPanel.module.css';
import { hasChecklistDraft, listDraftPlaces } from './checklistDrafts.ts';
import { OpenChecklist, type Opening } from './OpenChecklist.tsx';
import { SubmittedCheck } from './SubmittedCheck.tsx';
import { getChecklistFormName, parseChecklistFormName } from './submittedChecklist.ts';

type ChecklistPanelProps = {
  checklist: Checklist;
  /** Undefined while it is collapsed. */
  opening: Opening | undefined;
  onToggle: (isOpen: boolean) => void;
  onOpen: (opening: Opening) => void;
  /** Called with the place that follows on a round. */
  onNext: (place: CheckedPlace) => void;
  feedback: ReturnType<typeof useFeedback>;
  onSubmitted: () => void;
};

/**
 * A checklist in the list, expanded in place to fill in. While it is collapsed, it shows the state
 * of the last submission.
 */
export function ChecklistPanel({
  checklist,
  opening,
  onToggle,
  onOpen,
  onNext,
  feedback,
  onSubmitted,
}: ChecklistPanelProps) {
  const user = useUser();
  const { items, receipts } = useOutbox();
  const { id, title, sections } = checklist;
  // The last submission for any place.
  const { submission } = useSubmission(getChecklistFormName(id, null), true);
  const { phase } = submission;
  const isOpen = opening !== undefined;
  const hasDraft = !isOpen && listDraftPlaces(user.id, id).length > 0;
  const hasSignedOutDraft =
    !isOpen && !hasDraft && user.id !== signedOutUserId && hasChecklistDraft(signedOutUserId, id, null);
  const badge = badgeByPhase[phase];
  const rejectedItem = items.findLast(
    (item) =>
      item.isOnForm &&
      item.state === 'refused' &&
      item.kind === 'checklist' &&
      item.userId === user.id &&
      parseChecklistFormName(item.form).checklistId === id,
  );

  // An outcome from before the page was opened is shown, but not announced as a message.
  const outcome = phase === 'sent' || phase === 'saved' ? `${phase} ${getId(submission)}` : '';
  const [announcedOutcomes] = useState(
    () => new Set([outcome, ...receipts.map(({ id }) => `sent ${id}`), ...items.map(({ id }) => `saved ${id}`)]),
  );
  const announceOutcome = useEffectEvent(() =>
    feedback.showSuccess(phase === 'sent' ? getSubmittedMessage(submission.receipt) : savedOnDevice),
  );
  useEffect(() => {
    if (outcome && !announcedOutcomes.has(outcome)) announceOutcome();
    announcedOutcomes.add(outcome);
  }, [outcome, announcedOutcomes]);

  const rejectedItemId = rejectedItem?.id ?? '';
  const openRejected = useEffectEvent(() => {
    if (!rejectedItem) return;
    const { form, place: name = '', park } = rejectedItem;
    const { placeId } = parseChecklistFormName(form);
    onOpen({ park, place: placeId === null ? null : { id: placeId, name, park } });
  });
  useEffect(() => {
    if (rejectedItemId) openRejected();
  }, [rejectedItemId]);

  const last = phase === 'sent' ? submission.receipt : phase === 'saved' ? submission.item : undefined;
  const isLastShown = last && (!opening || getChecklistFormName(id, opening.place?.id ?? null) === last.form);

  return (
    <li className="panel">
      <h2 className={styles.heading}>
        <UnstyledButton
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
            <span className={styles.count}>{pluralise(countQuestions(sections), 'question')}</span>
          </span>
          <ChevronDown aria-hidden className={styles.chevron} />
        </UnstyledButton>
      </h2>
      {!isOpen && last && (
        <Text size="sm" c="dimmed" px="md" pb="sm">
          {phase === 'sent' ? describeReceipt(submission.receipt) : savedOnDevice}
        </Text>
      )}
      {isOpen && (
        <div id={`checklist-${id}-form`} className={styles.content}>
          <OpenChecklist
            checklist={checklist}
            opening={opening}
            rejectedItemId={rejectedItemId}
            onOpen={onOpen}
            feedback={feedback}
            onSubmitted={onSubmitted}
          />
        </div>
      )}
      {isLastShown && <SubmittedCheck key={last.id} last={last} onNext={onNext} isBelowForm={isOpen} />}
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
  `${[receipt.place, receipt.number, `sent ${formatInstant(new Date(receipt.sentAt).toISOString())}`, formatReceived(receipt)].filter(Boolean).join(', ')}.`;
