// What the law keeps: until when, and what is held longer than that.
import { getToday } from '#shared/dates.ts';
import { addDays } from '#shared/law/calendar.ts';
import { getKeptUntil, type KeptUntil } from '#shared/law/retention.ts';
import { foldText } from '#shared/text.ts';
import type { Config } from '../config.ts';
import type { Database, Tables } from '../db/schema.ts';
import { getAccidentDay, type StoredAnswers } from './assessments.ts';

type ReportRow = Pick<
  Tables['reports'],
  'id' | 'number' | 'name' | 'age' | 'date' | 'selectedPlace' | 'employmentStatus' | 'created_at'
>;

/** When a report's period ends, deleted or not. Undefined where there is no such report. */
export async function findKeptUntil(
  db: Database,
  settings: Config['retention'],
  reportId: string,
): Promise<(KeptUntil & { report: ReportRow }) | undefined> {
  const report = await db
    .selectFrom('reports')
    .select(['id', 'number', 'name', 'age', 'date', 'selectedPlace', 'employmentStatus', 'created_at'])
    .where('id', '=', reportId)
    .executeTakeFirst();
  if (!report) return undefined;
  const accidentOn = getAccidentDay(report);
  const row = await db
    .selectFrom('assessments')
    .select(['id', 'answers', 'updated_at'])
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
  const kept = getKeptUntil(
    {
      accidentOn,
      filedOn: getToday(new Date(report.created_at)),
      lastEntryOn: lastEntry ? getToday(new Date(lastEntry)) : null,
      age: report.age,
      deaths,
    },
    settings,
  );
  return { ...kept, report };
}

/** The reason of a hold on a report, on its person or on its park; undefined where there is none. */
export async function findHold(
  db: Database,
  report: Pick<ReportRow, 'id' | 'name' | 'selectedPlace'>,
): Promise<Tables['holds'] | undefined> {
  const holds = await db.selectFrom('holds').selectAll().where('lifted_at', 'is', null).execute();
  const names = { report: report.id, person: foldText(report.name), park: foldText(report.selectedPlace) };
  return holds.find(({ thing, thing_id }) => names[thing] === (thing === 'report' ? thing_id : foldText(thing_id)));
}

/**
 * Until when a deleted report has to be kept although its 30 days are over: the last day, or `held`.
 * Undefined where it may be permanently deleted.
 */
export async function findReasonToKeep(
  db: Database,
  settings: Config['retention'],
  deletion: { id: string; thing_id: string },
  now: Date,
): Promise<{ until: string | null; isHeld: boolean } | undefined> {
  const kept = await findKeptUntil(db, settings, deletion.thing_id);
  if (!kept) return undefined;
  const isHeld = (await findHold(db, kept.report)) !== undefined;
  const isReleased = await db
    .selectFrom('releases')
    .select('deletion_id')
    .where('deletion_id', '=', deletion.id)
    .executeTakeFirst();
  const isOver = getToday(now) >= addDays(kept.until, 1);
  if (isHeld) return { until: kept.until, isHeld };
  return isReleased || isOver ? undefined : { until: kept.until, isHeld };
}
