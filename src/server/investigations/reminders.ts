// Reminders of investigations whose findings are not complete, at 08:00 in the parks.
import { addDays } from '#shared/calendar.ts';
import { getToday } from '#shared/dates.ts';
import { getFirstLookDay } from '#shared/investigations.ts';
import { recordUrls } from '#shared/record-kinds.ts';
import type { Database } from '../db/schema.ts';
import { notify } from '../notifications/notify.ts';
import { graceDays, remindOfDueDay, runDaily } from '../notifications/reminders.ts';
import { listIncomplete } from './store.ts';

/**
 * Reminds the user who started an investigation of the day to finish by, as assignees of audits are; and the park's
 * reviewers of the first look that an investigation of level High needs.
 */
export const remindOfInvestigations = (db: Database, now: Date) =>
  runDaily(db, now, 'investigation reminders', async (db) => {
    const today = getToday(now);
    const kind = 'investigationDue' as const;
    for (const { id, number, park, starterId, created_at, level, finish_by, hasFacts } of await listIncomplete(db)) {
      const words = `: ${number} at ${park}`;
      const record = { thing: 'investigation', thing_id: id, park, link: recordUrls.investigation(id) };
      const firstLook = getFirstLookDay(getToday(new Date(created_at)));
      if (level === 'high' && !hasFacts && firstLook <= today && today <= addDays(firstLook, graceDays)) {
        const text = `First look at an investigation is due${words}`;
        await notify(db, now, { ...record, kind, to: { reviewersOf: park }, text, line: text, event: `look ${id}` });
      }
      if (finish_by)
        await remindOfDueDay(db, now, {
          ...{ ...record, name: 'Investigation', words: { text: words, line: words }, dueDay: finish_by },
          ...{ users: [starterId], kinds: { due: kind, overdue: kind }, eventName: `investigation ${id}` },
        });
    }
  });
