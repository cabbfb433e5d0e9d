import { CircleAlert, CircleCheck, CircleX, Clock, Hourglass } from 'lucide-react';
import type { CheckStateName } from '#shared/schedules/schedules.ts';
import { Tag } from '../ui/feedback/Tag.tsx';
import { stateNames } from './text.ts';

const tags = {
  upcoming: { icon: Clock, tone: undefined },
  due: { icon: Hourglass, tone: undefined },
  done: { icon: CircleCheck, tone: 'success' },
  doneWithFailures: { icon: CircleAlert, tone: 'warning' },
  late: { icon: Clock, tone: 'warning' },
  missed: { icon: CircleX, tone: 'danger' },
} as const;

/** The state of a check. */
export const StateTag = ({ state }: { state: CheckStateName }) => <Tag label={stateNames[state]} {...tags[state]} />;

/** Whether a facility is ready to open. */
export const ReadyTag = ({ isReady }: { isReady: boolean }) =>
  isReady ? (
    <Tag label="Ready" icon={CircleCheck} tone="success" />
  ) : (
    <Tag label="Not ready" icon={CircleAlert} tone="warning" />
  );
