// When reviewers are notified of messages of guests.
import { describe, expect, test } from 'vitest';
import { type SentMessage, sendMessage } from '../testing/messages.ts';
import { engines, type TestClient } from '../testing/server.ts';
import { createTestServer } from '../testing/test-server.ts';
import { tellOfWaitingMessages } from './tell.ts';

const minute = 60_000;

describe.each(engines)('notifications of messages of guests on %s', (engine) => {
  let ms = Date.parse('2026-06-01T10:05:00Z');
  // Its own job of every minute must not run at another time.
  const { server, admin } = createTestServer(engine, {}, () => ms);
  const manager = server.user('Health & Safety Manager', 'Mounds');
  const other = server.user('Health & Safety Manager', 'Kingsley');
  const staff = server.user('None', 'Mounds');

  const send = (place: string, fields: SentMessage = {}, park = 'Mounds') =>
    sendMessage(server, fields, { now: new Date(ms), place, park });
  const list = async ({ id }: TestClient) =>
    server.db.selectFrom('notifications').selectAll().where('user_id', '=', id).orderBy('position').execute();
  const clear = () => server.db.deleteFrom('notifications').execute();
  const texts = async (client = manager) => (await list(client)).map(({ words }) => words);
  /** Lets minutes pass; the job of every minute runs in each. */
  async function pass(minutes: number) {
    for (let at = 0; at < minutes; at += 1) {
      ms += minute;
      await tellOfWaitingMessages(server.db, new Date(ms));
    }
  }

  test('the first message at a label notifies the reviewers of its park at once, without quoting the guest', async () => {
    const { id } = await send('Pool', { kind: 'Fire', words: 'zebra', name: 'zebra' });
    for (const client of [admin, manager])
      expect(await texts(client)).toEqual(['Message from a guest at Mounds: Fire: Pool']);
    expect([await texts(other), await texts(staff)]).toEqual([[], []]);
    const [row] = await list(manager);
    expect(row).toMatchObject({ thing: 'message', thing_id: id, link: `/messages/${id}` });
    expect(JSON.stringify(row)).not.toContain('zebra');
    await clear();
  });

  test('further messages at a label are told together after 15 minutes, with counts and the place', async () => {
    await pass(60);
    await send('Pool', { hurt: 'hurt' });
    for (let at = 0; at < 3; at += 1) {
      await pass(3);
      await send('Pool', { kind: at === 1 ? 'Fire' : 'Other' });
    }
    await pass(5);
    expect(await texts()).toEqual(['Message from a guest at Mounds: Hazard: Pool']);
    await pass(1);
    expect((await texts()).slice(1)).toEqual(['3 messages from guests at Mounds, 1 urgent: Pool (3)']);
    expect((await list(manager))[1]?.link).toBe('/messages');
    await pass(60);
    expect(await texts()).toHaveLength(2);
    await clear();
  });

  test('the first urgent message at a label does not wait for one about the others', async () => {
    await send('Gate', { kind: 'Other' });
    await pass(1);
    await send('Gate', { kind: 'Other' });
    await send('Gate', { hurt: 'hurt' });
    expect(await texts()).toEqual([
      'Message from a guest at Mounds: Other: Gate',
      '2 messages from guests at Mounds, 1 urgent: Gate (2)',
    ]);
    await clear();
  });

  test('a message that someone closed before it was told is not told', async () => {
    await pass(60);
    const closing = { closed_at: new Date(ms).toISOString() };
    for (const place of ['Bar', 'Spa']) {
      await send(place);
      const { id } = await send(place);
      await server.db.updateTable('guest_messages').set(closing).where('id', '=', id).execute();
    }
    await send('Spa', { kind: 'Other' });
    await pass(30);
    expect((await texts()).slice(2)).toEqual(['Message from a guest at Mounds: Other: Spa']);
    await clear();
  });

  test('messages at 25 labels cause at most 20 notifications of a park in an hour, and none waits for long', async () => {
    // From the start of an hour to its end.
    await pass(60 - new Date(ms).getUTCMinutes());
    await clear();
    for (let at = 0; at < 25; at += 1) await send(`Plot ${at}`, { kind: 'Fire' });
    await send('Reception', {}, 'Kingsley');
    expect(await texts()).toHaveLength(15);
    await pass(12);
    expect((await texts())[15]).toMatch(
      /^10 messages from guests at Mounds, 10 urgent: Plot \d+ \(1\), .*, 5 other places$/,
    );
    await pass(40);
    await send('Pool', { hurt: 'hurt' });
    expect((await texts()).slice(16)).toEqual(['Message from a guest at Mounds: Hazard: Pool']);
    for (let plot = 0; plot < 25; plot += 1) await send(`Plot ${plot}`, { kind: 'Fire' });
    await pass(7);
    expect((await texts()).length).toBeLessThanOrEqual(20);
    expect(await texts(other)).toHaveLength(1);
    await pass(30);
    const untold = server.db.selectFrom('guest_messages').select('id').where('told_at', 'is', null);
    expect((await untold.where('closed_at', 'is', null).execute()).length).toBe(0);
  });
});
