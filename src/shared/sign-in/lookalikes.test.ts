import { expect, test } from 'vitest';
import { getUsernameKey, Username } from '../users.ts';
import { getLookalikeKey } from './lookalikes.ts';

test.each([
  ['admin', 'admın'],
  ['carol', 'cɒrol'],
  ['Ieuan', 'leuan'],
  ['paul', 'pauI'],
  ['gate1', 'gatel'],
  ['sam0', 'samo'],
  ['coco', 'сосо'],
  ['xoxo', 'хохо'],
  ['COPE', 'СОРЕ'],
  ['carney', 'camey'],
  ['owen', 'ovven'],
])('%s and %s look alike', (one, other) => {
  expect(getUsernameKey(one)).not.toBe(getUsernameKey(other));
  expect(getLookalikeKey(one)).toBe(getLookalikeKey(other));
});

test.each([
  ['sian', 'siân'],
  ['mali', 'mall'],
  ['huw.1', 'huw.2'],
  ['gwen', 'gwern'],
])('%s and %s do not', (one, other) => expect(getLookalikeKey(one)).not.toBe(getLookalikeKey(other)));

test('a username that differs in capital letters only has the same key as itself', () => {
  for (const username of ['Siân.Ŵyn', 'Ольга', '김.李']) {
    expect(Username.parse(username)).toBe(username);
    expect(getLookalikeKey(username.toLowerCase())).toBe(getLookalikeKey(username));
  }
});
