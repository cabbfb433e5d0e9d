// Copies of photos for audits: the limit of one day, disk space, and no files left after a failure.
import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { newAudit, newFolder, uploadPhoto } from '../testing/factories.ts';
import { engines, type TestClient } from '../testing/server.ts';
import { createTestServer } from '../testing/test-server.ts';
import { withCopies } from './copy.ts';
import { listAttached } from './store.ts';

describe.each(engines)('copies of photos on %s', (engine) => {
  let folder: string;
  const { server, staff } = createTestServer(engine, { UPLOADS_PER_DAY: '6' });
  beforeAll(async () => {
    folder = await newFolder(staff);
  });

  const countRows = async () => (await server.db.selectFrom('uploads').select('path').execute()).length;
  const countFiles = () =>
    readdirSync(join(server.folder, 'uploads'), { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.jpg'),
    ).length;
  const createWithPhotos = async (client: TestClient, amount: number) => {
    const photos: string[] = [];
    for (let at = 0; at < amount; at++) photos.push(await uploadPhoto(client));
    const media_files = photos.map((path) => ({ path, name: 'tap.jpg' }));
    const { id } = await client(api.createAudit, { body: newAudit(folder, { media_files }) });
    return { thing: 'audit' as const, id, photos };
  };

  test('photos copied for follow-up audits count as photos of the day, and none is stored beyond the limit', async () => {
    const source = await createWithPhotos(staff, 2);
    const follow = () => staff(api.createAudit, { body: newAudit(folder, { source }) });
    await follow();
    const stored = countFiles();
    const outcomes = await Promise.allSettled([follow(), follow(), follow()]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const outcome of outcomes)
      if (outcome.status === 'rejected')
        expect(outcome.reason).toMatchObject({
          status: 429,
          message: 'You have reached the number of photos for one day. Please try again tomorrow.',
        });
    await expect(uploadPhoto(staff)).rejects.toMatchObject({ status: 429 });
    expect(countFiles()).toBe(stored + 2);
    expect(await countRows()).toBe(countFiles());
  });

  test('an audit that is rejected leaves no copies of photos', async () => {
    const user = await server.as('None', 'Lido Beach');
    const source = await createWithPhotos(user, 1);
    const stored = countFiles();
    const create = (where: string, changes = {}) =>
      user(api.createAudit, { body: newAudit(where, { source, ...changes }) });
    await expect(create('unknown')).rejects.toMatchObject({ status: 404 });
    const media_files = [{ path: source.photos[0] ?? '', name: 'used.jpg' }];
    await expect(create(folder, { media_files })).rejects.toMatchObject({ status: 409 });
    expect(countFiles()).toBe(stored);
    const key = randomUUID();
    const body = newAudit(folder, { source });
    const replies = await Promise.all([1, 2].map(() => user(api.createAudit, { body, key })));
    expect(new Set(replies.map(({ id }) => id)).size).toBe(1);
    expect(countFiles()).toBe(stored + 1);
  });

  test('a checklist that is rejected leaves no copies of its photos, and they count as photos of the day', async () => {
    const admin = await server.as('Admin');
    const user = await server.as('None', 'Lido Beach');
    const onFail = { when: 'No', photo: 'optional', audit: { urgent: false, days: 1, assignees: {} } };
    const sections = [{ title: 'Is the gate locked?', type: 'na', required: true, onFail }];
    const body = { title: 'Gate', sections } as never;
    const { id } = await admin(api.createChecklist, { body });
    const submit = (paths: string[]) => {
      const mediaFiles = paths.map((path) => ({ path, name: 'gate.jpg' }));
      const failures = { 0: { note: 'The latch is broken', mediaFiles } };
      return user(api.submitChecklist, { body: { checklistId: id, data: { 0: 'No' }, failures } as never });
    };
    const photos = [await uploadPhoto(user), await uploadPhoto(user), await uploadPhoto(user)];
    const stored = countFiles();
    await expect(submit([...photos, await uploadPhoto(admin)])).rejects.toMatchObject({ status: 409 });
    expect(countFiles()).toBe(stored + 1);
    await submit(photos);
    expect(countFiles()).toBe(stored + 4);
    await expect(uploadPhoto(user)).rejects.toMatchObject({ status: 429 });
  });

  test('no photo is copied when disk space is short', async () => {
    const user = await server.as('None', 'Lido Beach');
    const { id } = await createWithPhotos(user, 1);
    const error = new Error('no space');
    const context = { db: server.db, space: { check: () => Promise.reject(error) }, user, now: new Date() } as never;
    let isStored = false;
    const copying = withCopies(context, await listAttached(server.db, 'audit', [id]), async () => {
      isStored = true;
    });
    await expect(copying).rejects.toBe(error);
    expect(isStored).toBe(false);
  });
});
