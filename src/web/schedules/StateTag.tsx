import { CircleAlert, CircleCheck, CircleX, Clock, Hourglass } from 'lucide-react';
import type { CheckStateName } from '#shared/schedules/schedules.ts';
import styles from './schedules.module.css';
import { stateNames } from './text.ts';

const icons = {
  upcoming: Clock,
  due: Hourglass,
  done: CircleCheck,
  doneWithFailures: CircleAlert,
  late: Clock,
  missed: CircleX,
};

/** The state of a check as a word with icon and colour. */
export function StateTag({ state }: { state: CheckStateName }) {
  const Icon = icons[state];
  return (
    <span className={styles.tag} data-state={state}>
      <Icon aria-hidden size={14} />
      {stateNames[state]}
    </span>
  );
}
