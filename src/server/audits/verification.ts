// Verification: after an audit was completed, someone else says whether what was put right works.
import type { NewAudit, Verification } from '#shared/audits.ts';
import { addDays } from '#shared/calendar.ts';
import { textLimits } from '#shared/choices.ts';
import { formatDay, getToday } from '#shared/dates.ts';
import { getVisibleKey } from '#shared/text.ts';
import type { LogActivity } from '../db/activity-log.ts';
import type { Database } from '../db/schema.ts';
import { HttpError } from '../errors/http-error.ts';
import { newId } from '../ids.ts';
import { findPerson } from '../names/user-names.ts';
import type { SignedInUser } from '../sign-in/session/session.ts';
import { notifyOfAudit } from './notices.ts';
import { type FoundAudit, insertAudit } from './store.ts';

/** How many days the follow-up audit of something that does not work may take. */
const followUpDays = { urgent: 1, other: 7 };

/** Returns the verification of a new audit. Leaves out a verifier who is the assignee or may not see the park. */
export async function createVerification(
  db: Database,
  requested: NewAudit['verification'],
  park: string,
  assigneeId: string | undefined,
): Promise<Verification | undefined> {
  if (!requested) return undefined;
  const person = await findPerson(db, requested.verifier, park);
  const verifier = person?.id === assigneeId ? undefined : person;
  return {
    days: requested.days,
    verifier: verifier?.username ?? '',
    ...(verifier && { verifier_id: verifier.id }),
    by: null,
    outcome: null,
  };
}

/**
 * Throws 409 unless the audit is completed and waits for its verification, and 403 if the user did
 * the work.
 */
export async function assertMayVerify(
  db: Database,
  { id, assignee, verification }: FoundAudit,
  user: SignedInUser,
): Promise<void> {
  if (verification?.outcome) throw new HttpError(409, 'Someone has already verified this audit', { code: 'VERIFIED' });
  if (!verification?.by) throw new HttpError(409, 'This audit does not wait for a verification');
  const { completed_by_id, completed_at, completed_beside, assignee_id } = await db
    .selectFrom('audits')
    .select(['completed_by_id', 'completed_at', 'completed_beside', 'assignee_id'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const isOwnName = await createNameTest(db, user);
  // The request that completes an audit may also assign it to someone else.
  const assignees = [assignee, ...(await listAssigneesSince(db, [id], completed_at ?? ''))];
  if (completed_by_id === user.id || assignee_id === user.id || assignees.some(isOwnName))
    throw new HttpError(403, 'Someone else must verify this audit: you completed it, or it was assigned to you');
  if ((JSON.parse(completed_beside ?? '[]') as string[]).includes(user.id))
    throw new HttpError(
      403,
      'Someone else must verify this audit: a shared device sent its completion, and you were signed in on it in the 24 hours before',
    );
}

/** Returns the names of those to whom these audits were assigned at any time since then, but for the current ones. */
export async function listAssigneesSince(db: Database, auditIds: string[], since: string): Promise<string[]> {
  if (auditIds.length === 0) return [];
  const entries = await db
    .selectFrom('activity')
    .select('changes')
    .where('thing', '=', 'audit')
    .where('thing_id', 'in', auditIds)
    .where('at', '>=', since)
    .where('changes', 'is not', null)
    .execute();
  return entries.flatMap(({ changes }) => {
    const { assignee } = JSON.parse(changes ?? '{}') as { assignee?: { from: string; to: string } };
    return assignee ? [assignee.from, assignee.to] : [];
  });
}

/**
 * Returns a function that says whether the text of an assignee is this user's name. An assignee who could not see the
 * park has only that text, without an id.
 */
export async function createNameTest(db: Database, { id }: { id: string }): Promise<(assignee: string) => boolean> {
  const query = db.selectFrom('users').select(['username', 'full_name']).where('id', '=', id);
  const names = Object.values((await query.executeTakeFirst()) ?? {})
    .filter((name) => name !== '')
    .map(getVisibleKey);
  return (assignee) => names.includes(getVisibleKey(assignee));
}

/** `found` precedes the date in the description, as `Found not to work`. */
type FollowUp = { found: string; note: string; by: { id: string }; now: Date };

/** Creates the audit that follows from what was found at one, and asks for the same verification; returns its id. */
export async function createFollowUp(
  db: Database,
  logActivity: LogActivity,
  audit: FoundAudit,
  { found, note, by, now }: FollowUp,
): Promise<string> {
  const { title, assignee, assignee_id, location, is_urgent, folder_id, folder, verification } = audit;
  const description = `${found} on ${formatDay(getToday(now))}. ${note}\n\n${audit.description}`;
  const followUp = {
    id: newId(),
    title,
    assignee,
    ...(assignee_id && { assignee_id }),
    location,
    is_urgent,
    description: [...description.trim()].slice(0, textLimits.description).join(''),
    date: addDays(getToday(now), is_urgent ? followUpDays.urgent : followUpDays.other),
    time: null,
    media_files: [],
    captured_at: null,
    ...{ completed: false, completed_by: null, completed_at: null },
    source: { thing: 'audit' as const, id: audit.id, label: title },
    follow_up_of: audit.id,
    ...(verification && { verification: { ...verification, by: null, outcome: null } }),
  };
  await insertAudit(db, { ...followUp, folder_id, by, now });
  await notifyOfAudit(db, now, { after: { ...followUp, folder }, by });
  logActivity({ action: 'created', thing: 'audit', thing_id: followUp.id, label: title });
  return followUp.id;
}
