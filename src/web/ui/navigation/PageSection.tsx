import { Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import styles from './PageSection.module.css';

type PageSectionProps = { title?: string; isCard?: boolean; children: ReactNode };

/** A part of a page. */
export function PageSection({ title, isCard = false, children }: PageSectionProps) {
  const id = useId();
  return (
    <section className={styles.section} data-card={isCard || undefined} aria-labelledby={title && id}>
      {title && (
        <Title order={2} size="h4" id={id}>
          {title}
        </Title>
      )}
      {children}
    </section>
  );
}

/** Parts of a page, one below the other. */
export const PageSections = ({ children }: { children: ReactNode }) => (
  <div className={styles.sections}>{children}</div>
);
