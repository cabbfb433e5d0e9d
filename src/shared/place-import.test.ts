import { expect, test } from 'vitest';
import { parsePlaceCsv } from './place-import.ts';

test.each([
  ['a place on each line', 'Pool\nShop\n'],
  ['a heading', 'Name\r\nPool\r\nShop\r\n'],
  ['columns in any order', 'park;name\nLido Beach;Pool\nMounds;Bar\nlido beach;Shop'],
  ['the columns of an export', '\uFEFFPark,Name,Retired\nLido Beach,Pool,No\nLido Beach,"Shop",Yes'],
  ['a line that says how the columns are separated', 'sep=;\nName;Park\nPool;Lido Beach\n;Lido Beach\nShop;Lido Beach'],
])('places are read from a file with %s', (_, csv) =>
  expect(parsePlaceCsv(csv, 'Lido Beach')).toEqual({ names: ['Pool', 'Shop'], errors: [] }),
);

test.each([
  ['', 'The file has no places'],
  ['Name,Parc\nPool,Lido Beach', '"Parc" is not a column. The columns are name, park, retired'],
  ['Park\nLido Beach', 'The column "name" is missing. The columns are name, park, retired'],
  [
    'Place,Site\nPool,Lido Beach',
    'The first line is not understood: "Place", "Site". Name the columns there: name, park, retired',
  ],
])('the first line of %j is refused', (csv, message) =>
  expect(parsePlaceCsv(csv, 'Lido Beach')).toEqual({ names: [], errors: [{ line: 1, message }] }),
);

test('a row without a park is of the chosen one, and a park that does not exist is no reason to leave a place out', () => {
  const read = (parks: string[]) => {
    const lines = parks.map((park, index) => `Place ${index},${park}`);
    return parsePlaceCsv(['Name,Park', ...lines].join('\n'), 'Lido Beach');
  };
  expect(read(['', 'Mounds', 'lido beach'])).toEqual({ names: ['Place 0', 'Place 2'], errors: [] });
  const errors = [{ line: 3, message: '"Lido Beech" is not a park' }];
  expect(read(['Lido Beach', 'Lido Beech'])).toEqual({ names: [], errors });
});
