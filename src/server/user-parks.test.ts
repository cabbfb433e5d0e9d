// Who sees which park is asked by exact comparison, whatever characters a name has.

import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { toParkFields } from '#shared/access.ts';
import { engines, startTestServer } from './testing/server.ts';
import { seesNoOtherPark, seesOneOf, seesPark, toListItem, toStoredParks } from './user-parks.ts';
import { insertUser } from './users/store.ts';

const names = [
  ...['Mounds', 'mounds', 'Mound', 'Mounds 2', 'a "Mounds" b', 'a "Mounds', 'Mounds" b', '"', '%', '_', '\\', '[', ']'],
  ...["'", '/', '<b>', '&amp;', 'null', 'all', 'Ynys Môn', 'Ynys Mon', '🏖️', 'Ü', 'ü'],
];

describe.each(engines)('parks in queries on %s', (engine) => {
  test('a user sees the parks with exactly their names, and users of all parks see each', async () => {
    await using server = await startTestServer(engine);
    const { db } = server;
    const lists = [null, [], ...names.map((name) => [name]), ...names.map((name, at) => [names[at - 1] ?? '"', name])];
    const credentials = { passwordHash: '', mustChangePassword: false, role: 'None' as const };
    const ids = new Map<string, (typeof lists)[number]>();
    for (const [at, parks] of lists.entries())
      ids.set(
        await insertUser(db, { username: `user.${at}`, ...toParkFields(parks), ...credentials }, new Date()),
        parks,
      );
    for (const name of names) {
      const expected = [...ids].flatMap(([id, parks]) => (parks === null || parks.includes(name) ? [id] : [])).sort();
      for (const condition of [seesPark(toListItem(name)), seesOneOf([name]), seesOneOf([name, 'Elsewhere'])]) {
        const rows = await db
          .selectFrom('users')
          .select('id')
          .where(condition)
          .where('username', 'like', 'user.%')
          .execute();
        expect(rows.map(({ id }) => id).sort(), name).toEqual(expected);
      }
    }
  });

  test('a list with a park that the user does not see is hidden, also if that park is in no list of parks', async () => {
    await using server = await startTestServer(engine);
    for (const name of names)
      for (const other of ['Elsewhere', ...names]) {
        const stored = sql`(select cast(${toStoredParks([other, name])} as text) as parks) as t`;
        const isShown = async (parks: string[] | null) =>
          (await sql`select 1 as one from ${stored} where ${seesNoOtherPark('parks', { parks })}`.execute(server.db))
            .rows.length === 1;
        expect(await isShown([name]), `${other}, ${name}`).toBe(other === name);
        expect(await isShown([name, other])).toBe(true);
        expect(await isShown(null)).toBe(true);
      }
  });
});
