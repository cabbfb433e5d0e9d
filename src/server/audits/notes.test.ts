// Notes on an audit: how many there are, and what was done, which comes with the completion.
import { describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { newAudit, newFolder, uploadPhoto } from '../testing/factories.ts';
import { insertRows } from '../testing/rows.ts';
import { engines } from '../testing/server.ts';
import { createTestServer } from '../testing/test-server.ts';

describe.each(engines)('notes on an audit on %s', (engine) => {
  const { server, staff } = createTestServer(engine);

  test('an audit has at most 1,000 notes, which are all listed, oldest first', async () => {
    const { id } = await staff(api.createAudit, { body: newAudit(await newFolder(staff)) });
    await staff(api.addAuditNote, { params: { id }, body: { text: 'first' } });
    const row = await server.db.selectFrom('audit_notes').selectAll().executeTakeFirstOrThrow();
    const rows = Array.from({ length: 998 }, (_, at) => ({
      ...row,
      id: `note-${at}`,
      words: `${at}`,
      // Three notes have the same time, so that pages end between notes of one time.
      created_at: new Date(Date.parse(row.created_at) + 1 + Math.floor(at / 3)).toISOString(),
    }));
    await insertRows(server.db, 'audit_notes', rows);
    const add = () => staff(api.addAuditNote, { params: { id }, body: { text: 'last' } });
    const outcomes = await Promise.allSettled([add(), add()]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: {
        status: 409,
        message: 'An audit has at most 1,000 notes. Create a follow-up audit to write more.',
      },
    });
    const notes = await staff(api.listAuditNotes, { params: { id } });
    expect(new Set(notes.map((note) => note.id)).size).toBe(1000);
    const order = notes.map((note) => `${note.created_at} ${note.id}`);
    expect(order).toEqual(order.toSorted());
  });

  test('a completion brings what was done as a note, and is rejected whole if that is not valid', async () => {
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
  });
});
