// Parts shared by open and completed audits.
import type { ReactNode } from 'react';
import type { Audit } from '#shared/audits.ts';
import { formatDay } from '#shared/dates.ts';
import { PhotoPreviews } from '../photos/viewer/PhotoPreviews.tsx';
import { toViewerPhoto } from '../photos/viewer/toViewerPhoto.ts';
import styles from './AuditDetail.module.css';
import { useCopiedPhotos } from './useCopiedPhotos.ts';

export function AuditSection({ title, children }: { title?: string; children: ReactNode }) {
  return (
    <section className={styles.section}>
      {title && <h2 className={styles.heading}>{title}</h2>}
      {children}
    </section>
  );
}

export function CurrentDueDate({ audit: { date, time } }: { audit: Audit }) {
  const due = [date && formatDay(date), time].filter(Boolean).join(' at ');
  return <p className={styles.note}>Currently set for: {due || 'no date and time'}</p>;
}

export function Attachments({ audit, children }: { audit: Audit; children?: ReactNode }) {
  const files = audit.data.media_files;
  const copies = useCopiedPhotos(files);
  const photos = files.map((file) => {
    const copy = copies[file.path];
    return copy
      ? { id: file.path, src: copy, preview: copy, alt: file.name, cutOff: file.cutOff }
      : toViewerPhoto(file);
  });
  return (
    <AuditSection title={`Attachments (${files.length})`}>
      <PhotoPreviews photos={photos} label="Attachments" />
      {children}
    </AuditSection>
  );
}
