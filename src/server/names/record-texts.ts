// Decides whether records name a person, without reading all records.

import { splitList } from '../db/queries.ts';
import type { Database } from '../db/schema.ts';
import { startSlices } from '../event-loop.ts';
import { createMatcher } from './matching.ts';
import { listNamedValues, personalTables, readRowsOf } from './named-fields.ts';
import { createNameFinder, everyParkViewer } from './user-names.ts';

const createFinder = (name: string) => createMatcher({ name, spellings: [], number: '', username: '' });

/** Whether a text names the person, certainly or possibly. */
export const isNameIn = (name: string, text: string): boolean => createFinder(name).findInText(text) !== undefined;

const recordsPerRead = 20;

/**
 * Returns, by record, the index of the first person whom it names, certainly or possibly. Reads the
 * records in small pages, because they may have megabytes of text.
 */
export async function findPeopleIn(db: Database, ids: string[], names: string[]): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  if (names.length === 0) return found;
  const finders = names.map(createFinder);
  const getName = await createNameFinder(db, everyParkViewer);
  const waitForSlice = startSlices();
  for (const page of splitList(ids, recordsPerRead))
    for (const table of personalTables)
      for await (const row of readRowsOf(db, table, page)) {
        if (found.has(row.record)) continue;
        await waitForSlice();
        const texts = listNamedValues(table, row).flatMap(({ text, isUsername }) =>
          isUsername ? [text, getName(text)] : [text],
        );
        const index = finders.findIndex(({ findInText }) => texts.some((text) => findInText(text)));
        if (index >= 0) found.set(row.record, index);
      }
  return found;
}
