// Decides whether records name a person, without reading all records.
import type { Database } from '../../db/schema.ts';
import { createNameFinder } from '../../db/user-names.ts';
import { everyParkViewer } from './gather.ts';
import { createMatcher } from './matching.ts';
import { listNamedValues, namedTables, readRowsOf } from './named-fields.ts';

const createFinder = (name: string) => createMatcher({ name, spellings: [], number: '', username: '' });

/** Whether a text names the person, certainly or possibly. */
export const isNameIn = (name: string, text: string): boolean => createFinder(name).findInText(text) !== undefined;

/**
 * Returns the index of the first person whom the records name, certainly or possibly; undefined if
 * they name none.
 */
export async function findPersonIn(db: Database, ids: string[], names: string[]): Promise<number | undefined> {
  if (names.length === 0) return undefined;
  const finders = names.map(createFinder);
  const getName = await createNameFinder(db, everyParkViewer);
  for (const table of namedTables)
    for (const row of await readRowsOf(db, table, ids))
      for (const { text, isUsername } of listNamedValues(table, row)) {
        const texts = isUsername ? [text, getName(text)] : [text];
        const index = finders.findIndex(({ findInText }) => texts.some((text) => findInText(text)));
        if (index >= 0) return index;
      }
  return undefined;
}
