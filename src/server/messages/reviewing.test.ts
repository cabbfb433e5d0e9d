// Messages of guests as their page stores them, and what reviewers do with them.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { pageTexts } from '#shared/places/guest-texts.ts';
import { withPurgesPaused } from '../db/purge-pause.ts';
import { sha256 } from '../hash.ts';
import { newId } from '../ids.ts';
import { newReport, uploadPhoto } from '../testing/factories.ts';
import { giveToGuests, type SentMessage, sendMessage } from '../testing/messages.ts';
import { readRow } from '../testing/rows.ts';
import { engines, type TestClient } from '../testing/server.ts';
import { createTestServer } from '../testing/test-server.ts';
import { addGuestPhotos } from './create.ts';
import { findReceipt } from './store.ts';

describe.each(engines)('the messages of guests on %s', (engine) => {
  const { server, admin } = createTestServer(engine, { RATE_SCALE: '100' });
  const manager = server.user('Health & Safety Manager', 'Mounds');
  const other = server.user('Health & Safety Manager', 'Kingsley');
  const staff = server.user('None', 'Mounds');

  const send = async (fields: SentMessage = {}, park: string = 'Mounds') =>
    (await sendMessage(server, fields, { park })).id;
  const open = (id: string, client = manager) => client(api.getMessage, { params: { id } });
  const close = (id: string, body: object, client = manager) => client(api.closeMessage, { params: { id }, body });
  const isListed = async (id: string) => (await manager(api.listMessages)).some((one) => one.id === id);
  async function sendPhotos(count: number) {
    const paths = await Promise.all(Array.from({ length: count }, () => uploadPhoto(admin)));
    await giveToGuests(server.db, paths);
    return { paths, photos: paths.map((path) => ({ path })) };
  }

  test('messages of guests are listed with the newest first, and show who opened them first', async () => {
    const [first, second] = [await send({ words: 'first' }), await send({ words: 'second' })];
    const getOrder = async () =>
      (await manager(api.listMessages)).map(({ words }) => words).filter((words) => /^(first|second)$/.test(words));
    expect(await getOrder()).toEqual(['second', 'first']);
    expect(await open(first)).toMatchObject({ read_by: manager.username, isOpen: true });
    expect(await open(first, admin)).toMatchObject({ read_by: manager.username });
    expect(await readRow(server.db, 'guest_messages', { id: second })).toMatchObject({ read_by: null });
    expect(await getOrder()).toEqual(['second', 'first']);
    const log = await server.db.selectFrom('activity').selectAll().where('thing_id', '=', first).execute();
    expect(log.map(({ actor, action, label }) => [actor, action, label])).toEqual([
      ['a guest', 'received', 'Hazard: Lido'],
      [manager.username, 'opened', 'Hazard: Lido'],
      [admin.username, 'opened', 'Hazard: Lido'],
    ]);
    expect(log[0]?.ip).toBe('');
    await expect(open(second, other)).rejects.toMatchObject({ status: 404 });
    const [seen, unseen] = [await manager(api.listActivity), await other(api.listActivity)].map((entries) =>
      entries.some(({ thing_id }) => thing_id === first),
    );
    expect([seen, unseen]).toEqual([true, false]);
  });

  test('reviewers export open and closed messages of their own park, without names and contact details of guests', async () => {
    const contact = { name: 'Hilda Quickstep', contact: '07700900123' };
    const [closed] = [
      await send({ words: '=a closed one', hurt: 'nearly', ...contact }),
      await send({ words: 'a new' }),
    ];
    await send({ words: 'elsewhere' }, 'Kingsley');
    await close(closed, { reason: 'Mended', answer: 'Thank you' });
    const csv = Buffer.from(await manager(api.exportMessages, { query: { format: 'csv' } })).toString();
    expect(csv).toMatch(/Mounds,Lido,,Nearly,'=a closed one,0,.+,.+,.+,.+,Mended,Thank you,,\r?\n/);
    expect(csv).toContain('a new');
    expect(csv).not.toMatch(/elsewhere|Quickstep|07700900123/);
    const filtered = await admin(api.exportMessages, { query: { format: 'csv', park: 'Kingsley' } });
    expect(Buffer.from(filtered).toString()).toMatch(/Received,(?:(?!Mounds).)+elsewhere(?:(?!Mounds).)*$/s);
  });

  test('a message becomes an audit in the folder Hazards, with the chosen photos and without its sender', async () => {
    const { paths, photos } = await sendPhotos(2);
    const receiptHash = `receipt ${engine}`;
    const id = await send({ photos, receiptHash, name: 'Hilda Quickstep', contact: '07700900123', kind: 'Fire' });
    const [chosen = ''] = paths;
    const getStatuses = () =>
      Promise.all([manager, other, staff].map(async (client) => (await client.fetch(chosen)).status));
    const hidden = (await getStatuses())[1];
    expect(await getStatuses()).toEqual([200, hidden, hidden]);
    expect(hidden).toBeGreaterThanOrEqual(403);
    const { place } = await open(id);
    const source = { thing: 'message' as const, id, photos: [chosen], answer: 'Thank you' };
    const body = { title: 'Fire: Lido', description: 'A step is loose', location: 'Lido', placeId: place.id, source };
    await expect(staff(api.createAudit, { body })).rejects.toMatchObject({ status: 404 });
    const audit = await manager(api.createAudit, { body });
    const created = await staff(api.getAudit, { params: { id: audit.id } });
    expect(created).toMatchObject({ title: 'Fire: Lido', place: { id: place.id } });
    expect(created.data.media_files).toHaveLength(1);
    expect(created.data.source).toBeUndefined();
    expect(JSON.stringify(created)).not.toMatch(/Quickstep|07700/);
    const folders = await manager(api.listFolders);
    expect(folders.filter(({ name, park }) => name === 'Hazards' && park === 'Mounds')).toHaveLength(1);
    expect((await manager(api.getAudit, { params: { id: audit.id } })).data.source).toMatchObject({
      thing: 'message',
      id,
    });
    expect(await open(id)).toMatchObject({
      isOpen: false,
      closed_by: manager.username,
      audit: { title: 'Fire: Lido' },
    });
    expect(await findReceipt(server.db, receiptHash, new Date())).toMatchObject({
      state: 'closed',
      answer: 'Thank you',
    });
    expect([await isListed(id), (await manager(api.listMessages, { query: { closed: '1' } }))[0]?.id]).toEqual([
      false,
      id,
    ]);
    await expect(manager(api.createAudit, { body })).rejects.toMatchObject({ status: 409 });

    await manager(api.deleteAudit, { params: { id: audit.id } });
    expect([await isListed(id), (await open(id)).audit]).toEqual([true, null]);
    expect(await findReceipt(server.db, receiptHash, new Date())).toMatchObject({ state: 'read' });
    const [deletion] = await admin(api.listDeleted);
    await admin(api.restoreDeleted, { params: { id: deletion?.id ?? '' } });
    expect(await isListed(id)).toBe(false);
    expect(await findReceipt(server.db, receiptHash, new Date())).toMatchObject({
      state: 'closed',
      answer: 'Thank you',
    });
    // As if the deleted audit had been permanently deleted after 30 days.
    await server.db.deleteFrom('audits').where('id', '=', audit.id).execute();
    expect(await isListed(id)).toBe(true);
    const accident = await newReport(manager, { selectedPlace: 'Mounds', messageId: id } as never);
    const { number } = await manager(api.submitAccident, { body: accident });
    expect(await open(id)).toMatchObject({ isOpen: false, audit: null, report: { number } });
  });

  test('a message is closed by a report filled in from it, and a wrong message id never rejects a report', async () => {
    const report = async (client: TestClient, messageId: string) =>
      client(api.submitAccident, { body: await newReport(client, { selectedPlace: 'Mounds', messageId } as never) });
    const receiptHash = `report ${engine}`;
    const id = await send({ hurt: 'hurt', receiptHash, language: 'cy' });
    const elsewhere = await send({}, 'Kingsley');
    for (const [client, messageId] of [
      [staff, id],
      [manager, elsewhere],
      [manager, 'x'.repeat(50)],
    ] as const)
      await report(client, messageId);
    expect([(await open(id)).isOpen, (await open(elsewhere, admin)).isOpen]).toEqual([true, true]);
    const { number } = await report(manager, id);
    expect(await open(id)).toMatchObject({ isOpen: false, report: { number }, read_by: manager.username });
    const answer = pageTexts.reported.cy;
    expect(await findReceipt(server.db, receiptHash, new Date())).toMatchObject({ state: 'closed', answer });
    expect((await report(manager, id)).number).not.toBe(number);
    expect(await open(id)).toMatchObject({ report: { number } });
    const row = await server.db.selectFrom('reports').selectAll().where('number', '=', number).executeTakeFirst();
    expect(JSON.stringify(row)).not.toContain(id);
  });

  test('a message about someone who was hurt can be closed only with a reason or the number of a report', async () => {
    const id = await send({ hurt: 'hurt' });
    await expect(close(id, { answer: 'Thank you' })).rejects.toMatchObject({
      status: 400,
      fields: { reason: expect.anything() },
    });
    for (const reason of [' \n', '\u200B\u2060', '\u2800'])
      await expect(close(id, { reason })).rejects.toMatchObject({ status: 400 });
    await expect(close(id, { number: 'ACC-1900-0001' })).rejects.toMatchObject({
      fields: { number: expect.anything() },
    });
    await expect(close(id, { reason: 'A joke' }, other)).rejects.toMatchObject({ status: 404 });
    const { number } = await manager(api.submitAccident, { body: await newReport(manager) });
    await close(id, { number: number.toLowerCase() });
    expect(await open(id)).toMatchObject({ isOpen: false, report: { number } });
    await expect(close(id, { reason: 'Again' })).rejects.toMatchObject({ status: 409 });
    const second = await send({ hurt: 'hurt' });
    await close(second, { reason: 'The same fall' });
    expect((await open(second)).isOpen).toBe(false);
    const third = await send({ hurt: 'hurt' });
    const createAudit = (reason?: string) =>
      manager(api.createAudit, { body: { title: 'Step', source: { thing: 'message', id: third, reason } } });
    await expect(createAudit()).rejects.toMatchObject({ status: 400, fields: { reason: expect.anything() } });
    expect((await open(third)).isOpen).toBe(true);
    await createAudit('A bruise');
    expect(await open(third)).toMatchObject({ isOpen: false, reason: 'A bruise', audit: { title: 'Step' } });
  });

  test('a photo that an Admin removes from a message is deleted at once, with its preview', async () => {
    const { paths, photos } = await sendPhotos(2);
    const [first = '', second = ''] = paths;
    const id = await send({ photos });
    expect((await manager.fetch(`${first}?thumb=1`)).status).toBe(200);
    const remove = (client: TestClient, path: string) =>
      client(api.removeMessagePhoto, { params: { id }, body: { path } });
    await expect(remove(manager, first)).rejects.toMatchObject({ status: 403 });
    await remove(admin, first);
    expect((await open(id)).photos.map(({ path }) => path)).toEqual([second]);
    for (const folder of ['uploads', 'previews'])
      expect(existsSync(join(server.folder, folder, first.replace('/uploads/', '')))).toBe(false);
    expect(existsSync(join(server.folder, 'uploads', second.replace('/uploads/', '')))).toBe(true);
    expect((await manager.fetch(first)).status).toBe(404);
    await expect(remove(admin, first)).rejects.toMatchObject({ status: 404 });
    await remove(admin, second);
    expect((await open(id)).photos).toEqual([]);
    const without = await send();
    const withPhoto = await send({ photos: (await sendPhotos(1)).photos });
    expect((await open(without)).photos).toEqual([]);
    const closed = await send();
    await close(closed, { reason: 'Mended' });
    const again = await sendPhotos(1);
    for (const full of [id, withPhoto, closed])
      await expect(
        server.db.transaction().execute((db) => addGuestPhotos(db, full, again.photos)),
      ).rejects.toMatchObject({ status: 409, message: 'This message is closed or already has a photo' });
  });

  test('a photo of a message cannot be removed while a backup is being created', async () => {
    const { paths, photos } = await sendPhotos(1);
    const [path = ''] = paths;
    const id = await send({ photos });
    const remove = () => admin(api.removeMessagePhoto, { params: { id }, body: { path } });
    await withPurgesPaused(server.db, new Date(), async () => {
      const message = 'A backup is being created. Try again in a few minutes.';
      await expect(remove()).rejects.toMatchObject({ status: 409, message });
    });
    expect((await open(id)).photos).toHaveLength(1);
    expect(existsSync(join(server.folder, path))).toBe(true);
    await remove();
    expect(existsSync(join(server.folder, path))).toBe(false);
  });

  test('a message moves to the place into which its own place is joined', async () => {
    const id = await send();
    const { place } = await open(id);
    await admin(api.addPlaces, { body: { park: 'Mounds', names: ['Pool'] } });
    const into = (await admin(api.listPlaces)).find(({ name }) => name === 'Pool')?.id ?? '';
    await admin(api.joinPlaces, { params: { id: place.id }, body: { into } });
    expect((await open(id)).place).toEqual({ id: into, name: 'Pool' });
  });

  test('a message is stored once however often its form arrives, even at the same time', async () => {
    const message = { contentHash: newId(), receiptHash: sha256('once') };
    const sent = await Promise.all([1, 2, 3].map(() => sendMessage(server, message)));
    expect(new Set(sent.map(({ id }) => id)).size).toBe(1);
    expect(sent.map(({ isNew }) => isNew).toSorted()).toEqual([false, false, true]);
    expect(await findReceipt(server.db, sha256('once'), new Date())).toMatchObject({ state: 'received', answer: '' });
    expect(await findReceipt(server.db, sha256('other'), new Date())).toBeUndefined();
  });

  test('the account that owns the photos of guests is in no list, and no one can sign in with it', async () => {
    expect((await admin(api.listUsers)).map(({ username }) => username)).not.toContain('Guests');
    expect(JSON.stringify(await admin(api.listNames))).not.toContain('Guests');
    for (const secret of ['x', 'guests']) await expect(server.signIn('Guests', '', secret)).rejects.toThrow(/401/);
  });
});
