// Changes the rows of pages while they are read.
import type { NameFinder } from '../db/user-names.ts';

export async function* mapPages<From, To>(
  pages: AsyncIterable<From[]>,
  map: (page: From[]) => To[],
): AsyncGenerator<To[]> {
  for await (const page of pages) yield map(page);
}

/** Replaces the usernames in these fields by the names that screens show. */
export const withNames = <Row extends object>(
  pages: AsyncIterable<Row[]>,
  getName: NameFinder,
  ...fields: (keyof Row)[]
): AsyncGenerator<Row[]> => mapPages(pages, (page) => page.map((row) => replaceNames(row, getName, ...fields)));

export const replaceNames = <Row extends object>(row: Row, getName: NameFinder, ...fields: (keyof Row)[]): Row => ({
  ...row,
  ...Object.fromEntries(fields.map((field) => [field, getName(row[field] as string | null)])),
});
