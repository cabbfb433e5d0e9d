import { CircleAlert, CircleCheck, Clock, Hourglass, TriangleAlert } from 'lucide-react';
import styles from './Tag.module.css';

const tags = {
  urgent: { label: 'URGENT', icon: TriangleAlert },
  overdue: { label: 'Overdue', icon: Clock },
  completed: { label: 'Completed', icon: CircleCheck },
  pending: { label: 'Pending', icon: Hourglass },
  damaged: { label: 'Data issue detected', icon: CircleAlert },
};

/** A state in a word, with a drawing and a colour beside it. */
export function Tag({ of: name }: { of: keyof typeof tags }) {
  const { label, icon: Icon } = tags[name];
  return (
    <span className={styles.tag} data-tag={name}>
      <Icon aria-hidden size={14} />
      {label}
    </span>
  );
}
