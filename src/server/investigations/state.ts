// What has become of an investigation. It is worked out from its notes and the audits that are its
// actions, so it cannot differ from them.
import { addDays } from '#shared/calendar.ts';
import { getToday } from '#shared/dates.ts';
import {
  type ActionState,
  type DecisiveContents,
  daysToFinish,
  type InvestigationState,
  listCausesToAnswer,
  riskCause,
  toAbout,
} from '#shared/investigations.ts';
import type { Database, Tables } from '../db/schema.ts';

/** The audits of actions and their follow-ups, deleted ones too, in the order of their creation. */
export const selectActions = (db: Database) =>
  db
    .selectFrom('audits')
    .leftJoin('folders', 'folders.id', 'audits.folder_id')
    .select(['audits.id', 'audits.title', 'audits.investigation_id', 'audits.source_thing', 'audits.source_id'])
    .select('audits.follow_up_of')
    .select(['audits.created_at', 'audits.source_section', 'audits.date', 'audits.due', 'audits.completed'])
    .select(['audits.verified', 'audits.assignee_id', 'audits.completed_by_id', 'audits.deletion_id', 'audits.data'])
    .select('folders.park')
    .select((eb) =>
      eb
        .selectFrom('audit_notes')
        .select('audit_notes.created_at')
        .whereRef('audit_notes.audit_id', '=', 'audits.id')
        .where('audit_notes.outcome', 'is not', null)
        .limit(1)
        .as('verified_at'),
    )
    .orderBy('audits.created_at')
    .orderBy('audits.id');

type ActionRow = Awaited<ReturnType<ReturnType<typeof selectActions>['execute']>>[number];
export type NoteRow = Tables['investigation_notes'];

/** An action: its first audit, and the current one, which is the last follow-up if there are any. */
export type ActionChain = {
  first: ActionRow;
  current: ActionRow;
  /** All of them, oldest first. */
  audits: ActionRow[];
  cause: number | null;
  state: ActionState;
  /** The users who did some of the work, or are to do it. */
  doerIds: string[];
};

/** Follows each action to the audit that is open now. `rows` are sorted by their creation. */
export function followActions(rows: ActionRow[], notes: NoteRow[]): ActionChain[] {
  // Other audits created from this one are no part of the action.
  const findFollowUp = ({ id }: ActionRow) =>
    rows.find(({ follow_up_of, deletion_id }) => follow_up_of === id && deletion_id === null);
  return rows.flatMap((first) => {
    if (first.source_thing !== 'investigation') return [];
    const chain: ActionRow[] = [];
    for (let next: ActionRow | undefined = first; next; ) {
      chain.push(next);
      next = next.verified === 'doesNotWork' ? findFollowUp(next) : undefined;
    }
    const current = chain.at(-1) ?? first;
    const doerIds = chain.flatMap(({ assignee_id, completed_by_id }) =>
      [assignee_id, completed_by_id].filter((id) => id !== null),
    );
    // Someone who was given the work later can no longer waive it.
    const isWaived = notes.some(
      ({ kind, about, created_by }) => kind === 'waived' && about === first.id && !doerIds.includes(created_by),
    );
    return {
      first,
      current,
      audits: chain,
      cause: first.source_section,
      state: getActionState(first, current, isWaived),
      doerIds,
    };
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

/**
 * Returns the state of an investigation, its dates, and what is left to do. It is closed when the findings are
 * complete, at level High also confirmed by a second reviewer, every cause is answered and every action is done.
 */
export function getProgress(startedAt: string, contents: DecisiveContents, notes: NoteRow[], actions: ActionChain[]) {
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
  const state: InvestigationState = isClosed ? 'closed' : completion ? 'findingsComplete' : 'open';
  return {
    state,
    closed_on: isClosed ? getToday(new Date(times.toSorted().at(-1) ?? startedAt)) : null,
    finish_by: level && addDays(getToday(new Date(startedAt)), daysToFinish[level]),
    actions_left: actionsLeft.length,
    questions,
  };
}

/** Returns the note by which a second reviewer confirmed the findings. */
export const findConfirmation = (notes: NoteRow[]) => notes.find(({ kind }) => kind === 'confirmed');
