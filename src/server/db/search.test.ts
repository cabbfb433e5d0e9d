import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { openMigratedDatabase } from '../testing/storage.ts';
import type { Database } from './schema.ts';
import { mergeSearchIndexes } from './search.ts';

let db: Database;

beforeEach(async () => {
  db = await openMigratedDatabase('sqlite');
});

/** Adds a report's search text to the index. The test needs no report. */
const index = (position: number, text: string) =>
  sql`insert into reports_search (rowid, text) values (${position}, ${text})`.execute(db);

const find = async (word: string) => {
  const { rows } = await sql<{ position: number }>`
    select rowid as position from reports_search where reports_search match ${`"${word}"`} order by rowid`.execute(db);
  return rows.map(({ position }) => position);
};

const countParts = async () => {
  const { rows } = await sql<{ parts: number }>`select count(distinct segid) as parts from reports_search_idx`.execute(
    db,
  );
  return rows[0]?.parts;
};

test('merged search indexes have fewer parts and find the same reports', async () => {
  for (let position = 1; position <= 75; position++)
    await index(position, `fell by the ${position % 3 ? 'pool' : 'boiler'}`);
  await sql`delete from reports_search where rowid = 74`.execute(db);
  const [poolReports, boilerReports] = [await find('pool'), await find('boiler')];
  expect([poolReports.length, boilerReports.length]).toEqual([49, 25]);
  const parts = Number(await countParts());
  await mergeSearchIndexes(db);
  expect(await countParts()).toBeLessThan(parts);
  expect(await countParts()).toBeLessThanOrEqual(2);
  expect([await find('pool'), await find('boiler')]).toEqual([poolReports, boilerReports]);
});
