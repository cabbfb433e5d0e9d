import { addYears } from '#shared/calendar.ts';
import { getMonth, getToday } from '#shared/dates.ts';
import type { Database } from '../db/schema.ts';
import { HttpError } from '../errors/http-error.ts';
import { declareKind } from '../record-kind.ts';
import { listStoredPaths } from '../uploads/stored-paths.ts';
import { findInvestigationOf } from './store.ts';

export const investigationKind = declareKind({
  table: 'investigations',
  children: [
    { table: 'investigation_sections', of: 'investigation_id', uploads: 'investigation' },
    { table: 'investigation_notes', of: 'investigation_id' },
    { table: 'investigation_records', of: 'investigation_id', isWithoutId: true },
  ],
  park: 'park',
  found: { label: ({ number }) => number },
  purpose: 'Why an accident or incident happened, and what was done about it',
  log: { readers: 'reviewers' },
  // Its actions are audits, and stay.
  bin: { assertRestorable: assertNoOther },
  retention: {
    from: 'created_at',
    minYears: () => 0,
    condition: `not exists (select 1 from investigation_records as covered
      left join reports on reports.id = covered.thing_id
      left join audits on audits.id = covered.thing_id
      left join guest_messages on guest_messages.id = covered.thing_id
      where covered.investigation_id = investigations.id
        and coalesce(reports.id, audits.id, guest_messages.id) is not null)`,
    /**
     * It is kept until its last record is destroyed. A record that was deleted, and left through the bin, had no
     * period that ended: then the operator's own runs from the start of the investigation.
     */
    async dueFrom(row, db, { years }) {
      const started = getToday(new Date(row.created_at));
      const records = await db
        .selectFrom('investigation_records')
        .leftJoin('destroyed', 'destroyed.id', 'investigation_records.thing_id')
        .select('destroyed.destroyed_at')
        .where('investigation_records.investigation_id', '=', row.id)
        .execute();
      const ends = records.map(({ destroyed_at }) =>
        destroyed_at ? getToday(new Date(destroyed_at)) : addYears(started, years),
      );
      const until = ends.toSorted().at(-1) ?? addYears(started, years);
      const facts = { label: row.number, place: row.park, day: started };
      return { ...facts, class: 'Investigation of destroyed records', until };
    },
    toCount: async (row) => ({ park: row.park, month: getMonth(getToday(new Date(row.created_at))) }),
  },
  listPackItems: async (_, id) => [{ thing: 'investigation', thing_id: id }],
});

/** Throws 409 if another investigation covers a record of this deletion's. */
async function assertNoOther(db: Database, deletionId: string): Promise<void> {
  const records = await db
    .selectFrom('investigation_records')
    .innerJoin('investigations', 'investigations.id', 'investigation_records.investigation_id')
    .select('investigation_records.thing_id')
    .where('investigations.deletion_id', '=', deletionId)
    .execute();
  for (const { thing_id } of records) {
    const other = await findInvestigationOf(db, thing_id);
    if (other) throw new HttpError(409, `${other.number} covers the same record now`);
  }
}

export const lessonKind = declareKind({
  table: 'lessons',
  uploads: 'lesson',
  found: { label: ({ title }) => title, images: ({ media_files }) => listStoredPaths(media_files) },
  purpose: 'What others can learn from an accident or incident',
  log: { readers: 'reviewers' },
});
