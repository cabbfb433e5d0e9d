// What was done: a note and photos that come with the completion of an audit.
import { expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { newAudit, newFolder, uploadPhoto } from '../testing/factories.ts';
import { engines, startTestServer } from '../testing/server.ts';

test.each(engines)(
  'a completion brings what was done as a note, and is rejected whole if that is not valid, on %s',
  async (engine) => {
    await using server = await startTestServer(engine);
    const staff = await server.as('None', 'Lido Beach');
    const other = await server.as('None', 'Robin Hood');
    const folder = await newFolder(staff);
    const create = async () => (await staff(api.createAudit, { body: newAudit(folder) })).id;
    const change = (id: string, data: object) => staff(api.updateAudit, { params: { id }, body: { data } });
    const listNotes = (id: string) => staff(api.listAuditNotes, { params: { id } });
    const photo = async (name: string) => ({ path: await uploadPhoto(staff), name });

    const id = await create();
    const media_files = [await photo('after.jpg')];
    const done = { text: 'Two new bolts.\nTightened.', media_files };
    await expect(change(id, { done })).rejects.toMatchObject({ status: 400 });
    const six = await Promise.all(Array.from({ length: 6 }, (_, at) => photo(`${at}.jpg`)));
    for (const wrong of [
      { text: 'x'.repeat(2001), media_files: [] },
      { text: '', media_files: six },
      { text: 'Not its own', media_files: [{ path: await uploadPhoto(other), name: 'a.jpg' }] },
    ])
      await expect(change(id, { completed: true, done: wrong })).rejects.toThrow();
    expect((await staff(api.getAudit, { params: { id } })).data.completed).toBe(false);
    expect(await listNotes(id)).toEqual([]);

    await change(id, { completed: true, done });
    expect(await listNotes(id)).toMatchObject([
      {
        text: done.text,
        created_by: staff.username,
        media_files: [{ name: 'after.jpg', path: media_files[0]?.path }],
      },
    ]);
    const read = (client: typeof staff) => client.fetch(`${server.url}${media_files[0]?.path}`);
    expect([(await read(staff)).status, (await read(other)).status]).toEqual([200, 404]);
    await expect(change(id, { completed: true, done })).rejects.toMatchObject({ status: 409 });
    expect(await listNotes(id)).toHaveLength(1);

    for (const nothing of [undefined, { text: ' ', media_files: [] }]) {
      const plain = await create();
      await change(plain, { completed: true, done: nothing });
      expect(await listNotes(plain)).toEqual([]);
    }
  },
);
