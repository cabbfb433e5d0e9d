// Decides whether records name a person, without reading all records.
import type { Database } from '../../db/schema.ts';
import { createNameFinder } from '../../db/user-names.ts';
import { everyParkViewer } from './gather.ts';
import { createMatcher } from './matching.ts';
import { listNamedValues, namedTables, readRowsOf } from './named-fields.ts';

const createFinder = (name: string) => createMatcher({ name, spellings: [], number: '', username: '' });

/** Whether a text contains the name, ignoring case and accents. */
export const isNameIn = (name: string, text: string): boolean => createFinder(name).findInText(text) === 'sure';

/** Returns the index of the first name that the records contain; undefined if they contain none. */
export async function findPersonIn(db: Database, ids: string[], names: string[]): Promise<number | undefined> {
  if (names.length === 0) return undefined;
  const finders = names.map(createFinder);
  const getName = await createNameFinder(db, everyParkViewer);
  for (const table of namedTables)
    for (const row of await readRowsOf(db, table, ids))
      for (const { text, isUsername } of listNamedValues(table, row)) {
        const texts = isUsername ? [text, getName(text)] : [text];
        const index = finders.findIndex(({ findInText }) => texts.some((text) => findInText(text) === 'sure'));
        if (index >= 0) return index;
      }
  return undefined;
}
