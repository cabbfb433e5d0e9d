import { CircleAlert, CircleCheck, CircleX, Clock, Eye, Hourglass, TriangleAlert } from 'lucide-react';
import { Tag } from '../ui/feedback/Tag.tsx';

const tags = {
  urgent: { label: 'URGENT', icon: TriangleAlert, tone: 'danger' },
  overdue: { label: 'Overdue', icon: Clock, tone: 'warning' },
  completed: { label: 'Completed', icon: CircleCheck, tone: 'success' },
  pending: { label: 'Pending', icon: Hourglass, tone: undefined },
  toVerify: { label: 'To Verify', icon: Eye, tone: undefined },
  works: { label: 'Works', icon: CircleCheck, tone: 'success' },
  doesNotWork: { label: 'Does Not Work', icon: CircleX, tone: undefined },
  damaged: { label: 'Data issue detected', icon: CircleAlert, tone: 'damaged' },
} as const;

/** Shows a state of an audit as a word with an icon. */
export const AuditTag = ({ state }: { state: keyof typeof tags }) => <Tag {...tags[state]} />;
