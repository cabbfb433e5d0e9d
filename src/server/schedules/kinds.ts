import { declareKind } from '../record-kind.ts';

export const scheduleKind = declareKind({
  table: 'schedules',
  children: [{ table: 'schedule_places', of: 'schedule_id', isWithoutId: true }],
  purpose: 'When a safety check is due',
  logReaders: 'reviewers of its park',
});

export const checkKind = declareKind({
  table: 'due_checks',
  park: 'park',
  purpose: 'Why a safety check was missed',
  logReaders: 'reviewers of its park',
  // A pack has the checks of a whole park.
  async listPackItems(db, id) {
    const row = await db.selectFrom('due_checks').select('park').where('id', '=', id).executeTakeFirst();
    return row ? [{ thing: 'checks', thing_id: row.park }] : [];
  },
});
