// Which user a typed name means. It must be exact, except for case, accents and spaces around it.
import { canSeePark, nameParks, readParks } from '#shared/access.ts';
import { foldText } from '#shared/text.ts';
import type { PersonName } from '#shared/users.ts';

export type CopiedName = Omit<PersonName, 'parks' | 'id'> & Partial<Pick<PersonName, 'parks' | 'id'>>;

/** Names that an earlier version copied for offline use have no `parks`. */
export const seesPark = (person: CopiedName, park: string | undefined) =>
  park === undefined || canSeePark({ parks: readParks(person) }, park);

/** Whether this is the username of a user who sees the park. */
export const isUserOf = (people: CopiedName[], value: string, park: string | undefined) =>
  people.some((person) => person.username === value && seesPark(person, park));

/** Returns the user with this username, or else with this full name; first of those who see the park. */
function findPerson(people: CopiedName[], typed: string, park?: string): CopiedName | undefined {
  const key = foldText(typed.trim());
  const matches = people.filter(({ username, name }) => foldText(username) === key || foldText(name) === key);
  const visible = matches.filter((person) => seesPark(person, park));
  return (visible.length > 0 ? visible : matches).toSorted(
    (a, b) => Number(foldText(b.username) === key) - Number(foldText(a.username) === key),
  )[0];
}

/** Returns what is stored: the username of a user who sees the park, otherwise the text. */
export function getPersonValue(people: CopiedName[], typed: string, park?: string): string {
  const person = findPerson(people, typed, park);
  return person && seesPark(person, park) ? person.username : typed;
}

/** Returns what tells the user whom the text means from others, or why it means nobody. */
export function describePerson(
  people: CopiedName[],
  typed: string,
  park?: string,
  notUser = 'Not a user: nobody will be notified',
): string | undefined {
  const key = foldText(typed.trim());
  if (key === '') return undefined;
  const person = findPerson(people, typed, park);
  if (person && !seesPark(person, park)) return `${person.name} does not see ${park}: nobody will be notified`;
  if (person) return foldText(person.name) === key ? identifyPerson(person) || person.username : person.name;
  // Users who share a full name are listed with their usernames.
  if (people.some(({ name }) => foldText(name).startsWith(`${key} (`)))
    return 'Several users have this name. Choose one of them.';
  return notUser;
}

const startsOfWords = (text: string) => ` ${foldText(text).replace(/[\s.()_-]+/g, ' ')}`;
const { compare } = new Intl.Collator('en');

/** Returns the users who see the park and have a word in their name or username that begins so, for each typed word. */
export function suggestPeople(people: CopiedName[], typed: string, park?: string): CopiedName[] {
  const words = startsOfWords(typed).trim().split(' ');
  return people
    .filter((person) => {
      const text = startsOfWords(`${person.name} ${person.username}`);
      return words.every((word) => text.includes(` ${word}`)) && seesPark(person, park);
    })
    .toSorted((a, b) => compare(a.name, b.name));
}

/** Returns what tells a user from others of the same name, whose names end with the username: username or parks. */
export const identifyPerson = (person: CopiedName) =>
  person.name.endsWith(`(${person.username})`)
    ? nameParks(readParks(person))
    : person.name === person.username
      ? ''
      : person.username;
