// Messages of guests as their page stores them.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { sha256 } from '../hash.ts';
import { newId } from '../ids.ts';
import { sendMessage } from '../testing/messages.ts';
import { engines, startTestServer, type TestClient, type TestServer } from '../testing/server.ts';
import { findReceipt } from './store.ts';

describe.each(engines)('a message of a guest on %s', (engine) => {
  let server: TestServer;
  let admin: TestClient;
  let manager: TestClient;
  let other: TestClient;
  let staff: TestClient;
  beforeAll(async () => {
    server = await startTestServer(engine);
    admin = await server.as('Admin');
    manager = await server.as('Health & Safety Manager', 'Mounds');
    other = await server.as('Health & Safety Manager', 'Kingsley');
    staff = await server.as('None', 'Mounds');
  });
  afterAll(() => server.stop());

  test('a message is stored once however often its form arrives, even at the same time', async () => {
    const message = { contentHash: newId(), receiptHash: sha256('once') };
    const sent = await Promise.all([1, 2, 3].map(() => sendMessage(server, message)));
    expect(new Set(sent.map(({ id }) => id)).size).toBe(1);
    expect(sent.map(({ isNew }) => isNew).toSorted()).toEqual([false, false, true]);
    expect(await findReceipt(server.db, sha256('once'))).toMatchObject({ state: 'received', answer: '' });
    expect(await findReceipt(server.db, sha256('other'))).toBeUndefined();
  });

  test('a message notifies the reviewers of its park without quoting the guest, and too many cause one notification an hour, and one of urgent ones', async () => {
    await server.db.deleteFrom('notifications').execute();
    const now = new Date('2026-06-01T10:05:00Z');
    const { id } = await sendMessage(server, { kind: 'Fire', words: 'zebra', name: 'zebra' }, { now });
    for (let minute = 10; minute < 14; minute += 1)
      for (const kind of ['Other', 'Fire'] as const)
        await sendMessage(server, { kind }, { now: new Date(`2026-06-01T10:${minute}:00Z`), notify: false });
    const rows = await server.db.selectFrom('notifications').selectAll().orderBy('position').execute();
    expect(JSON.stringify(rows)).not.toContain('zebra');
    const texts = ({ id }: TestClient) => rows.filter(({ user_id }) => user_id === id).map(({ words }) => words);
    const line = 'Message from a guest at Mounds: Fire: Lido';
    const beyondLimits = ['Messages from guests at Mounds', 'Urgent messages from guests at Mounds'];
    for (const client of [admin, manager]) expect(texts(client)).toEqual([line, ...beyondLimits]);
    expect([texts(other), texts(staff)]).toEqual([[], []]);
    expect(rows[0]).toMatchObject({ thing: 'message', thing_id: id, link: `/messages/${id}` });
  });

  test('the account that owns the photos of guests is in no list, and no one can sign in with it', async () => {
    expect((await admin(api.listUsers)).map(({ username }) => username)).not.toContain('Guests');
    expect(JSON.stringify(await admin(api.listNames))).not.toContain('Guests');
    for (const secret of ['x', 'guests']) await expect(server.signIn('Guests', '', secret)).rejects.toThrow(/401/);
  });
});
