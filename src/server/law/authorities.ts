// The authority that enforces health and safety at each park: a setting that Admins change.

import { parks } from '#shared/choices.ts';
import { type Authority, getDefaultAuthority } from '#shared/law/authority.ts';
import { successReply } from '#shared/replies.ts';
import type { Database } from '../db/schema.ts';
import type { Handlers } from '../http/handler-context.ts';

export async function findAuthority(db: Database, park: string): Promise<Authority> {
  const row = await db.selectFrom('park_settings').select('authority').where('park', '=', park).executeTakeFirst();
  return row?.authority ?? getDefaultAuthority(park);
}

export const authorityHandlers: Pick<Handlers, 'listParkAuthorities' | 'setParkAuthority'> = {
  async listParkAuthorities({ db }) {
    const rows = await db.selectFrom('park_settings').select(['park', 'authority']).execute();
    const set = new Map(rows.map(({ park, authority }) => [park, authority]));
    return parks.map((park) => ({ park, authority: set.get(park) ?? getDefaultAuthority(park) }));
  },

  setParkAuthority: ({ body: { park, authority }, user, now, writeTransaction }) =>
    writeTransaction(async (db, logActivity) => {
      const from = await findAuthority(db, park);
      if (from === authority) return successReply;
      const row = { authority, updated_at: now.toISOString(), updated_by: user.id };
      await db
        .insertInto('park_settings')
        .values({ park, ...row })
        .onConflict((conflict) => conflict.column('park').doUpdateSet(row))
        .execute();
      logActivity({
        action: 'changed the authority of',
        thing: 'park',
        thing_id: park,
        label: park,
        changes: { authority: { from, to: authority } },
      });
      return successReply;
    }),
};
