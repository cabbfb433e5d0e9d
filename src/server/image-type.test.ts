import { expect, test } from 'vitest';
import { getImageType } from './image-type.ts';
import { fixture } from './testing/factories.ts';

test.each([
  ['jpg', fixture('photos/phone-iphone-hdr.jpg')],
  ['heic', fixture('photos/phone-iphone-13.heic')],
  ['png', Buffer.from('89504e470d0a1a0a', 'hex')],
  ['webp', Buffer.from('RIFF\0\0\0\0WEBPVP8 ')],
])('a %s file is detected by its first bytes', (type, bytes) => {
  expect(getImageType(bytes)).toBe(type);
});

test.each([
  ['an empty file', Buffer.alloc(0)],
  ['two bytes of a JPEG', Buffer.from('ffd8', 'hex')],
  ['a PNG with a damaged signature', fixture('not-photos/xs4n0g01.png')],
  ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
  ['HTML', Buffer.from('<!doctype html><script>alert(1)</script>')],
  ['PDF', Buffer.from('%PDF-1.7\n')],
  ['GIF', Buffer.from('GIF89a\x01\0\x01\0')],
  ['TIFF', Buffer.from('II*\0\x08\0\0\0')],
  ['BMP', Buffer.from('BM\x46\0\0\0')],
  ['a zip', Buffer.from('PK\x03\x04')],
  ['AVIF', Buffer.from('\0\0\0\x1cftypavif\0\0\0\0')],
  ['a video', Buffer.from('\0\0\0\x20ftypisom\0\0\x02\0')],
  ['a WAV', Buffer.from('RIFF\0\0\0\0WAVEfmt ')],
])('%s is not detected as an image', (_, bytes) => {
  expect(getImageType(bytes)).toBeUndefined();
});
