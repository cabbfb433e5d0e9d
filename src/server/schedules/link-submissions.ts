// Links checks to the submissions that answer them.
import { sql } from 'kysely';
import { assignSubmissions, getFilledInAt } from '#shared/schedules/check-state.ts';
import type { Database, Tables } from '../db/schema.ts';
import { followPlace } from '../places/links/place-links.ts';
import { keepClosed } from './readiness.ts';

const dayMs = 24 * 60 * 60_000;
const shiftInstant = (instant: string, days: number) => new Date(Date.parse(instant) + days * dayMs).toISOString();

type OfChecklist = { checklist_id: string; park: string };
type SubmissionRow = OfChecklist & Pick<Tables['submissions'], 'id' | 'filled_in_at'>;

/** After a submission was added, deleted or restored, links the checks to the submissions that answer them. */
export async function updateAnsweredChecks(db: Database, submission: SubmissionRow): Promise<void> {
  const place = await findPlaceOf(db, submission.id);
  await linkSubmissions(db, submission, place === '' ? [] : [place], submission.filled_in_at);
}

/** Returns the id of a submission's place; '' if it has none. */
export async function findPlaceOf(db: Database, submissionId: string): Promise<string> {
  const link = await db
    .selectFrom('place_links')
    .select('place_id')
    .where('thing_id', '=', submissionId)
    .executeTakeFirst();
  return link?.place_id ?? '';
}

/**
 * Gives a new submission its place: the one that was sent, or, if none was sent, the only one that it can be for. Returns
 * whether it was sent without a place and can be for several.
 */
export async function placeSubmission(
  db: Database,
  submission: SubmissionRow & Pick<Tables['submissions'], 'place_sent' | 'submitted_by' | 'submitted_at'>,
): Promise<boolean> {
  const { place_sent } = submission;
  if (place_sent === null) return (await placeNameless(db, [submission])).length > 0;
  const place = place_sent === '' ? undefined : await followPlace(db, place_sent);
  if (place?.park === submission.park) await insertLink(db, place.id, submission);
  return false;
}

const insertLink = (
  db: Database,
  place_id: string,
  { id, submitted_by, submitted_at }: Pick<Tables['submissions'], 'id' | 'submitted_by' | 'submitted_at'>,
) =>
  db
    .insertInto('place_links')
    .values({
      ...{ thing_id: id, thing: 'submission', place_id, is_later: 0 },
      ...{ linked_by: submitted_by, linked_at: submitted_at },
    })
    .onConflict((conflict) => conflict.column('thing_id').doNothing())
    .execute();

/**
 * Gives a place to submissions of a checklist at a park that were sent without one, if only one place there occurs among the
 * checks that had opened then and the schedules in force. Returns those that can be for several places.
 */
async function placeNameless<Row extends Parameters<typeof insertLink>[2] & SubmissionRow>(
  db: Database,
  submissions: Row[],
): Promise<Row[]> {
  const ambiguous: Row[] = [];
  for (const submission of submissions) {
    const places = await listPossiblePlaces(db, submission);
    if (places.length === 1) await insertLink(db, places[0]?.id ?? '', submission);
    if (places.length > 1) ambiguous.push(submission);
  }
  return ambiguous;
}

/** Places submissions that were sent without a place before these checks existed, and links them. */
export async function linkToInsertedChecks(
  db: Database,
  { checklist_id, park }: OfChecklist,
  places: string[],
  { from, to, now }: { from: string; to: string; now: Date },
): Promise<void> {
  const nameless = await db
    .selectFrom('submissions')
    .leftJoin('place_links', 'place_links.thing_id', 'submissions.id')
    .select(['id', 'checklist_id', 'park', 'filled_in_at', 'submitted_by', 'submitted_at'])
    .where('checklist_id', '=', checklist_id)
    .where('park', '=', park)
    .where('deletion_id', 'is', null)
    .where('filled_in_at', '>=', from)
    .where('place_sent', 'is', null)
    .where('place_links.place_id', 'is', null)
    .execute();
  if (nameless.length > 0)
    await keepClosed(db, { checklist: checklist_id, park }, { what: 'A check was added', now }, () =>
      placeNameless(db, nameless),
    );
  await linkSubmissions(db, { checklist_id, park }, places, from, to);
}

/** Returns two places at most. */
const listPossiblePlaces = (db: Database, { checklist_id, park, filled_in_at }: SubmissionRow) =>
  db
    .selectFrom('places')
    .select(({ fn }) => fn.coalesce('joined_into', 'places.id').as('id'))
    .distinct()
    .where('places.park', '=', park)
    .where(({ or, exists, selectFrom }) =>
      or([
        exists(
          selectFrom('due_checks')
            .select('due_checks.id')
            .whereRef('place_id', '=', 'places.id')
            .where('checklist_id', '=', checklist_id)
            .where('due_checks.park', '=', park)
            .where('opens_at', '<=', filled_in_at),
        ),
        exists(
          selectFrom('schedule_places')
            .innerJoin('schedules', 'schedules.id', 'schedule_id')
            .select('schedule_id')
            .whereRef('place_id', '=', 'places.id')
            .where('checklist_id', '=', checklist_id)
            .where('ended_at', 'is', null),
        ),
      ]),
    )
    .limit(2)
    .execute();

