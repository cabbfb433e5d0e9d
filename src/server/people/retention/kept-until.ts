// Until when the law requires a report to be kept, and which holds extend that.
import { getToday } from '#shared/dates.ts';
import { exposureField } from '#shared/law/assessment.ts';
import { addDays } from '#shared/law/calendar.ts';
import { getKeptUntil, type KeptUntil, retentionClasses } from '#shared/people/retention.ts';
import { foldText } from '#shared/text.ts';
import type { Config } from '../../config.ts';
import type { Database, Tables } from '../../db/schema.ts';
import { getAccidentDay, type StoredAnswers } from '../../law/assessments.ts';
import { findPersonIn, isNameIn } from '../search/record-texts.ts';

type ReportRow = Pick<
  Tables['reports'],
  'id' | 'number' | 'name' | 'age' | 'date' | 'selectedPlace' | 'employmentStatus' | 'created_at' | 'deletion_id'
>;

/** How long a report is kept, the name of the period, and any hold beyond it. */
type KeptReport = KeptUntil & {
  class: string;
  report: ReportRow;
  hold: { reason: string } | undefined;
  /** The time of the last change of the report's assessment or notices; empty if there is none. */
  lastEntry: string;
};

/**
 * Returns when a report's retention period ends, even if it was deleted. Returns undefined if there
 * is no such report.
 */
export async function findKeptUntil(
  db: Database,
  settings: Config['retention'],
  reportId: string,
): Promise<KeptReport | undefined> {
  const report = await db
    .selectFrom('reports')
    .select(['id', 'number', 'name', 'age', 'date', 'selectedPlace', 'employmentStatus', 'created_at', 'deletion_id'])
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
  const hold = await findHoldOnRecord(db, 'report', reportId);
  return { ...period, class: exposure ? 'Exposure' : retentionClasses[period.rule], report, hold, lastEntry };
}

/** Returns the parks of a record; of a folder with audits, there is still only one. */
async function findPark(db: Database, thing: string, id: string): Promise<string> {
  if (thing === 'report')
    return (
      (await db.selectFrom('reports').select('selectedPlace').where('id', '=', id).executeTakeFirst())?.selectedPlace ??
      ''
    );
  if (thing === 'submission' || thing === 'folder' || thing === 'check') {
    const tables = { submission: 'submissions', folder: 'folders', check: 'due_checks' } as const;
    return (await db.selectFrom(tables[thing]).select('park').where('id', '=', id).executeTakeFirst())?.park ?? '';
  }
  if (thing !== 'audit') return '';
  const audits = db.selectFrom('audits').innerJoin('folders', 'folders.id', 'audits.folder_id');
  return (await audits.select('folders.park').where('audits.id', '=', id).executeTakeFirst())?.park ?? '';
}

/**
 * Returns a hold on a record, its park or a person whom the record names anywhere, so that
 * "everything about a person" is kept. A hold on an audit also keeps its folder.
 */
export async function findHoldOnRecord(db: Database, thing: string, id: string): Promise<Tables['holds'] | undefined> {
  const holds = await db.selectFrom('holds').selectAll().where('lifted_at', 'is', null).execute();
  if (holds.length === 0) return undefined;
  const park = foldText(await findPark(db, thing, id));
  const audits =
    thing === 'folder' ? await db.selectFrom('audits').select('id').where('folder_id', '=', id).execute() : [];
  const held = holds.find(
    (hold) =>
      (hold.thing === 'report' && hold.thing_id === id) || (hold.thing === 'park' && foldText(hold.thing_id) === park),
  );
  if (held) return held;
  const people = holds.filter((hold) => hold.thing === 'person');
  const names = people.map((hold) => hold.thing_id);
  const index = await findPersonIn(db, [id, ...audits.map((audit) => audit.id)], names);
  return index === undefined ? undefined : people[index];
}

/** Returns a hold on a person whose name contains one of these names, or is part of one. */
export async function findHoldOnPerson(db: Database, names: string[]): Promise<Tables['holds'] | undefined> {
  const holds = db.selectFrom('holds').selectAll().where('lifted_at', 'is', null).where('thing', '=', 'person');
  return (await holds.execute()).find(({ thing_id: held }) =>
    names.some((name) => isNameIn(name, held) || isNameIn(held, name)),
  );
}

/**
 * Returns until when a report must be kept more than 30 days after its deletion, and whether a hold
 * applies. Returns undefined if it may be permanently deleted.
 */
export async function findRetention(
  db: Database,
  settings: Config['retention'],
  deletion: { id: string; thing_id: string },
  now: Date,
): Promise<{ until: string | null; isHeld: boolean } | undefined> {
  const keptReport = await findKeptUntil(db, settings, deletion.thing_id);
  if (!keptReport) return undefined;
  const isHeld = keptReport.hold !== undefined;
  const isReleased = await db
    .selectFrom('releases')
    .select('deletion_id')
    .where('deletion_id', '=', deletion.id)
    .executeTakeFirst();
  const isOver = getToday(now) >= addDays(keptReport.until, 1);
  if (isHeld) return { until: keptReport.until, isHeld };
  return isReleased || isOver ? undefined : { until: keptReport.until, isHeld };
}
