import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { FolderPlus, Folders } from 'lucide-react';
import { useState } from 'react';
import { api } from '#shared/api.ts';
import type { Folder } from '#shared/audits.ts';
import { read, send } from '../api.ts';
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ErrorBox } from '../ui/ErrorBox.tsx';
import { Loading } from '../ui/Loading.tsx';
import { PageHeading } from '../ui/PageHeading.tsx';
import { FolderCard } from './FolderCard.tsx';
import { FolderDialog } from './FolderDialog.tsx';
import styles from './FoldersPage.module.css';

export function FoldersPage() {
  const { data: folders, isPending, isError, refetch } = useQuery(read(api.listFolders));
  const remove = useMutation(send(api.deleteFolder));
  const [editing, setEditing] = useState<Folder | 'new'>();
  const [deleting, setDeleting] = useState<Folder>();

  const newFolder = (
    <Button leftSection={<FolderPlus aria-hidden size={18} />} onClick={() => setEditing('new')}>
      New Folder
    </Button>
  );
  const confirmDelete = () =>
    deleting && remove.mutate({ params: { id: deleting.id } }, { onSuccess: () => setDeleting(undefined) });
  const cancelDelete = () => {
    setDeleting(undefined);
    remove.reset();
  };

  return (
    <>
      <PageHeading title="Audit Folders">{newFolder}</PageHeading>
      {isPending && <Loading shape="cards" />}
      {isError && <ErrorBox message="Failed to fetch audit folders" onRetry={refetch} />}
      {folders?.length === 0 && (
        <EmptyState
          text="No audit folders found"
          hint="Begin with New Folder: one for each kind of job or inspection."
          icon={Folders}
        />
      )}
      {folders && folders.length > 0 && (
        <ul className={styles.grid}>
          {folders.map((folder) => (
            <FolderCard
              key={folder.id}
              folder={folder}
              onEdit={() => setEditing(folder)}
              onDelete={() => setDeleting(folder)}
            />
          ))}
        </ul>
      )}

      {editing && (
        <FolderDialog folder={editing === 'new' ? undefined : editing} onClose={() => setEditing(undefined)} />
      )}
      <ConfirmDialog
        isOpen={deleting !== undefined}
        title="Delete this folder?"
        confirm="Delete"
        isDangerous
        isBusy={remove.isPending}
        error={remove.isError ? 'Failed to delete audit folder' : ''}
        reason={remove.error?.message}
        onConfirm={confirmDelete}
        onCancel={cancelDelete}
      >
        Are you sure you want to delete the folder “{deleting?.name}”? All audits within it will be deleted. This action
        cannot be undone.
      </ConfirmDialog>
    </>
  );
}
