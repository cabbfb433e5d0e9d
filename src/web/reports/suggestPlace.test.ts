import { expect, test } from 'vitest';
import { suggestPlace } from './suggestPlace.ts';

test.each([
  ['Plot 12', 'Siân Jones', 'Plot 12'],
  ["Sian's caravan, plot 12", 'Siân Jones', ''],
  ['the JONES caravan', 'Siân Jones', ''],
  ['Plot J', 'J Smith', 'Plot J'],
  ['Pool', '', 'Pool'],
])('an audit about %s, where %s was hurt, is suggested at "%s"', (location, name, place) => {
  expect(suggestPlace({ location, name })).toBe(place);
});
