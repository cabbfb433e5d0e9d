import { useQuery } from '@tanstack/react-query';
import { ClipboardList } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { isAllowed } from '#shared/access.ts';
import { api } from '#shared/api.ts';
import type { CheckedPlace } from '#shared/schedules/next-place.ts';
import { matchesSearch } from '#shared/text.ts';
import { queryFor } from '../client/api.ts';
import { useUser } from '../client/session.ts';
import { withOfflineCopy } from '../drafts/offlineCopies.ts';
import { isOnlyInMemory } from '../outbox/items.ts';
import { deleteFromOutbox } from '../outbox/outbox.ts';
import { startOutbox } from '../outbox/startOutbox.ts';
import { useOutbox } from '../outbox/useSubmission.ts';
import { usePlaceInUrl } from '../parks/usePlaces.ts';
import { ChecklistsLink } from '../schedules/ChecklistsLink.tsx';
import { useDueChecks } from '../schedules/useDueChecks.ts';
import { Toast } from '../ui/feedback/Toast.tsx';
import { useFeedback } from '../ui/feedback/useFeedback.ts';
import { findParks } from '../ui/forms/parkChoices.ts';
import { SearchBox } from '../ui/forms/SearchBox.tsx';
import { lazyComponent } from '../ui/loading/lazyComponent.ts';
import { PageHeading } from '../ui/navigation/PageHeading.tsx';
import { RecordList } from '../ui/navigation/RecordList.tsx';
import { useFilters } from '../ui/navigation/useUrlState.ts';
import { ChecklistPanel } from './ChecklistPanel.tsx';
import styles from './ChecklistsPage.module.css';
import {
  deleteChecklistDraft,
  deleteExpiredDrafts,
  deleteSubmittedDrafts,
  listOrphanedDrafts,
} from './checklistDrafts.ts';
import type { Opening } from './OpenChecklist.tsx';
import { DeletedChecklist } from './submissions/DeletedChecklist.tsx';
import { getChecklistFormName, listLocalSubmissions, readChecklistSubmission } from './submittedChecklist.ts';

/** If its file cannot be fetched, checklists can still be filled in. */
const DueNow = lazyComponent(() => import('../schedules/DueNow.tsx').catch(() => ({ DueNow: () => null })), 'DueNow');

