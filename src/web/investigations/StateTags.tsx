import { Group } from '@mantine/core';
import { CircleCheck, Clock, Eye, Hourglass, Undo2, X } from 'lucide-react';
import {
  type ActionState,
  actionStateLabels,
  investigationStateLabels,
  isLate,
  type ListedInvestigation,
} from '#shared/investigations.ts';
import { getServerTime } from '../client/api.ts';
import { Tag } from '../ui/feedback/Tag.tsx';
import { useToday } from '../ui/forms/useToday.ts';

const stateIcons = { open: Hourglass, findingsComplete: Eye, closed: CircleCheck };
const actionIcons = { open: Hourglass, toVerify: Eye, works: CircleCheck, waived: Undo2, deleted: X };

/** The state of an investigation, and whether it is late. */
export function StateTags({ investigation }: { investigation: ListedInvestigation }) {
  const today = useToday(getServerTime);
  const { state } = investigation;
  return (
    <Group gap="xs">
      <Tag
        label={investigationStateLabels[state]}
        icon={stateIcons[state]}
        tone={state === 'closed' ? 'success' : undefined}
      />
      {isLate(investigation, today) && <Tag label="Overdue" icon={Clock} tone="warning" />}
    </Group>
  );
}

export const ActionTag = ({ state }: { state: ActionState }) => (
  <Tag label={actionStateLabels[state]} icon={actionIcons[state]} tone={state === 'works' ? 'success' : undefined} />
);
