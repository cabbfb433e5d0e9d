import { getToday } from '#shared/dates.ts';
import { incrementCounter } from '../db/counters.ts';
import { guestAccountId } from '../names/guest-account.ts';
import { isAccountNamed } from '../names/named-fields.ts';
import { declareKind } from '../record-kind.ts';

/** Deleted users stay while a record names them. */
export const userKind = declareKind({
  table: 'users',
  found: { label: ({ username }) => username },
  purpose: 'Account for signing in',
  // Managers read those about staff.
  log: { readers: 'Admins' },
  retention: {
    from: 'deleted_at',
    minYears: () => 0,
    condition: `deleted_at is not null and id <> '${guestAccountId}' and username not like 'Former user %'`,
    async dueFrom(row, db) {
      if (await isAccountNamed(db, row)) return undefined;
      const day = getToday(new Date(row.deleted_at ?? ''));
      return { label: row.username, day, class: 'User who left, named in no record', until: day };
    },
    storedLabel: 'A user who left',
    /** Records that are destroyed later may name the id: the row stays, without names. */
    async destroy(db, id) {
      const name = `Former user ${await incrementCounter(db, 'former users')}`;
      const renamed = await db
        .updateTable('users')
        .set({ username: name, username_key: `former user ${id}`, full_name: '', email: '' })
        .where('id', '=', id)
        .where('deleted_at', 'is not', null)
        .executeTakeFirst();
      return renamed.numUpdatedRows > 0n ? name : undefined;
    },
  },
});

export const deviceKind = declareKind({
  table: 'shared_devices',
  park: 'park',
  found: { label: ({ name, park }) => `${name}, ${park}` },
  purpose: 'A device that staff share',
  log: { readers: 'Admins' },
});
