// Settings of parks that Admins change; a park without a row has the defaults.
import { canSeePark, isAdminOfAllParks, type Viewer } from '#shared/access.ts';
import { parks } from '#shared/choices.ts';
import { type Authority, getDefaultAuthority } from '#shared/law/authority.ts';
import type { ParkSettings } from '#shared/park-settings.ts';
import { successReply } from '#shared/replies.ts';
import { diffFields } from '../db/diff-fields.ts';
import type { Database } from '../db/schema.ts';
import { findPerson } from '../db/user-names.ts';
import { HttpError } from '../errors/http-error.ts';
import type { Handlers } from '../http/handler-context.ts';

export async function findAuthority(db: Database, park: string): Promise<Authority> {
  const row = await db.selectFrom('park_settings').select('authority').where('park', '=', park).executeTakeFirst();
  return row?.authority ?? getDefaultAuthority(park);
}

export type AssigneeSetting = 'assignee_id' | 'hazard_assignee_id';

/** Returns who does audits of failing answers, or hazards, at a park, also if their account was deleted since. */
export const findParkAssignee = (db: Database, park: string, setting: AssigneeSetting) =>
  db
    .selectFrom('park_settings')
    .innerJoin('users', 'users.id', `park_settings.${setting}`)
    .select(['users.id', 'users.username'])
    .where('park_settings.park', '=', park)
    .executeTakeFirst();

async function listSettings(db: Database, viewer: Viewer): Promise<ParkSettings[]> {
  const rows = await db
    .selectFrom('park_settings')
    .leftJoin('users', (join) =>
      join.onRef('users.id', '=', 'park_settings.assignee_id').on('users.deleted_at', 'is', null),
    )
    .leftJoin('users as hazard_users', (join) =>
      join.onRef('hazard_users.id', '=', 'park_settings.hazard_assignee_id').on('hazard_users.deleted_at', 'is', null),
    )
    .select(['park_settings.park', 'authority', 'telephone'])
    .select(['users.username', 'hazard_users.username as hazard_username'])
    .execute();
  const rowsByPark = new Map(rows.map((row) => [row.park, row]));
  return parks
    .filter((park) => canSeePark(viewer, park))
    .map((park) => {
      const row = rowsByPark.get(park);
      return {
        park,
        authority: row?.authority ?? getDefaultAuthority(park),
        assignee: row?.username ?? '',
        hazardAssignee: row?.hazard_username ?? '',
        telephone: row?.telephone ?? '',
      };
    });
}

export const parkSettingsHandlers: Pick<Handlers, 'listParkSettings' | 'listParkNumbers' | 'saveParkSettings'> = {
  listParkSettings: ({ db, user }) => listSettings(db, user),

  listParkNumbers: async ({ db, user }) => (await listSettings(db, user)).filter(({ telephone }) => telephone !== ''),

  saveParkSettings: ({ body, user, now, writeTransaction }) =>
    writeTransaction(async (db, logActivity) => {
      const { park, authority, telephone } = body;
      const before = (await listSettings(db, user)).find((one) => one.park === park);
      if (!before) throw new HttpError(404, 'Park not found');
      if (authority !== undefined && !isAdminOfAllParks(user))
        throw new HttpError(403, 'Only an Admin of all parks may change the authority');
      const findId = async (field: 'assignee' | 'hazardAssignee') => {
        const chosen = body[field];
        const person = await findPerson(db, chosen ?? '', park);
        const message = `Choose a user who sees ${park}`;
        if (chosen && !person) throw new HttpError(400, message, { code: 'INVALID', fields: { [field]: message } });
        return chosen === undefined ? undefined : (person?.id ?? null);
      };
      const assignee_id = await findId('assignee');
      const hazard_assignee_id = await findId('hazardAssignee');
      const row = {
        ...(authority !== undefined && { authority }),
        ...(assignee_id !== undefined && { assignee_id }),
        ...(hazard_assignee_id !== undefined && { hazard_assignee_id }),
        ...(telephone !== undefined && { telephone }),
        updated_at: now.toISOString(),
        updated_by: user.id,
      };
      await db
        .insertInto('park_settings')
        .values({ park, ...row })
        .onConflict((conflict) => conflict.column('park').doUpdateSet(row))
        .execute();
      const after = (await listSettings(db, user)).find((one) => one.park === park) ?? before;
      const changes = diffFields(before, after, ['authority', 'assignee', 'hazardAssignee', 'telephone']);
      if (Object.keys(changes).length > 0)
        logActivity({ action: 'changed the settings of', thing: 'park', thing_id: park, label: park, changes });
      return successReply;
    }),
};
