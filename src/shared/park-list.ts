// Several parks in a query or URL: `Mounds,Winkups`.
import * as z from 'zod/mini';
import { parks } from './choices.ts';

export type Park = (typeof parks)[number];

const isPark = (name: string): name is Park => (parks as readonly string[]).includes(name);

/** Returns the parks in a text, without duplicates and in their usual order. Ignores other names. */
export function parseParks(text: string): Park[] {
  const names = new Set(text.split(','));
  return parks.filter((park) => names.has(park));
}

/** The schema of a list of at least one park. */
export const parkListSchema = z.pipe(
  z.string().check(
    z.maxLength(1000),
    z.refine((text) => text.split(',').every(isPark), 'Choose a park'),
  ),
  z.transform(parseParks),
);
