import type { ReportQuery } from '#shared/reports.ts';
import { getSearchWords } from '#shared/text.ts';
import type { Database } from '../db/schema.ts';
import { searchRows } from '../db/search.ts';

/** The reports that a list shows, and what orders them. */
export function filterReports(
  db: Database,
  { reportType, month, q = '' }: Pick<ReportQuery, 'reportType' | 'month' | 'q'>,
) {
  const { found, position } = searchRows(db, 'reports', getSearchWords(q));
  const kept = found
    .where('reports.deletion_id', 'is', null)
    .$if(reportType !== undefined, (only) => only.where('reports.reportType', '=', reportType ?? 'accident'))
    .$if(month !== undefined, (only) => only.where('reports.month', '=', month ?? ''));
  return { found: kept, position };
}
