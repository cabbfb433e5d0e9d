// Notifies reviewers of messages of guests: at once of the first at a label, then once in 15 minutes, and at most 20
// times for a park and hour, with counts and places. What waits is told by a job of every minute.
import { sql } from 'kysely';
import { pluralise } from '#shared/pluralise.ts';
import { recordUrls } from '#shared/record-kinds.ts';
import { serverActor } from '../db/activity-log.ts';
import type { Database } from '../db/schema.ts';
import { writeTransaction } from '../db/write-transaction.ts';
import { notify } from '../notifications/notify.ts';
import { addToCounter, findCounter, startCounter } from './counters.ts';
import { getMessageLabel, unknownPlace } from './store.ts';

const minuteMs = 60_000;
const labelPauseMs = 15 * minuteMs;
const perParkAndHour = 20;
/**
 * After this many in an hour, one follows in 12 minutes and is about the whole park. So an alarm waits for 12 minutes
 * at most, however many labels someone writes about.
 */
const perParkWithoutPause = 15;
const parkPauseMs = (60 / (perParkAndHour - perParkWithoutPause)) * minuteMs;
const maxPlacesNamed = 5;

type Waiting = { place_id: string; place: string; count: number; alarms: number };

/** Returns the places of a park with messages of which nobody was notified: those with alarms first, then the fullest. */
async function listWaiting(db: Database, park: string, place?: string): Promise<Waiting[]> {
  const rows = await db
    .selectFrom('guest_messages')
    .leftJoin('places', 'places.id', 'place_id')
    .select(['place_id', 'places.name as place', (eb) => eb.fn.countAll<number>().as('count')])
    // Alarms: someone was hurt, or an urgent kind.
    .select(sql<number>`sum(case when priority < 2 then 1 else 0 end)`.as('alarms'))
    .where('guest_messages.park', '=', park)
    .where('told_at', 'is', null)
    .where('closed_at', 'is', null)
    .$if(place !== undefined, (qb) => qb.where('place_id', '=', place ?? ''))
    .groupBy(['place_id', 'places.name'])
    .execute();
  return rows
    .map((row) => ({ ...row, place: row.place ?? unknownPlace, count: Number(row.count), alarms: Number(row.alarms) }))
    .sort((a, b) => Number(b.alarms > 0) - Number(a.alarms > 0) || b.count - a.count || (a.place < b.place ? -1 : 1));
}

const getPauseKeys = (place: string) => ({ any: `told of ${place}`, alarm: `told of alarms at ${place}` });

/** Notifies the reviewers of a new message if it may be told now. Call it in the transaction that stores it. */
export async function tellOfMessage(
  db: Database,
  now: Date,
  { park, place, priority }: { park: string; place: string; priority: number },
): Promise<void> {
  const keys = getPauseKeys(place);
  if (!(await findCounter(db, priority < 2 ? keys.alarm : keys.any, now))) await tellReviewers(db, now, park, place);
}

/** Notifies the reviewers of what waits at a park, or at one of its places, as far as it may be told now. */
async function tellReviewers(db: Database, now: Date, park: string, place?: string): Promise<void> {
  const hour = now.toISOString().slice(0, 13);
  const parkKeys = { count: `told ${park} in ${hour}`, pause: `told ${park}` };
  const { amount: told = 0 } = (await findCounter(db, parkKeys.count, now)) ?? {};
  if (told >= perParkAndHour) return;
  const isMuch = told >= perParkWithoutPause;
  if (isMuch && (await findCounter(db, parkKeys.pause, now))) return;
  const due: Waiting[] = [];
  for (const waiting of await listWaiting(db, park, isMuch ? undefined : place)) {
    const keys = getPauseKeys(waiting.place_id);
    if (!(await findCounter(db, waiting.alarms > 0 ? keys.alarm : keys.any, now))) due.push(waiting);
  }
  if (due.length === 0) return;
  await notifyOf(db, now, park, due);
  const labelPauseEnd = new Date(now.getTime() + labelPauseMs);
  for (const { place_id, alarms } of due) {
    const keys = getPauseKeys(place_id);
    await startCounter(db, { key: keys.any, endsAt: labelPauseEnd });
    if (alarms > 0) await startCounter(db, { key: keys.alarm, endsAt: labelPauseEnd });
  }
  await addToCounter(db, { key: parkKeys.count, amount: 1, endsAt: new Date(now.getTime() + 60 * minuteMs), now });
  await startCounter(db, { key: parkKeys.pause, endsAt: new Date(now.getTime() + parkPauseMs) });
}

async function notifyOf(db: Database, now: Date, park: string, due: Waiting[]): Promise<void> {
  const ids = due.map(({ place_id }) => place_id);
  const told = await db
    .updateTable('guest_messages')
    .set({ told_at: now.toISOString() })
    .where('park', '=', park)
    .where('told_at', 'is', null)
    .where('closed_at', 'is', null)
    .where('place_id', 'in', ids)
    .returning(['id', 'kind', 'priority'])
    .execute();
  const [first] = told.toSorted((a, b) => a.priority - b.priority);
  const [firstPlace] = due;
  if (!first || !firstPlace) return;
  const alarms = told.filter(({ priority }) => priority < 2).length;
  const counts = `${pluralise(told.length, 'message')} from guests at ${park}${alarms > 0 ? `, ${alarms} urgent` : ''}`;
  const named = due.slice(0, maxPlacesNamed).map(({ place, count }) => `${place} (${count})`);
  const others = due.length - named.length;
  const places = others > 0 ? [...named, `${pluralise(others, 'other place')}`] : named;
  const one = `Message from a guest at ${park}`;
  const texts =
    told.length === 1
      ? {
          text: `${one}: ${getMessageLabel({ kind: first.kind, place: { id: '', name: firstPlace.place } })}`,
          line: one,
        }
      : { text: `${counts}: ${places.join(', ')}`, line: counts };
  await notify(db, now, {
    ...{ kind: 'guestMessage', to: { reviewersOf: park }, park, isUrgent: alarms > 0, ...texts },
    ...{ thing: 'message', thing_id: first.id, link: told.length === 1 ? recordUrls.message(first.id) : '/messages' },
  });
}

/** Tells reviewers what has waited. Call it every minute. */
export async function tellOfWaitingMessages(db: Database, now: Date): Promise<void> {
  const parks = await db
    .selectFrom('guest_messages')
    .select('park')
    .distinct()
    .where('told_at', 'is', null)
    .where('closed_at', 'is', null)
    .execute();
  for (const { park } of parks) await writeTransaction(db, serverActor, now, (db) => tellReviewers(db, now, park));
}
