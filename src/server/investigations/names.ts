// Finds what could identify a person or an event, in a text that must not.
import { parks } from '#shared/choices.ts';
import type { Investigation } from '#shared/investigations.ts';
import { parseData } from '../audits/stored-data.ts';
import type { Database } from '../db/schema.ts';
import { listUserNames } from '../db/user-names.ts';
import { createMatcher } from '../people/search/matching.ts';

type Linked = Pick<Investigation, 'number' | 'records' | 'sections'>;

const isIn = (text: string, name: string, number = '') =>
  createMatcher({ name, spellings: [], number, username: '' }).findInText(text) === 'sure';
const filterUnique = (names: string[], isMatch: (name: string) => boolean) =>
  [...new Set(names.map((name) => name.trim()))].filter((name) => name !== '' && isMatch(name));

/** Includes '', because PostgreSQL rejects an empty list. */
const listIds = (linked: Linked | undefined) => ['', ...(linked?.records ?? []).map(({ id }) => id)];

const listReports = (db: Database, linked: Linked | undefined) =>
  db
    .selectFrom('reports')
    .select(['number', 'name', 'reporter', 'affectedUserSignedBy', 'location', 'contactNumber'])
    .where('id', 'in', listIds(linked))
    .execute();

const listMessages = (db: Database, linked: Linked | undefined) =>
  db.selectFrom('guest_messages').select(['name', 'contact']).where('id', 'in', listIds(linked)).execute();

/** Returns the names in the text: of anyone whom the linked reports, messages or statements name, and of users. */
export async function findNames(db: Database, linked: Linked | undefined, text: string): Promise<string[]> {
  const reports = await listReports(db, linked);
  const messages = await listMessages(db, linked);
  const names = [
    ...messages.map(({ name }) => name),
    ...reports.flatMap(({ name, reporter, affectedUserSignedBy }) => [
      name,
      reporter,
      affectedUserSignedBy ? (JSON.parse(affectedUserSignedBy) as { name: string }).name : '',
    ]),
    ...(linked?.sections.statements.content.list.flatMap(({ person, accompaniedBy }) => [person, accompaniedBy]) ?? []),
    ...(await listUserNames(db)).map(({ full_name }) => full_name),
  ];
  const words = text.split(/[^\p{L}\p{M}'’-]+/u);
  // A name of one word, such as Will, may also be an ordinary word.
  return filterUnique(names, (name) => (/\s/.test(name) ? isIn(text, name) : words.includes(name)));
}

/**
 * Returns the parts of the text that could identify the event or a person: parks, users' names, and
 * the names, contact details, numbers and plots of the linked records.
 */
export async function findIdentifiers(db: Database, linked: Linked | undefined, text: string): Promise<string[]> {
  const reports = await listReports(db, linked);
  const messages = await listMessages(db, linked);
  const audits = await db.selectFrom('audits').select('data').where('id', 'in', listIds(linked)).execute();
  const places = [...reports, ...audits.map(({ data }) => parseData(data).data)].map(({ location }) => location);
  const marks = [
    ...parks,
    ...(linked ? [linked.number] : []),
    ...reports.map(({ number }) => number),
    // A place without a number, such as "Pool", may be anywhere.
    ...places.filter((place) => /\d/.test(place)),
  ];
  return [
    ...(await findNames(db, linked, text)),
    ...filterUnique(marks, (mark) => isIn(text, mark)),
    ...filterUnique(
      [...reports.map(({ contactNumber }) => contactNumber), ...messages.map(({ contact }) => contact)],
      (contact) => isIn(text, '', contact),
    ),
  ];
}
