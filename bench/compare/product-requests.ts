// The requests that the benchmark sends to the product.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { createReportBody } from '../../src/server/testing/factories.ts';
import { reportsPerUser, type Writer } from './product.ts';
import type { CreateRequest } from './requests.ts';

export const json = { 'content-type': 'application/json' };

export const newest = '/api/get-reports?limit=50';
export const months = '/api/report-months?reportType=accident';
export const search = (query: string) => `${newest}&q=${encodeURIComponent(query)}`;

const searches = [
  'pool',
  'gas ladder',
  'gwenllian vaughan',
  'llywel',
  'ACC-2015-7776',
  'boiler hose',
  'lowri',
  'plot 17',
];
export const pickSearch = (index: number) => searches[index % searches.length] ?? '';

export const newReport = ([image = '', signature = '', affected = '']: string[]) => ({
  ...createReportBody(image, signature, affected),
  details: 'Slipped on the wet step by the pool. A first aider attended. '.repeat(4),
});

export const submit =
  (writers: Writer[]) =>
  (index: number): CreateRequest => {
    const writer = writers[Math.floor(index / reportsPerUser)];
    const body = JSON.stringify(newReport(writer?.uploads[index % reportsPerUser] ?? []));
    return { method: 'POST', path: '/api/submit-accident', headers: { ...json, cookie: writer?.cookie ?? '' }, body };
  };

/** A photo of 400 KB, as the browser sends it. */
async function makePhoto(): Promise<Buffer> {
  const original = await readFile(join(import.meta.dirname, '../../fixtures/photos/phone-iphone-hdr.jpg'));
  const resizedImage = sharp(original).rotate().resize(1280, 1280, { fit: 'inside' });
  let bytes = Buffer.alloc(0);
  for (let quality = 70; bytes.length < 400_000 && quality <= 100; quality += 1)
    bytes = await resizedImage.jpeg({ quality }).toBuffer();
  return bytes;
}

const photo = await makePhoto();
/** The same photo for the product and PocketBase. */
export const photoForm = {
  headers: { 'content-type': 'multipart/form-data; boundary=x' },
  body: Buffer.concat([
    Buffer.from(
      '--x\r\ncontent-disposition: form-data; name="image"; filename="photo.jpg"\r\ncontent-type: image/jpeg\r\n\r\n',
    ),
    photo,
    Buffer.from('\r\n--x--\r\n'),
  ]),
};

export const upload =
  (writers: Writer[]) =>
  (index: number): CreateRequest => ({
    method: 'POST',
    path: '/api/upload/image',
    headers: { ...photoForm.headers, cookie: writers[index % writers.length]?.cookie ?? '' },
    body: photoForm.body,
  });
