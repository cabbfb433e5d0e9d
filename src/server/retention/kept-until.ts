// Which holds keep a record, and whether a deleted report must be kept longer than 30 days.
import { sql } from 'kysely';
import { addDays } from '#shared/calendar.ts';
import { getToday } from '#shared/dates.ts';
import { foldText } from '#shared/text.ts';
import type { Config } from '../config.ts';
import { splitList } from '../db/queries.ts';
import type { Database, Tables } from '../db/schema.ts';
import { getIds } from '../ids.ts';
import { findPeopleIn, isNameIn } from '../names/record-texts.ts';
import { kindEntries } from '../records/kinds.ts';
import { findReportPeriod } from '../reports/kept-until.ts';

type Hold = Tables['holds'];
/** Does not contain the hold's reason, which may contain a name and would be stored with the reply. */
export const heldMessage = 'A hold keeps it: see Holds';
type RecordKey = { thing: string; id: string };

/** Returns the parks of the records that have one, by their ids. */
async function findParks(db: Database, ids: string[]): Promise<Map<string, string>> {
  const pages = await Promise.all(
    kindEntries.map(async ([, { table, park }]) => {
      if (!park) return [];
      const query = sql<{ id: string; park: string | null }>`select id, ${sql.raw(park)} as park
        from ${sql.table(table)} where id in (${sql.join(ids)})`;
      return (await query.execute(db)).rows;
    }),
  );
  return new Map(pages.flat().map(({ id, park }) => [id, foldText(park ?? '')]));
}

const recordsPerCheck = 200;

/**
 * Returns, by record, a hold on it, its park or a person whom it names anywhere, so that
 * "everything about a person" is kept. A hold on an audit also keeps its folder, and one on anything
 * that belongs to an investigation all of it.
 */
export async function findHolds(db: Database, records: RecordKey[]): Promise<Map<string, Hold>> {
  const audits = await listAuditsInFolders(db, records);
  const groups = await findInvestigationGroups(db, getIds([...records, ...audits]));
  const members = [...groups.values()].flat();
  const found = await findOwnHolds(db, [...records, ...audits, ...members]);
  for (const [id, group] of groups) {
    const hold = found.get(id) ?? group.map((member) => found.get(member.id)).find(Boolean);
    if (hold) found.set(id, hold);
  }
  for (const { id, folder_id } of audits) {
    const hold = found.get(folder_id) ?? found.get(id);
    if (hold) found.set(folder_id, hold);
  }
  return found;
}

/** Returns the audits of those records that are folders. */
async function listAuditsInFolders(db: Database, records: RecordKey[]) {
  const folders = records.filter(({ thing }) => thing === 'folder').map(({ id }) => id);
  const audits: (RecordKey & { folder_id: string })[] = [];
  for (const page of splitList(folders, recordsPerCheck)) {
    const rows = await db.selectFrom('audits').select(['id', 'folder_id']).where('folder_id', 'in', page).execute();
    audits.push(...rows.map((row) => ({ ...row, thing: 'audit' })));
  }
  return audits;
}

/** What belongs to investigations: themselves, the records they cover, and their actions. */
const selectMembers = (db: Database) =>
  db
    .selectFrom('investigations')
    .select((eb) => ['id as investigation_id', 'id', eb.val('investigation').as('thing')])
    .unionAll(db.selectFrom('investigation_records').select(['investigation_id', 'thing_id as id', 'thing']))
    .unionAll((eb) =>
      eb
        .selectFrom('audits')
        .select(['investigation_id', 'id', eb.val('audit').as('thing')])
        .$narrowType<{ investigation_id: string }>()
        .where('investigation_id', 'is not', null),
    )
    .as('members');

/** Returns, by record, what belongs to the same investigation. */
async function findInvestigationGroups(db: Database, ids: string[]): Promise<Map<string, RecordKey[]>> {
  const groups = new Map<string, RecordKey[]>();
  for (const page of splitList(ids, recordsPerCheck)) {
    const members = await db
      .selectFrom(selectMembers(db))
      .selectAll()
      .where('investigation_id', 'in', (eb) =>
        eb.selectFrom(selectMembers(db)).select('investigation_id').where('id', 'in', page),
      )
      .execute();
    for (const group of Map.groupBy(members, ({ investigation_id }) => investigation_id).values())
      for (const { id } of group) groups.set(id, [...(groups.get(id) ?? []), ...group]);
  }
  return groups;
}

/** Returns the hold of each record itself, without those of its audits and its investigation. */
async function findOwnHolds(db: Database, records: RecordKey[]): Promise<Map<string, Hold>> {
  const found = new Map<string, Hold>();
  const holds = await db.selectFrom('holds').selectAll().where('lifted_at', 'is', null).execute();
  const people = holds.filter((hold) => hold.thing === 'person');
  const names = people.map((hold) => hold.thing_id);
  const others = holds.filter((hold) => hold.thing !== 'person');
  if (holds.length === 0) return found;
  for (const page of splitList(records, recordsPerCheck)) {
    const ids = getIds(page);
    const parks = others.some(({ thing }) => thing === 'park') ? await findParks(db, ids) : undefined;
    for (const id of ids) {
      const held = others.find(({ thing, thing_id }) =>
        thing === 'park' ? foldText(thing_id) === parks?.get(id) : thing_id === id,
      );
      if (held) found.set(id, held);
    }
    if (names.length === 0) continue;
    const unheld = ids.filter((id) => !found.has(id));
    for (const [id, index] of await findPeopleIn(db, unheld, names)) found.set(id, people[index] as Hold);
  }
  return found;
}

export const findHoldOnRecord = async (db: Database, thing: string, id: string): Promise<Hold | undefined> =>
  (await findHolds(db, [{ thing, id }])).get(id);

/** Returns a hold on a person whose name contains one of these names, or is part of one. */
export async function findHoldOnPerson(db: Database, names: string[]): Promise<Hold | undefined> {
  const holds = db.selectFrom('holds').selectAll().where('lifted_at', 'is', null).where('thing', '=', 'person');
  return (await holds.execute()).find(({ thing_id: held }) =>
    names.some((name) => isNameIn(name, held) || isNameIn(held, name)),
  );
}

/**
 * Returns until when a report must be kept more than 30 days after its deletion, and whether a hold
 * applies. Returns undefined if it may be permanently deleted.
 */
export async function findRetention(
  db: Database,
  settings: Config['retention'],
  deletion: { id: string; thing_id: string },
  now: Date,
  hold: Hold | null,
): Promise<{ until: string | null; isHeld: boolean } | undefined> {
  const period = await findReportPeriod(db, settings, deletion.thing_id);
  if (!period) return undefined;
  const isReleased = await db
    .selectFrom('releases')
    .select('deletion_id')
    .where('deletion_id', '=', deletion.id)
    .executeTakeFirst();
  const isOver = getToday(now) >= addDays(period.until, 1);
  if (hold) return { until: period.until, isHeld: true };
  return isReleased || isOver ? undefined : { until: period.until, isHeld: false };
}
