import { formatDay } from '#shared/dates.ts';
import { declareKind } from '../record-kind.ts';

export const scheduleKind = declareKind({
  table: 'schedules',
  children: [{ table: 'schedule_places', of: 'schedule_id', isWithoutId: true }],
  parks: 'parks',
  purpose: 'When a safety check is due',
  log: { readers: 'reviewers' },
});

export const checkKind = declareKind({
  table: 'due_checks',
  park: 'park',
  found: { label: ({ park, day }) => `Missed check, ${park}, ${formatDay(day)}` },
  purpose: 'Why a safety check was missed',
  log: { readers: 'reviewers' },
  // A pack has the checks of a whole park.
  async listPackItems(db, id) {
    const row = await db.selectFrom('due_checks').select('park').where('id', '=', id).executeTakeFirst();
    return row ? [{ thing: 'checks', thing_id: row.park }] : [];
  },
});
