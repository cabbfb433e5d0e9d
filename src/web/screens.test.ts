import { expect, test } from 'vitest';
import { administration, screens } from './screens.ts';

test('the list of administration has each of its screens once, and no other path', () => {
  const listed = administration.flatMap(({ paths }) => paths);
  const paths = screens.map(({ path }) => path);
  expect(new Set(listed).size).toBe(listed.length);
  expect(listed.filter((path) => !paths.includes(path))).toEqual([]);
  expect(paths.filter((path) => path.startsWith('/admin') && !listed.includes(path))).toEqual([]);
});
