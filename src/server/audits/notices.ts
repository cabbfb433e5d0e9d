// Notifications about audits. Emails and push messages leave out an audit's title.
import type { Told } from '#shared/audits.ts';
import { formatDay, getToday } from '#shared/dates.ts';
import { recordUrls } from '#shared/record-kinds.ts';
import { findsRow } from '../db/queries.ts';
import type { Database } from '../db/schema.ts';
import { notify } from '../notifications/notify.ts';
import type { AuditFields } from './store.ts';

type NotifiedAudit = Pick<AuditFields, 'title' | 'assignee_id' | 'is_urgent' | 'completed' | 'verification'> & {
  id: string;
  folder: { park: string };
};

/**
 * Notifies a new assignee, and the park's reviewers if the audit has become urgent. If it was completed, notifies
 * only the verifier.
 */
export async function notifyOfAudit(
  db: Database,
  now: Date,
  { before, after, by }: { before?: NotifiedAudit; after: NotifiedAudit; by: { id: string } },
): Promise<void> {
  if (after.completed) return notifyVerifier(db, now, after, by);
  const { id, title, folder, assignee_id } = after;
  const notificationFields = {
    thing: 'audit',
    thing_id: id,
    park: folder.park,
    link: recordUrls.audit(id),
    isUrgent: after.is_urgent,
  };
  const kind = after.is_urgent ? 'Urgent audit' : 'Audit';
  if (assignee_id && assignee_id !== before?.assignee_id && assignee_id !== by.id)
    await notify(db, now, {
      ...notificationFields,
      kind: 'auditAssigned',
      to: { users: [assignee_id] },
      text: `${kind} assigned to you: ${title}`,
      line: `${kind} at ${folder.park} assigned to you`,
    });
  if (after.is_urgent && !before?.is_urgent)
    await notify(db, now, {
      ...notificationFields,
      kind: 'urgentAudit',
      to: { reviewersOf: folder.park },
      text: `Urgent audit at ${folder.park}: ${title}`,
      line: `Urgent audit at ${folder.park}`,
    });
}

/** Returns who was notified of an audit when it was created. Notifications are found by their time, which has an index. */
export async function listTold(db: Database, id: string, now: Date): Promise<Told[]> {
  const rows = await db
    .selectFrom('notifications')
    .select('kind')
    .distinct()
    .where('created_at', '=', now.toISOString())
    .where('thing', '=', 'audit')
    .where('thing_id', '=', id)
    .execute();
  const told = new Set(rows.map(({ kind }): Told => (kind === 'auditAssigned' ? 'assignee' : 'reviewers')));
  return [...told].sort();
}

/** Notifies the user who is to verify a completed audit; if nobody is named, only reminders are sent. */
async function notifyVerifier(
  db: Database,
  now: Date,
  { id, title, folder: { park }, verification }: NotifiedAudit,
  by: { id: string },
): Promise<void> {
  const { verifier_id, by: day } = verification ?? {};
  if (!verifier_id || !day || verifier_id === by.id) return;
  await notify(db, now, {
    kind: 'auditAssigned',
    to: { users: [verifier_id] },
    thing: 'audit',
    thing_id: id,
    park,
    text: `To verify by ${formatDay(day)}: ${title}`,
    line: `Audit at ${park} for you to verify`,
    link: recordUrls.audit(id),
  });
}

/** Reminds the assignee, at most once a day. Returns why not, if nobody was reminded. */
export async function remindAssignee(
  db: Database,
  now: Date,
  { id, title, assignee_id, folder: { park } }: NotifiedAudit,
): Promise<'noAssignee' | 'reminded' | undefined> {
  if (!assignee_id) return 'noAssignee';
  const event = `reminder ${id} ${getToday(now)}`;
  for (const table of ['notifications', 'deliveries'] as const) {
    const earlier = db.selectFrom(table).where('user_id', '=', assignee_id).where('event', '=', event);
    if (await findsRow(earlier)) return 'reminded';
  }
  const notified = await notify(db, now, {
    kind: 'auditDue',
    to: { users: [assignee_id] },
    thing: 'audit',
    thing_id: id,
    park,
    text: `Reminder: ${title}`,
    line: `Reminder of an audit at ${park} assigned to you`,
    link: recordUrls.audit(id),
    event,
  });
  return notified.length > 0 ? undefined : 'noAssignee';
}

type DeletedAudit = { id: string; title: string; source_thing: string | null; source_label: string | null };

/** Notifies reviewers that hazards, or audits created from a report, checklist, investigation, lesson or message, were deleted. */
export async function notifyOfDeletion(db: Database, now: Date, deleted: DeletedAudit[], park: string): Promise<void> {
  for (const { id, title, source_thing, source_label } of deleted) {
    const kind = describeDeleted(source_thing, source_label);
    await notify(db, now, {
      kind: 'auditDeleted',
      to: { reviewersOf: park },
      thing: 'audit',
      thing_id: id,
      park,
      text: `${kind} at ${park} deleted: ${title}`,
      line: `${kind} at ${park} deleted`,
      link: '/admin/deleted',
    });
  }
}

function describeDeleted(source: string | null, label: string | null): string {
  if (source === 'hazard') return 'Hazard';
  if (source === 'message') return 'Audit from a message of a guest';
  if (source === 'lesson') return 'Audit from a lesson';
  // The label of a follow-up audit is a title.
  return source === 'audit' ? 'Follow-up audit from an investigation' : `Audit from ${label}`;
}
