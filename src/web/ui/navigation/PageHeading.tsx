import { Box, Text, Title } from '@mantine/core';
import { MapPin } from 'lucide-react';
import type { ReactNode } from 'react';
import styles from './PageHeading.module.css';
import { useDocumentTitle } from './useDocumentTitle.ts';

type PageHeadingProps = {
  title: string;
  /** Whether the title is a name, which the browser must not translate. */
  isName?: boolean;
  text?: string;
  /** The park of the record, and further details of the location. */
  park?: ReactNode;
  /** The link above it. */
  back?: ReactNode;
  /** Buttons beside it. */
  children?: ReactNode;
};

/** A screen's h1, also used as the document title. */
export function PageHeading({ title, isName = false, text, park, back, children }: PageHeadingProps) {
  useDocumentTitle(title);
  return (
    <>
      {back && <Box mb="1.5rem">{back}</Box>}
      <div className={styles.heading}>
        <div className={styles.text}>
          <Title order={1} size="h2" translate={isName ? 'no' : undefined}>
            {title}
          </Title>
          {park && (
            <p className={styles.park} translate="no">
              <MapPin aria-hidden size={16} />
              {park}
            </p>
          )}
          {text && <Text c="dimmed">{text}</Text>}
        </div>
        {children && <div className={styles.actions}>{children}</div>}
      </div>
    </>
  );
}
