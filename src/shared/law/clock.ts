// The state of a duty to report as a manager sees it: the same words on every screen.
import { formatDay } from '../dates.ts';
import { addDays, countDays, getEarliest } from './calendar.ts';
import type { Duty, Result } from './evaluate.ts';

export const clockStates = [
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
export type ClockState = (typeof clockStates)[number];

export const decisions = ['reportable', 'record', 'notReportable'] as const;
export type Decision = (typeof decisions)[number];

/**
 * How the authority, or the firm that must report, was told. Only a report on the form fulfils our
 * own duty.
 */
export const noticeWays = ['telephone', 'online', 'toldThem'] as const;
export type NoticeWay = (typeof noticeWays)[number];

export type Notice = { duties: string[]; how: NoticeWay; on: string; hseReference: string | null };

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

export type Clock = {
  state: ClockState;
  words: string;
  /** The earliest day of all unfulfilled duties and open rules. */
  dueOn: string | null;
  /** Whole days past `dueOn`; negative before it. */
  daysOver: number | null;
  /** Whether it needs attention today. */
  isUrgent: boolean;
};

const formatDays = (days: number) => (days === 1 ? '1 day' : `${days} days`);

/** The number of days after which an unassessed report would be due. */
const defaultDeadlineDays = 10;

type Input = { accidentOn: string; filedOn: string; today: string; assessed: Assessed | null };

export function getClock({ accidentOn, filedOn, today, assessed }: Input): Clock {
  if (!assessed) {
    const dueOn = addDays(accidentOn, defaultDeadlineDays);
    return build(
      'notAssessed',
      `Not assessed. If reportable, due by ${formatDay(dueOn)}`,
      dueOn,
      today,
      today > filedOn,
    );
  }
  const { result, decision, reason } = assessed;
  const appendReason = (text: string) => (reason ? `${text}: ${reason}` : text);
  if (decision === 'notReportable') return build('notReportable', appendReason('Not reportable'), null, today, false);
  if (decision === 'record') return build('record', appendReason('Record only'), null, today, false);

  const isDecided = decision === 'reportable';
  const duties = isDecided ? [...result.duties, ...result.openDuties] : result.duties;
  const open = isDecided ? [] : result.openDuties;
  const listNoticesOf = (duty: Duty) => assessed.notices.filter((notice) => notice.duties.includes(duty.id));
  const isOurs = (duty: Duty) => duty.responsible === 'us' || duty.responsible === 'unsure';
  const isSettled = (duty: Duty) =>
    listNoticesOf(duty).some(({ how }) => how === 'online' || (how === 'toldThem' && !isOurs(duty)));
  const left = duties.filter((duty) => !isSettled(duty));
  const dueOn = getEarliest([
    ...[...left, ...open].map((duty) => duty.dueOn),
    ...(left.length > 0 && assessed.notices.length === 0 && !isDecided ? [result.deadline?.dueOn] : []),
  ]);
  // The manager decided that it is reportable although no rule says so: due on the earliest
  // deadline of any rule.
  const fallbackDueDay = isDecided && duties.length === 0 ? addDays(accidentOn, defaultDeadlineDays) : null;
  const due = dueOn ?? (assessed.notices.some(({ how }) => how === 'online') ? null : fallbackDueDay);

  const ownDuties = left.filter(isOurs);
  if (left.length > 0 && ownDuties.length === 0)
    return build('theirs', `For ${assessed.firm ?? 'another firm'} to report. Tell them today`, due, today, true);
  if (left.length > 0 || (fallbackDueDay && due)) {
    if (due && today > due)
      return build('overdue', `Overdue by ${formatDays(countDays(due, today))}. Report it now`, due, today, true);
    const reportBy = due ? `by ${formatDay(due)}` : 'now';
    if (ownDuties.some((duty) => duty.notify && listNoticesOf(duty).length === 0))
      return build('tellNow', `Tell HSE now; report ${reportBy}`, due, today, true);
    const daysLeft = due ? countDays(today, due) : 0;
    const words = daysLeft === 0 ? `Report ${reportBy}, today` : `Report ${reportBy}, ${formatDays(daysLeft)} left`;
    return build('due', words, due, today, daysLeft <= 3);
  }
  if (open.length > 0) return openClock(assessed, accidentOn, due, today);
  if (duties.length > 0 || isDecided) return reportedClock(assessed, duties, isOurs, today);
  if (result.outcome === 'record')
    return build('record', 'Looks like a record only. Decide to confirm it', null, today, false);
  return build('notReportable', 'Looks not reportable. Decide to confirm it', null, today, false);
}

const build = (state: ClockState, words: string, dueOn: string | null, today: string, isUrgent: boolean): Clock =>
  ({ state, words, dueOn, daysOver: dueOn && countDays(dueOn, today), isUrgent }) as Clock;

function openClock({ result, openQuestions }: Assessed, accidentOn: string, due: string | null, today: string): Clock {
  const isLate = due !== null && today > due;
  if (result.watchFrom) {
    const when = `Reportable on ${formatDay(result.watchFrom).slice(0, 5)} if still off`;
    const firstDayToAsk = 6;
    const isAsked = countDays(accidentOn, today) >= firstDayToAsk;
    return build('watch', isAsked ? `${when}. Still off today?` : when, due, today, isAsked || isLate);
  }
  const what = openQuestions.length > 0 ? openQuestions.slice(0, 2).join(', ') : result.open.join(', ');
  const more = openQuestions.length > 2 ? ` and ${openQuestions.length - 2} more` : '';
  const by = due ? `; due by ${formatDay(due)} if reportable` : '';
  return build('undecided', `To decide: ${what}${more}${by}`, due, today, isLate);
}

function reportedClock(
  { notices, firm }: Assessed,
  duties: Duty[],
  isOurs: (duty: Duty) => boolean,
  today: string,
): Clock {
  // In the order in which they were recorded: a later one corrects an earlier one.
  const latest = (how: NoticeWay) => notices.findLast((notice) => notice.how === how);
  const report = latest('online');
  if (report) {
    const reference = report.hseReference ? `, HSE ref ${report.hseReference}` : ', no HSE reference';
    return build('reported', `Reported ${formatDay(report.on)}${reference}`, null, today, false);
  }
  const latestToldNotice = latest('toldThem');
  if (latestToldNotice && !duties.some(isOurs)) {
    const words = `For ${firm ?? 'another firm'} to report. Told ${formatDay(latestToldNotice.on).slice(0, 5)}`;
    return build('theirs', words, null, today, false);
  }
  return build('due', 'Report it now', null, today, true);
}
