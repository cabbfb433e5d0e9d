import { expect, test } from 'vitest';
import { HttpError } from '../errors/http-error.ts';
import { storeImage } from './store-image.ts';

test.each([
  ['stays if its row may have been committed', new Error('The connection was lost during the commit'), 0],
  ['is deleted if its row was certainly not inserted', new HttpError(429, 'Too many photos'), 1],
])('the file of an upload %s', async (_, error, removedFiles) => {
  const removed: string[] = [];
  const image = { path: '/nowhere/image', ext: 'jpg', type: 'image/jpeg', size: 9, blank: false, sha256Stored: '' };
  const services = {
    files: { move: async () => undefined, remove: async (path: string) => void removed.push(path) },
    imageProcessor: { process: async () => image },
    previews: {},
  };
  const file = { path: '/nowhere/upload', size: 9, head: Buffer.alloc(0), name: 'photo.jpg', sha256: '' };
  const stored = storeImage(services as never, { file, use: 'photo', userId: 'sian', now: new Date() }, async () => {
    throw error;
  });
  await expect(stored).rejects.toBe(error);
  expect(removed).toHaveLength(removedFiles);
});
