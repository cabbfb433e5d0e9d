// 'Assigned to Me' and 'All Open Audits': audits of every folder the user sees, those to complete unless another state is
// chosen.
import { Button, Text } from '@mantine/core';
import { ClipboardCheck } from 'lucide-react';
import { useState } from 'react';
import { isAllowed } from '#shared/access.ts';
import { api } from '#shared/api.ts';
import {
  type AuditState,
  auditSources,
  auditStates,
  type ListedAudit,
  maxAtOnce,
  type OpenAuditQuery,
} from '#shared/audits.ts';
import { listParks } from '#shared/park-list.ts';
import { useUser } from '../../client/session.ts';
import { dangerous, useConfirmed } from '../../client/useConfirmed.tsx';
import { usePages } from '../../client/usePages.ts';
import { ExportButtons } from '../../exports/ExportButtons.tsx';
import { connection } from '../../offline/connection.ts';
import { lazyComponent } from '../../ui/loading/lazyComponent.ts';
import { RecordList } from '../../ui/navigation/RecordList.tsx';
import { useFilters } from '../../ui/navigation/useUrlState.ts';
import { useIsPhone } from '../../ui/theme/useIsPhone.ts';
import { useStore } from '../../useStore.ts';
import { AuditCard } from '../AuditCard.tsx';
import gridStyles from '../AuditGrid.module.css';
import { AuditRow } from './AuditRow.tsx';
import { OpenAuditCounts } from './OpenAuditCounts.tsx';
import { OpenAuditFilters } from './OpenAuditFilters.tsx';
import styles from './OpenAudits.module.css';

const AuditSelection = lazyComponent(() => import('./AuditSelection.tsx'), 'AuditSelection');

const listNames: Record<AuditState, string> = {
  toComplete: 'Open audits',
  open: 'Open audits and those to verify',
  verify: 'Audits to verify',
  completed: 'Completed audits',
  all: 'All audits',
};

export function OpenAudits({ isMine }: { isMine: boolean }) {
  const user = useUser();
  const isPhone = useIsPhone();
  const [filters, filter] = useFilters(
    'q',
    'state',
    'park',
    'place',
    'folder',
    'assignee',
    'unassigned',
    'overdue',
    'urgent',
    'source',
  );
  const state = isMine ? 'open' : (auditStates.find((state) => state === filters.state) ?? 'toComplete');
  const query: Omit<OpenAuditQuery, 'after' | 'limit'> = isMine
    ? { mine: 'yes' }
    : {
        state,
        q: filters.q || undefined,
        park: listParks().find((park) => park === filters.park),
        place: filters.place || undefined,
        folder: filters.folder || undefined,
        assignee: filters.assignee || undefined,
        unassigned: filters.unassigned ? 'yes' : undefined,
        overdue: filters.overdue ? 'yes' : undefined,
        urgent: filters.urgent ? 'yes' : undefined,
        source: auditSources.find((source) => source === filters.source),
      };
  const auditPages = usePages(api.listOpenAudits, { query }, 48, ({ id }) => ({ after: id }));
  const deletion = useConfirmed<ListedAudit>({
    ...dangerous(api.deleteAudit),
    title: 'Confirm Deletion',
    text: 'Are you sure you want to delete this audit? This action cannot be undone.',
    failed: 'Failed to delete audit',
    done: 'Audit deleted successfully',
  });
  /** The ids of the chosen audits; undefined unless the user is selecting audits. */
  const [chosen, setChosen] = useState<ReadonlySet<string>>();
  const choose = (id: string, isChosen: boolean) =>
    setChosen((ids) => new Set(isChosen ? [...(ids ?? []), id] : [...(ids ?? [])].filter((other) => other !== id)));
  // Audits are changed together at once, so without a connection none are selected.
  const isOnline = useStore(connection) === 'online';
  const canSelect = !isMine && isOnline && state !== 'verify' && state !== 'completed';
  const audits = auditPages.data?.pages.flat() ?? [];
  const exportButtons = audits.length > 0 && isAllowed('reviewer', user) && (
    <ExportButtons list="audits" name={listNames[state]} filters={{ ...query, state: undefined, list: state }} />
  );
  const isFiltered = !isMine && Object.values(filters).some(Boolean);

  return (
    <>
      {!isMine && (
        <>
          <div className={styles.head}>
            <OpenAuditCounts isShown={!isFiltered} />
            {canSelect && (
              <Button
                variant="default"
                px="sm"
                aria-pressed={chosen !== undefined}
                onClick={() => setChosen(chosen ? undefined : new Set())}
              >
                Select
              </Button>
            )}
          </div>
          <OpenAuditFilters filters={filters} filter={filter}>
            {!isPhone && exportButtons}
          </OpenAuditFilters>
          {state !== 'toComplete' && <Text fw={600}>{listNames[state]}</Text>}
        </>
      )}
      <RecordList
        query={auditPages}
        failed="Failed to fetch audits"
        loading="Loading audits..."
        shape={isMine ? 'cards' : 'rows'}
        empty={{
          icon: ClipboardCheck,
          text: isMine
            ? 'Nothing is assigned to you'
            : state === 'toComplete'
              ? 'No open audits found'
              : 'No audits found',
          hint: isFiltered
            ? 'Try other filters.'
            : isMine
              ? 'Audits appear here when you are chosen as the person who should complete or verify them.'
              : 'Everything is completed.',
        }}
        above={isMine && exportButtons}
        className={isMine ? gridStyles.grid : styles.rows}
        row={(audit) =>
          isMine ? (
            <AuditCard audit={audit} where={`${audit.folder_name}, ${audit.park}`} onDelete={deletion.ask} />
          ) : (
            <AuditRow audit={audit} isChosen={canSelect ? chosen?.has(audit.id) : undefined} onChoose={choose} />
          )
        }
        below={
          canSelect &&
          chosen && (
            <AuditSelection
              chosen={audits.filter(({ id }) => chosen.has(id))}
              onChoose={(ids) => setChosen(new Set(ids))}
              onChooseAll={() => setChosen(new Set(audits.slice(0, maxAtOnce).map(({ id }) => id)))}
              onClose={() => setChosen(undefined)}
            />
          )
        }
      />
      {!isMine && isPhone && exportButtons}
      {deletion.dialog}
    </>
  );
}
