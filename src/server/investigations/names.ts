// Finds what could identify a person or an event, in a text that is released without names.
import type { Investigation } from '#shared/investigations.ts';
import { listParks } from '#shared/park-list.ts';
import type { Decisions } from '#shared/people/identifier-choices.ts';
import { parseData } from '../db/audit-data.ts';
import type { Database } from '../db/schema.ts';
import { HttpError } from '../errors/http-error.ts';
import { sha256 } from '../hash.ts';
import { guestAccountId } from '../names/guest-account.ts';
import { listNamedValues, type PersonalColumn, personalTables, readRowsOf } from '../names/named-fields.ts';
import { createNameFinder, everyParkViewer, listUserNames } from '../names/user-names.ts';
import { seesOneOf } from '../user-parks.ts';

type Linked = Pick<Investigation, 'id' | 'number' | 'park' | 'records' | 'sections'>;

type Release<Field extends string> = {
  /** The texts as they were sent. */
  texts: Record<Field, string>;
  decisions: Decisions | undefined;
  /** The investigation from which they are. */
  linked: Linked | undefined;
  /** The parks whose users must not be named. */
  userParks: readonly string[];
  /** Whether parks, plots and numbers of records show too much as well. */
  isPlaceHidden?: boolean;
};

/**
 * Returns the texts to release, with what the reviewer chose to replace. Throws 409 with everything that could show who
 * someone is, unless the reviewer has decided about each in these texts.
 */
export async function releaseTexts<Field extends string>(
  db: Database,
  { texts, decisions, linked, userParks, isPlaceHidden = false }: Release<Field>,
): Promise<Record<Field, string>> {
  // Loaded when it is needed: its patterns take time to compile.
  const { createIdentifierFinder, getSentence, replaceIdentifiers } = await import('#shared/people/identifiers.ts');
  const { names, usernames } = await listPeople(db, linked);
  const users = await listUsers(db, userParks);
  const everyone = await listUserNames(db);
  const find = createIdentifierFinder({
    names: [...names, ...users.map(({ full_name }) => full_name)],
    mixed: linked ? [linked.sections.facts.content.tookPart] : [],
    whole: [
      ...[...usernames, ...users.map(({ username }) => username)],
      // Those who do not see the park, by their full name only.
      ...everyone.map(({ full_name }) => full_name).filter((name) => /\s/.test(name.trim())),
    ],
    places: isPlaceHidden ? await listPlaces(db, linked) : [],
  });
  const fields = Object.keys(texts) as Field[];
  const found = fields.flatMap((field) => find(texts[field]).map((one) => ({ field, ...one })));
  const hash = sha256(JSON.stringify([texts, found]));
  const { choices = [] } = decisions?.hash === hash ? decisions : {};
  if (choices.length !== found.length) {
    const shown = found.map(({ field, ...one }) => ({ field, kind: one.kind, ...getSentence(texts[field], one) }));
    const parts = [...new Set(shown.map((one) => one.found))];
    throw new HttpError(409, `The text says: ${parts.join(', ')}`, {
      code: 'IDENTIFIABLE',
      body: { hash, found: shown },
    });
  }
  const released = fields.map((field) => {
    const own = found.flatMap((one, index) => (one.field === field ? [{ ...one, choice: choices[index] }] : []));
    return [field, replaceIdentifiers(texts[field], own, (index) => own[index]?.choice === 'replace')];
  });
  return Object.fromEntries(released);
}

const listIds = (linked: Linked | undefined) => (linked?.records ?? []).map(({ id }) => id);

const namesPeople = ({ isPerson, members = {} }: PersonalColumn) =>
  isPerson || Object.values(members).some((member) => member.isPerson);

/** Returns the ids of an investigation, its records and actions, and the guests' messages from which those were created. */
async function listLinkedIds(db: Database, linked: Linked | undefined): Promise<string[]> {
  if (!linked) return [];
  const actions = await db.selectFrom('audits').select('id').where('investigation_id', '=', linked.id).execute();
  const ids = [...listIds(linked), ...actions.map(({ id }) => id)];
  const messages = await db
    .selectFrom('guest_messages')
    .select('id')
    // '', because PostgreSQL rejects an empty list.
    .where((eb) => eb.or([eb('report_id', 'in', ['', ...ids]), eb('audit_id', 'in', ['', ...ids])]))
    .execute();
  return [linked.id, ...ids, ...messages.map(({ id }) => id)];
}

/** Lists everyone whom an investigation, its records and its actions name. */
async function listPeople(db: Database, linked: Linked | undefined) {
  const ids = await listLinkedIds(db, linked);
  const getName = await createNameFinder(db, everyParkViewer);
  const people = { names: [] as string[], usernames: [] as string[] };
  for (const table of personalTables.filter(({ columns }) => Object.values(columns).some(namesPeople)))
    for await (const row of readRowsOf(db, table, ids))
      for (const { text, isPerson, isUsername } of listNamedValues(table, row)) {
        if (isPerson) people.names.push(text, getName(text));
        if (isUsername) people.usernames.push(text);
      }
  return people;
}

/** Lists the users who see a park, with those who have left: their usernames are still in its records. */
const listUsers = (db: Database, parks: readonly string[]) =>
  db
    .selectFrom('users')
    .select(['username', 'full_name'])
    .where('id', '<>', guestAccountId)
    .where(seesOneOf([...parks]))
    .execute();

/** Lists parks, and the numbers and plots of the linked records. */
async function listPlaces(db: Database, linked: Linked | undefined): Promise<string[]> {
  // '', because PostgreSQL rejects an empty list.
  const ids = ['', ...listIds(linked)];
  const reports = await db.selectFrom('reports').select(['number', 'location']).where('id', 'in', ids).execute();
  const audits = await db.selectFrom('audits').select('data').where('id', 'in', ids).execute();
  const places = [...reports, ...audits.map(({ data }) => parseData(data).data)].map(({ location }) => location);
  return [
    ...listParks(),
    ...(linked ? [linked.number] : []),
    ...reports.map(({ number }) => number),
    // A place without a number, such as "Pool", may be anywhere.
    ...places.filter((place) => /\d/.test(place)),
  ];
}
