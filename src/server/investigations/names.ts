// Finds the people of an investigation in a text that must not name them.
import type { Investigation } from '#shared/investigations.ts';
import type { Database } from '../db/schema.ts';
import { listBothNames } from '../db/user-names.ts';
import { createMatcher } from '../people/search/matching.ts';

/** Returns the names in the text of anyone whom the reports or statements name, and of users. */
export async function findNames(db: Database, { records, sections }: Investigation, text: string): Promise<string[]> {
  const ids = records.map(({ id }) => id);
  const reports = await db
    .selectFrom('reports')
    .select(['name', 'reporter', 'affectedUserSignedBy'])
    .where('id', 'in', ids)
    .execute();
  const names = [
    ...reports.flatMap(({ name, reporter, affectedUserSignedBy }) => [
      name,
      reporter,
      affectedUserSignedBy ? (JSON.parse(affectedUserSignedBy) as { name: string }).name : '',
    ]),
    ...sections.statements.content.list.flatMap(({ person, accompaniedBy }) => [person, accompaniedBy]),
    ...(await listBothNames(db)).map(({ full_name }) => full_name),
  ];
  const words = text.split(/[^\p{L}\p{M}'’-]+/u);
  const isNamed = (name: string) =>
    // A name of one word, such as Will, may also be an ordinary word.
    /\s/.test(name)
      ? createMatcher({ name, spellings: [], number: '', username: '' }).findInText(text) === 'sure'
      : words.includes(name);
  return [...new Set(names.map((name) => name.trim()))].filter((name) => name !== '' && isNamed(name));
}
