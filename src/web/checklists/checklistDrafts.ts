// Checklist drafts in local storage until submitted, or for 14 days. Each user has their own, because
// tablets are shared.
import type { Answers } from '#shared/answers.ts';
import type { Checklist, Section } from '#shared/checklists.ts';
import { deviceItems } from '../browserItems.ts';
import { keepDraftsForMs } from '../drafts/draftStore.ts';
import { newUuid } from '../newUuid.ts';
import { askBeforeLeaving } from '../ui/forms/useAskBeforeLeaving.ts';
import type { EnteredFailures } from './failures.ts';

const prefix = 'checklist-progress-';

/** The place that a checklist is filled in for; null for the park as a whole. */
export type PlaceId = string | null;

const createKey = (userId: string, checklistId: string, placeId: PlaceId) =>
  `${prefix}${userId}-${checklistId}${placeId === null ? '' : `-${placeId}`}`;

/** The place of a draft, as it was named when the draft was saved. */
type DraftPlace = { id: string; name: string };

type StoredChecklistDraft = {
  /** The sections as shown, to match answers if the checklist changes. */
  sections: Section[];
  title: string;
  answers: Answers;
  /** Notes and photos of failing answers. */
  failures?: EnteredFailures;
  /** The park that was chosen, if the form asks for it. */
  park?: string | undefined;
  /** Absent from drafts of versions that did not ask for the place. */
  place?: DraftPlace | null;
  /** The id of the item it becomes in the outbox: the same draft sent twice is one submission. */
  key: string;
  /** The question that was used last. */
  at?: number | undefined;
  keptAt: number;
};

export type ChecklistDraft = {
  answers: Answers;
  failures?: EnteredFailures | undefined;
  park?: string | undefined;
  key: string;
  /** The question that was used last, unless the checklist has changed since. */
  at?: number | undefined;
  /** The checklist has changed since; `lostCount` is the number of answers without a section. */
  changed?: { lostCount: number };
};

export const createChecklistDraft = (): ChecklistDraft => ({ answers: {}, key: newUuid() });

/** Returns the user's draft for a place, matched to the current sections. */
export function findChecklistDraft(
  userId: string,
  { id, sections }: Checklist,
  placeId: PlaceId,
): ChecklistDraft | undefined {
  const stored = readStoredDraft(createKey(userId, id, placeId));
  if (!stored) return undefined;
  const { answers, failures, key, park, at } = stored;
  if (areSameSections(stored.sections, sections)) return { answers, failures, key, park, at };
  const remapped = remapDraft(stored, sections);
  const lostCount = countAnswers(answers) - countAnswers(remapped.answers);
  return { ...remapped, key, park, changed: { lostCount } };
}

export const hasChecklistDraft = (userId: string, checklistId: string, placeId: PlaceId) =>
  readStoredDraft(createKey(userId, checklistId, placeId)) !== undefined;

/** Whether there is a draft from a version that did not ask for the place. */
export const hasDraftOfUnknownPlace = (userId: string, checklistId: string) =>
  readStoredDraft(createKey(userId, checklistId, null))?.place === undefined &&
  hasChecklistDraft(userId, checklistId, null);

/** Returns the places for which the user has begun the checklist. */
export const listDraftPlaces = (userId: string, checklistId: string): PlaceId[] =>
  listStoredKeys(createKey(userId, checklistId, null)).flatMap((key) => {
    const [id, placeId = null] = splitKey(userId, key);
    return id === checklistId && readStoredDraft(key) ? [placeId] : [];
  });

/** Returns when the draft for the park as a whole was last changed. */
export const findDraftTime = (userId: string, checklistId: string): number | undefined =>
  readStoredDraft(createKey(userId, checklistId, null))?.keptAt;

/**
 * Gives the draft for one place to another, or to the park as a whole, with a new key: an attempt to submit it for
 * the first place may have arrived.
 */
export function moveChecklistDraft(userId: string, checklist: Checklist, from: PlaceId, to: DraftPlace | null) {
  const draft = findChecklistDraft(userId, checklist, from);
  if (!draft) return;
  saveChecklistDraft(userId, checklist, to, { ...draft, key: newUuid() });
  deleteChecklistDraft(userId, checklist.id, from);
}

/** Drafts that local storage has no room for, kept while the page is open. */
const unsavedDrafts = new Map<string, StoredChecklistDraft>();

/** Drafts without room are lost when the page closes, so the browser warns before leaving. */
let stopWarning: (() => void) | undefined;

function setUnsavedDraft(key: string, stored: StoredChecklistDraft | undefined) {
  if (stored) unsavedDrafts.set(key, stored);
  else unsavedDrafts.delete(key);
  if (unsavedDrafts.size > 0) {
    stopWarning ??= askBeforeLeaving();
  } else {
    stopWarning?.();
    stopWarning = undefined;
  }
}

