import { expect, test } from 'vitest';
import { parseRange } from './byte-range.ts';

test.each([
  ['bytes=0-99', { start: 0, end: 99 }],
  ['bytes=900-', { start: 900, end: 999 }],
  ['bytes=-100', { start: 900, end: 999 }],
  ['bytes=-5000', { start: 0, end: 999 }],
  ['bytes=0-5000', { start: 0, end: 999 }],
  ['bytes=1000-', 'none'],
  ['bytes=-0', 'none'],
  ['bytes=5-2', undefined],
  ['bytes=0-1,5-6', undefined],
  ['bytes=-', undefined],
  ['lines=0-1', undefined],
  ['', undefined],
  [undefined, undefined],
] as const)('the Range header "%s" of a request for a file of 1,000 bytes is parsed as %j', (header, range) => {
  expect(parseRange(header, 1000)).toEqual(range);
});
