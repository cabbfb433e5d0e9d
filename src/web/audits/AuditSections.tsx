// Parts shared by open and completed audits.
import type { ReactNode } from 'react';
import type { Audit } from '#shared/audits.ts';
import { formatDay } from '#shared/dates.ts';
import { PhotoThumbs } from '../photos/viewer/PhotoThumbs.tsx';
import styles from './AuditDetail.module.css';
import { useCopiedPhotos } from './new/useCopiedPhotos.ts';

export function Section({ title, children }: { title?: string; children: ReactNode }) {
  return (
    <section className={styles.section}>
      {title && <h2 className={styles.heading}>{title}</h2>}
      {children}
    </section>
  );
}

export function CurrentDueDate({ audit: { date, time } }: { audit: Audit }) {
  const set = [date && formatDay(date), time].filter(Boolean).join(' at ');
  return <p className={styles.note}>Currently set for: {set || 'no date and time'}</p>;
}

export function Attachments({ audit, children }: { audit: Audit; children?: ReactNode }) {
  const files = audit.data.media_files;
  const copies = useCopiedPhotos(files);
  const photos = files.map(({ path, name }) => {
    const copy = copies[path];
    return copy
      ? { id: path, src: copy, preview: copy, alt: name }
      : { id: path, src: path, alt: name, downloadHref: `${path}?download=1` };
  });
  return (
    <Section title={`Attachments (${files.length})`}>
      <PhotoThumbs photos={photos} label="Attachments" />
      {children}
    </Section>
  );
}
