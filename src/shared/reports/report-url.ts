// The filters of the Reports screen in its URL.
import { emergencyServices, employmentStatuses } from '../choices.ts';
import { parseDay } from '../dates.ts';
import { parseParks } from '../park-list.ts';
import { duties, type ReportFilters, type ReportType, reportTypes } from './reports.ts';

/** The names of the filters in the URL. */
export const filterNames = {
  kind: 'kind',
  type: 'type',
  location: 'location',
  place: 'place',
  park: 'park',
  from: 'from',
  to: 'to',
  weekday: 'weekday',
  hour: 'hour',
  employmentStatus: 'status',
  emergencyService: 'emergency',
  unopened: 'unopened',
  openAudits: 'jobs',
  duty: 'riddor',
} as const;
export type FilterName = keyof typeof filterNames;

export const hours = Array.from({ length: 24 }, (_, hour) => String(hour).padStart(2, '0'));

type Filters = { kind: ReportType | undefined; filters: ReportFilters };

const pickAllowed = <T extends string>(choices: readonly T[], value: string) =>
  choices.find((choice) => choice === value);

/** Reads filters from URL parameters: `get` returns one, or ''. Invalid values are ignored. */
export const readReportFilters = (get: (name: string) => string): Filters => ({
  /** Accidents or incidents only. */
  kind: pickAllowed(reportTypes, get(filterNames.kind)),
  filters: {
    type: get(filterNames.type) || undefined,
    location: get(filterNames.location) || undefined,
    place: get(filterNames.place).slice(0, 40) || undefined,
    park: parseParks(get(filterNames.park)).join() || undefined,
    from: parseDay(get(filterNames.from)),
    to: parseDay(get(filterNames.to)),
    weekday: pickAllowed(['1', '2', '3', '4', '5', '6', '7'] as const, get(filterNames.weekday)),
    hour: pickAllowed(hours, get(filterNames.hour)),
    employmentStatus: pickAllowed(employmentStatuses, get(filterNames.employmentStatus)),
    emergencyService: pickAllowed([...emergencyServices, 'Any'] as const, get(filterNames.emergencyService)),
    unopened: pickAllowed(['1'] as const, get(filterNames.unopened)),
    openAudits: pickAllowed(['1'] as const, get(filterNames.openAudits)),
    duty: pickAllowed(duties, get(filterNames.duty)),
  },
});

/** Returns the URL parameters of filters. */
export const writeReportFilters = ({
  reportType: kind,
  ...filters
}: ReportFilters & { reportType?: ReportType | undefined }): Record<string, string | undefined> =>
  Object.fromEntries(
    Object.entries({ kind, ...filters }).map(([name, value]) => [filterNames[name as FilterName], value]),
  );
