// After a completion: the user's next audit at the same location, or else at the same park.
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ArrowRight } from 'lucide-react';
import { Link } from 'wouter';
import type { Audit } from '#shared/audits.ts';
import { Name } from '../ui/feedback/Name.tsx';
import styles from './AuditDetail.module.css';
import { myAuditsQuery } from './myAudits.ts';

export function NextAudit({ audit: { id, park, data } }: { audit: Audit }) {
  const { data: mine = [] } = useQuery(myAuditsQuery);
  const here = mine.filter((other) => other.id !== id && other.park === park);
  const next = here.find(({ location }) => location && location === data.location) ?? here[0];
  if (!next) return null;
  return (
    <Button
      component={Link}
      to={`/audit/${next.id}`}
      className={styles.next}
      rightSection={<ArrowRight aria-hidden size={18} />}
    >
      <span>
        Next: <Name>{[next.title || 'Untitled Audit', next.location].filter(Boolean).join(', ')}</Name>
      </span>
    </Button>
  );
}