export function ChecklistsPage() {
  const query = useQuery(withOfflineCopy('everyone', queryFor(api.listChecklists)));
  const { isLoaded, items, receipts } = useOutbox();
  const user = useUser();
  const [{ q: search, park: requestedPark }, filter] = useFilters('q', 'park');
  const due = useDueChecks(findParks(requestedPark, user.parks).join());
  // Due checks stand above the list, which would move under a finger if they came later. A list once shown stays.
  const [isListReady, setListReady] = useState(false);
  if (!isListReady && (!due.isLoading || due.failureCount > 0)) setListReady(true);
  // Waits for the outbox, because the form depends on whether an earlier submission is being sent.
  const checklists = isLoaded && isListReady ? query.data : undefined;
  /** The open checklists, by id. */
  const [openings, setOpenings] = useState<ReadonlyMap<string, Opening>>(new Map());
  const [submitted, setSubmitted] = useState<string[]>([]);
  const feedback = useFeedback();
  const isReviewer = isAllowed('reviewer', user);
  const [deletedDrafts, setDeletedDrafts] = useState<string[]>([]);
  const orphanedDrafts = checklists ? listOrphanedDrafts(user.id, checklists) : [];

  const rejectedItems = checklists
    ? items.filter(
        ({ kind, state, userId, body }) =>
          kind === 'checklist' &&
          state === 'refused' &&
          userId === user.id &&
          !checklists.some(({ id }) => id === body.checklistId),
      )
    : [];

  useEffect(startOutbox, []);
  useEffect(deleteExpiredDrafts, []);
  useEffect(() => {
    const stored = items.filter(({ id }) => !isOnlyInMemory(id));
    deleteSubmittedDrafts(
      new Map([
        ...stored.map(({ id, createdAt }) => [id, createdAt] as const),
        ...receipts.map(({ id, submittedAt }) => [id, submittedAt] as const),
      ]),
    );
  }, [items, receipts]);

  const setOpening = (id: string, opening: Opening | undefined) =>
    setOpenings((openings) => {
      const others = [...openings].filter(([other]) => other !== id);
      return new Map(opening ? [...others, [id, opening]] : others);
    });

  /** Panels of submitted checklists close when the toast goes: after 2 seconds without hover or focus. */
  const hideMessage = () => {
    feedback.hide();
    for (const id of submitted) setOpening(id, undefined);
    getHeading(submitted.at(-1))?.focus();
    setSubmitted([]);
  };

  /** Opens a checklist for a place, or a park as a whole, and scrolls to it. */
  const showChecklist = (id: string, opening: Opening) => {
    filter({ q: '' });
    setOpening(id, opening);
    // The message about the place before must not close it.
    setSubmitted((ids) => ids.filter((other) => other !== id));
    requestAnimationFrame(() => {
      getHeading(id)?.focus({ preventScroll: true });
      getHeading(id)?.scrollIntoView({ block: 'start' });
    });
  };

  const place = usePlaceInUrl();
  /** Scrolls to a form that opens in the lower half of the screen, where it would hardly be seen. */
  const toggle = (id: string, isOpen: boolean) => {
    setOpening(id, isOpen ? { park: place?.park ?? '', place } : undefined);
    if (!isOpen) return;
    requestAnimationFrame(() => {
      const heading = getHeading(id);
      if (heading && heading.getBoundingClientRect().top > innerHeight / 2) heading.scrollIntoView({ block: 'start' });
    });
  };

  const [{ checklist: requestedId }] = useFilters('checklist');
  const isRequestedKnown = place !== undefined && checklists?.some(({ id }) => id === requestedId);
  const showRequested = useEffectEvent(() => showChecklist(requestedId, { park: place?.park ?? '', place }));
  useEffect(() => {
    if (isRequestedKnown) showRequested();
  }, [isRequestedKnown]);

  const matchingChecklists = checklists?.filter(({ title }) => matchesSearch([title], search));

  return (
    <>
      <PageHeading title="Checklists" park={place && `${place.name}, ${place.park}`} />
      {checklists && checklists.length > 0 && (
        <SearchBox label="Search checklists..." value={search} onSearch={(q) => filter({ q })} />
      )}
      <DueNow
        onOpen={(id, park, place) => showChecklist(id, { park, place })}
        waiting={listLocalSubmissions({ items, receipts: [] })}
      />
      {orphanedDrafts
        .map((draft) => ({ ...draft, key: getChecklistFormName(draft.checklistId, draft.placeId) }))
        .filter(({ key }) => !deletedDrafts.includes(key))
        .map(({ key, ...draft }) => (
          <DeletedChecklist
            key={key}
            draft={draft}
            onDelete={() => {
              deleteChecklistDraft(user.id, draft.checklistId, draft.placeId);
              setDeletedDrafts((keys) => [...keys, key]);
            }}
          />
        ))}
      {rejectedItems.map((item) => {
        const { checklist, ...filledIn } = readChecklistSubmission(item);
        return (
          <DeletedChecklist
            key={item.id}
            draft={{ ...checklist, ...filledIn, place: item.place }}
            onDelete={() => deleteFromOutbox(item.id)}
          />
        );
      })}
      <RecordList
        query={{ ...query, data: matchingChecklists }}
        failed="The checklists could not be loaded."
        empty={
          checklists?.length === 0
            ? {
                icon: ClipboardList,
                text: 'No checklists available.',
                hint: isReviewer
                  ? 'Create the first one. Staff can fill it in immediately.'
                  : 'Ask an Admin or the Health & Safety Manager of your park to create the first one.',
                children: isReviewer && <ChecklistsLink />,
              }
            : { text: 'No checklists found.', hint: 'Try another word of the title.' }
        }
        className={styles.list}
        row={(checklist) => (
          <ChecklistPanel
            checklist={checklist}
            opening={openings.get(checklist.id)}
            onToggle={(isOpen) => toggle(checklist.id, isOpen)}
            onOpen={(opening) => setOpening(checklist.id, opening)}
            onNext={(next: CheckedPlace) => showChecklist(checklist.id, { park: next.park, place: next })}
            feedback={feedback}
            onSubmitted={() => setSubmitted((ids) => [...ids, checklist.id])}
          />
        )}
      />
      <Toast feedback={{ ...feedback, hide: hideMessage }} />
    </>
  );
}

const getHeading = (id: string | undefined) => document.getElementById(`checklist-${id}`);
