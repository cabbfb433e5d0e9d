import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { FolderPlus, Folders } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { isAllowed } from '#shared/access.ts';
import { api } from '#shared/api.ts';
import { type Folder, matchesFolder } from '#shared/audits.ts';
import { allParks } from '#shared/choices.ts';
import { queryFor } from '../../client/api.ts';
import { useUser } from '../../client/session.ts';
import { dangerous, useConfirmed } from '../../client/useConfirmed.tsx';
import { findUnsavedVariables, useSave } from '../../client/useSave.ts';
import { CopyNote } from '../../drafts/CopyNote.tsx';
import { withOfflineCopy } from '../../drafts/offlineCopies.ts';
import { ExportButtons } from '../../exports/ExportButtons.tsx';
import { IconButton } from '../../ui/forms/IconButton.tsx';
import { SearchBox } from '../../ui/forms/SearchBox.tsx';
import { storeTypedInput, typedInput } from '../../ui/forms/typedInput.ts';
import { Loading } from '../../ui/loading/Loading.tsx';
import { lazyComponent } from '../../ui/loading/lazyComponent.ts';
import { PageHeading } from '../../ui/navigation/PageHeading.tsx';
import { RecordList } from '../../ui/navigation/RecordList.tsx';
import { useFirstStepsLink } from '../../ui/navigation/useFirstStepsLink.tsx';
import { useFilters, useUrlState } from '../../ui/navigation/useUrlState.ts';
import { useStore } from '../../useStore.ts';
import { FolderCard } from './FolderCard.tsx';
import styles from './FoldersPage.module.css';
import {
  createEdits,
  type FolderEdits,
  type FolderVariables,
  folderSaveName,
  getFolderFormName,
  listKeptEdits,
  sendFolder,
} from './folderEdits.ts';

const OpenAudits = lazyComponent(
  () => import('../open/OpenAudits.tsx'),
  'OpenAudits',
  <Loading text="Loading audits..." shape="cards" />,
);
/** Loaded separately, because the list does not need its code for photos. */
const FolderDialog = lazyComponent(() => import('./FolderDialog.tsx'), 'FolderDialog');

/** The list of folders, or the tab in the URL: all open audits, or those assigned to the user. */
export function FoldersPage() {
  const { get } = useUrlState();
  const requestedTab = get('tab');
  const tab = auditTabs.find(({ value }) => value === requestedTab)?.value ?? '';
  if (tab === '') return <FolderList />;
  return (
    <>
      <PageHeading title="Audits" />
      <AuditTabs current={tab === 'open' && get('state') ? undefined : tab} />

      <OpenAudits key={tab} isMine={tab === 'mine'} />
    </>
  );
}

function FolderList() {
  const query = useQuery(withOfflineCopy('user', queryFor(api.listFolders)));
  const folders = query.data;
  const user = useUser();
  const isReviewer = isAllowed('reviewer', user);
  const deletion = useConfirmed<Folder>({
    ...dangerous(api.deleteFolder),
    title: 'Delete this folder?',
    text: ({ name }) =>
      `Are you sure you want to delete the folder “${name}”? All audits within it will be deleted. This action cannot be undone.`,
    failed: 'Failed to delete audit folder',
    done: 'Folder deleted successfully',
  });
  const folderDialog = useFolderDialog(() => deletion.feedback.showSuccess('Folder saved'));

  const [{ q, park }, filter] = useFilters('q', 'park');
  const parks = [...new Set(folders?.map((folder) => folder.park))];
  const matchingFolders = folders?.filter(
    (folder) => matchesFolder(folder, q) && (park === '' || folder.park === park),
  );

  const newFolder = (
    <IconButton icon={FolderPlus} variant="filled" onClick={() => folderDialog.open()}>
      New Folder
    </IconButton>
  );

  return (
    <>
      <PageHeading title="Audit Folders" back={useFirstStepsLink()}>
        {newFolder}
      </PageHeading>
      <AuditTabs current="" />
      <CopyNote reply={folders} />
      {folders && folders.length > 0 && (
        <div className={styles.filters}>
          <div className={styles.search}>
            <SearchBox label="Search folders..." value={q} onSearch={(q) => filter({ q })} />
          </div>
          {(parks.length > 1 || park !== '') && (
            <NativeSelect
              aria-label="Park"
              value={park}
              data={[{ value: '', label: allParks }, ...new Set([...parks, park].filter(Boolean))]}
              onChange={(event) => filter({ park: event.currentTarget.value })}
            />
          )}
        </div>
      )}
      <RecordList
        query={{ ...query, data: matchingFolders }}
        failed="Failed to fetch audit folders"
        shape="cards"
        empty={{
          text: 'No audit folders found',
          hint:
            folders?.length === 0
              ? 'Choose New Folder and create one for each kind of task or inspection.'
              : 'Try another word or park.',
          icon: Folders,
        }}
        above={isReviewer && <ExportButtons list="audits" name="Audits" filters={{ q, park }} />}
        className={styles.grid}
        row={(folder) => (
          <FolderCard folder={folder} onEdit={() => folderDialog.open(folder)} onDelete={() => deletion.ask(folder)} />
        )}
      />

      {folderDialog.dialog}
      {deletion.dialog}
    </>
  );
}

