// 'Assigned to Me' and 'All Open Audits': audits of every folder the user sees, soonest due first.
import { Checkbox, NativeSelect } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { ClipboardCheck } from 'lucide-react';
import { isAllowed } from '#shared/access.ts';
import { api } from '#shared/api.ts';
import { auditSources, type ListedAudit, type OpenAudit, type OpenAuditQuery } from '#shared/audits.ts';
import { allParks, parks } from '#shared/choices.ts';
import { callApi, queryFor } from '../client/api.ts';
import { useUser } from '../client/session.ts';
import { useDeletion } from '../client/useDeletion.ts';
import { ExportButtons } from '../exports/ExportButtons.tsx';
import { PeoplePicker } from '../people/PeoplePicker.tsx';
import { ConfirmDialog } from '../ui/dialogs/ConfirmDialog.tsx';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import { ErrorBox } from '../ui/feedback/ErrorBox.tsx';
import { Toast } from '../ui/feedback/Toast.tsx';
import { usePausedText } from '../ui/forms/useSyncedText.ts';
import { Loading } from '../ui/loading/Loading.tsx';
import { ShowMore } from '../ui/navigation/ShowMore.tsx';
import { useFilters } from '../ui/navigation/useUrlState.ts';
import { AuditCard } from './AuditCard.tsx';
import gridStyles from './AuditGrid.module.css';
import styles from './OpenAudits.module.css';

const pageSize = 48;
const sourceLabels = { report: 'Reports', submission: 'Checklists', audit: 'Other audits' };

export function OpenAudits({ isMine }: { isMine: boolean }) {
  const user = useUser();
  const [filters, filter] = useFilters('park', 'folder', 'assignee', 'overdue', 'urgent', 'source');
  const [assignee, setAssignee] = usePausedText(filters.assignee, (assignee) => filter({ assignee }));
  const query: Omit<OpenAuditQuery, 'after' | 'limit'> = isMine
    ? { mine: 'yes' }
    : {
        park: parks.find((park) => park === filters.park),
        folder: filters.folder || undefined,
        assignee: filters.assignee || undefined,
        overdue: filters.overdue ? 'yes' : undefined,
        urgent: filters.urgent ? 'yes' : undefined,
        source: auditSources.find((source) => source === filters.source),
      };
  const auditPages = useInfiniteQuery({
    queryKey: [api.listOpenAudits.path, query],
    queryFn: ({ pageParam, signal }: { pageParam: string; signal: AbortSignal }) =>
      callApi(api.listOpenAudits, { query: { ...query, after: pageParam, limit: pageSize }, signal }),
    initialPageParam: '',
    getNextPageParam: (page: OpenAudit[]) => (page.length === pageSize ? page.at(-1)?.id : undefined),
    placeholderData: keepPreviousData,
  });
  const { data: folders = [] } = useQuery({ ...queryFor(api.listFolders), enabled: !isMine });
  const deletion = useDeletion<ListedAudit>(api.deleteAudit, {
    deleted: 'Audit deleted successfully',
    failed: 'Failed to delete audit',
  });
  const audits = auditPages.data?.pages.flat();
  const isFiltered = !isMine && Object.values(filters).some(Boolean);

  return (
    <>
      {!isMine && (
        <div className={styles.filters}>
          {user.park === '' && (
            <NativeSelect
              label="Park"
              value={filters.park}
              data={[{ value: '', label: allParks }, ...parks]}
              onChange={(event) => filter({ park: event.currentTarget.value, folder: '' })}
            />
          )}
          <NativeSelect
            label="Folder"
            value={filters.folder}
            data={[
              { value: '', label: 'All folders' },
              ...folders
                .filter(({ park }) => filters.park === '' || park === filters.park)
                .map(({ id, name, park }) => ({ value: id, label: user.park === '' ? `${name}, ${park}` : name })),
            ]}
            onChange={(event) => filter({ folder: event.currentTarget.value })}
          />
          {isAllowed('reviewer', user) && (
            <NativeSelect
              label="Created from"
              value={filters.source}
              data={[
                { value: '', label: 'Anything' },
                ...auditSources.map((value) => ({ value, label: sourceLabels[value] })),
              ]}
              onChange={(event) => filter({ source: event.currentTarget.value })}
            />
          )}
          <div className={styles.search}>
            <PeoplePicker
              label="Assignee"
              inputWrapperOrder={['label', 'description', 'input']}
              park={filters.park || undefined}
              value={assignee}
              onChange={setAssignee}
            />
          </div>
          <Checkbox
            label="Overdue"
            checked={filters.overdue !== ''}
            onChange={(event) => filter({ overdue: event.currentTarget.checked ? 'yes' : '' })}
          />
          <Checkbox
            label="Urgent"
            checked={filters.urgent !== ''}
            onChange={(event) => filter({ urgent: event.currentTarget.checked ? 'yes' : '' })}
          />
        </div>
      )}
      {auditPages.isPending && <Loading text="Loading audits..." shape="cards" />}
      {auditPages.isError && !auditPages.data && (
        <ErrorBox message="Failed to fetch audits" onRetry={() => auditPages.refetch()} />
      )}
      {audits?.length === 0 && (
        <EmptyState
          icon={ClipboardCheck}
          text={isMine ? 'Nothing is assigned to you' : 'No open audits found'}
          hint={
            isFiltered
              ? 'Try other filters.'
              : isMine
                ? 'Audits appear here when you are chosen as the person who should complete them.'
                : 'Everything is completed.'
          }
        />
      )}
      {audits && audits.length > 0 && (
        <>
          {isAllowed('reviewer', user) && (
            <ExportButtons list="audits" name="Open audits" filters={{ open: 'yes', ...query }} />
          )}
          <ul className={gridStyles.grid}>
            {audits.map((audit) => (
              <AuditCard
                key={audit.id}
                audit={audit}
                where={`${audit.folder_name}, ${audit.park}`}
                onDelete={deletion.ask}
              />
            ))}
          </ul>
          <ShowMore list={auditPages} />
        </>
      )}
      <ConfirmDialog {...deletion.dialog} title="Confirm Deletion">
        Are you sure you want to delete this audit? This action cannot be undone.
      </ConfirmDialog>
      <Toast feedback={deletion.feedback} />
    </>
  );
}
