// The list to which each number of the overview links. The number is the list's length.
import type { Period } from './overview.ts';
import type { Duty, ReportFilters, ReportType } from './reports.ts';

export type OverviewList =
  | { list: 'reports'; query: ReportFilters & { reportType?: ReportType } }
  | { list: 'audits'; query: { state: 'open' | 'overdue'; on: string; park?: string | undefined } }
  | {
      list: 'checks';
      query: Period & { state?: 'missed'; settled?: '1'; park?: string | undefined; checklist?: string };
    }
  | { list: 'notReady'; query: { park?: string | undefined } };

export type Where = {
  days: Period;
  /** Separated by commas; none for all. */
  park: string | undefined;
  type: string | undefined;
  today: string;
};

const listReports = (
  query: ReportFilters & { reportType?: ReportType },
  { days, park, type }: Where,
): OverviewList => ({
  list: 'reports',
  query: { ...query, ...days, park, type },
});

const listAudits = (state: 'open' | 'overdue', { days, park, today }: Where): OverviewList => ({
  list: 'audits',
  query: { state, on: days.to < today ? days.to : today, park },
});

/** The lists of the numbers in the table of parks. */
export const measureLists = {
  accidents: (where: Where) => listReports({ reportType: 'accident' }, where),
  incidents: (where: Where) => listReports({ reportType: 'incident' }, where),
  emergencies: (where: Where) => listReports({ emergencyService: 'Any' }, where),
  openAudits: (where: Where) => listAudits('open', where),
  overdueAudits: (where: Where) => listAudits('overdue', where),
  checks: ({ days, park }: Where): OverviewList => ({ list: 'checks', query: { settled: '1', ...days, park } }),
};

/** Both kinds of reports. */
export const listAllReports = (where: Where): OverviewList => listReports({}, where);

const listDuty = (duty: Duty, { park }: Where): OverviewList => ({ list: 'reports', query: { duty, park } });

/** The lists of the numbers that need attention. */
export const attentionLists = {
  unopenedReports: ({ park }: Where): OverviewList => ({ list: 'reports', query: { unopened: '1', park } }),
  overdue: (where: Where) => listDuty('overdue', where),
  toReport: (where: Where) => listDuty('toReport', where),
  toAssess: (where: Where) => listDuty('toAssess', where),
  overdueAudits: ({ park, today }: Where): OverviewList => ({
    list: 'audits',
    query: { state: 'overdue', on: today, park },
  }),
  missedChecks: ({ days, park }: Where): OverviewList => ({
    list: 'checks',
    query: { state: 'missed', ...days, park },
  }),
  notReady: ({ park }: Where): OverviewList => ({ list: 'notReady', query: { park } }),
};

export const listStatus = (employmentStatus: string, where: Where): OverviewList =>
  listReports({ employmentStatus: employmentStatus as NonNullable<ReportFilters['employmentStatus']> }, where);
