import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { addCutOffMark, cutOffMarkBytes, hasCutOffMark, isCutOffJpeg } from '#shared/cut-off.ts';

const readFixture = (name: string) => readFileSync(new URL(`../../../fixtures/${name}`, import.meta.url));
const whole = readFixture('copied/photo-without-extension');
const withPreview = readFixture('photos/gps-DSCN0010.jpg');
const scanAt = whole.indexOf(Buffer.from([0xff, 0xda]));

test.each<[string, boolean, Uint8Array]>([
  ['a whole photo', false, whole],
  ['a whole photo with more behind its end', false, Buffer.concat([whole, Buffer.from('\xff\xda trailer', 'latin1')])],
  ['a photo cut off at 70 %', true, readFixture('copied/cut-off-at-70-percent.jpg')],
  ['a photo without its last byte', true, whole.subarray(0, -1)],
  ['a photo that ends in zeros', true, Buffer.concat([whole.subarray(0, 9000), Buffer.alloc(9000)])],
  ['a photo with a whole preview', true, withPreview.subarray(0, -100)],
  ['a photo with only its preview', false, withPreview.subarray(0, 6000)],
  ['a header with the start of the scan only', false, whole.subarray(0, scanAt + 14)],
  ['a header', false, whole.subarray(0, scanAt)],
  ['the first three bytes', false, whole.subarray(0, 3)],
  ['an empty file', false, new Uint8Array()],
  ['text after the first bytes of a photo', false, Buffer.from('\xff\xd8\xff\xe0<html>', 'latin1')],
  ['a PNG', false, readFixture('not-photos/xhdn0g08.png')],
])('%s: cut off is %s', (_, expected, bytes) => expect(isCutOffJpeg(bytes)).toBe(expected));

test('only a JPEG that was marked has the mark, in its first bytes', async () => {
  const marked = new Uint8Array(await addCutOffMark(new Blob([whole])).arrayBuffer());
  expect(hasCutOffMark(marked.subarray(0, cutOffMarkBytes))).toBe(true);
  expect(hasCutOffMark(marked.subarray(0, cutOffMarkBytes - 1))).toBe(false);
  expect(hasCutOffMark(whole)).toBe(false);
  expect(hasCutOffMark(new Uint8Array())).toBe(false);
});
