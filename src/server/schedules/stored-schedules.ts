// Schedules as they are stored, and the days on which parks are closed.
import { addDays } from '#shared/calendar.ts';
import type { Window } from '#shared/schedules/schedules.ts';
import type { Database, Tables } from '../db/schema.ts';

export type StoredSchedule = ReturnType<typeof parseSchedule<Tables['schedules']>>;

/** Parses the columns of a schedule that are lists. */
export const parseSchedule = <Row extends Pick<Tables['schedules'], 'parks' | 'weekdays' | 'more_windows'>>(
  row: Row,
) => ({
  ...row,
  parks: JSON.parse(row.parks) as string[],
  weekdays: JSON.parse(row.weekdays) as number[],
  more_windows: JSON.parse(row.more_windows) as Window[],
});

/** Selects the schedules in force whose checklists were not deleted. */
export const selectActiveSchedules = (db: Database) =>
  db
    .selectFrom('schedules')
    .innerJoin('checklists', 'checklists.id', 'schedules.checklist_id')
    .selectAll('schedules')
    .select('checklists.title as checklist_title')
    .where('schedules.ended_at', 'is', null)
    .where('checklists.deletion_id', 'is', null);

/** Returns, for each park, the days from `from` to `to` on which it is closed. */
export async function findClosedDays(db: Database, from: string, to: string): Promise<Map<string, Set<string>>> {
  const closures = await db
    .selectFrom('park_closures')
    .select(['park', 'starts_on', 'ends_on'])
    .where('starts_on', '<=', to)
    .where('ends_on', '>=', from)
    .execute();
  const closedDays = new Map<string, Set<string>>();
  for (const { park, starts_on, ends_on } of closures) {
    const days = closedDays.get(park) ?? new Set();
    const last = ends_on < to ? ends_on : to;
    for (let day = starts_on > from ? starts_on : from; day <= last; day = addDays(day, 1)) days.add(day);
    closedDays.set(park, days);
  }
  return closedDays;
}
