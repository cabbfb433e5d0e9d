// 'Create Checklists' of the admin panel.
import { Button, Text, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { ClipboardList, Copy, Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { api } from '../../shared/api.ts';
import type { Checklist, NewChecklist } from '../../shared/checklists.ts';
import { fold, searchWords } from '../../shared/text.ts';
import { read, send } from '../api.ts';
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ErrorBox } from '../ui/ErrorBox.tsx';
import { Toast } from '../ui/FeedbackMessage.tsx';
import { Loading } from '../ui/Loading.tsx';
import { newKey } from '../ui/newKey.ts';
import { SearchBox } from '../ui/SearchBox.tsx';
import { useFeedback } from '../ui/useFeedback.ts';
import { ChecklistEditor } from './ChecklistEditor.tsx';
import styles from './ChecklistsTab.module.css';
import { copyOf, emptyChecklist } from './editing.ts';

export function ChecklistsTab() {
  const { data: checklists, isPending, isError, refetch } = useQuery(read(api.listChecklists));
  const [search, setSearch] = useState('');
  const [begun, setBegun] = useState<{ key: string; start: NewChecklist }[]>([]);
  // As they were when editing began: a save that comes in between must not slip under what is typed.
  const [editing, setEditing] = useState<ReadonlyMap<string, Checklist>>(new Map());
  const [doomed, setDoomed] = useState<Checklist>();
  const deletion = useMutation(send(api.deleteChecklist));
  const feedback = useFeedback();

  const begin = (start: NewChecklist) => {
    setBegun((others) => [{ key: newKey(), start }, ...others]);
    window.scrollTo(0, 0);
  };
  const edit = (checklist: Checklist) => setEditing((others) => new Map(others).set(checklist.id, checklist));
  const stopEditing = (id: string) => setEditing((others) => new Map([...others].filter(([other]) => other !== id)));

  const remove = ({ id }: Checklist) =>
    deletion.mutate(
      { params: { id } },
      {
        onSuccess: () => feedback.say('Checklist deleted successfully'),
        onError: () => feedback.sayError('Failed to delete checklist'),
        onSettled: () => setDoomed(undefined),
      },
    );

  const words = searchWords(search);
  const found = checklists?.filter(
    ({ id, title }) => editing.has(id) || words.every((word) => fold(title).includes(word)),
  );
  return (
    <>
      <div className={styles.top}>
        <div className={styles.search}>
          <SearchBox label="Search checklists..." onSearch={setSearch} />
        </div>
        <Button leftSection={<Plus aria-hidden size={18} />} onClick={() => begin(emptyChecklist)}>
          New Checklist
        </Button>
      </div>
      {begun.map(({ key, start }) => (
        <section key={key} className={styles.card} aria-label="New checklist">
          <Title order={2} size="h4" mb="sm">
            New checklist
          </Title>
          <ChecklistEditor
            start={start}
            feedback={feedback}
            onDone={() => setBegun((others) => others.filter((other) => other.key !== key))}
          />
        </section>
      ))}
      {isPending && <Loading />}
      {isError && <ErrorBox message="The checklists could not be loaded." onRetry={() => refetch()} />}
      {checklists?.length === 0 && begun.length === 0 && (
        <EmptyState icon={ClipboardList} text="No checklists available." />
      )}
      {checklists && checklists.length > 0 && found?.length === 0 && <EmptyState text="No checklists found." />}
      <ul className={styles.list}>
        {found?.map((checklist) => {
          const { id, title, sections } = checklist;
          const edited = editing.get(id);
          return (
            <li key={id} className={styles.card}>
              {edited ? (
                <ChecklistEditor start={edited} checklist={edited} feedback={feedback} onDone={() => stopEditing(id)} />
              ) : (
                <div className={styles.row}>
                  <div className={styles.words}>
                    <Title order={2} size="h5">
                      {title}
                    </Title>
                    <Text c="dimmed" size="sm">
                      {sections.length === 1 ? '1 section' : `${sections.length} sections`}
                    </Text>
                  </div>
                  <div className={styles.actions}>
                    <Button
                      variant="default"
                      leftSection={<Pencil aria-hidden size={18} />}
                      aria-label={`Edit ${title}`}
                      onClick={() => edit(checklist)}
                    >
                      Edit
                    </Button>
                    <Button
                      variant="default"
                      leftSection={<Copy aria-hidden size={18} />}
                      aria-label={`Duplicate ${title}`}
                      onClick={() => begin(copyOf(checklist))}
                    >
                      Duplicate
                    </Button>
                    <Button
                      variant="default"
                      leftSection={<Trash2 aria-hidden size={18} />}
                      aria-label={`Delete ${title}`}
                      onClick={() => setDoomed(checklist)}
                    >
                      Delete
                    </Button>
                  </div>
                </div>
              )}
            </li>
          );
        })}
      </ul>
      <ConfirmDialog
        isOpen={doomed !== undefined}
        title="Delete this checklist?"
        confirm="Delete"
        isDangerous
        isBusy={deletion.isPending}
        onConfirm={() => doomed && remove(doomed)}
        onCancel={() => setDoomed(undefined)}
      >
        {doomed && `“${doomed.title}” can then no longer be filled in. What was submitted of it stays.`}
      </ConfirmDialog>
      <Toast feedback={feedback} />
    </>
  );
}
