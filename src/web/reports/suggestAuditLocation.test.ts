import { expect, test } from 'vitest';
import { suggestAuditLocation } from './suggestAuditLocation.ts';

test.each([
  ['Plot 12', 'Siân Jones', 'Plot 12'],
  ["Sian's caravan, plot 12", 'Siân Jones', ''],
  ['the JONES caravan', 'Siân Jones', ''],
  ['Plot J', 'J Smith', 'Plot J'],
  ['Pool', '', 'Pool'],
])('a report at "%s" about the person "%s" suggests "%s" as the location of a new audit', (location, name, place) => {
  expect(suggestAuditLocation({ location, name })).toBe(place);
});
