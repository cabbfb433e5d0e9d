// The audits of a folder as cards. Only as many as have been scrolled to are drawn, because a folder may
// have thousands.
import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { ListedAudit } from '#shared/audits.ts';
import { AuditCard } from './AuditCard.tsx';
import styles from './AuditGrid.module.css';

const pageSize = 48;

export function AuditGrid({ audits, onDelete }: { audits: ListedAudit[]; onDelete: (audit: ListedAudit) => void }) {
  const [count, setCount] = useState(pageSize);
  const showMoreButton = useRef<HTMLButtonElement>(null);
  const areAllShown = count >= audits.length;
  const showMore = () => setCount((count) => count + pageSize);

  // Observe again whenever the list grows: a button that stays in view triggers only once.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    if (areAllShown || !showMoreButton.current) return;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && showMore(), {
      rootMargin: '1200px',
    });
    observer.observe(showMoreButton.current);
    return () => observer.disconnect();
  }, [areAllShown, count]);

  return (
    <>
      <ul className={styles.grid}>
        {audits.slice(0, count).map((audit) => (
          <AuditCard key={audit.id} audit={audit} onDelete={onDelete} />
        ))}
      </ul>
      {!areAllShown && (
        <div className={styles.more}>
          <p>
            {count} of {audits.length} audits shown
          </p>
          <Button ref={showMoreButton} variant="default" onClick={showMore}>
            Show More
          </Button>
        </div>
      )}
    </>
  );
}
