// The last result of a checklist at a place, for those who are about to fill it in again.
import { sql } from 'kysely';
import { canSeePark, type Viewer } from '#shared/access.ts';
import { countUnanswered } from '#shared/answers.ts';
import type { Section, StoredFailures } from '#shared/checklists.ts';
import { noPlace } from '#shared/places/places.ts';
import type { LastResult, LastResultQuery } from '#shared/schedules/results.ts';
import { listAuditsCreatedFrom, listAuditsInState } from '../audits/store.ts';
import type { Database } from '../db/schema.ts';
import { HttpError, required } from '../errors/http-error.ts';
import { createNameFinder } from '../names/user-names.ts';
import { followPlace, isAtPlace } from '../places/links/place-links.ts';
import { findChecklist } from './store.ts';

/**
 * Returns when and by whom a checklist was last filled in at a place, and the titles of the questions that failed, without
 * answers, notes and photos; and the audits that are open there. Without a place it is about the park as a whole, and the
 * audits are those that the last result created.
 */
export async function findLastResult(
  db: Database,
  user: Viewer & { id: string },
  checklistId: string,
  query: LastResultQuery,
): Promise<LastResult> {
  const { park } = query;
  required(await findChecklist(db, checklistId), 'Checklist not found');
  if (!canSeePark(user, park)) throw new HttpError(403, 'You cannot see this park');
  const found = query.place === undefined ? undefined : await followPlace(db, query.place);
  const place = found?.park === park ? found.id : undefined;
  if (query.place !== undefined) required(place, 'Place not found');
  const last = await db
    .selectFrom('submissions')
    .innerJoin('checklist_versions', (join) =>
      join
        .onRef('checklist_versions.checklist_id', '=', 'submissions.checklist_id')
        .onRef('checklist_versions.version', '=', 'submissions.checklist_version'),
    )
    .select(['submissions.id', 'filled_in_at', 'submitted_by_name', 'failures', 'failure_notes', 'sections', 'data'])
    .where('submissions.checklist_id', '=', checklistId)
    .where('submissions.park', '=', park)
    .where('deletion_id', 'is', null)
    .where(isAtPlace('submissions.id', place ?? noPlace))
    // One that named a place that is not known was not of the park as a whole.
    .$if(place === undefined, (qb) => qb.where(sql`coalesce(place_sent, '')`, '=', ''))
    .orderBy('filled_in_at', 'desc')
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst();
  const created = last && place === undefined ? await listAuditsCreatedFrom(db, user, 'submission', last.id) : [];
  const open = place
    ? await listAuditsInState(db, user, { place })
    : created.filter(({ completed, deleted_at }) => !completed && deleted_at === null);
  return { last: last ? await toResult(db, user, last) : null, open: open.map(({ id, title }) => ({ id, title })) };
}

type LastSubmission = {
  filled_in_at: string;
  submitted_by_name: string;
  failures: number;
  failure_notes: string | null;
  sections: string;
  data: string;
};

async function toResult(db: Database, viewer: Viewer, row: LastSubmission): Promise<LastResult['last']> {
  const sections = JSON.parse(row.sections) as Section[];
  // Only questions that were shown have a failing answer.
  const failing = Object.keys(JSON.parse(row.failure_notes ?? '{}') as StoredFailures);
  const getName = await createNameFinder(db, viewer);
  return {
    at: row.filled_in_at,
    by: getName(row.submitted_by_name),
    failing: row.failures,
    unanswered: countUnanswered(sections, JSON.parse(row.data)),
    titles: failing.flatMap((index) => sections[Number(index)]?.title ?? []),
  };
}
