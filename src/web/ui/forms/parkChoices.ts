// The choices of park fields and filters.
import { canSeePark, type Parks, type ParkViewer } from '#shared/access.ts';
import { allParks } from '#shared/choices.ts';
import { listOpenParks, listParks, parseParks } from '#shared/park-list.ts';

/** Returns the parks to choose from in a form: first, as a group, those of a user with several parks. */
export function groupParks({ parks: ownParks }: ParkViewer) {
  const choices = listOpenParks();
  if (ownParks === null || ownParks.length === 1) return choices;
  return [
    { group: 'Your parks', items: choices.filter((park) => ownParks.includes(park)) },
    { group: 'Other parks', items: choices.filter((park) => !ownParks.includes(park)) },
  ];
}

/** Returns the open parks of a user to choose from in a form, and a closed one that is chosen already. */
export const listFormParks = (user: ParkViewer, chosen?: string) =>
  listOpenParks(chosen).filter((park) => canSeePark(user, park) || park === chosen);

/** Returns the choices of a filter: all parks, several parks if they are chosen already, and each park. */
export function listParkChoices(chosen = ''): { value: string; label: string }[] {
  const severalParks = parseParks(chosen);
  return [
    { value: '', label: allParks },
    ...(severalParks.length > 1 ? [{ value: severalParks.join(), label: severalParks.join(', ') }] : []),
    ...listParks().map((park) => ({ value: park, label: park })),
  ];
}

/** `Mounds`, `Mounds, Oakfield and Winkups`, `Mounds and 3 more parks`, or `All parks`. */
export function describeParks(chosen = ''): string {
  const [first, ...more] = parseParks(chosen);
  if (!first) return allParks;
  if (more.length > 2) return `${first} and ${more.length} more parks`;
  return [[first, ...more.slice(0, -1)].join(', '), ...more.slice(-1)].join(' and ');
}

/** In the URL: all parks were chosen. Without parks in the URL, a reviewer's own parks apply. */
export const allParksValue = 'all';

/** Returns the parks in the URL, otherwise the user's own; empty for all parks. */
export const findParks = (value: string, ownParks: Parks) =>
  value === allParksValue ? [] : parseParks(value || (ownParks?.join() ?? ''));
