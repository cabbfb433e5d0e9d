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

type NextPlaceButtonProps = {
  /** The last submission, for a place. */
  last: OutboxItem | Receipt;
  /** Whether the form that was submitted is still above it. */
  isBelowForm: boolean;
  onNext: (place: CheckedPlace) => void;
};

/** Leads to the next place of a round. Shows nothing after the last one. */
export function NextPlaceButton({ last, isBelowForm, onNext }: NextPlaceButtonProps) {
  const outbox = useOutbox();
  const { data } = useDueChecks(last.park);
  const button = useRef<HTMLButtonElement>(null);
  const now = new Date().toISOString();
  const next =
    data &&
    findNextPlace(
      data.checks.map((check) => asOf(check, now)),
      toLocalSubmission(last),
      listLocalSubmissions(outbox),
    );
  const isShown = next !== undefined && isBelowForm;
  useEffect(() => {
    if (isShown) button.current?.scrollIntoView({ block: 'nearest' });
  }, [isShown]);
  if (!next) return null;
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