/**
 * Links the checks of a checklist at these places of a park, and of the park as a whole, to its submissions, as far as
 * these were filled in between `from` and three days after `to`: a submission changes what later ones of its day answer,
 * and, by a window over midnight, of the next day.
 */
async function linkSubmissions(
  db: Database,
  { checklist_id, park }: OfChecklist,
  places: string[],
  from: string,
  to = from,
): Promise<void> {
  const end = shiftInstant(to, 3);
  const selectChecks = db
    .selectFrom('due_checks')
    .where('due_checks.checklist_id', '=', checklist_id)
    .where('due_checks.park', '=', park)
    // A window is at most a day long, and a late submission counts on the day when it closed.
    .where('due_checks.opens_at', '>', shiftInstant(from, -3))
    .where('due_checks.opens_at', '<', end);
  const selectSubmissions = db
    .selectFrom('submissions')
    .leftJoin('place_links', 'place_links.thing_id', 'submissions.id')
    .select(['submissions.id', 'checklist_id', 'park', 'submitted_at', 'captured_at', 'filled_in_at', 'submitted_by'])
    .select(['failures', 'place_sent', 'deletion_id', 'place_links.place_id'])
    .where('checklist_id', '=', checklist_id)
    .where('park', '=', park);
  const isInRange = ({ filled_in_at }: { filled_in_at: string }) => from <= filled_in_at && filled_in_at < end;
  const selectInRange = selectSubmissions
    .where('deletion_id', 'is', null)
    .where('filled_in_at', '>=', from)
    .where('filled_in_at', '<', end);
  // What finds no check at its place may answer one of the park as a whole, so then all places matter.
  const areAllNeeded = (await selectChecks.select('id').where('place_id', '=', '').limit(1).execute()).length > 0;
  if (!areAllNeeded && places.length === 0) return;
  const checks = await selectChecks
    .leftJoin('places', 'places.id', 'due_checks.place_id')
    .select(['due_checks.id', 'due_checks.opens_at', 'due_checks.closes_at', 'due_checks.submission_id'])
    .select(({ fn, val }) => fn.coalesce('places.joined_into', 'places.id', val('')).as('place'))
    .$if(!areAllNeeded, (qb) =>
      qb.where('due_checks.place_id', 'in', ({ selectFrom }) =>
        selectFrom('places as members')
          .select('members.id')
          .where(sql<string>`coalesce(members.joined_into, members.id)`, 'in', places),
      ),
    )
    .execute();
  const inRange = await selectInRange
    .$if(!areAllNeeded, (qb) => qb.where('place_links.place_id', 'in', places))
    .execute();
  const known = new Map(inRange.map((row) => [row.id, row]));
  const others = checks.flatMap(({ submission_id: id }) => (id !== null && !known.has(id) ? [id] : []));
  if (others.length > 0)
    for (const row of await selectSubmissions.where('submissions.id', 'in', others).execute()) known.set(row.id, row);
  /** Whether a check keeps its answer: one that is not among those to assign, or one that an earlier version linked. */
  const keepsAnswer = ({ submission_id, place }: (typeof checks)[number]) => {
    if (submission_id === null) return false;
    const answer = known.get(submission_id);
    if (!answer) return true;
    const isOfOtherPlace = place !== '' && (answer.place_id ?? '') !== place;
    return answer.deletion_id === null && (isOfOtherPlace || !isInRange(answer));
  };
  const kept = new Map(checks.filter(keepsAnswer).map((check) => [check.id, check.submission_id]));
  const areKept = new Set(kept.values());
  const answers = assignSubmissions(
    checks.map(({ id, opens_at, closes_at, place }) => ({
      ...{ id, place, opensAt: opens_at, closesAt: closes_at, isAnswered: kept.has(id) },
    })),
    inRange
      .filter(({ id }) => !areKept.has(id))
      .map((row) => ({ ...row, receivedAt: row.submitted_at, capturedAt: row.captured_at, place: row.place_id ?? '' })),
  );
  for (const { id, submission_id, closes_at } of checks) {
    const answer = answers.get(id);
    if (kept.has(id) || submission_id === (answer?.id ?? null)) continue;
    await db
      .updateTable('due_checks')
      .set({
        submission_id: answer?.id ?? null,
        filled_in_at: answer ? getCountedTime(answer, closes_at) : null,
        received_at: answer?.receivedAt ?? null,
        failures: answer?.failures ?? 0,
      })
      .where('id', '=', id)
      .execute();
  }
}

/** What arrives more than a day after it was filled in is late. */
function getCountedTime(
  answer: { receivedAt: string; capturedAt: string | null; filled_in_at: string },
  closesAt: string,
) {
  const at = getFilledInAt(answer);
  return at === answer.filled_in_at || at >= closesAt ? at : closesAt;
}
