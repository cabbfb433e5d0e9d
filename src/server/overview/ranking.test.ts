import { expect, test } from 'vitest';
import { rankNames } from './store.ts';

test("a ranking keeps the typed 'Other' apart from the row for all other types", () => {
  const rows = [...'ABCDEFGHIJK'].map((name) => ({ name, count: 2 }));
  const ranking = rankNames([...rows, { name: 'Other', count: 5 }, { name: 'other', count: 3 }], 'All other types');
  expect(ranking[0]).toEqual({ name: 'Other', count: 8 });
  expect(ranking.at(-1)).toEqual({ name: 'All other types', count: 4, isRest: true });
  expect(ranking).toHaveLength(11);
});
