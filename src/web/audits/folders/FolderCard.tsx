import { ActionIcon } from '@mantine/core';
import { ClipboardList, MapPin, Pencil, Trash2 } from 'lucide-react';
import { Link } from 'wouter';
import type { Folder } from '#shared/audits.ts';
import { pluralise } from '#shared/pluralise.ts';
import { previewUrl } from '#shared/uploads.ts';
import styles from './FolderCard.module.css';

export function FolderCard({ folder, onEdit, onDelete }: { folder: Folder; onEdit: () => void; onDelete: () => void }) {
  return (
    <li className={styles.card}>
      <div className={styles.picture}>
        {folder.thumbnail ? (
          <img src={previewUrl(folder.thumbnail)} alt="" loading="lazy" />
        ) : (
          <ClipboardList aria-hidden size={48} strokeWidth={1.25} />
        )}
      </div>
      <div className={styles.text}>
        <h2 className={styles.name}>
          <Link to={`/audit-folders/${folder.id}`} className={styles.link}>
            {folder.name}
          </Link>
        </h2>
        <p className={styles.details}>
          <MapPin aria-hidden size={16} />
          {folder.park}
        </p>
        {folder.description && <p className={styles.description}>{folder.description}</p>}
      </div>
      <div className={styles.footer}>
        <span className={styles.details}>
          {pluralise(folder.audit_count, 'audit')}
          {folder.overdue_count > 0 && (
            <>
              , <b className={styles.overdue}>{folder.overdue_count} overdue</b>
            </>
          )}
        </span>
        <ActionIcon variant="subtle" color="gray" aria-label={`Edit ${folder.name}`} onClick={onEdit}>
          <Pencil aria-hidden size={18} />
        </ActionIcon>
        <ActionIcon variant="subtle" color="gray" aria-label={`Delete ${folder.name}`} onClick={onDelete}>
          <Trash2 aria-hidden size={18} />
        </ActionIcon>
      </div>
    </li>
  );
}
