// Settings of parks that Admins change; a park without a row has the defaults.
import type { Insertable } from 'kysely';
import { canSeePark, isAdminOfAllParks, type Viewer } from '#shared/access.ts';
import type { Api } from '#shared/api.ts';
import type { Authority } from '#shared/law/authority.ts';
import { listParks } from '#shared/park-list.ts';
import type { ParkSettings, ParkSettingsChange } from '#shared/park-settings.ts';
import { diffFields } from '../db/diff-fields.ts';
import type { Database, Tables } from '../db/schema.ts';
import { HttpError, required } from '../errors/http-error.ts';
import type { HandlerContext, Handlers } from '../http/handler-context.ts';
import { findPerson } from '../names/user-names.ts';

/**
 * The authority of parks without a setting. Councils enforce at holiday caravan sites (SI 1998/494, Schedule 1
 * paragraph 5). HSE may enforce at a metal works.
 */
const defaultAuthorities: Partial<Record<string, Authority>> = { 'Delyn Metals': 'ask' };

const getDefaultAuthority = (park: string): Authority => defaultAuthorities[park] ?? 'council';

export async function findAuthority(db: Database, park: string): Promise<Authority> {
  const row = await db.selectFrom('park_settings').select('authority').where('park', '=', park).executeTakeFirst();
  return row?.authority ?? getDefaultAuthority(park);
}

export type AssigneeSetting = 'assignee_id' | 'hazard_assignee_id';

/** Returns the user to whom audits of failing answers, or hazards, at a park are assigned, even if deleted since. */
export const findParkAssignee = (db: Database, park: string, setting: AssigneeSetting) =>
  db
    .selectFrom('park_settings')
    .innerJoin('users', 'users.id', `park_settings.${setting}`)
    .select(['users.id', 'users.username'])
    .where('park_settings.park', '=', park)
    .executeTakeFirst();

export async function listSettings(db: Database, viewer: Viewer): Promise<ParkSettings[]> {
  const rows = await db
    .selectFrom('park_settings')
    .leftJoin('users', (join) =>
      join.onRef('users.id', '=', 'park_settings.assignee_id').on('users.deleted_at', 'is', null),
    )
    .leftJoin('users as hazard_users', (join) =>
      join.onRef('hazard_users.id', '=', 'park_settings.hazard_assignee_id').on('hazard_users.deleted_at', 'is', null),
    )
    .select(['park_settings.park', 'authority', 'telephone', 'guest_telephone', 'gas_telephone', 'guests_off'])
    .select(['users.username', 'hazard_users.username as hazard_username'])
    .execute();
  const rowsByPark = new Map(rows.map((row) => [row.park, row]));
  return listParks()
    .filter((park) => canSeePark(viewer, park))
    .map((park) => {
      const row = rowsByPark.get(park);
      return {
        park,
        authority: row?.authority ?? getDefaultAuthority(park),
        assignee: row?.username ?? '',
        hazardAssignee: row?.hazard_username ?? '',
        telephone: row?.telephone ?? '',
        guestTelephone: row?.guest_telephone ?? '',
        gasTelephone: row?.gas_telephone ?? '',
        takesMessages: !row?.guests_off,
      };
    });
}

export const parkSettingsHandlers = {
  listParkSettings: ({ db, user }) => listSettings(db, user),

  listParkNumbers: async ({ db, user }) => (await listSettings(db, user)).filter(({ telephone }) => telephone !== ''),

  saveParkSettings: ({ body, ...context }) => saveSettings(context, [body], () => ''),

  saveAllParkSettings: ({ body, ...context }) => saveSettings(context, body.parks, (index) => `parks.${index}.`),

  switchMessages: ({ body: { isOn }, user, now, writeTransaction }) =>
    writeTransaction(async (db, logActivity) => {
      const guests_off = isOn ? 0 : 1;
      for (const { park, takesMessages } of await listSettings(db, user)) {
        if (takesMessages === isOn) continue;
        await saveRow(db, { park, guests_off, updated_at: now.toISOString(), updated_by: user.id });
        const changes = { takesMessages: { from: takesMessages, to: isOn } };
        logActivity({ action: 'changed the settings of', thing: 'park', thing_id: park, label: park, changes });
      }
    }),
} satisfies Partial<Handlers>;

/** Stores all changes or none. `toPrefix` returns what the names of the fields of a change begin with. */
const saveSettings = (
  {
    user,
    now,
    writeTransaction,
  }: Pick<HandlerContext<Api['saveAllParkSettings']>, 'user' | 'now' | 'writeTransaction'>,
  parks: readonly ParkSettingsChange[],
  toPrefix: (index: number) => string,
) =>
  writeTransaction(async (db, logActivity) => {
    const before = new Map((await listSettings(db, user)).map((one) => [one.park, one]));
    const fields: Record<string, string> = {};
    for (const [index, body] of parks.entries()) {
      const { park, authority, telephone, guestTelephone, gasTelephone, takesMessages } = body;
      required(before.get(park), 'Park not found');
      if (authority !== undefined && !isAdminOfAllParks(user))
        throw new HttpError(403, 'Only an Admin of all parks may change who enforces health and safety');
      const findId = async (field: 'assignee' | 'hazardAssignee') => {
        const chosen = body[field];
        const person = await findPerson(db, chosen ?? '', park);
        if (chosen && !person) fields[toPrefix(index) + field] = `Choose a user who sees ${park}`;
        return chosen === undefined ? undefined : (person?.id ?? null);
      };
      const assignee_id = await findId('assignee');
      const hazard_assignee_id = await findId('hazardAssignee');
      const row = {
        ...(authority !== undefined && { authority }),
        ...(assignee_id !== undefined && { assignee_id }),
        ...(hazard_assignee_id !== undefined && { hazard_assignee_id }),
        ...(telephone !== undefined && { telephone }),
        ...(guestTelephone !== undefined && { guest_telephone: guestTelephone }),
        ...(gasTelephone !== undefined && { gas_telephone: gasTelephone }),
        ...(takesMessages !== undefined && { guests_off: takesMessages ? (0 as const) : (1 as const) }),
      };
      if (Object.keys(row).length > 0)
        await saveRow(db, { park, ...row, updated_at: now.toISOString(), updated_by: user.id });
    }
    const [message] = Object.values(fields);
    if (message !== undefined) throw new HttpError(400, message, { code: 'INVALID', fields });
    for (const after of await listSettings(db, user)) {
      const { park } = after;
      const changes = diffFields(before.get(park) ?? after, after);
      if (Object.keys(changes).length > 0)
        logActivity({ action: 'changed the settings of', thing: 'park', thing_id: park, label: park, changes });
    }
  });

async function saveRow(db: Database, row: Insertable<Tables['park_settings']>): Promise<void> {
  await db
    .insertInto('park_settings')
    .values(row)
    .onConflict((conflict) => conflict.column('park').doUpdateSet(row))
    .execute();
}
