// Reminds reviewers of legal deadlines: 7, 3, 1 and 0 days before, then daily, at 08:00 in the
// parks.
import { formatDay, getToday } from '#shared/dates.ts';
import type { ReportRiddorState } from '#shared/law/assessment.ts';
import { pluralise } from '#shared/pluralise.ts';
import { recordUrls } from '#shared/record-kinds.ts';
import type { Database } from '../db/schema.ts';
import { type Notice, notify } from '../notifications/notify.ts';
import { runDaily } from '../notifications/reminders.ts';
import { listOpenRiddorStates } from './deadlines.ts';

const reminderDaysBefore = [7, 3, 1, 0];
/**
 * Reports that are overdue for more days than this are summarised in one message per park, because
 * there may be thousands.
 */
const maxDaysListedSingly = 30;

/** Call it every minute on every instance: each day's reminders are written once. */
export const remindOfDeadlines = (db: Database, now: Date): Promise<void> =>
  runDaily<ReportRiddorState[]>(
    db,
    now,
    'legal reminders',
    // After a downtime, sends missed reminders once.
    async (db, days, riddorStates) => {
      for (const notice of listDeadlineNotices(riddorStates, getToday(now), days)) await notify(db, now, notice);
    },
    // While a clock is ahead, the reminders of the right day are skipped.
    { find: (db) => listOpenRiddorStates(db, now), lookBack: Math.max(...reminderDaysBefore) },
  );

type DeadlineNotice = Notice & { event: string };

const describeOpen = ({ state }: ReportRiddorState) => (state === 'notAssessed' ? 'Not assessed' : 'Not decided');

function listDeadlineNotices(riddorStates: ReportRiddorState[], today: string, missed: number): DeadlineNotice[] {
  const openByPark = Map.groupBy(
    riddorStates.filter(({ isOpen }) => isOpen),
    (state) => `${describeOpen(state)} ${state.park}`,
  );
  const certain = riddorStates.filter(({ isOpen }) => !isOpen);
  const isLongOverdue = ({ daysOver }: ReportRiddorState) => daysOver !== null && daysOver > maxDaysListedSingly;
  const longOverdueByPark = Map.groupBy(certain.filter(isLongOverdue), ({ park }) => park);
  return [
    ...certain.filter((state) => !isLongOverdue(state)).flatMap((state) => createNotice(state, today, missed) ?? []),
    ...[...openByPark.values()].flatMap((reports) => createOpenNotice(reports, today, missed) ?? []),
    ...[...longOverdueByPark].map(([park, { length }]) => createSummary(park, length, today)),
  ];
}

/** One notice about all reports of a park, on the days on which one of them needs a reminder. */
function createOpenNotice(reports: ReportRiddorState[], today: string, missed: number): DeadlineNotice | undefined {
  const [first] = reports;
  if (!first || !reports.some(({ daysOver, isUrgent }) => describeDeadline(daysOver, isUrgent, missed)))
    return undefined;
  const { park, dueOn, number, report_id } = first;
  const words = describeOpen(first);
  const day = dueOn ? formatDay(dueOn) : 'now';
  const [due, link] =
    reports.length === 1
      ? [`${day}: report ${number}`, recordUrls.report(report_id)]
      : [`from ${day}: ${reports.length} reports`, getListUrl(park)];
  const line = `${words}; if reportable, due ${due} at ${park}`;
  return {
    ...{ kind: 'legalDeadline', to: { reviewersOf: park }, thing: 'park', thing_id: '', park },
    ...{ text: line, line, link, event: `legal ${words} ${park} ${today}` },
  };
}

const getListUrl = (park: string) => `/get-reports?${new URLSearchParams({ view: 'list', park, riddor: 'toAssess' })}`;

function createNotice(riddorState: ReportRiddorState, today: string, missed: number): DeadlineNotice | undefined {
  const { report_id, number, park, daysOver, isUrgent } = riddorState;
  const words = describeDeadline(daysOver, isUrgent, missed);
  if (!words) return undefined;
  const line = `${words}: report ${number} at ${park}`;
  return {
    ...{ kind: 'legalDeadline', to: { reviewersOf: park }, thing: 'report', thing_id: report_id, park },
    ...{ text: line, line, link: recordUrls.report(report_id), event: `legal ${report_id} ${today}` },
  };
}

/** `missed` is the number of days since the last reminders: usually 1. */
function describeDeadline(daysOver: number | null, isUrgent: boolean, missed: number): string | undefined {
  // Reportable under rules without a deadline.
  if (daysOver === null) return isUrgent ? 'Legal deadline today' : undefined;
  const daysLeft = -daysOver;
  if (daysLeft < 0) return `Legal deadline passed ${pluralise(-daysLeft, 'day')} ago`;
  if (!reminderDaysBefore.some((reminderDay) => daysLeft <= reminderDay && reminderDay < daysLeft + missed))
    return undefined;
  return daysLeft === 0 ? 'Legal deadline today' : `Legal deadline in ${pluralise(daysLeft, 'day')}`;
}

function createSummary(park: string, count: number, today: string): DeadlineNotice {
  const reports = count === 1 ? '1 report is' : `${count} reports are`;
  const line = `${reports} more than ${maxDaysListedSingly} days past the legal deadline at ${park}`;
  return {
    ...{ kind: 'legalDeadline', to: { reviewersOf: park }, thing: 'park', thing_id: '', park },
    ...{ text: line, line, link: '/get-reports', event: `legal ${park} ${today}` },
  };
}
