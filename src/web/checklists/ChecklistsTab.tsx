// 'Create Checklists' in the admin panel.
import { Button, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { CalendarClock, CalendarOff, ClipboardList, Copy, Pencil, Plus } from 'lucide-react';
import { Suspense, useEffect, useState } from 'react';
import { Link } from 'wouter';
import { api } from '#shared/api.ts';
import type { Checklist, NewChecklist } from '#shared/checklists.ts';
import { pluralise } from '#shared/pluralise.ts';
import { matchesSearch } from '#shared/text.ts';
import { queryFor } from '../client/api.ts';
import { useDeletion } from '../client/useDeletion.ts';
import { useDraft } from '../drafts/useDraft.ts';
import { newUuid } from '../newUuid.ts';
import { ConfirmDialog } from '../ui/dialogs/ConfirmDialog.tsx';
import { RestorableNote } from '../ui/dialogs/RestorableNote.tsx';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import { ErrorBox } from '../ui/feedback/ErrorBox.tsx';
import { Toast } from '../ui/feedback/Toast.tsx';
import { DeleteButton } from '../ui/forms/DeleteButton.tsx';
import { SearchBox } from '../ui/forms/SearchBox.tsx';
import { Loading } from '../ui/loading/Loading.tsx';
import { lazyComponent } from '../ui/loading/lazyComponent.ts';
import { useFilters } from '../ui/navigation/useUrlState.ts';
import { ChecklistEditor } from './builder/ChecklistEditor.tsx';
import { copyChecklist, emptyChecklist, type UnsavedChecklist } from './builder/editorState.ts';
import styles from './ChecklistsTab.module.css';

const ScheduleDialog = lazyComponent(() => import('../schedules/ScheduleDialog.tsx'), 'ScheduleDialog');
const ClosedDaysDialog = lazyComponent(() => import('../schedules/ClosedDaysDialog.tsx'), 'ClosedDaysDialog');

export function ChecklistsTab() {
  const draft = useDraft<UnsavedChecklist[]>('checklists');
  return draft.isLoading ? <Loading /> : <ChecklistList {...draft} />;
}

/** `storedDraft` contains unsaved checklists from an earlier visit. */
function ChecklistList({
  storedDraft,
  saveDraft,
  discardDraft,
}: {
  storedDraft: UnsavedChecklist[] | undefined;
  saveDraft: (unsaved: UnsavedChecklist[]) => void;
  discardDraft: () => void;
}) {
  const { data: checklists, isPending, isError, refetch } = useQuery(queryFor(api.listChecklists));
  const [{ checklist: search }, filter] = useFilters('checklist');
  const [openEditors, setOpenEditors] = useState(storedDraft ?? []);
  const [checklistToSchedule, setChecklistToSchedule] = useState<Checklist>();
  const [isClosedDaysOpen, setClosedDaysOpen] = useState(false);
  const deletion = useDeletion<Checklist>(api.deleteChecklist, {
    deleted: 'Checklist deleted successfully',
    failed: 'Failed to delete checklist',
  });
  const { chosen, feedback } = deletion;

  // Input survives leaving the page and a reload.
  useEffect(() => {
    const unsavedChecklists = openEditors.filter(({ typed }) => typed);
    if (unsavedChecklists.length > 0) saveDraft(unsavedChecklists);
    else discardDraft();
  }, [openEditors, saveDraft, discardDraft]);

  const openEditor = (start: NewChecklist, checklist?: Checklist) =>
    setOpenEditors((others) => [{ key: newUuid(), start, ...(checklist && { checklist }) }, ...others]);
  const updateEditor = (unsaved: UnsavedChecklist) =>
    setOpenEditors((others) => others.map((other) => (other.key === unsaved.key ? unsaved : other)));
  const closeEditor = ({ key }: UnsavedChecklist) =>
    setOpenEditors((others) => others.filter((other) => other.key !== key));
  const renderEditor = (unsaved: UnsavedChecklist, isGone = false) => (
    <ChecklistEditor
      unsaved={unsaved}
      isGone={isGone}
      feedback={feedback}
      onEdited={updateEditor}
      onDone={() => closeEditor(unsaved)}
    />
  );

  const findOpenEditor = (id: string) => openEditors.find(({ checklist }) => checklist?.id === id);
  const matchingChecklists = checklists?.filter(
    ({ id, title }) => findOpenEditor(id) || matchesSearch([title], search),
  );
  const newChecklists = openEditors.filter(({ checklist }) => !checklist);
  const isGone = ({ checklist }: UnsavedChecklist) => checklist && !checklists?.some(({ id }) => id === checklist.id);
  const orphanedEdits = checklists ? openEditors.filter((unsaved) => unsaved.typed && isGone(unsaved)) : [];
  return (
    <>
      <div className={styles.top}>
        <div className={styles.search}>
          <SearchBox label="Search checklists..." value={search} onSearch={(checklist) => filter({ checklist })} />
        </div>
        <Button leftSection={<Plus aria-hidden size={18} />} onClick={() => openEditor(emptyChecklist)}>
          New Checklist
        </Button>
        <Button
          variant="default"
          leftSection={<CalendarOff aria-hidden size={18} />}
          onClick={() => setClosedDaysOpen(true)}
        >
          Closed Days
        </Button>
        <Button component={Link} to="/checks" variant="default">
          Scheduled Checks
        </Button>
      </div>
      {openEditors.some(({ key }) => storedDraft?.some((unsaved) => unsaved.key === key)) && (
        <Text role="status" mb="sm">
          Your unsaved changes are open below.
        </Text>
      )}
      {newChecklists.map((unsaved) => (
        <section key={unsaved.key} className={styles.card} aria-label="New Checklist">
          <Title order={2} size="h4" mb="sm">
            New Checklist
          </Title>
          {renderEditor(unsaved)}
        </section>
      ))}
      {orphanedEdits.map((unsaved) => (
        <section key={unsaved.key} className={styles.card} aria-label="Deleted checklist">
          <Title order={2} size="h4" mb="sm">
            {unsaved.checklist?.title}
          </Title>
          <Text mb="sm">Someone else deleted this checklist. You can save yours as a new one.</Text>
          {renderEditor(unsaved, true)}
        </section>
      ))}
      {isPending && <Loading shape="rows" />}
      {isError && <ErrorBox message="The checklists could not be loaded." onRetry={() => refetch()} />}
      {checklists?.length === 0 && openEditors.length === 0 && (
        <EmptyState
          icon={ClipboardList}
          text="No checklists available."
          hint="Create the first one. Staff can fill it in immediately."
        />
      )}
      {checklists && checklists.length > 0 && matchingChecklists?.length === 0 && (
        <EmptyState text="No checklists found." hint="Try another word of the title." />
      )}
      <ul className={styles.list}>
        {matchingChecklists?.map((checklist) => {
          const { id, title, sections } = checklist;
          const unsaved = findOpenEditor(id);
          return (
            <li key={id} className={styles.card}>
              {unsaved ? (
                renderEditor(unsaved)
              ) : (
                <div className={styles.row}>
                  <div className={styles.text}>
                    <Title order={2} size="h5">
                      {title}
                    </Title>
                    <Text c="dimmed" size="sm">
                      {pluralise(sections.length, 'section')}
                    </Text>
                  </div>
                  <div className={styles.actions}>
                    <Button
                      variant="default"
                      leftSection={<Pencil aria-hidden size={18} />}
                      aria-label={`Edit ${title}`}
                      onClick={() => openEditor(checklist, checklist)}
                    >
                      Edit
                    </Button>
                    <Button
                      variant="default"
                      leftSection={<Copy aria-hidden size={18} />}
                      aria-label={`Duplicate ${title}`}
                      onClick={() => openEditor(copyChecklist(checklist))}
                    >
                      Duplicate
                    </Button>
                    <Button
                      variant="default"
                      leftSection={<CalendarClock aria-hidden size={18} />}
                      aria-label={`Schedule ${title}`}
                      onClick={() => setChecklistToSchedule(checklist)}
                    >
                      Schedule
                    </Button>
                    <DeleteButton label={`Delete ${title}`} onClick={() => deletion.ask(checklist)} />
                  </div>
                </div>
              )}
            </li>
          );
        })}
      </ul>
      <Suspense>
        {checklistToSchedule && (
          <ScheduleDialog checklist={checklistToSchedule} onClose={() => setChecklistToSchedule(undefined)} />
        )}
        {isClosedDaysOpen && <ClosedDaysDialog onClose={() => setClosedDaysOpen(false)} />}
      </Suspense>
      <ConfirmDialog {...deletion.dialog} title="Delete this checklist?">
        {chosen && `Staff will no longer be able to fill in “${chosen.title}”. Submitted checklists are kept.`}
        <RestorableNote />
      </ConfirmDialog>
      <Toast feedback={feedback} />
    </>
  );
}
