// Half-filled checklists, kept in this browser's local storage until they are submitted, or for 14 days. Each person has their own, so
// that nobody on a shared tablet sees another's.
import type { Answers } from '#shared/answers.ts';
import type { Checklist, Section } from '#shared/checklists.ts';
import { draftLifetimeMs } from '../drafts/draftStore.ts';
import { newUuid } from '../newUuid.ts';
import { askBeforeLeaving } from '../ui/forms/useAskBeforeLeaving.ts';

const prefix = 'checklist-progress-';

const keyOf = (userId: string, checklistId: string) => `${prefix}${userId}-${checklistId}`;

type Kept = {
  /** As they were on the screen: what tells which answer belongs where when the checklist has changed since. */
  sections: Section[];
  answers: Answers;
  /** The Idempotency-Key: the same draft sent twice is one submission. */
  key: string;
  keptAt: number;
};

export type Progress = {
  answers: Answers;
  key: string;
  /** The checklist has changed since; how many answers have lost their section. */
  changed?: { lost: number };
};

export const noProgress = (): Progress => ({ answers: {}, key: newUuid() });

/** What this person has filled in so far, fitted to the sections as they are now. */
export function findProgress(userId: string, { id, sections }: Checklist): Progress | undefined {
  const kept = readKept(keyOf(userId, id));
  if (!kept) return undefined;
  if (isSame(kept.sections, sections)) return { answers: kept.answers, key: kept.key };
  const answers = fitAnswers(kept, sections);
  return { answers, key: kept.key, changed: { lost: count(kept.answers) - count(answers) } };
}

export const hasProgress = (userId: string, checklistId: string) => readKept(keyOf(userId, checklistId)) !== undefined;

/** What the browser has no room for: it lives as long as the page does, whichever screen is looked at. */
const unkept = new Map<string, Kept>();

/** Only what is unkept is lost with the page: the browser asks first. */
let stopAsking: (() => void) | undefined;

function setUnkept(key: string, kept: Kept | undefined) {
  if (kept) unkept.set(key, kept);
  else unkept.delete(key);
  if (unkept.size > 0) {
    stopAsking ??= askBeforeLeaving();
  } else {
    stopAsking?.();
    stopAsking = undefined;
  }
}

/** Keeps it; false when the browser has no room, or keeps nothing at all, and it is here only as long as the page is. */
export function keepProgress(userId: string, { id, sections }: Checklist, { answers, key }: Progress): boolean {
  const kept: Kept = { sections, answers, key, keptAt: Date.now() };
  try {
    localStorage.setItem(keyOf(userId, id), JSON.stringify(kept));
    setUnkept(keyOf(userId, id), undefined);
    return true;
  } catch {
    setUnkept(keyOf(userId, id), kept);
    return false;
  }
}

export function removeProgress(userId: string, checklistId: string) {
  setUnkept(keyOf(userId, checklistId), undefined);
  try {
    localStorage.removeItem(keyOf(userId, checklistId));
  } catch {} // where nothing is kept, nothing is left
}

/** Removes what has rested for too long, whoever's it is. */
export function sweepProgress() {
  try {
    for (const key of Object.keys(localStorage))
      if (key.startsWith(prefix) && !readKept(key)) localStorage.removeItem(key);
  } catch {} // where nothing is kept, nothing is left
}

function readKept(key: string): Kept | undefined {
  try {
    const kept = unkept.get(key) ?? (JSON.parse(localStorage.getItem(key) ?? 'null') as Kept | null);
    return kept && Array.isArray(kept.sections) && kept.answers && kept.keptAt > Date.now() - draftLifetimeMs
      ? kept
      : undefined;
  } catch {
    return undefined;
  }
}

const count = (answers: Answers) => Object.keys(answers).length;
const isSameSection = (a: Section, b: Section) => a.title === b.title && a.type === b.type;
const isSame = (a: Section[], b: Section[]) =>
  a.length === b.length && a.every((section, index) => isSameSection(section, b[index] as Section));

/** The answers whose section is still there, wherever it stands now. */
function fitAnswers({ sections: before, answers }: Kept, now: Section[]): Answers {
  const taken = new Set<number>();
  const fitted: Answers = {};
  for (const [index, section] of now.entries()) {
    const at = before.findIndex((old, at) => !taken.has(at) && isSameSection(old, section));
    if (at < 0) continue;
    taken.add(at);
    const answer = answers[at];
    if (answer !== undefined) fitted[index] = answer;
  }
  return fitted;
}
