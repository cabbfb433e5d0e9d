import { Button } from '@mantine/core';
import { ArrowRight } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { type CheckedPlace, findNextPlace } from '#shared/schedules/next-place.ts';
import type { OutboxItem, Receipt } from '../outbox/items.ts';
import { useOutbox } from '../outbox/useSubmission.ts';
import { asOf } from '../schedules/dueChecks.ts';
import { useDueChecks } from '../schedules/useDueChecks.ts';
import styles from './ChecklistPanel.module.css';
import { listLocalSubmissions, toLocalSubmission } from './submittedChecklist.ts';

export type NextPlaceButtonProps = {
  next: NonNullable<ReturnType<typeof useNextPlace>>;
  /** Whether the form that was submitted is still above it. */
  isBelowForm: boolean;
  onNext: (place: CheckedPlace) => void;
};

/** Returns the next place of the round to which this submission for a place belongs; undefined after the last one. */
export function useNextPlace(last: OutboxItem | Receipt) {
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

export function NextPlaceButton({ next, isBelowForm, onNext }: NextPlaceButtonProps) {
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
