// How long the law requires a report to be kept.
import { getToday } from '#shared/dates.ts';
import { exposureField } from '#shared/law/assessment.ts';
import { getKeptUntil, type KeptUntil, retentionClasses } from '#shared/people/retention.ts';
import type { Database } from '../db/schema.ts';
import { getAccidentDay, type StoredAnswers } from '../law/assessments.ts';
import type { RetentionSettings } from '../record-kind.ts';

/** How long a report is kept, and the name of the period. */
type ReportPeriod = KeptUntil & { class: string };

/**
 * Returns when a report's retention period ends, even if it was deleted. Returns undefined if there
 * is no such report.
 */
export async function findReportPeriod(
  db: Database,
  settings: RetentionSettings,
  reportId: string,
): Promise<ReportPeriod | undefined> {
  const report = await db
    .selectFrom('reports')
    .select(['id', 'number', 'name', 'age', 'date', 'selectedPlace', 'employmentStatus', 'created_at'])
    .where('id', '=', reportId)
    .executeTakeFirst();
  if (!report) return undefined;
  const accidentOn = getAccidentDay(report);
  const row = await db
    .selectFrom('assessments')
    .select(['id', 'answers', 'particulars', 'updated_at'])
    .where('report_id', '=', reportId)
    .executeTakeFirst();
  const notice = row
    ? await db
        .selectFrom('riddor_notices')
        .select((eb) => eb.fn.max('created_at').as('last'))
        .where('assessment_id', '=', row.id)
        .executeTakeFirst()
    : undefined;
  const lastEntry = [row?.updated_at, notice?.last].reduce<string>((a, b) => ((b ?? '') > a ? (b ?? '') : a), '');
  const people = row ? (JSON.parse(row.answers) as StoredAnswers).people : [];
  const deaths = people.flatMap(({ died, diedOn }) => {
    if (died === 'soon') return [accidentOn];
    return died === 'later' ? [typeof diedOn === 'string' && diedOn ? diedOn : accidentOn] : [];
  });
  const period = getKeptUntil(
    {
      accidentOn,
      filedOn: getToday(new Date(report.created_at)),
      lastEntryOn: lastEntry ? getToday(new Date(lastEntry)) : null,
      // A report contains the age of one person only, so with several people the ages of the others
      // are unknown.
      age: people.length > 1 ? null : report.age,
      deaths,
    },
    settings,
  );
  const exposure = row && (JSON.parse(row.particulars) as Record<string, string>)[exposureField]?.trim();
  return { ...period, class: exposure ? 'Exposure' : retentionClasses[period.rule] };
}
