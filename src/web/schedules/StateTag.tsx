import { CircleAlert, CircleCheck, CircleMinus, CircleX, Clock, Hourglass, RotateCcw } from 'lucide-react';
import type { CheckStateName, Readiness } from '#shared/schedules/schedules.ts';
import { Tag } from '../ui/feedback/Tag.tsx';
import { stateNames } from './text.ts';

const tags = {
  upcoming: { icon: Clock, tone: undefined },
  due: { icon: Hourglass, tone: undefined },
  done: { icon: CircleCheck, tone: 'success' },
  doneWithFailures: { icon: CircleAlert, tone: undefined },
  late: { icon: Clock, tone: 'warning' },
  missed: { icon: CircleX, tone: 'warning' },
} as const;

export const StateTag = ({ state }: { state: CheckStateName }) => <Tag label={stateNames[state]} {...tags[state]} />;

/** Whether a place is ready to open. A copy does not say that it is. */
export function ReadyTag({ readiness, isCopy }: { readiness: Readiness; isCopy: boolean }) {
  const { is_ready, not_in_use, check_again, failures } = readiness;
  if (is_ready) return !isCopy && <Tag label="Ready" icon={CircleCheck} tone="success" />;
  if (not_in_use) return <Tag label="Not in use" icon={CircleMinus} />;
  return check_again && failures === 0 ? (
    <Tag label="Check again" icon={RotateCcw} />
  ) : (
    <Tag label="Not ready" icon={CircleAlert} />
  );
}
