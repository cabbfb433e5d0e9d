import { Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ArrowRight } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Link } from 'wouter';
import { api } from '#shared/api.ts';
import { type CheckedPlace, findNextPlace } from '#shared/schedules/next-place.ts';
import { queryFor } from '../client/api.ts';
import { useUser } from '../client/session.ts';
import { countAnswers, type OutboxItem, type Receipt } from '../outbox/items.ts';
import { PutAwayNote } from '../outbox/SubmissionReceipt.tsx';
import { useOutbox } from '../outbox/useSubmission.ts';
import { asOf } from '../schedules/dueChecks.ts';
import { useDueChecks } from '../schedules/useDueChecks.ts';
import rows from '../ui/theme/rows.module.css';
import styles from './ChecklistPanel.module.css';
import { getReceiptLines } from './receiptLines.ts';
import { listLocalSubmissions, parseChecklistFormName, toLocalSubmission } from './submittedChecklist.ts';

const dayMs = 24 * 60 * 60_000;

type SubmittedCheckProps = Pick<NextPlaceButtonProps, 'onNext' | 'isBelowForm'> & { last: OutboxItem | Receipt };

/** What remains of a checklist that was submitted, whether it has arrived or waits, and the next place of a round. */
export function SubmittedCheck({ last, onNext, isBelowForm }: SubmittedCheckProps) {
  const user = useUser();
  const item = 'body' in last ? last : undefined;
  const receipt = 'body' in last ? undefined : last;
  const isRecent = Date.now() - (receipt?.submittedAt ?? item?.createdAt ?? 0) < dayMs;
  const { data: received } = useQuery({
    ...queryFor(api.getSubmissionReceipt, { params: { id: receipt?.submissionId ?? '' } }),
    enabled: isRecent && receipt?.submissionId !== undefined,
  });
  const { data: due } = useDueChecks(last.park);
  const next = useNextPlace(last);
  const nextButton = next && <NextPlaceButton {...{ next, isBelowForm, onNext }} />;
  if (!isRecent) return nextButton;
  const { placeId } = parseChecklistFormName(last.form);
  const { warning, sentences } = getReceiptLines({
    ...(receipt ?? (item && countAnswers(item))),
    place: received?.place?.name ?? last.place,
    park: last.park || user.park,
    // Unless a copy of the checks says otherwise, a place that was checked may have to stay closed.
    mayOpen: placeId !== null && (due?.ready.some(({ place_id }) => place_id === placeId) ?? true),
    received,
  });
  return (
    <>
      <section aria-label="Receipt" className={styles.receipt}>
        {warning && <Text fw={600}>{warning}</Text>}
        {sentences.map((sentence) => (
          <Text key={sentence}>{sentence}</Text>
        ))}
        {received && received.audits.length > 0 && (
          <ul className="list">
            {received.audits.map(({ id, title }) => (
              <li key={id}>
                Audit:{' '}
                <Link to={`/audit/${id}`} className={rows.link}>
                  {title}
                </Link>
              </li>
            ))}
          </ul>
        )}
        <PutAwayNote receipt={receipt} item={item} isLast={!next} />
      </section>
      {nextButton}
    </>
  );
}

type NextPlaceButtonProps = {
  next: NonNullable<ReturnType<typeof useNextPlace>>;
  /** Whether the form that was submitted is still above it. */
  isBelowForm: boolean;
  onNext: (place: CheckedPlace) => void;
};

/** Returns the next place of the round to which this submission for a place belongs; undefined after the last one. */
function useNextPlace(last: OutboxItem | Receipt) {
  const outbox = useOutbox();
  const { data } = useDueChecks(last.park);
  const now = new Date().toISOString();
  if (!data || !last.place) return undefined;
  return findNextPlace(
    data.checks.map((check) => asOf(check, now)),
    toLocalSubmission(last),
    listLocalSubmissions(outbox),
  );
}

function NextPlaceButton({ next, isBelowForm, onNext }: NextPlaceButtonProps) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isBelowForm) button.current?.scrollIntoView({ block: 'nearest' });
  }, [isBelowForm]);
  return (
    <div className={styles.next}>
      <Button
        ref={button}
        size="lg"
        fullWidth
        rightSection={<ArrowRight aria-hidden size={20} />}
        onClick={() => onNext(next.place)}
      >
        <span>
          Next: <span translate="no">{next.place.name}</span>, {next.number} of {next.total}
        </span>
      </Button>
    </div>
  );
}
