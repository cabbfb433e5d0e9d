// The requests that the benchmark sends to the product.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { createReportBody } from '../../src/server/testing/factories.ts';
import { reportsPerUser, type Writer } from './product.ts';
import type { RequestToSend } from './requests.ts';

export const jsonHeaders = { 'content-type': 'application/json' };

export const newestPath = '/api/get-reports?limit=50';
export const monthsPath = '/api/report-months?reportType=accident';
export const getSearchPath = (query: string) => `${newestPath}&q=${encodeURIComponent(query)}`;

const searchQueries = [
  'pool',
  'gas ladder',
  'gwenllian vaughan',
  'llywel',
  'ACC-2015-7776',
  'boiler hose',
  'lowri',
  'plot 17',
];
export const pickSearch = (index: number) => searchQueries[index % searchQueries.length] ?? '';

export const newReport = ([image = '', signature = '', affected = '']: string[]) => ({
  ...createReportBody(image, signature, affected),
  details: 'Slipped on the wet step by the pool. A first aider attended. '.repeat(4),
});

/** Returns a function that creates the next request: each upload is submitted once. */
export const createSubmitRequest =
  (writers: Writer[]) =>
  (index: number): RequestToSend => {
    const writer = writers[Math.floor(index / reportsPerUser)];
    const body = JSON.stringify(newReport(writer?.uploads[index % reportsPerUser] ?? []));
    return {
      method: 'POST',
      path: '/api/submit-accident',
      headers: { ...jsonHeaders, cookie: writer?.cookie ?? '' },
      body,
    };
  };

/** Creates a photo of 400 KB in the size that the browser uploads. */
async function createPhoto(): Promise<Buffer> {
  const original = await readFile(join(import.meta.dirname, '../../fixtures/photos/phone-iphone-hdr.jpg'));
  const resizedImage = sharp(original).rotate().resize(1280, 1280, { fit: 'inside' });
  let bytes = Buffer.alloc(0);
  for (let quality = 70; bytes.length < 400_000 && quality <= 100; quality += 1)
    bytes = await resizedImage.jpeg({ quality }).toBuffer();
  return bytes;
}

const photo = await createPhoto();
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

export const createUploadRequest =
  (writers: Writer[]) =>
  (index: number): RequestToSend => ({
    method: 'POST',
    path: '/api/upload/image',
    headers: { ...photoForm.headers, cookie: writers[index % writers.length]?.cookie ?? '' },
    body: photoForm.body,
  });
