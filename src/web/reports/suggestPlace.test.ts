import { expect, test } from 'vitest';
import { suggestPlace } from './suggestPlace.ts';

test.each([
  ['Plot 12', 'Siân Jones', 'Plot 12'],
  ["Sian's caravan, plot 12", 'Siân Jones', ''],
  ['the JONES caravan', 'Siân Jones', ''],
  ['Plot J', 'J Smith', 'Plot J'],
  ['Pool', '', 'Pool'],
])('an audit of a report at %s about "%s" suggests the location "%s"', (location, name, place) => {
  expect(suggestPlace({ location, name })).toBe(place);
});
