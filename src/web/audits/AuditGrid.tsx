// Draws only as many cards as have been scrolled to, because a folder may have thousands of audits.
import { Button } from '@mantine/core';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { ListedAudit } from '#shared/audits.ts';
import { AuditCard } from './AuditCard.tsx';
import styles from './AuditGrid.module.css';

const pageSize = 48;

export function AuditGrid({ audits, onDelete }: { audits: ListedAudit[]; onDelete: (audit: ListedAudit) => void }) {
  const [count, setCount] = useState(pageSize);
  const showMoreButton = useRef<HTMLButtonElement>(null);
  const isWhole = count >= audits.length;
  const showMore = useEffectEvent(() => setCount((count) => count + pageSize));

  // Observe again for each length: a button that stays visible triggers only once.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    if (isWhole || !showMoreButton.current) return;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && showMore(), {
      rootMargin: '1200px',
    });
    observer.observe(showMoreButton.current);
    return () => observer.disconnect();
  }, [isWhole, count]);

  return (
    <>
      <ul className={styles.grid}>
        {audits.slice(0, count).map((audit) => (
          <AuditCard key={audit.id} audit={audit} onDelete={onDelete} />
        ))}
      </ul>
      {!isWhole && (
        <div className={styles.more}>
          <p>
            {count} of {audits.length} audits shown
          </p>
          <Button ref={showMoreButton} variant="default" onClick={() => setCount(count + pageSize)}>
            Show More
          </Button>
        </div>
      )}
    </>
  );
}
