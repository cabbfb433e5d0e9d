// The parks, and several of them in a query or URL: `Mounds,Winkups`.
import { defaultParks } from './choices.ts';

/** A closed park is not offered any more; its records stay. */
export type ListedPark = { name: string; isClosed: boolean };

let listed: readonly ListedPark[];
let all: readonly string[];
let open: readonly string[];

/**
 * Sets the parks of this process, in their order. The server reads them when it starts; a browser gets them with the
 * session.
 */
export function setParks(list: readonly ListedPark[]): void {
  listed = list;
  all = list.map(({ name }) => name);
  open = list.filter(({ isClosed }) => !isClosed).map(({ name }) => name);
}

/** The parks without a list of the operator's own. */
export const listDefaultParks = (): ListedPark[] => defaultParks.map((name) => ({ name, isClosed: false }));

setParks(listDefaultParks());

/** Returns the list as it was set. */
export const getParkList = () => listed;

/** Returns the names of all parks, closed ones too. */
export const listParks = () => all;

/** Returns the names of the parks that are open, and of a closed one that a field already has. */
export const listOpenParks = (chosen = '') =>
  chosen && !open.includes(chosen) && isPark(chosen) ? all.filter((park) => isOpenPark(park) || park === chosen) : open;

export const isPark = (name: string) => all.includes(name);
export const isOpenPark = (name: string) => open.includes(name);

/** Returns the parks in a text, without duplicates and in their usual order. Ignores other names. */
export function parseParks(text: string): string[] {
  const names = new Set(text.split(','));
  return all.filter((park) => names.has(park));
}
