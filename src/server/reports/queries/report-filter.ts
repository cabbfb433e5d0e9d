import { type ExpressionBuilder, sql } from 'kysely';
import type { ParkViewer } from '#shared/access.ts';
import { fromDayNumber, toDayNumber } from '#shared/calendar.ts';
import { normaliseReportSearch } from '#shared/reports/report-search.ts';
import type { ReportQuery } from '#shared/reports/reports.ts';
import { foldText, getSearchWords } from '#shared/text.ts';
import type { Database, Tables } from '../../db/schema.ts';
import { searchRows } from '../../db/search.ts';
import { isAtPlace } from '../../places/links/place-links.ts';
import { isOfVisiblePark } from '../../user-parks.ts';

/** Returns a report's type or location in a form for comparison that ignores case. */
export const getTypeKey = (type: string): string => foldText(type).trim();

/** `dutyIds`: the ids of assessed reports with the requested duty; required with `duty`. */
export type ReportSearch = Omit<ReportQuery, 'after' | 'limit' | 'openAudits' | 'location'> & {
  dutyIds?: string[];
  /** Always undefined, so that a query whose filters did not pass `prepareSearch` is a type error. */
  openAudits?: undefined;
  location?: undefined;
  /** All spellings of the location. */
  locations?: string[];
  /** Only reports with open audits that this user sees. */
  openAuditsSeenBy?: ParkViewer;
};

/**
 * Limits the filter of open audits to those the user may see, so that it reveals no others, and looks
 * up the spellings of a location.
 */
export async function prepareSearch<Query extends Pick<ReportQuery, 'openAudits' | 'location'>>(
  db: Database,
  { openAudits, location, ...query }: Query,
  { parks }: ParkViewer,
): Promise<Omit<Query, 'openAudits' | 'location'> & Pick<ReportSearch, 'openAuditsSeenBy' | 'locations'>> {
  return {
    ...query,
    ...(openAudits && { openAuditsSeenBy: { parks } }),
    ...(location !== undefined && { locations: await findSpellings(db, location) }),
  };
}

async function findSpellings(db: Database, location: string): Promise<string[]> {
  const rows = await db.selectFrom('reports').select('location').distinct().where('deletion_id', 'is', null).execute();
  return rows.map((row) => row.location).filter((spelling) => getTypeKey(spelling) === getTypeKey(location));
}

/**
 * Returns the days of the range that are this weekday; 0 is Sunday. Reports without a readable day
 * match none.
 */
function listDays(weekday: string, { from, to }: Pick<ReportQuery, 'from' | 'to'>): string[] {
  const last = toDayNumber(to ?? '2100-12-31');
  const first = toDayNumber(from ?? '1900-01-01');
  const days: string[] = [];
  // Day 0, 1 January 1970, was a Thursday.
  for (let day = first + ((((Number(weekday) - 4 - first) % 7) + 7) % 7); day <= last; day += 7)
    days.push(fromDayNumber(day));
  return days;
}

/** Kysely writes an empty list as `()`, which PostgreSQL rejects. */
const isAmong = (
  eb: ExpressionBuilder<Tables, 'reports'>,
  column: 'reports.id' | 'reports.location' | 'reports.date',
  values: string[] = [],
) => (values.length > 0 ? eb(column, 'in', values) : eb.lit(false));

/** Returns a query for the matching reports, and the column that orders them. */
export function filterReports(db: Database, { reportType, month, q = '', ...filters }: ReportSearch) {
  const {
    type,
    locations,
    weekday,
    hour,
    place,
    park,
    from,
    to,
    employmentStatus,
    emergencyService,
    unopened,
    openAuditsSeenBy,
  } = filters;
  const { matches, position } = searchRows(db, 'reports', getSearchWords(normaliseReportSearch(q)));
  const filtered = matches
    .where('reports.deletion_id', 'is', null)
    .$if(reportType !== undefined, (qb) => qb.where('reports.reportType', '=', reportType ?? 'accident'))
    .$if(month !== undefined, (qb) => qb.where('reports.month', '=', month ?? ''))
    .$if(type !== undefined, (qb) => qb.where('reports.type_key', '=', getTypeKey(type ?? '')))
    .$if(locations !== undefined, (qb) => qb.where((eb) => isAmong(eb, 'reports.location', locations)))
    .$if(weekday !== undefined, (qb) =>
      qb.where((eb) => isAmong(eb, 'reports.date', listDays(weekday ?? '', { from, to }))),
    )
    .$if(hour !== undefined, (qb) => qb.where('reports.time', 'like', `${hour}%`))
    .$if(place !== undefined, (qb) => qb.where(isAtPlace('reports.id', place ?? '')))
    .$if(park !== undefined, (qb) => qb.where('reports.selectedPlace', 'in', park ?? []))
    .$if(from !== undefined, (qb) => qb.where('reports.date', '>=', from ?? ''))
    .$if(to !== undefined, (qb) => qb.where('reports.date', '<=', to ?? ''))
    .$if(employmentStatus !== undefined, (qb) => qb.where('reports.employmentStatus', '=', employmentStatus ?? ''))
    .$if(emergencyService === 'Any', (qb) => qb.where('reports.emergencyService', '<>', 'None'))
    .$if(emergencyService !== undefined && emergencyService !== 'Any', (qb) =>
      qb.where('reports.emergencyService', '=', emergencyService ?? ''),
    )
    .$if(unopened !== undefined, (qb) => qb.where('reports.first_opened_at', 'is', null))
    .$if(filters.duty !== undefined, (qb) =>
      qb.where((eb) =>
        eb.or([
          isAmong(eb, 'reports.id', filters.dutyIds),
          ...(filters.duty === 'toAssess'
            ? [eb.not(eb.exists(eb.selectFrom('assessments').select('id').whereRef('report_id', '=', 'reports.id')))]
            : []),
        ]),
      ),
    )
    .$if(openAuditsSeenBy !== undefined, (qb) =>
      qb.where('reports.id', 'in', (eb) =>
        eb
          .selectFrom('audits')
          .innerJoin('folders', 'folders.id', 'audits.folder_id')
          .select(sql<string>`audits.source_id`.as('id'))
          .where('audits.source_thing', '=', 'report')
          .where(isOfVisiblePark('folders.park', openAuditsSeenBy ?? { parks: [] }))
          .where('audits.completed', '=', 0)
          .where('audits.deletion_id', 'is', null),
      ),
    );
  return { matches: filtered, position };
}
