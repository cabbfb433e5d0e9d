// Files that only look like photos, sent to every endpoint that accepts a file.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Api, api, contract, type EndpointName } from '#shared/api.ts';
import { type ApiError, sendRequest } from '#shared/client.ts';
import type { Endpoint, Multipart } from '#shared/contract.ts';
import { fixture, newFolder } from '../testing/factories.ts';
import { createTestServer } from '../testing/test-server.ts';

const { server, admin } = createTestServer('sqlite');

const files = readdirSync(join(import.meta.dirname, '../../../fixtures/not-photos'));
const readBytes = (name: string) => fixture(`not-photos/${name}`);

type UploadEndpoint = { [N in EndpointName]: Api[N] extends { body: Multipart } ? N : never }[EndpointName];

// The fields to send with the file. Every endpoint that accepts a file needs an entry; the compiler
// reports a missing one.
const calls: Record<UploadEndpoint, object[]> = {
  uploadImage: [{}, { query: { use: 'photo' } }, { query: { use: 'signature' } }],
  createFolder: [{ body: { name: 'Fire safety', description: '', park: 'Lido Beach' } }],
};
const uploadFields = Object.entries(calls).flatMap(([name, inputs]) =>
  inputs.map((input) => [name as UploadEndpoint, input] as const),
);

/** Returns what these endpoints could have stored, rows and files: a rejected file must leave no trace. */
async function listStored() {
  const uploads = await server.db.selectFrom('uploads').select('path').execute();
  const folders = await admin(api.listFolders);
  const submissions = await admin(api.listSubmissions);
  const people = await admin(api.listUsers);
  const storedFileNames = readdirSync(join(server.folder, 'uploads'), { recursive: true, encoding: 'utf8' });
  const storedFiles = storedFileNames.filter((name) => /\.\w+$/.test(name)).toSorted();
  return { uploads, folders, submissions, storedFiles, people: people.map(({ username }) => username) };
}

const getError = (work: Promise<unknown>) =>
  work.then(
    () => ({ status: 200, message: '' }),
    ({ status, message, body }: ApiError) => ({ status, message, success: body.success }),
  );

const notAnImageError = { status: 415, message: 'Only image files are supported', success: false };
const tooLarge = { status: 413, message: 'Image is too large (max 1 MB)', success: false };
const unreadable = { status: 422, message: 'This image could not be read', success: false };

test('the fixtures contain several files that are not photos', () => expect(files.length).toBeGreaterThan(5));

test.each(files.flatMap((file) => uploadFields.map(([name, input]) => [file, name, input] as const)))(
  'the file %s is rejected by the endpoint %s with the input %j',
  async (file, name, input) => {
    const before = await listStored();
    const endpoint: Endpoint = contract[name];
    // Send the file under its own name, and under the name of a photo.
    for (const fileName of [file, 'IMG_0001.jpg']) {
      const request = { ...input, file: new Blob([new Uint8Array(readBytes(file))], { type: 'image/jpeg' }), fileName };
      expect([notAnImageError, unreadable, tooLarge]).toContainEqual(
        await getError(sendRequest(admin.fetch, endpoint, request as never)),
      );
    }
    expect(await listStored()).toEqual(before);
  },
);

test.each(files)('the file %s is rejected as a signature, CSV file and folder thumbnail', async (file) => {
  const sections = [{ title: 'Signed', type: 'signature' as const, required: true }];
  const { id: checklistId } = await admin(api.createChecklist, { body: { title: 'Pool', sections } });
  const id = await newFolder(admin);
  const before = await listStored();
  const bytes = readBytes(file);
  const url = `data:image/png;base64,${bytes.toString('base64')}`;
  const clear = { success: false, message: expect.stringMatching(/^[A-Z].{3,199}$/) };
  expect(await getError(admin(api.submitChecklist, { body: { checklistId, data: { 0: url } } }))).toMatchObject({
    ...clear,
    status: 400,
    message: expect.stringMatching(/^This signature .* Please sign again\.$/),
  });
  const csv = bytes.toString('latin1');
  const csvError = await getError(admin(api.importUsers, { body: { csv } }));
  expect(csvError).toMatchObject({ ...clear, status: csv.length > 256 * 1024 ? 413 : 400 });
  const body = { name: 'Fire', description: '', park: 'Lido Beach' as const };
  const thumbnail = getError(admin(api.updateFolder, { params: { id }, body: { ...body, thumbnail: url } }));
  expect(await thumbnail).toMatchObject({ ...clear, status: bytes.length > 190_000 ? 413 : 400 });
  expect(await listStored()).toEqual(before);
});
