// Computes the state of a report under RIDDOR that a manager sees, with the same text on every
// screen.
import { addDays, countDays, getEarliest } from '../calendar.ts';
import { formatDay } from '../dates.ts';
import { pluralise } from '../pluralise.ts';
import type { DutyKind } from '../reports/reports.ts';
import { type Duty, mayBeOwnDuty, type Result } from './evaluate.ts';

export const riddorStateNames = [
  'notAssessed',
  'undecided',
  'watch',
  'tellNow',
  'due',
  'overdue',
  'theirs',
  'reported',
  'record',
  'notReportable',
] as const;
type RiddorStateName = (typeof riddorStateNames)[number];

export const decisions = ['reportable', 'record', 'notReportable'] as const;
export type Decision = (typeof decisions)[number];

/**
 * The ways to notify the authority, or the other firm that must report (`toldThem`). Only a report
 * on the authority's form fulfils our own duty.
 */
export const noticeWays = ['telephone', 'online', 'toldThem'] as const;
export type NoticeWay = (typeof noticeWays)[number];

/** `hseReference` is undefined in a copy without it. */
export type Notice = { duties: string[]; how: NoticeWay; on: string; hseReference?: string | null };

export type Assessed = {
  result: Result;
  decision: Decision | null;
  reason: string | null;
  /** In the order in which they were recorded. */
  notices: Notice[];
  /** The short names of the open questions. */
  openQuestions: string[];
  /** The firm that must report, if it is not ours. */
  firm: string | null;
};

/** Leaves out what users typed, because it may name someone. */
export const withoutTypedText = (assessed: Assessed): Assessed => ({
  ...assessed,
  reason: null,
  firm: null,
  notices: assessed.notices.map(({ hseReference: _, ...notice }) => notice),
});

export type RiddorState = {
  state: RiddorStateName;
  words: string;
  /** The earliest day of all unfulfilled duties and open rules. */
  dueOn: string | null;
  /** Whole days past `dueOn`; negative before it. */
  daysOver: number | null;
  /** Whether it needs attention today. */
  isUrgent: boolean;
  /** Whether nobody has decided yet that it must be reported, so that its day is no legal deadline. */
  isOpen: boolean;
};

/** The number of days after which an unassessed report would be due. */
const defaultDeadlineDays = 10;

type StateInput = { accidentOn: string; filedOn: string; today: string; assessed: Assessed | null };

export function getRiddorState({ accidentOn, filedOn, today, assessed }: StateInput): RiddorState {
  if (!assessed) {
    const dueOn = addDays(accidentOn, defaultDeadlineDays);
    return createState(
      'notAssessed',
      `Not assessed. If reportable, due by ${formatDay(dueOn)}`,
      dueOn,
      today,
      today > filedOn,
      true,
    );
  }
  const { result, decision, reason } = assessed;
  const appendReason = (text: string) => (reason ? `${text}: ${reason}` : text);
  if (decision === 'notReportable')
    return createState('notReportable', appendReason('Not reportable'), null, today, false);
  if (decision === 'record') return createState('record', appendReason('Record only'), null, today, false);

  const isDecided = decision === 'reportable';
  const duties = isDecided ? [...result.duties, ...result.openDuties] : result.duties;
  const open = isDecided ? [] : result.openDuties;
  const listNoticesAbout = (duty: Duty) => assessed.notices.filter((notice) => notice.duties.includes(duty.id));
  const isSettled = (duty: Duty) =>
    listNoticesAbout(duty).some(({ how }) => how === 'online' || (how === 'toldThem' && !mayBeOwnDuty(duty)));
  const unfulfilled = duties.filter((duty) => !isSettled(duty));
  const dueOn = getEarliest([
    ...[...unfulfilled, ...open].map((duty) => duty.dueOn),
    ...(unfulfilled.length > 0 && assessed.notices.length === 0 && !isDecided ? [result.deadline?.dueOn] : []),
  ]);
  // If the manager decided that a report is reportable although no rule says so, it is due 10 days
  // after the accident: the shortest deadline that any rule counts from the day of the accident.
  const fallbackDueDay = isDecided && duties.length === 0 ? addDays(accidentOn, defaultDeadlineDays) : null;
  const due = dueOn ?? (assessed.notices.some(({ how }) => how === 'online') ? null : fallbackDueDay);

  const ownDuties = unfulfilled.filter(mayBeOwnDuty);
  const overdueBy = due && today > due ? `Overdue by ${pluralise(countDays(due, today), 'day')}` : '';
  if (unfulfilled.length > 0 && ownDuties.length === 0) {
    const words = `For ${assessed.firm ?? 'another firm'} to report. Tell them today`;
    return overdueBy
      ? createState('overdue', `${overdueBy}. ${words}`, due, today, true)
      : createState('theirs', words, due, today, true);
  }
  if (unfulfilled.length > 0 || (fallbackDueDay && due)) {
    if (overdueBy) return createState('overdue', `${overdueBy}. Report it now`, due, today, true);
    const reportBy = due ? `by ${formatDay(due)}` : 'now';
    if (ownDuties.some((duty) => duty.notify && listNoticesAbout(duty).length === 0))
      return createState('tellNow', `Tell HSE now; report ${reportBy}`, due, today, true);
    const daysLeft = due ? countDays(today, due) : 0;
    const words =
      daysLeft === 0 ? `Report ${reportBy}, today` : `Report ${reportBy}, ${pluralise(daysLeft, 'day')} left`;
    return createState('due', words, due, today, daysLeft <= 3);
  }
  if (open.length > 0) return createOpenState(assessed, accidentOn, due, today, overdueBy);
  if (duties.length > 0 || isDecided) return createReportedState(assessed, duties, today);
  if (result.outcome === 'record')
    return createState('record', 'Looks like a record only. Decide to confirm it', null, today, false);
  return createState('notReportable', 'Looks not reportable. Decide to confirm it', null, today, false);
}

