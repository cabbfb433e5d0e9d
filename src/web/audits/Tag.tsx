import { CircleAlert, CircleCheck, Clock, Hourglass, TriangleAlert } from 'lucide-react';
import styles from './Tag.module.css';

const tags = {
  urgent: { label: 'URGENT', icon: TriangleAlert },
  overdue: { label: 'Overdue', icon: Clock },
  completed: { label: 'Completed', icon: CircleCheck },
  pending: { label: 'Pending', icon: Hourglass },
  damaged: { label: 'Data issue detected', icon: CircleAlert },
};

/** A state as a word with icon and colour. */
export function Tag({ of: name }: { of: keyof typeof tags }) {
  const { label, icon: Icon } = tags[name];
  return (
    <span className={styles.tag} data-tag={name}>
      <Icon aria-hidden size={14} />
      {label}
    </span>
  );
}
