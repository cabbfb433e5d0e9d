import { sql } from 'kysely';
import type { Viewer } from '#shared/access.ts';
import { normaliseReportSearch } from '#shared/report-search.ts';
import type { ReportQuery } from '#shared/reports.ts';
import { foldText, getSearchWords } from '#shared/text.ts';
import type { Database } from './schema.ts';
import { searchRows } from './search.ts';

/** Returns a report's type in a form for comparison that ignores case. */
export const getTypeKey = (type: string): string => foldText(type).trim();

/** `dutyIds`: the ids of assessed reports with the requested duty; required with `duty`. */
export type ReportSearch = Omit<ReportQuery, 'after' | 'limit' | 'openAudits'> & {
  dutyIds?: string[];
  /** Never set: limitToVisible replaces it, so that no query can skip that. */
  openAudits?: undefined;
  /** Only reports with open audits that a user with this park sees; '' for all parks. */
  openAuditsSeenFrom?: string;
};

/** Limits the filter of open audits to those the user may see, so that it reveals no others. */
export function limitToVisible<Query extends Pick<ReportQuery, 'openAudits'>>(
  { openAudits, ...query }: Query,
  { park }: Viewer,
): Omit<Query, 'openAudits'> & { openAuditsSeenFrom?: string } {
  return { ...query, ...(openAudits && { openAuditsSeenFrom: park }) };
}

/** Returns a query for the matching reports, and the column that orders them. */
export function filterReports(db: Database, { reportType, month, q = '', ...filters }: ReportSearch) {
  const { type, park, from, to, employmentStatus, emergencyService, unopened, openAuditsSeenFrom } = filters;
  const { matches, position } = searchRows(db, 'reports', getSearchWords(normaliseReportSearch(q)));
  const filtered = matches
    .where('reports.deletion_id', 'is', null)
    .$if(reportType !== undefined, (qb) => qb.where('reports.reportType', '=', reportType ?? 'accident'))
    .$if(month !== undefined, (qb) => qb.where('reports.month', '=', month ?? ''))
    .$if(type !== undefined, (qb) => qb.where('reports.type_key', '=', getTypeKey(type ?? '')))
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
          // Kysely writes an empty list as `()`, which PostgreSQL rejects.
          filters.dutyIds?.length ? eb('reports.id', 'in', filters.dutyIds) : eb.lit(false),
          ...(filters.duty === 'toAssess'
            ? [eb.not(eb.exists(eb.selectFrom('assessments').select('id').whereRef('report_id', '=', 'reports.id')))]
            : []),
        ]),
      ),
    )
    .$if(openAuditsSeenFrom !== undefined, (qb) =>
      qb.where('reports.id', 'in', (eb) =>
        eb
          .selectFrom('audits')
          .innerJoin('folders', 'folders.id', 'audits.folder_id')
          .$if(openAuditsSeenFrom !== '', (qb) => qb.where('folders.park', '=', openAuditsSeenFrom ?? ''))
          .select(sql<string>`audits.source_id`.as('id'))
          .where('audits.source_thing', '=', 'report')
          .where('audits.completed', '=', 0)
          .where('audits.deletion_id', 'is', null),
      ),
    );
  return { matches: filtered, position };
}
