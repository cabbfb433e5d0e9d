// The choices of park fields and filters.
import type { Parks, ParkViewer } from '#shared/access.ts';
import { allParks, parks } from '#shared/choices.ts';
import { parseParks } from '#shared/park-list.ts';

/** Returns the parks to choose from in a form: first, as a group, those of a user with several parks. */
export function groupParks({ parks: ownParks }: ParkViewer) {
  if (ownParks === null || ownParks.length === 1) return parks;
  return [
    { group: 'Your parks', items: [...ownParks] },
    { group: 'Other parks', items: parks.filter((park) => !ownParks.includes(park)) },
  ];
}

/** Returns the choices of a filter: all parks, several parks if they are chosen already, and each park. */
export function listParkChoices(chosen = ''): { value: string; label: string }[] {
  const severalParks = parseParks(chosen);
  return [
    { value: '', label: allParks },
    ...(severalParks.length > 1 ? [{ value: severalParks.join(), label: severalParks.join(', ') }] : []),
    ...parks.map((park) => ({ value: park, label: park })),
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
