// 'Create Checklists' in the admin panel.
import { Button, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { CalendarClock, CalendarOff, ClipboardList, Copy, Download, Pencil, Plus } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { api } from '#shared/api.ts';
import type { Checklist, NewChecklist } from '#shared/checklists.ts';
import { pluralise } from '#shared/pluralise.ts';
import { countQuestions } from '#shared/shown-questions.ts';
import { matchesSearch } from '#shared/text.ts';
import { queryFor } from '../client/api.ts';
import { dangerous, useConfirmed } from '../client/useConfirmed.tsx';
import { saveFile } from '../exports/saveFile.ts';
import { formNames } from '../formNames.ts';
import { newUuid } from '../newUuid.ts';
import { OpenInAnotherTab } from '../ui/feedback/OpenInAnotherTab.tsx';
import { DeleteButton } from '../ui/forms/DeleteButton.tsx';
import { IconButton } from '../ui/forms/IconButton.tsx';
import { SearchBox } from '../ui/forms/SearchBox.tsx';
import { useTypedInput } from '../ui/forms/useTypedInput.ts';
import { lazyComponent } from '../ui/loading/lazyComponent.ts';
import { RecordList } from '../ui/navigation/RecordList.tsx';
import { useFilters } from '../ui/navigation/useUrlState.ts';
import { ChecklistEditor } from './builder/ChecklistEditor.tsx';
import { copyChecklist, emptyChecklist, type UnsavedChecklist } from './builder/editorState.ts';
import styles from './ChecklistsTab.module.css';
import { writeChecklistFile } from './files/checklistFile.ts';
import { StartButtons } from './StartButtons.tsx';
import { listOpenEditors, withEditor, withoutEditor } from './unsavedEditors.ts';

const ScheduleDialog = lazyComponent(() => import('../schedules/ScheduleDialog.tsx'), 'ScheduleDialog');
const ClosedDaysDialog = lazyComponent(() => import('../schedules/ClosedDaysDialog.tsx'), 'ClosedDaysDialog');

function saveAsFile(checklist: Checklist) {
  const { name, bytes } = writeChecklistFile(checklist);
  saveFile(bytes, name);
}

export function ChecklistsTab() {
  const query = useQuery(queryFor(api.listChecklists));
  const checklists = query.data;
  const [{ checklist: search }, filter] = useFilters('checklist');
  /** The unsaved checklists; they survive leaving the page and a reload. */
  const input = useTypedInput<UnsavedChecklist[]>(formNames.checklistEditors(), []);
  const [openedEditors, setOpenedEditors] = useState<UnsavedChecklist[]>([]);
  const { broughtBack, openEditors } = listOpenEditors(input.values, openedEditors);
  const [checklistToSchedule, setChecklistToSchedule] = useState<Checklist>();
  const [isClosedDaysOpen, setClosedDaysOpen] = useState(false);
  const deletion = useConfirmed<Checklist>({
    ...dangerous(api.deleteChecklist),
    title: 'Delete this checklist?',
    text: ({ title }) => `Staff will no longer be able to fill in “${title}”. Submitted checklists are kept.`,
    isRestorable: true,
    failed: 'Failed to delete checklist',
    done: 'Checklist deleted successfully',
  });
  const { feedback } = deletion;

  const openEditor = (start: NewChecklist, checklist?: Checklist) =>
    setOpenedEditors((others) => [{ key: newUuid(), start, ...(checklist && { checklist }) }, ...others]);
  const forget = (unsaved: UnsavedChecklist) =>
    input.replace((editors) => {
      const others = withoutEditor(editors, unsaved);
      return others.length > 0 ? others : undefined;
    });
  const updateEditor = (unsaved: UnsavedChecklist) => {
    if (unsaved.typed) return input.replace((editors) => withEditor(editors, unsaved));
    setOpenedEditors((editors) => withEditor(editors, unsaved));
    forget(unsaved);
  };
  const closeEditor = (unsaved: UnsavedChecklist) => {
    setOpenedEditors((editors) => withoutEditor(editors, unsaved));
    forget(unsaved);
  };
  const renderEditor = (unsaved: UnsavedChecklist, isGone = false) => (
    <ChecklistEditor
      // Another editor of this checklist may be brought back later, whose input must not be replaced.
      key={unsaved.key}
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
  const isEmpty = checklists?.length === 0 && openEditors.length === 0;
  const startButtons = (
    <>
      <IconButton icon={Plus} variant="filled" onClick={() => openEditor(emptyChecklist)}>
        New Checklist
      </IconButton>
      <StartButtons onStart={(start) => openEditor(start)} />
    </>
  );
  if (input.takeOver) return <OpenInAnotherTab onTakeOver={input.takeOver} />;
  return (
    <>
      <div className={styles.top}>
        <div className={styles.search}>
          <SearchBox label="Search checklists..." value={search} onSearch={(checklist) => filter({ checklist })} />
        </div>
        {!isEmpty && startButtons}
        <IconButton icon={CalendarOff} onClick={() => setClosedDaysOpen(true)}>
          Closed Days
        </IconButton>
        <Button component={Link} to="/checks" variant="default">
          Scheduled Checks
        </Button>
        <Button component={Link} to="/coming-checks" variant="default">
          Coming Checks
        </Button>
      </div>
      {broughtBack.length > 0 && (
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
      <RecordList
        query={{ ...query, data: matchingChecklists }}
        failed="The checklists could not be loaded."
        empty={
          checklists?.length !== 0
            ? { text: 'No checklists found.', hint: 'Try another word of the title.' }
            : isEmpty
              ? {
                  icon: ClipboardList,
                  text: 'No checklists available.',
                  hint: 'Create the first one. Staff can fill it in immediately.',
                  children: startButtons,
                }
              : undefined
        }
        className={styles.list}
        row={(checklist) => {
          const { id, title, sections } = checklist;
          const unsaved = findOpenEditor(id);
          return (
            <li className={styles.card}>
              {unsaved ? (
                renderEditor(unsaved)
              ) : (
                <div className={styles.row}>
                  <div className={styles.text}>
                    <Title order={2} size="h5">
                      {title}
                    </Title>
                    <Text c="dimmed" size="sm">
                      {pluralise(countQuestions(sections), 'question')}
                    </Text>
                  </div>
                  <div className={styles.actions}>
                    <IconButton
                      icon={Pencil}
                      aria-label={`Edit ${title}`}
                      onClick={() => openEditor(checklist, checklist)}
                    >
                      Edit
                    </IconButton>
                    <IconButton
                      icon={Copy}
                      aria-label={`Duplicate ${title}`}
                      onClick={() => openEditor(copyChecklist(checklist))}
                    >
                      Duplicate
                    </IconButton>
                    <IconButton
                      icon={CalendarClock}
                      aria-label={`Schedule ${title}`}
                      onClick={() => setChecklistToSchedule(checklist)}
                    >
                      Schedule
                    </IconButton>
                    <IconButton
                      icon={Download}
                      aria-label={`Save as File ${title}`}
                      onClick={() => saveAsFile(checklist)}
                    >
                      Save as File
                    </IconButton>
                    <DeleteButton label={`Delete ${title}`} onClick={() => deletion.ask(checklist)} />
                  </div>
                </div>
              )}
            </li>
          );
        }}
      />
      {checklistToSchedule && (
        <ScheduleDialog checklist={checklistToSchedule} onClose={() => setChecklistToSchedule(undefined)} />
      )}
      {isClosedDaysOpen && <ClosedDaysDialog onClose={() => setClosedDaysOpen(false)} />}
      {deletion.dialog}
    </>
  );
}
