import { Archive, CircleCheck, CircleHelp, CircleMinus, ClockAlert, Eye, Phone, Timer, Users } from 'lucide-react';
import type { ReportClock } from '#shared/law/assessment.ts';
import styles from './ClockLine.module.css';

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

type ClockLineProps = { clock: Pick<ReportClock, 'state' | 'words' | 'isUrgent'> };

/** A report's state under RIDDOR, as a word and an icon. */
export function ClockLine({ clock }: ClockLineProps) {
  const Icon = icons[clock.state];
  return (
    <span className={styles.clock} data-urgent={clock.isUrgent || undefined}>
      <Icon aria-hidden size={16} className={styles.icon} />
      {clock.words}
    </span>
  );
}