/** The unfinished duty that a state is counted as. */
export const getDuty = ({ state }: Pick<RiddorState, 'state'>): DutyKind =>
  state === 'overdue'
    ? 'overdue'
    : state === 'tellNow' || state === 'due' || state === 'theirs'
      ? 'toReport'
      : 'toAssess';

const createState = (
  state: RiddorStateName,
  words: string,
  dueOn: string | null,
  today: string,
  isUrgent: boolean,
  isOpen = false,
): RiddorState =>
  ({ state, words, dueOn, daysOver: dueOn && countDays(dueOn, today), isUrgent, isOpen }) as RiddorState;

function createOpenState(
  { result, openQuestions }: Assessed,
  accidentOn: string,
  due: string | null,
  today: string,
  overdueBy: string,
): RiddorState {
  const { watchFrom } = result;
  if (watchFrom) {
    if (overdueBy) return createState('overdue', `${overdueBy} if still off. Still off today?`, due, today, true, true);
    const when = `Reportable ${watchFrom < today ? 'since' : 'on'} ${formatDay(watchFrom).slice(0, 5)} if still off`;
    const firstDayToAsk = 6;
    const isAsked = countDays(accidentOn, today) >= firstDayToAsk;
    return createState('watch', isAsked ? `${when}. Still off today?` : when, due, today, isAsked, true);
  }
  const what = openQuestions.length > 0 ? openQuestions.slice(0, 2).join(', ') : result.open.join(', ');
  const toDecide = `To decide: ${what}${openQuestions.length > 2 ? ` and ${openQuestions.length - 2} more` : ''}`;
  if (overdueBy) return createState('overdue', `${overdueBy} if reportable. ${toDecide}`, due, today, true, true);
  const by = due ? `; due by ${formatDay(due)} if reportable` : '';
  return createState('undecided', `${toDecide}${by}`, due, today, false, true);
}

function createReportedState({ notices, firm }: Assessed, duties: Duty[], today: string): RiddorState {
  // In the order in which they were recorded: a later one corrects an earlier one.
  const findLatest = (how: NoticeWay) => notices.findLast((notice) => notice.how === how);
  const report = findLatest('online');
  if (report) {
    const { hseReference } = report;
    const reference = hseReference
      ? `, HSE ref ${hseReference}`
      : hseReference === undefined
        ? ''
        : ', no HSE reference';
    return createState('reported', `Reported ${formatDay(report.on)}${reference}`, null, today, false);
  }
  const latestToldNotice = findLatest('toldThem');
  if (latestToldNotice && !duties.some(mayBeOwnDuty)) {
    const words = `For ${firm ?? 'another firm'} to report. Told ${formatDay(latestToldNotice.on).slice(0, 5)}`;
    return createState('theirs', words, null, today, false);
  }
  return createState('due', 'Report it now', null, today, true);
}