/** Saves a draft; returns false if the browser cannot store it and only this page has it. */
export function saveChecklistDraft(
  userId: string,
  { id, title, sections }: Checklist,
  place: DraftPlace | null,
  { answers, failures, park, key, at }: ChecklistDraft,
): boolean {
  const stored: StoredChecklistDraft = {
    title,
    sections,
    answers,
    ...(failures && Object.keys(failures).length > 0 && { failures }),
    park: park || undefined,
    place: place && { id: place.id, name: place.name },
    key,
    at,
    keptAt: Date.now(),
  };
  const storageKey = createKey(userId, id, place?.id ?? null);
  const isStored = deviceItems.write(storageKey, JSON.stringify(stored));
  setUnsavedDraft(storageKey, isStored ? undefined : stored);
  return isStored;
}

export const deleteChecklistDraft = (userId: string, checklistId: string, placeId: PlaceId) =>
  deleteStoredDraft(createKey(userId, checklistId, placeId));

function deleteStoredDraft(key: string) {
  setUnsavedDraft(key, undefined);
  deviceItems.write(key, undefined);
}

export type OrphanedDraft = {
  title: string;
  /** The name of its place. */
  place?: string | undefined;
  sections: Section[];
  answers: Answers;
  failures: EnteredFailures;
};

/** Returns the user's answers to checklists that are not in this list, because they were deleted. */
export function listOrphanedDrafts(
  userId: string,
  checklists: Pick<Checklist, 'id'>[],
): (OrphanedDraft & { checklistId: string; placeId: PlaceId })[] {
  return listStoredKeys(createKey(userId, '', null)).flatMap((key) => {
    const [checklistId = '', placeId = null] = splitKey(userId, key);
    const stored = readStoredDraft(key);
    if (!stored || countAnswers(stored.answers) === 0 || checklists.some(({ id }) => id === checklistId)) return [];
    const { title, sections, answers, failures = {}, place } = stored;
    return [{ checklistId, placeId, title, place: place?.name, sections, answers, failures }];
  });
}

/** Returns the checklist and the place in the key of a user's draft. No id has a hyphen. */
const splitKey = (userId: string, key: string) => key.slice(createKey(userId, '', null).length).split('-');

const listStoredKeys = (start = prefix): string[] => [
  ...new Set([...unsavedDrafts.keys(), ...deviceItems.listKeys(prefix)].filter((key) => key.startsWith(start))),
];

/**
 * Deletes drafts that were submitted, by their key and when: the page may have closed between storing one in
 * the outbox and deleting it here. What another tab has changed since is kept.
 */
export function deleteSubmittedDrafts(submittedAt: ReadonlyMap<string, number>) {
  for (const storageKey of listStoredKeys()) {
    const stored = readStoredDraft(storageKey);
    if (stored && stored.keptAt <= (submittedAt.get(stored.key) ?? 0)) deleteStoredDraft(storageKey);
  }
}

export function deleteExpiredDrafts() {
  for (const key of deviceItems.listKeys(prefix)) if (!readStoredDraft(key)) deviceItems.write(key, undefined);
}

function readStoredDraft(key: string): StoredChecklistDraft | undefined {
  try {
    const stored =
      unsavedDrafts.get(key) ?? (JSON.parse(deviceItems.read(key) ?? 'null') as StoredChecklistDraft | null);
    return stored && Array.isArray(stored.sections) && stored.answers && stored.keptAt > Date.now() - keepDraftsForMs
      ? stored
      : undefined;
  } catch {
    return undefined;
  }
}

const countAnswers = (answers: Answers) => Object.keys(answers).length;
const isSameSection = (a: Section, b: Section) => a.title === b.title && a.type === b.type;
const areSameSections = (a: Section[], b: Section[]) =>
  a.length === b.length && a.every((section, index) => isSameSection(section, b[index] as Section));

/**
 * Returns the answers whose section still exists, at its new index, with the notes and photos of
 * failing ones.
 */
function remapDraft({ sections: before, answers, failures = {} }: StoredChecklistDraft, now: Section[]) {
  const matchedIndexes = new Set<number>();
  const remapped: { answers: Answers; failures: EnteredFailures } = { answers: {}, failures: {} };
  for (const [index, section] of now.entries()) {
    const at = before.findIndex((oldSection, at) => !matchedIndexes.has(at) && isSameSection(oldSection, section));
    if (at < 0) continue;
    matchedIndexes.add(at);
    const [answer, failure] = [answers[at], failures[at]];
    if (answer !== undefined) remapped.answers[index] = answer;
    if (failure) remapped.failures[index] = failure;
  }
  return remapped;
}
