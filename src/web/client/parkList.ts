// The operator's list of parks, kept on this device for pages that are opened offline or signed out. It names nobody.
import { type ListedPark, setParks } from '#shared/park-list.ts';
import { deviceItems } from '../browserItems.ts';

const key = 'parks';

/** Takes over the list that came with the session. */
export function saveParkList(list: readonly ListedPark[]): void {
  setParks(list);
  deviceItems.write(key, JSON.stringify(list));
}

const stored = deviceItems.read(key);
if (stored) setParks(JSON.parse(stored) as ListedPark[]);
