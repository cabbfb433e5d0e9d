// Messages of guests in reminders, retention, holds, access requests and the erasure of names.
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { eraseContacts } from '../retention/erase-contacts.ts';
import { newAudit, newFolder, newLesson, uploadPhoto } from '../testing/factories.ts';
import { giveToGuests, type SentMessage, sendMessage } from '../testing/messages.ts';
import { startRetentionTest } from '../testing/retention-server.ts';
import { engines, type TestClient } from '../testing/server.ts';
import { setUp } from '../testing/test-server.ts';
import { remindOfMessages } from './reminders.ts';

describe.each(engines)('a message of a guest on %s', (engine) => {
  const tools = setUp(() => startRetentionTest(engine));
  const { admin } = tools;

  const sender = { name: 'Hilda Quickstep', contact: '07700 900456', words: 'Hilda Quickstep slipped' };
  async function send(fields: SentMessage = {}): Promise<string> {
    return (await sendMessage(tools.server, { ...sender, ...fields }, { now: tools.clock() })).id;
  }
  const open = (id: string) => admin(api.getMessage, { params: { id } });
  const close = (id: string) => admin(api.closeMessage, { params: { id }, body: { answer: 'Thank you' } });
  const findRow = async (id: string) => (await tools.list()).rows.find((row) => row.id === id);

  test('a message loses its sender 30 days after it was closed, unless a hold keeps them', async () => {
    await tools.setDay('2026-06-01');
    const [closed, held, unread] = [await send(), await send(), await send()];
    await close(closed);
    await close(held);
    const hold = { thing: 'person', thing_id: 'Hilda Quickstep', reason: 'A claim', reviewOn: '2099-01-01' } as const;
    await tools.setDay('2026-06-30');
    await eraseContacts(tools.server.db, tools.clock());
    expect(await open(closed)).toMatchObject(sender);
    await tools.setDay('2026-07-02');
    const { id } = await admin(api.setHold, { body: hold });
    await eraseContacts(tools.server.db, tools.clock());
    expect(await open(closed)).toMatchObject(sender);
    await admin(api.liftHold, { params: { id } });
    await eraseContacts(tools.server.db, tools.clock());
    for (const one of [closed, held])
      expect(await open(one)).toMatchObject({ name: '', contact: '', words: sender.words, answer: 'Thank you' });
    expect(await open(unread)).toMatchObject(sender);
  });

  test('a message is destroyed with its photos after its period, but not while it is open or its audit is kept', async () => {
    await tools.setDay('2026-06-01');
    const path = await uploadPhoto(admin);
    await giveToGuests(tools.server.db, [path]);
    const [closed, unread, withAudit] = [await send({ photos: [{ path }] }), await send(), await send()];
    await close(closed);
    const folder = await newFolder(admin, { park: 'Mounds' });
    const source = { thing: 'message' as const, id: withAudit, photos: [] };
    const body = newAudit(folder, { completed: true, source });
    const audit = await admin(api.createAudit, { body });
    await tools.setDay('2040-01-01');
    expect([await findRow(unread), await findRow(withAudit)]).toEqual([undefined, undefined]);
    expect(await findRow(closed)).toMatchObject({ thing: 'message', files: 1, hold: null });
    const hold = { thing: 'park', thing_id: 'Mounds', reason: 'A claim', reviewOn: '2099-01-01' } as const;
    const { id: holdId } = await admin(api.setHold, { body: hold });
    expect((await findRow(closed))?.hold).toBe('A claim');
    await admin(api.liftHold, { params: { id: holdId } });
    const { hash } = await tools.list();
    expect((await tools.run(hash, [closed, audit.id])).destroyed).toHaveLength(2);
    await expect(open(closed)).rejects.toMatchObject({ status: 404 });
    expect(existsSync(join(tools.server.folder, path))).toBe(false);
    // Its audit was destroyed after its period, so the message does not open again.
    expect((await open(withAudit)).isOpen).toBe(false);
    expect(await findRow(withAudit)).toMatchObject({ thing: 'message' });
  });

  test('a message can be investigated, and its investigation is kept as long as the message', async () => {
    await tools.setDay('2026-06-01');
    const message = await send({ kind: 'Trip or slip' });
    const other = await tools.server.as('Health & Safety Manager', 'Kingsley');
    const body = { thing: 'message' as const, id: message };
    await expect(other(api.createInvestigation, { body })).rejects.toMatchObject({ status: 404 });
    const { id } = await admin(api.createInvestigation, { body });
    await expect(admin(api.createInvestigation, { body })).rejects.toMatchObject({ status: 409, code: 'COVERED' });
    const read = (client: TestClient) => client(api.getInvestigation, { params: { id } });
    const record = { ...body, label: 'Trip or slip: Lido', park: 'Mounds', day: '2026-06-01' };
    expect(await read(admin)).toMatchObject({ park: 'Mounds', records: [record] });
    expect((await read(other)).records).toEqual([{ ...record, label: '' }]);
    const happened = 'Hilda Quickstep slipped; her number is 07700 900456.';
    await expect(
      admin(api.createLesson, { body: newLesson({ investigation_id: id, happened }) }),
    ).rejects.toMatchObject({ code: 'IDENTIFIABLE', message: 'The text says: Hilda Quickstep, 07700 900456' });

    await close(message);
    await tools.setDay('2040-01-01');
    expect([await findRow(id), await findRow(message)]).toEqual([undefined, expect.anything()]);
    await tools.run((await tools.list()).hash, [message]);
    expect((await read(admin)).records).toEqual([{ ...body, label: '', park: '', day: '' }]);
    await tools.setDay('2040-01-02');
    expect(await findRow(id)).toMatchObject({ thing: 'investigation', until: '2040-01-01' });
  });

  test('a message is found by an access request, and a name in it is erased with the contact details', async () => {
    await tools.setDay('2026-06-01');
    const id = await send({ words: 'Ask Zebedee Marchbanks', name: 'Zebedee Marchbanks', contact: '07700 900777' });
    const request = await admin(api.createAccessRequest, {
      body: { name: 'Zebedee Marchbanks', spellings: [], receivedOn: '2026-06-01' },
    });
    const { hits } = await admin(api.getAccessRequest, { params: request });
    expect(hits).toMatchObject([{ id: `message:${id}`, thing: 'message', where: ['name', 'message'] }]);
    const choices = hits.map(({ id }) => ({ id, choice: 'send' as const }));
    await admin(api.saveAccessChoices, { params: request, body: { version: 1, choices } });
    expect((await admin.fetch(`/api/admin/access-requests/${request.id}/zip`)).status).toBe(200);
    const closing = { messages: [{ id, reason: 'Zebedee Marchbanks was told' }] };
    await admin(api.closeMessages, { body: closing, key: randomUUID() });
    const readFingerprints = async () =>
      (await tools.server.db.selectFrom('replies').selectAll().where('route', '=', 'closeMessages').execute()).map(
        ({ fingerprint }) => fingerprint,
      );
    expect(await readFingerprints()).toEqual([expect.stringMatching(/./)]);
    const body = { ids: [`message:${id}`], count: 1, reason: 'asked' as const };
    expect(await admin(api.blankNames, { params: request, body })).toEqual({ blanked: body.ids, skipped: [] });
    const erased = 'erased 01/06/2026';
    expect(await open(id)).toMatchObject({ name: erased, contact: erased, words: `Ask ${erased}` });
    // A guess at the name could be checked with it.
    expect(await readFingerprints()).toEqual(['']);
  });

  test('reviewers are reminded each day of a message that no one has read', async () => {
    await tools.setDay('2026-09-01');
    const { db } = tools.server;
    await db.updateTable('guest_messages').set({ read_at: '2026-01-01' }).execute();
    const id = await send();
    const countReminders = async () =>
      (
        await db
          .selectFrom('notifications')
          .select('words')
          .where('words', 'like', '%unread message%')
          .where('user_id', '=', admin.id)
          .execute()
      ).map(({ words }) => words);
    await remindOfMessages(db, new Date('2026-09-02T06:59:00Z'));
    expect(await countReminders()).toEqual([]);
    for (const time of ['2026-09-02T07:00:00Z', '2026-09-02T12:00:00Z', '2026-09-03T07:00:00Z'])
      await remindOfMessages(db, new Date(time));
    const text = '1 unread message from guests at Mounds';
    expect(await countReminders()).toEqual([text, text]);
    await open(id);
    await remindOfMessages(db, new Date('2026-09-04T07:00:00Z'));
    expect(await countReminders()).toEqual([text, text]);
  });
});
