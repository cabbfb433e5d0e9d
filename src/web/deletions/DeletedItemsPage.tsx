import { Button, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { RotateCcw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { isAllowed } from '#shared/access.ts';
import type { Deletion, EntityType } from '#shared/activity.ts';
import { api } from '#shared/api.ts';
import { formatDay, formatInstant } from '#shared/dates.ts';
import { entityTypeNames } from '../activity/activityText.ts';
import { getServerTime, mutationFor, queryFor } from '../client/api.ts';
import { useNames } from '../client/names.ts';
import { useUser } from '../client/session.ts';
import { ErrorBox } from '../ui/feedback/ErrorBox.tsx';
import { Name } from '../ui/feedback/Name.tsx';
import { Toast } from '../ui/feedback/Toast.tsx';
import { useFeedback } from '../ui/feedback/useFeedback.ts';
import { BackButton } from '../ui/navigation/BackButton.tsx';
import { PageHeading } from '../ui/navigation/PageHeading.tsx';
import { RecordList } from '../ui/navigation/RecordList.tsx';
import rows from '../ui/theme/rows.module.css';
import styles from './DeletedItemsPage.module.css';
import { ReleaseReportDialog } from './ReleaseReportDialog.tsx';

const canRestore = ({ restorable_until }: Deletion) => Date.parse(restorable_until) > getServerTime();

const getTypeName = ({ thing }: Deletion) => entityTypeNames[thing as EntityType] ?? thing;

export function DeletedItemsPage() {
  const deleted = useQuery(queryFor(api.listDeleted));
  const restoreMutation = useMutation(mutationFor(api.restoreDeleted));
  const feedback = useFeedback();
  const [itemToRelease, setItemToRelease] = useState<Deletion>();
  const restoringId = restoreMutation.variables?.params.id;
  const user = useUser();
  const mayRestore = isAllowed('admin', user);
  const mayRelease = isAllowed('adminOfAllParks', user);

  const restore = (deletion: Deletion) =>
    restoreMutation.mutate(
      { params: { id: deletion.id } },
      { onSuccess: () => feedback.showSuccess(`${getTypeName(deletion)} ${deletion.label} restored`) },
    );

  const showName = useNames();
  return (
    <>
      <PageHeading
        title="Deleted Items"
        text={`${mayRestore ? 'You' : 'An Admin'} can restore deleted items for 30 days. After that they are permanently deleted, except checklists, and what the law or a hold keeps.`}
        back={<BackButton to="/admin?tab=users">Back to User Management</BackButton>}
      />
      <RecordList
        query={deleted}
        failed="The deleted items could not be loaded."
        isNotStored
        loading="Loading deleted items..."
        empty={{
          icon: Trash2,
          text: 'There are no deleted items that you can see.',
          hint: 'Deleted reports, checklists, submissions, folders, audits and investigations are listed here.',
        }}
        row={(deletion) => (
          <li className={rows.row}>
            <div className={rows.text}>
              <Text size="sm" c="dimmed">
                {getTypeName(deletion)}
              </Text>
              <Text fw={600}>{deletion.label}</Text>
              <Text size="sm" c="dimmed">
                Deleted by <Name>{showName(deletion.deleted_by)}</Name> on {formatInstant(deletion.deleted_at)}.{' '}
                {canRestore(deletion) && `Can be restored until ${formatInstant(deletion.restorable_until)}. `}
                {deletion.isHeld
                  ? 'Held.'
                  : deletion.kept_until && `Kept by law until ${formatDay(deletion.kept_until)}.`}
              </Text>
              {deletion.reason && <Text size="sm">Reason: {deletion.reason}</Text>}
            </div>
            {mayRelease && deletion.kept_until && !deletion.isHeld && (
              <Button
                variant="default"
                aria-label={`Release report ${deletion.label}`}
                onClick={() => setItemToRelease(deletion)}
              >
                Release
              </Button>
            )}
            {mayRestore && canRestore(deletion) && (
              <Button
                leftSection={<RotateCcw aria-hidden size={18} />}
                aria-label={`Restore ${getTypeName(deletion).toLowerCase()} ${deletion.label}`}
                loading={restoreMutation.isPending && restoringId === deletion.id}
                onClick={() => restore(deletion)}
              >
                Restore
              </Button>
            )}
            {restoreMutation.error && restoringId === deletion.id && (
              <div className={styles.error}>
                <ErrorBox message="The item could not be restored." reason={restoreMutation.error.message} />
              </div>
            )}
          </li>
        )}
      />
      {itemToRelease && (
        <ReleaseReportDialog
          deletion={itemToRelease}
          onClose={() => setItemToRelease(undefined)}
          onReleased={() => feedback.showSuccess(`Report ${itemToRelease.label} released`)}
        />
      )}
      <Toast feedback={feedback} />
    </>
  );
}
