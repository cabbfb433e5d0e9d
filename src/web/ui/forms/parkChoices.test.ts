import { expect, test } from 'vitest';
import { findParks } from './parkChoices.ts';

test("a filter uses the user's own parks unless the URL names others", () => {
  expect(findParks('', ['Mounds'])).toEqual(['Mounds']);
  expect(findParks('all', ['Mounds'])).toEqual([]);
  expect(findParks('Winkups', ['Mounds'])).toEqual(['Winkups']);
  expect(findParks('Winkups,Atlantis,Mounds', null)).toEqual(['Mounds', 'Winkups']);
  expect(findParks('', null)).toEqual([]);
  expect(findParks('', ['Winkups', 'Mounds'])).toEqual(['Mounds', 'Winkups']);
});
