import { expect, test } from 'vitest';
import { newId } from './ids.ts';

test('ids are 128 random bits in base32', () => {
  const ids = Array.from({ length: 2000 }, newId);
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect(id).toMatch(/^[a-z2-7]{26}$/);
  const countLettersAt = (position: number) => new Set(ids.map((id) => id[position])).size;
  // 128 bits are 25 letters of five bits each, and one letter of three bits.
  for (let position = 0; position < 25; position++) expect(countLettersAt(position)).toBe(32);
  expect(countLettersAt(25)).toBe(8);
});
