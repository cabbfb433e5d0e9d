// Kinds of records whose features are in folders above this one.
import { addYears } from '#shared/calendar.ts';
import { formatDay, formatInstantDay, getToday } from '#shared/dates.ts';
import { declareKind } from '../record-kind.ts';

/** Destroyed some years after the answer, or after the request if no answer is recorded. */
export const accessRequestKind = declareKind({
  table: 'access_requests',
  found: {
    label: ({ received_on }) => `Access request of ${formatDay(received_on)}`,
    number: ({ number }) => number,
  },
  purpose: 'An earlier request to see what we hold',
  log: { readers: 'Admins' },
  retention: {
    from: 'created_at',
    minYears: () => 0,
    async dueFrom(row, _, { accessRequestYears }) {
      const day = row.closed_on ?? row.received_on;
      return { label: `of ${row.name}`, day, class: 'Access request', until: addYears(day, accessRequestYears) };
    },
    storedLabel: 'An access request',
  },
});

/** Holds that were lifted still have a name and a reason. */
export const holdKind = declareKind({
  table: 'holds',
  found: { label: ({ created_at }) => `Hold of ${formatInstantDay(created_at)}` },
  purpose: 'Why a record is kept longer',
  log: { readers: 'reviewers' },
  retention: {
    from: 'lifted_at',
    minYears: ({ years }) => years,
    condition: 'lifted_at is not null',
    async dueFrom(row, db, { years }) {
      const day = getToday(new Date(row.lifted_at ?? ''));
      const report = await db.selectFrom('reports').select('number').where('id', '=', row.thing_id).executeTakeFirst();
      const label = `on ${report?.number ?? row.thing_id}`;
      return { label, day, class: 'Lifted hold', until: addYears(day, years) };
    },
    storedLabel: 'A lifted hold',
  },
});

export const packKind = declareKind({
  table: 'packs',
  children: [{ table: 'pack_items', of: 'pack_id', isWithoutId: true }],
  found: { label: ({ recipient }) => `Pack for ${recipient}` },
  purpose: 'Copy of records made for someone who asked for them',
  log: { readers: 'Admins' },
});
