import { Button, NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ClipboardList, Plus } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Link, useParams } from 'wouter';
import { isAllowed } from '#shared/access.ts';
import { api } from '#shared/api.ts';
import { type AuditOrder, auditOrders, type ListedAudit, sortAudits } from '#shared/audits.ts';
import { queryFor } from '../../client/api.ts';
import { isNotFound, readError } from '../../client/errors.ts';
import { QueryState } from '../../client/QueryState.tsx';
import { useUser } from '../../client/session.ts';
import { dangerous, useConfirmed } from '../../client/useConfirmed.tsx';
import { CopyNote } from '../../drafts/CopyNote.tsx';
import { getCopiedAt, withOfflineCopy } from '../../drafts/offlineCopies.ts';
import { ExportButtons } from '../../exports/ExportButtons.tsx';
import { IconButton } from '../../ui/forms/IconButton.tsx';
import { BackButton } from '../../ui/navigation/BackButton.tsx';
import { PageHeading } from '../../ui/navigation/PageHeading.tsx';
import { RecordList } from '../../ui/navigation/RecordList.tsx';
import { useUrlState } from '../../ui/navigation/useUrlState.ts';
import { AuditCard } from '../AuditCard.tsx';
import gridStyles from '../AuditGrid.module.css';
import styles from './FolderAuditsPage.module.css';

export function FolderAuditsPage() {
  const { folderId = '' } = useParams();
  const user = useUser();
  const folder = useQuery(withOfflineCopy('user', queryFor(api.getFolder, { params: { id: folderId } })));
  const audits = useQuery(withOfflineCopy('user', queryFor(api.listAudits, { params: { folderId } })));
  const [order, setOrder] = useOrder();
  const deletion = useConfirmed<ListedAudit>({
    ...dangerous(api.deleteAudit),
    title: 'Confirm Deletion',
    text: 'Are you sure you want to delete this audit? This action cannot be undone.',
    failed: ({ message }) => message || 'Failed to delete audit',
    done: 'Audit deleted successfully',
  });
  const sorted = sortAudits(audits.data ?? [], order);

  const back = <BackButton to="/audits">Back to Folders</BackButton>;
  const error = [folder.error, audits.error].find(isNotFound) ?? folder.error ?? audits.error;
  const failed = getLoadError(folder.error, audits.error);
  const refetch = () => Promise.all([folder.refetch(), audits.refetch()]);
  if (isNotFound(error) || !folder.data || !audits.data)
    return (
      <QueryState
        query={{ data: undefined, error, refetch }}
        loading="Loading audits..."
        shape="cards"
        failed={failed}
        notFound="Folder not found"
        back={back}
      />
    );
  const create = `/create-audit/${folderId}`;
  return (
    <>
      <div className={styles.bar}>
        {back}
        <IconButton icon={Plus} component={Link} to={create} variant={sorted.length > 0 ? 'filled' : 'default'}>
          New Audit
        </IconButton>
      </div>
      <PageHeading title={folder.data.name} park={folder.data.park} text={folder.data.description} />
      <CopyNote reply={audits.data} />
      <RecordList
        query={{ data: sorted, error, refetch }}
        failed={failed}
        empty={
          getCopiedAt(audits.data) === undefined
            ? {
                text: 'No audits in this folder yet',
                hint: 'Create your first audit to get started.',
                icon: ClipboardList,
                children: (
                  <Button component={Link} to={create}>
                    Create First Audit
                  </Button>
                ),
              }
            : noneCopied
        }
        above={
          <>
            {isAllowed('reviewer', user) && (
              <ExportButtons list="audits" name="Audits" filters={{ folder: folderId, sort: order }} />
            )}
            <NativeSelect
              label="Sort by"
              className={styles.order}
              data={auditOrders}
              value={order}
              onChange={(event) => setOrder(event.currentTarget.value)}
            />
          </>
        }
      >
        {(audits) => <AuditGrid key={order} audits={audits} onDelete={deletion.ask} />}
      </RecordList>
      {deletion.dialog}
    </>
  );
}

/** A copy may have no audits although the folder has some: only open ones are copied in advance. */
const noneCopied = {
  text: 'No open audits of this folder are on this device',
  hint: 'If it has other audits, they are shown when you are back online.',
  icon: ClipboardList,
};

/** The order is in the URL, so that Back returns to the same list. */
function useOrder(): [AuditOrder, (value: string) => void] {
  const { get, set } = useUrlState();
  const order = auditOrders.find(({ value }) => value === get('sort')) ?? auditOrders[0];
  const setOrder = (sort: string) => set({ sort: sort === auditOrders[0].value ? '' : sort }, { replace: true });
  return [order.value, setOrder];
}

function getLoadError(folderError: Error | null, auditsError: Error | null): string {
  const error = folderError ?? auditsError;
  if (error && readError(error).status === 0) return 'Failed to load data. Please try again later.';
  return error?.message || (folderError ? 'Failed to fetch folder data' : 'Failed to fetch audits');
}

const pageSize = 48;

/** Only as many as have been scrolled to are drawn, because a folder may have thousands. */
function AuditGrid({ audits, onDelete }: { audits: ListedAudit[]; onDelete: (audit: ListedAudit) => void }) {
  const [count, setCount] = useState(pageSize);
  const showMoreButton = useRef<HTMLButtonElement>(null);
  const areAllShown = count >= audits.length;
  const showMore = () => setCount((count) => count + pageSize);

  // Observe again whenever the list grows: a button that stays in view triggers only once.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    if (areAllShown || !showMoreButton.current) return;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && showMore(), {
      rootMargin: '1200px',
    });
    observer.observe(showMoreButton.current);
    return () => observer.disconnect();
  }, [areAllShown, count]);

  return (
    <>
      <ul className={gridStyles.grid}>
        {audits.slice(0, count).map((audit) => (
          <AuditCard key={audit.id} audit={audit} onDelete={onDelete} />
        ))}
      </ul>
      {!areAllShown && (
        <div className={gridStyles.more}>
          <p>
            {count} of {audits.length} audits shown
          </p>
          <Button ref={showMoreButton} variant="default" onClick={showMore}>
            Show More
          </Button>
        </div>
      )}
    </>
  );
}
