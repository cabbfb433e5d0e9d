// What will be due at a park. It follows from the schedules, because checks are inserted only some weeks ahead.
import { addDays } from '#shared/calendar.ts';
import { getToday } from '#shared/dates.ts';
import { expandSchedule, isRarerThanMonthly, type Occurrence, toRule } from '#shared/schedules/expand-schedule.ts';
import type { Check, ComingChecks } from '#shared/schedules/schedules.ts';
import type { Database } from '../db/schema.ts';
import { type CheckedPlace, groupChosenPlaces, toCheckedPlaces } from './schedule-places.ts';
import { findClosedDays, parseSchedule, selectActiveSchedules } from './stored-schedules.ts';

/** How many days are shown from today on, and of checks that are due less often than monthly. */
const shownDays = { all: 28, rare: 366 };

/** Beyond this many checks, no further day is begun; what is rare is shown all the same. */
const maxChecks = 2000;

/** Returns the checks of a park that open in the next 4 weeks, and in 12 months what is rarer than monthly. */
export async function listComingChecks(db: Database, park: string, now: Date): Promise<ComingChecks> {
  const today = getToday(now);
  const [lastDay, lastRareDay] = [addDays(today, shownDays.all - 1), addDays(today, shownDays.rare - 1)];
  const closedDays = (await findClosedDays(db, today, lastRareDay)).get(park);
  const chosen = await groupChosenPlaces(db, park);
  const rows = await selectActiveSchedules(db).execute();
  const coming = rows
    .map(parseSchedule)
    .filter(({ parks }) => parks.includes(park))
    .flatMap((schedule) => {
      const rule = toRule(schedule);
      const isRare = isRarerThanMonthly(rule);
      const places = toCheckedPlaces([park], chosen.get(schedule.id) ?? []);
      return expandSchedule(rule, today, isRare ? lastRareDay : lastDay, closedDays)
        .filter(({ opensAt }) => opensAt > now.toISOString())
        .map((window) => ({ isRare, ...window, checks: places.map((place) => toCheck(schedule, window, place)) }));
    });
  const byDay = Map.groupBy(
    coming.filter(({ isRare }) => !isRare),
    ({ day }) => day,
  );
  const checks: Check[] = [];
  let until = today;
  for (let day = today; day <= lastDay && checks.length < maxChecks; day = addDays(day, 1)) {
    checks.push(...(byDay.get(day) ?? []).flatMap((window) => window.checks));
    until = day;
  }
  checks.push(...coming.filter(({ isRare }) => isRare).flatMap((window) => window.checks));
  const compare = new Intl.Collator('en', { numeric: true }).compare;
  checks.sort(
    (a, b) =>
      compare(a.opens_at, b.opens_at) || compare(a.checklist_title, b.checklist_title) || compare(a.place, b.place),
  );
  return { checks, until };
}

type ComingSchedule = { id: string; checklist_id: string; checklist_title: string; opens: 0 | 1 };

/** A check as it will be inserted. It has no id yet. */
const toCheck = (schedule: ComingSchedule, window: Occurrence, { park, place_id, name }: CheckedPlace): Check => ({
  ...{ id: '', schedule_id: schedule.id, park, place_id: place_id || null, place: name },
  ...{ checklist_id: schedule.checklist_id, checklist_title: schedule.checklist_title },
  ...{ day: window.day, opens_at: window.opensAt, closes_at: window.closesAt, state: 'upcoming' },
  ...{ gate: schedule.opens === 1 ? name : '', submission_id: null, filled_in_at: null, filled_in_by: null },
  ...{ is_time_from_device: false, failures: 0, reason: null, reason_by: null },
});
