import { Archive, CircleCheck, CircleHelp, CircleMinus, ClockAlert, Eye, Phone, Timer, Users } from 'lucide-react';
import type { ReportRiddorState } from '#shared/law/assessment.ts';
import styles from './RiddorStateLine.module.css';

const icons = {
  notAssessed: CircleHelp,
  undecided: CircleHelp,
  watch: Eye,
  tellNow: Phone,
  due: Timer,
  overdue: ClockAlert,
  theirs: Users,
  reported: CircleCheck,
  record: Archive,
  notReportable: CircleMinus,
};

type RiddorStateLineProps = { riddorState: Pick<ReportRiddorState, 'state' | 'words' | 'isUrgent'> };

/** A report's state under RIDDOR, as a word and an icon. */
export function RiddorStateLine({ riddorState }: RiddorStateLineProps) {
  const Icon = icons[riddorState.state];
  return (
    <span className={styles.riddorState} data-urgent={riddorState.isUrgent || undefined}>
      <Icon aria-hidden size={16} className={styles.icon} />
      {riddorState.words}
    </span>
  );
}
