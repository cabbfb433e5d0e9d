// Changes the rows of pages while they are read.
import type { ParkViewer } from '#shared/access.ts';
import type { Database } from '../db/schema.ts';
import type { NameFinder } from '../names/user-names.ts';
import { findPlacesOf } from '../places/links/place-links.ts';

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

/** Adds the name of each record's place, if the viewer sees its park. */
export async function* withPlaces<Row extends { id: string }>(
  db: Database,
  viewer: ParkViewer,
  pages: AsyncIterable<Row[]>,
): AsyncGenerator<(Row & { placeName: string })[]> {
  for await (const page of pages) {
    const ids = page.map(({ id }) => id);
    const places = await findPlacesOf(db, viewer, ids);
    yield page.map((row) => ({ ...row, placeName: places.get(row.id)?.name ?? '' }));
  }
}
