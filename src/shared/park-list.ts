// Several parks in a query or an address: `Mounds,Winkups`.
import * as z from 'zod/mini';
import { parks } from './choices.ts';

export type Park = (typeof parks)[number];

const isPark = (name: string): name is Park => (parks as readonly string[]).includes(name);

/** Those of the names that are parks, each once, in their usual order. */
export function parseParks(text: string): Park[] {
  const names = new Set(text.split(','));
  return parks.filter((park) => names.has(park));
}

/** One park or more. */
export const parkListSchema = z.pipe(
  z.string().check(
    z.maxLength(1000),
    z.refine((text) => text.split(',').every(isPark), 'Choose a park'),
  ),
  z.transform(parseParks),
);
