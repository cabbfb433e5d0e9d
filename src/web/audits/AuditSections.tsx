// Parts shared by open and completed audits.
import { type ReactNode, useEffect, useState } from 'react';
import { auditTextNames, auditTexts } from '#shared/audit-fields.ts';
import { type Audit, formatDue } from '#shared/audits.ts';
import { useNames } from '../client/names.ts';
import { findPhotoCopy } from '../drafts/offlineCopies.ts';
import { connection } from '../offline/connection.ts';
import { PhotoPreviews } from '../photos/viewer/PhotoPreviews.tsx';
import { toViewerPhoto } from '../photos/viewer/toViewerPhoto.ts';
import { useStore } from '../useStore.ts';
import styles from './AuditDetail.module.css';

export const AuditSection = ({ title, children }: { title?: string; children: ReactNode }) => (
  <section className={styles.section}>
    {title && <h2 className={styles.heading}>{title}</h2>}
    {children}
  </section>
);

/** The columns of a wide screen. A description higher than status and date has the left column to itself. */
export function AuditColumns({ audit, children }: { audit: Audit; children: ReactNode }) {
  const lines = audit.data.description.split('\n').reduce((sum, line) => sum + Math.ceil(line.length / 90 || 1), 0);
  return (
    <div className={styles.columns} data-long={lines > 8 || undefined}>
      {children}
    </div>
  );
}

/** Location, assignee and description as text. */
export function AuditTextSections({ audit: { data }, children }: { audit: Audit; children?: ReactNode }) {
  const showName = useNames();
  return (
    <AuditSection>
      {auditTextNames.map((name) => (
        <div key={name}>
          <h2 className={styles.heading}>{auditTexts[name].label}</h2>
          <p className={styles.text}>
            {(name === 'assignee' ? showName(data[name]) : data[name]) || auditTexts[name].empty}
          </p>
        </div>
      ))}
      {children}
    </AuditSection>
  );
}

export const CurrentDueDate = ({ audit }: { audit: Audit }) => (
  <p className="quiet breakable">Currently set for: {formatDue(audit) || 'no date and time'}</p>
);

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

/** Returns URLs of the previews copied to this device, by the photo's path; none while online. */
function useCopiedPhotos(files: { path: string }[]): Record<string, string> {
  const isConnected = useStore(connection) === 'online';
  const [urls, setUrls] = useState<Record<string, string>>({});
  const paths = isConnected ? '' : files.map(({ path }) => path).join('\n');

  useEffect(() => {
    if (!paths) return setUrls({});
    const newUrls: string[] = [];
    let isCurrent = true;
    void Promise.all(paths.split('\n').map(async (path) => [path, await findPhotoCopy(path)] as const)).then(
      (found) => {
        if (!isCurrent) return;
        setUrls(
          Object.fromEntries(
            found.flatMap(([path, photo]) => {
              if (!photo) return [];
              const url = URL.createObjectURL(photo);
              newUrls.push(url);
              return [[path, url]];
            }),
          ),
        );
      },
    );
    return () => {
      isCurrent = false;
      for (const url of newUrls) URL.revokeObjectURL(url);
    };
  }, [paths]);
  return urls;
}
