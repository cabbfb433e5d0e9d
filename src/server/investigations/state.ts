// What has become of an investigation. It is worked out from its notes and the audits that are its
// actions, so it cannot differ from them.
import { getToday } from '#shared/dates.ts';
import {
  type ActionState,
  daysToFinish,
  type InvestigationState,
  listCausesToAnswer,
  riskCause,
  type SectionContents,
  toAbout,
} from '#shared/investigations.ts';
import { addDays } from '#shared/law/calendar.ts';
import type { Tables } from '../db/schema.ts';

export type ActionRow = Pick<
  Tables['audits'],
  | 'id'
  | 'title'
  | 'investigation_id'
  | 'source_thing'
  | 'source_id'
  | 'source_section'
  | 'date'
  | 'completed'
  | 'verify_days'
  | 'verify_by'
  | 'verified'
  | 'assignee_id'
  | 'completed_by_id'
  | 'deletion_id'
  | 'data'
> & { park: string | null; verified_at: string | null };
export type NoteRow = Tables['investigation_notes'];

/** An action: its audit, and the follow-ups of those that did not work, the current one last. */
export type ActionChain = {
  first: ActionRow;
  current: ActionRow;
  cause: number | null;
  state: ActionState;
  /** The users who did some of the work, or are to do it. */
  doerIds: string[];
};

/** Follows each action to the audit that is open now. `rows` are sorted by their creation. */
export function followActions(rows: ActionRow[], notes: NoteRow[]): ActionChain[] {
  const findFollowUp = ({ id }: ActionRow) =>
    rows.find(
      ({ source_thing, source_id, verify_days, deletion_id }) =>
        source_thing === 'audit' && source_id === id && verify_days !== null && deletion_id === null,
    );
  return rows.flatMap((first) => {
    if (first.source_thing !== 'investigation') return [];
    const chain = [first];
    for (let next: ActionRow | undefined = first; next?.verified === 'doesNotWork'; ) {
      next = findFollowUp(next);
      if (next) chain.push(next);
    }
    const current = chain.at(-1) ?? first;
    const doerIds = chain.flatMap(({ assignee_id, completed_by_id }) =>
      [assignee_id, completed_by_id].filter((id) => id !== null),
    );
    // Someone who was given the work later can no longer waive it.
    const isWaived = notes.some(
      ({ kind, about, created_by }) => kind === 'waived' && about === first.id && !doerIds.includes(created_by),
    );
    return { first, current, cause: first.source_section, state: getActionState(first, current, isWaived), doerIds };
  });
}

function getActionState(first: ActionRow, current: ActionRow, isWaived: boolean): ActionState {
  if (first.deletion_id !== null || current.verified === 'doesNotWork') return 'deleted';
  if (current.verified === 'works') return 'works';
  if (isWaived) return 'waived';
  return current.completed === 1 ? 'toVerify' : 'open';
}

const isDone = ({ state }: ActionChain) => state === 'works' || state === 'waived';
const isKept = ({ state }: ActionChain) => state !== 'deleted';

type Progress = {
  state: InvestigationState;
  closed_on: string | null;
  finish_by: string | null;
  actions_left: number;
  questions: { cause: number | null; isAnswered: boolean }[];
};

/** It closes when the findings are complete, every cause is answered and every action is done. */
export function getProgress(
  startedAt: string,
  contents: SectionContents,
  notes: NoteRow[],
  actions: ActionChain[],
): Progress {
  const keptActions = actions.filter(isKept);
  const questions = listCausesToAnswer(contents).map((cause) => ({
    cause,
    isAnswered:
      keptActions.some((action) => action.cause === cause) ||
      (cause !== riskCause && notes.some(({ kind, about }) => kind === 'noAction' && about === toAbout(cause))),
  }));
  const { level } = contents.depth;
  const completion = notes.find(({ kind }) => kind === 'complete');
  const actionsLeft = keptActions.filter((action) => !isDone(action));
  const isClosed =
    completion !== undefined &&
    (level !== 'high' || findConfirmation(notes) !== undefined) &&
    questions.every(({ isAnswered }) => isAnswered) &&
    actionsLeft.length === 0;
  const times = [
    ...notes.filter(({ kind }) => kind !== 'correction').map(({ created_at }) => created_at),
    ...keptActions.flatMap(({ current }) => current.verified_at ?? []),
  ];
  return {
    state: isClosed ? 'closed' : completion ? 'findingsComplete' : 'open',
    closed_on: isClosed ? getToday(new Date(times.toSorted().at(-1) ?? startedAt)) : null,
    finish_by: level && addDays(getToday(new Date(startedAt)), daysToFinish[level]),
    actions_left: actionsLeft.length,
    questions,
  };
}

/** The note of a reviewer other than the one who completed the findings. */
export function findConfirmation(notes: NoteRow[]): NoteRow | undefined {
  const completion = notes.find(({ kind }) => kind === 'complete');
  return notes.find(({ kind, created_by }) => kind === 'confirmed' && created_by !== completion?.created_by);
}