/**
 * The dialog that creates or edits a folder. Input survives Back and a reload. A save that was running
 * when the screen was left is shown in the dialog, or reported by `onSavedWhileAway`.
 */
function useFolderDialog(onSavedWhileAway: () => void) {
  const { park } = useUser();
  const kept = listKeptEdits(useStore(typedInput));
  const findKept = (folder?: Folder) => kept.find((edits) => edits.folder?.id === folder?.id);
  // The dialog to show again: a folder being saved, otherwise one that was open. It no
  // longer counts once a dialog was opened or closed on this visit.
  const lastOpenDialog = [findUnsavedVariables<FolderVariables>(folderSaveName), ...kept].find(
    (edits) => edits?.isOpen,
  );
  const [shownDialog, setShownDialog] = useState<{ edits: FolderEdits | undefined }>();
  const shownEdits = shownDialog ? shownDialog.edits : lastOpenDialog;

  const keep = (edits: FolderEdits, values: FolderEdits | undefined) => {
    const { name, keep } = getFolderFormName(edits);
    storeTypedInput(name, values && { values, keep });
  };
  const close = (isInputKept: boolean) => {
    const edits = shownEdits && findKept(shownEdits.folder);
    if (edits) keep(edits, isInputKept ? { ...edits, isOpen: false } : undefined);
    setShownDialog({ edits: undefined });
  };
  const isShown = ({ folder }: FolderEdits) => shownEdits !== undefined && shownEdits.folder?.id === folder?.id;
  const saving = useSave<FolderVariables, unknown>(folderSaveName, {
    send: sendFolder,
    onSaved(_, variables) {
      keep(variables, undefined);
      if (isShown(variables)) close(false);
      else onSavedWhileAway();
      setShownDialog((shownDialog) => shownDialog ?? { edits: undefined });
    },
    onFailed: (_error, variables) => isShown(variables) || setShownDialog({ edits: { ...variables, isOpen: true } }),
  });
  return {
    open(folder?: Folder) {
      saving.showErrors({});
      const edits = findKept(folder);
      if (edits) keep(edits, { ...edits, isOpen: true });
      setShownDialog({ edits: edits ?? createEdits(park, folder) });
    },
    dialog: shownEdits && (
      <FolderDialog key={shownEdits.folder?.id ?? 'new'} start={shownEdits} saving={saving} onClose={close} />
    ),
  };
}

const auditTabs = [
  { value: '', label: 'Folders' },
  { value: 'mine', label: 'Assigned to Me' },
  { value: 'open', label: 'All Open Audits' },
] as const;

/** The three lists of audits; the current one is in the URL, `/audits?tab=mine`. None is while another state is chosen. */
const AuditTabs = ({ current }: { current: (typeof auditTabs)[number]['value'] | undefined }) => (
  <nav aria-label="Audits" className={styles.tabs}>
    {auditTabs.map(({ value, label }) => (
      <Link
        key={value}
        to={value ? `/audits?tab=${value}` : '/audits'}
        className={styles.tab}
        aria-current={value === current ? 'page' : undefined}
      >
        {label}
      </Link>
    ))}
  </nav>
);
