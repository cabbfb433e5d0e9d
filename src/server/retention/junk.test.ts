// Closing many messages of guests at once, and junk.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { messagesPerPage, noJunkMessage } from '#shared/places/messages.ts';
import { withPurgesPaused } from '../db/purge-pause.ts';
import { sha256 } from '../hash.ts';
import { findReceipt } from '../messages/store.ts';
import { newAudit, newFolder, uploadPhoto } from '../testing/factories.ts';
import { giveToGuests, type SentMessage, sendMessage } from '../testing/messages.ts';
import { startRetentionTest } from '../testing/retention-server.ts';
import { engines } from '../testing/server.ts';
import { setUp } from '../testing/test-server.ts';
import { deleteOldJunk } from './junk.ts';

describe.each(engines)('messages of guests closed together on %s', (engine) => {
  const tools = setUp(() => startRetentionTest(engine));
  const { admin } = tools;
  beforeEach(async () => {
    await tools.setDay('2026-06-01');
    await tools.server.db.deleteFrom('guest_messages').execute();
  });

  const send = async (fields: SentMessage = {}, park = 'Mounds') =>
    (await sendMessage(tools.server, fields, { now: tools.clock(), park })).id;
  const sendMany = (count: number) => Promise.all(Array.from({ length: count }, () => send()));
  const open = (id: string) => admin(api.getMessage, { params: { id } });
  const listIds = async () => (await admin(api.listMessages)).map(({ id }) => id).toSorted();
  const close = (ids: string[], body: object = {}, client = admin) =>
    client(api.closeMessages, { body: { messages: ids.map((id) => ({ id })), ...body } as never });
  const markJunk = (ids: string[], client = admin) => client(api.markJunk, { body: { ids } });
  const undoJunk = (ids: string[], client = admin) => client(api.undoJunk, { body: { ids } });
  const purge = async () => {
    const { config, db } = tools.server;
    const { openFileStore } = await import('../files/open-store.ts');
    return deleteOldJunk({ db, clock: tools.clock, files: await openFileStore(config, { isInUse: true }) });
  };
  const readLog = (id: string) =>
    tools.server.db.selectFrom('activity').selectAll().where('thing_id', '=', id).orderBy('seq').execute();

  test('up to 100 messages are closed at once, with one sentence; those that someone else closed are skipped', async () => {
    const ids = await sendMany(messagesPerPage + 1);
    await expect(close(ids)).rejects.toMatchObject({ status: 400 });
    const [first = '', ...others] = ids;
    await close([first], { reason: 'By someone else' });
    expect(await close([first, ...others.slice(1)], { reason: 'Silly', answer: 'Thank you' })).toEqual({
      changed: messagesPerPage - 1,
      skipped: 1,
    });
    expect(await listIds()).toEqual(others.slice(0, 1));
    expect(await open(others[1] ?? '')).toMatchObject({
      reason: 'Silly',
      answer: 'Thank you',
      closed_by: admin.username,
    });
    expect(await open(first)).toMatchObject({ reason: 'By someone else' });
  });

  test('each message about someone hurt needs a reason of its own, otherwise none is closed', async () => {
    const [one, two, other] = [await send({ hurt: 'hurt' }), await send({ hurt: 'hurt' }), await send()];
    const ids = [one, two, other].toSorted();
    const closing = (reasons: Record<string, string>) => ({
      messages: [one, two, other].map((id) => ({ id, reason: reasons[id] ?? '' })),
      reason: 'For all',
    });
    for (const reasons of [{}, { [one]: 'A bruise' }, { [one]: 'A bruise', [two]: ' ' }])
      await expect(close([], closing(reasons))).rejects.toMatchObject({
        status: 400,
        fields: { [`messages.${one in reasons ? 1 : 0}.reason`]: expect.anything() },
      });
    expect(await listIds()).toEqual(ids);
    await close([], closing({ [one]: 'A bruise', [two]: 'The same fall' }));
    expect((await Promise.all([one, two, other].map(open))).map(({ reason }) => reason)).toEqual([
      'A bruise',
      'The same fall',
      'For all',
    ]);
  });

  test('messages of other parks cannot be closed, marked as junk or opened again', async () => {
    const other = await tools.server.as('Health & Safety Manager', 'Kingsley');
    const id = await send();
    for (const call of [close([id], {}, other), markJunk([id], other), undoJunk([id], other)])
      expect(await call).toEqual({ changed: 0, skipped: 1 });
    expect((await open(id)).isOpen).toBe(true);
    await markJunk([id]);
    expect(await undoJunk([id], other)).toEqual({ changed: 0, skipped: 1 });
  });

  test('junk can be undone for 30 days and is then deleted with its photo; the log keeps who, when, label and hash', async () => {
    const path = await uploadPhoto(admin);
    await giveToGuests(tools.server.db, [path]);
    const receiptHash = sha256(`junk ${engine}`);
    const id = await send({ photos: [{ path }], receiptHash, words: 'asdf', kind: 'Other' });
    const kept = await send();
    expect(await markJunk([id])).toEqual({ changed: 1, skipped: 0 });
    expect(await open(id)).toMatchObject({ isOpen: false, junk_until: '2026-07-01T09:00:00.000Z' });
    expect(await findReceipt(tools.server.db, receiptHash, new Date())).toMatchObject({ state: 'closed', answer: '' });
    expect(await undoJunk([id, kept])).toEqual({ changed: 1, skipped: 1 });
    expect(await open(id)).toMatchObject({ isOpen: true, junk_until: null, closed_by: null });
    await markJunk([id]);
    await tools.setDay('2026-06-30');
    expect([await purge(), (await open(id)).isOpen]).toEqual([0, false]);
    await tools.setDay('2026-07-02');
    await withPurgesPaused(tools.server.db, tools.clock(), async () => expect(await purge()).toBe(0));
    expect(await purge()).toBe(1);
    await expect(open(id)).rejects.toMatchObject({ status: 404 });
    expect(existsSync(join(tools.server.folder, path))).toBe(false);
    expect(await undoJunk([id])).toEqual({ changed: 0, skipped: 1 });
    expect((await open(kept)).isOpen).toBe(true);
    const hash = sha256(JSON.stringify([receiptHash, 'Other', 'no', 'asdf']));
    const log = (await readLog(id)).filter(({ changes }) => changes);
    expect(log.map(({ actor, action, label, changes }) => [actor, action, label, JSON.parse(changes ?? '')])).toEqual(
      [
        [admin.username, 'closed as junk'],
        [admin.username, 'opened again'],
        [admin.username, 'closed as junk'],
        ['the server', 'removed for good'],
      ].map((entry) => [...entry, 'Other: Lido', { hash }]),
    );
    expect(JSON.stringify(await readLog(id))).not.toContain('asdf');
  });

  test('junk keeps the audit that was deleted and can be restored: restored, it is not junk, and neither is deleted', async () => {
    const [id, opened] = [await send(), await send()];
    const folder = await newFolder(admin, { park: 'Mounds' });
    const createFrom = (id: string) =>
      admin(api.createAudit, { body: newAudit(folder, { source: { thing: 'message', id, photos: [] } }) });
    const audits = [await createFrom(id), await createFrom(opened)];
    for (const audit of audits) await admin(api.deleteAudit, { params: { id: audit.id } });
    expect(await listIds()).toEqual([id, opened].toSorted());
    expect(await markJunk([id, opened])).toEqual({ changed: 2, skipped: 0 });
    expect([await listIds(), (await open(id)).junk_until]).toEqual([[], '2026-07-01T09:00:00.000Z']);
    expect(await undoJunk([opened])).toEqual({ changed: 1, skipped: 0 });
    expect(await listIds()).toEqual([opened]);
    await tools.setDay('2026-06-30');
    for (const deletion of await admin(api.listDeleted))
      await admin(api.restoreDeleted, { params: { id: deletion.id } });
    expect(await listIds()).toEqual([]);
    for (const [index, one] of [id, opened].entries())
      expect(await open(one)).toMatchObject({ isOpen: false, junk_until: null, audit: { id: audits[index]?.id } });
    await tools.setDay('2026-07-02');
    expect(await purge()).toBe(0);
    expect(await undoJunk([id])).toEqual({ changed: 0, skipped: 1 });
  });

  test('a message about someone hurt is never junk, and one under a hold or an investigation is neither junk nor deleted', async () => {
    const [hurt, held, investigated] = [await send({ hurt: 'hurt' }), await send({}, 'Kingsley'), await send()];
    await expect(markJunk([held, hurt])).rejects.toMatchObject({ status: 400, message: noJunkMessage });
    const hold = { thing: 'park', thing_id: 'Kingsley', reason: 'A claim', reviewOn: '2099-01-01' } as const;
    const { id: holdId } = await admin(api.setHold, { body: hold });
    await admin(api.createInvestigation, { body: { thing: 'message', id: investigated } });
    expect(await markJunk([held, investigated])).toEqual({ changed: 0, skipped: 2 });
    expect(await listIds()).toEqual([hurt, held, investigated].toSorted());
    await admin(api.liftHold, { params: { id: holdId } });
    await markJunk([held]);
    const { id: later } = await admin(api.setHold, { body: hold });
    await tools.setDay('2026-08-01');
    expect(await purge()).toBe(0);
    expect((await open(held)).isOpen).toBe(false);
    await admin(api.liftHold, { params: { id: later } });
    expect(await purge()).toBe(1);
  });
});
