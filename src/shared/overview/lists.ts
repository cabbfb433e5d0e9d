// The list to which each number of the overview links. The number is the list's length.

import { addDays } from '../calendar.ts';
import { noPlace } from '../places/places.ts';
import type { DutyKind, ReportFilters, ReportType } from '../reports/reports.ts';
import type { AuditsOnDayQuery, Counted, Period } from './overview.ts';

export type OverviewList =
  | { list: 'reports'; query: ReportFilters & { reportType?: ReportType } }
  | { list: 'audits'; query: { state: AuditsOnDayQuery['state']; on: string; park?: string | undefined } }
  | {
      list: 'checks';
      query: Period & { state?: 'missed'; settled?: '1'; park?: string | undefined; checklist?: string };
    }
  | { list: 'notReady' | 'messages' | 'investigations'; query: { park?: string | undefined } };

export type ListScope = {
  days: Period;
  /** Parks separated by commas; undefined for all parks. */
  park: string | undefined;
  type: string | undefined;
  today: string;
};

const createReportList = (
  query: ReportFilters & { reportType?: ReportType },
  { days, park, type }: ListScope,
): OverviewList => ({
  list: 'reports',
  query: { ...query, ...days, park, type },
});

const createAuditList = (state: 'open' | 'overdue', { days, park, today }: ListScope): OverviewList => ({
  list: 'audits',
  query: { state, on: days.to < today ? days.to : today, park },
});

/** For each number in the table of parks, the list that it links to. */
export const measureLists = {
  accidents: (scope: ListScope) => createReportList({ reportType: 'accident' }, scope),
  incidents: (scope: ListScope) => createReportList({ reportType: 'incident' }, scope),
  emergencies: (scope: ListScope) => createReportList({ emergencyService: 'Any' }, scope),
  openAudits: (scope: ListScope) => createAuditList('open', scope),
  overdueAudits: (scope: ListScope) => createAuditList('overdue', scope),
  checks: ({ days, park }: ListScope): OverviewList => ({ list: 'checks', query: { settled: '1', ...days, park } }),
};

/** Describes the list of all reports, accidents and incidents, for a link to it. */
export const createAllReportsList = (scope: ListScope): OverviewList => createReportList({}, scope);

/** Describes the list of reports of a month, as far as it is in the period. */
export const createMonthList = (month: string, { days, ...scope }: ListScope): OverviewList =>
  createReportList({}, { ...scope, days: limitDays(days, `${month}-01`, getLastDayOfMonth(month)) });

/** Describes the list of reports of events on a weekday, 1 for Monday, and in an hour, `00` to `23`. */
export const createHourList = (weekday: number, hour: string, scope: ListScope): OverviewList =>
  createReportList({ weekday: String(weekday) as NonNullable<ReportFilters['weekday']>, hour }, scope);

/** Describes the list of reports of a place, or of a typed location without one. */
export const createLocationList = ({ name, place }: Pick<Counted, 'name' | 'place'>, scope: ListScope): OverviewList =>
  createReportList(place ? { place } : { location: name, place: noPlace }, scope);

/** Describes the list of checks of the week that begins on a day, as far as it is in the period. */
export const createWeekList = (week: string, { days, park }: ListScope): OverviewList => ({
  list: 'checks',
  query: { settled: '1', ...limitDays(days, week, addDays(week, 6)), park },
});

const limitDays = (days: Period, from: string, to: string): Period => ({
  from: from > days.from ? from : days.from,
  to: to < days.to ? to : days.to,
});

const getLastDayOfMonth = (month: string) => addDays(`${addDays(`${month}-01`, 31).slice(0, 7)}-01`, -1);

const createDutyList = (duty: DutyKind, { park }: ListScope): OverviewList => ({
  list: 'reports',
  query: { duty, park },
});

/** For each number that needs attention, the list that it links to. */
export const attentionLists = {
  unopenedReports: ({ park }: ListScope): OverviewList => ({ list: 'reports', query: { unopened: '1', park } }),
  overdue: (scope: ListScope) => createDutyList('overdue', scope),
  toReport: (scope: ListScope) => createDutyList('toReport', scope),
  toAssess: (scope: ListScope) => createDutyList('toAssess', scope),
  toReview: (scope: ListScope) => createDutyList('toReview', scope),
  overdueAudits: ({ park, today }: ListScope): OverviewList => ({
    list: 'audits',
    query: { state: 'overdue', on: today, park },
  }),
  auditsToVerify: ({ park, today }: ListScope): OverviewList => ({
    list: 'audits',
    query: { state: 'toVerify', on: today, park },
  }),
  missedChecks: ({ days, park }: ListScope): OverviewList => ({
    list: 'checks',
    query: { state: 'missed', ...days, park },
  }),
  openInvestigations: ({ park }: ListScope): OverviewList => ({ list: 'investigations', query: { park } }),
  notReady: ({ park }: ListScope): OverviewList => ({ list: 'notReady', query: { park } }),
  guestMessages: ({ park }: ListScope): OverviewList => ({ list: 'messages', query: { park } }),
};

/** Describes the list of reports about people with an employment status. */
export const createEmploymentList = (employmentStatus: string, scope: ListScope): OverviewList =>
  createReportList({ employmentStatus: employmentStatus as NonNullable<ReportFilters['employmentStatus']> }, scope);
