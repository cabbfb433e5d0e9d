import { CircleAlert, CircleCheck, Clock, Hourglass, TriangleAlert } from 'lucide-react';
import { Tag } from '../ui/feedback/Tag.tsx';

const tags = {
  urgent: { label: 'URGENT', icon: TriangleAlert, tone: 'danger' },
  overdue: { label: 'Overdue', icon: Clock, tone: 'warning' },
  completed: { label: 'Completed', icon: CircleCheck, tone: 'success' },
  pending: { label: 'Pending', icon: Hourglass, tone: undefined },
  damaged: { label: 'Data issue detected', icon: CircleAlert, tone: 'damaged' },
} as const;

/** A state of an audit. */
export const AuditTag = ({ of: name }: { of: keyof typeof tags }) => <Tag {...tags[name]} />;
