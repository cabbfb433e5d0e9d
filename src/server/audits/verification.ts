// Verification: after an audit was completed, someone else says whether what was put right works.
import { sql } from 'kysely';
import type { NewAudit, Verification, VerificationOutcome } from '#shared/audits.ts';
import { textLimits } from '#shared/choices.ts';
import { formatDay, getToday } from '#shared/dates.ts';
import { addDays } from '#shared/law/calendar.ts';
import { foldText } from '#shared/text.ts';
import type { SignedInUser } from '../auth/session.ts';
import type { Database } from '../db/schema.ts';
import { findPerson } from '../db/user-names.ts';
import { HttpError } from '../errors/http-error.ts';
import type { AuditFields, FoundAudit } from './store.ts';

/** How many days the follow-up audit of something that does not work may take. */
const followUpDays = { urgent: 1, other: 7 };

/** The verification that a new audit asks for. The assignee cannot be the verifier. */
export async function createVerification(
  db: Database,
  asked: NewAudit['verification'],
  park: string,
  assigneeId: string | undefined,
): Promise<Verification | undefined> {
  if (!asked) return undefined;
  const person = await findPerson(db, asked.verifier, park);
  const verifier = person?.id === assigneeId ? undefined : person;
  return {
    days: asked.days,
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
  const { completed_by_id, assignee_id, full_name } = await db
    .selectFrom('audits')
    .innerJoin('users', (join) => join.on('users.id', '=', user.id))
    .select(['audits.completed_by_id', 'audits.assignee_id', 'users.full_name'])
    .where('audits.id', '=', id)
    .executeTakeFirstOrThrow();
  // An assignee who did not see the park yet is only a text.
  const isNamed = [user.username, full_name].some(
    (name) => name !== '' && foldText(name) === foldText(assignee.trim()),
  );
  if (completed_by_id === user.id || assignee_id === user.id || isNamed)
    throw new HttpError(403, 'Someone else must verify this audit: you completed it, or it was assigned to you');
}

/** Stores the outcome. Throws 409 if someone else was faster. */
export async function storeOutcome(db: Database, id: string, outcome: VerificationOutcome): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('audits')
    .set({
      verified: outcome,
      verify_by: null,
      due: sql`coalesce(nullif(date, ''), '9999-12-31') || ' ' || coalesce(nullif(time, ''), '24:00')`,
      version: sql`version + 1`,
    })
    .where('id', '=', id)
    .where('verify_by', 'is not', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw new HttpError(409, 'Someone has already verified this audit', { code: 'VERIFIED' });
}

/** The audit that follows from one that does not work, which asks for the same verification. */
export function createFollowUp(audit: FoundAudit, note: string, now: Date) {
  const { title, assignee, assignee_id, location, is_urgent, verification } = audit;
  const description = `Found not to work on ${formatDay(getToday(now))}. ${note}\n\n${audit.description}`;
  return {
    title,
    assignee,
    assignee_id,
    location,
    is_urgent,
    description: [...description.trim()].slice(0, textLimits.description).join(''),
    date: addDays(getToday(now), is_urgent ? followUpDays.urgent : followUpDays.other),
    time: null,
    media_files: [],
    captured_at: null,
    ...{ completed: false, completed_by: null, completed_at: null },
    source: { thing: 'audit' as const, id: audit.id, label: title },
    verification: verification && { ...verification, by: null, outcome: null },
  } satisfies AuditFields;
}
