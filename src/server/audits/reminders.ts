// Reminders of audits that are to be completed or verified, at 08:00 in the parks.
import { addDays } from '#shared/calendar.ts';
import { getToday } from '#shared/dates.ts';
import { recordUrls } from '#shared/record-kinds.ts';
import type { Database } from '../db/schema.ts';
import { lastReminderDay, remindOfDueDay, runDaily } from '../notifications/reminders.ts';
import { selectVisibleAudits } from './scope.ts';
import { isOpen, toDueDay } from './store.ts';

export const sendAuditReminders = (db: Database, now: Date) =>
  runDaily(db, now, 'audit reminders', async (db) => {
    const today = getToday(now);
    const audits = await selectVisibleAudits(db, { parks: null })
      .select(['audits.id', 'audits.title', 'audits.due', 'audits.completed', 'folders.park'])
      .select(['audits.assignee_id', 'audits.verifier_id'])
      .where(isOpen)
      .where('audits.due', '>=', addDays(today, -lastReminderDay))
      .where('audits.due', '<', addDays(today, 2))
      .execute();
    for (const { id, title, due, completed, park, assignee_id, verifier_id } of audits) {
      // A completed audit waits for its verification.
      const userId = completed ? verifier_id : assignee_id;
      await remindOfDueDay(db, now, {
        ...{ thing: 'audit', thing_id: id, park, link: recordUrls.audit(id) },
        name: completed ? 'Verification' : 'Audit',
        words: { text: `: ${title}`, line: ` at ${park}` },
        dueDay: toDueDay(due) ?? today,
        users: userId ? [userId] : [],
        kinds: { due: 'auditDue', overdue: 'auditOverdue' },
        eventName: completed ? `verification ${id}` : id,
      });
    }
  });
