import type { Database } from '../../db/schema.ts';
import { createFieldError } from '../../errors/http-error.ts';

/** Returns the report with this number. Throws 400 if there is none. */
export async function requireReportNumbered(db: Database, number: string): Promise<{ id: string; number: string }> {
  const report = await db
    .selectFrom('reports')
    .select(['id', 'number'])
    .where('number', '=', number.toUpperCase())
    .where('deletion_id', 'is', null)
    .executeTakeFirst();
  if (!report) throw createFieldError('number', 'There is no report with this number');
  return report;
}
