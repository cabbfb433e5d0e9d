import { expect, test } from 'vitest';
import { createSecrets } from '../secrets/secrets.ts';
import { startPushService } from '../testing/push-service.ts';
import { startTestServer } from '../testing/server.ts';
import { SubscriptionGoneError, sendPush } from './push.ts';

const config = { publicUrl: '', mail: { url: '', from: '', isInsecureAllowed: false }, pushOrigins: [] as string[] };
const message = { title: 'Holiday Parks', body: 'A report', link: '/', tag: 'a' };
const stored = { id: 'a', user_id: 'b', session: 'c', created_at: '', p256dh: '', auth: '' };

test('nothing is sent to a stored address that is not of a known push service', async () => {
  const parts = { db: {} as never, config, secrets: createSecrets(Buffer.alloc(32)) };
  for (const endpoint of ['https://push.example.com/a', 'https://127.0.0.1/a', 'http://fcm.googleapis.com/a'])
    await expect(sendPush(parts, { ...stored, endpoint }, message, false)).rejects.toThrow(SubscriptionGoneError);
});

test('a push service cannot redirect the server to another address', async () => {
  await using push = await startPushService();
  await using server = await startTestServer('sqlite');
  push.subscribe('other');
  push.moved.set('phone', 'other');
  const { endpoint, keys } = push.subscribe('phone');
  const parts = {
    db: server.db,
    config: { ...config, pushOrigins: [push.settings.PUSH_ORIGINS] },
    secrets: createSecrets(Buffer.alloc(32)),
  };
  const subscription = { ...stored, endpoint, ...keys };
  await expect(sendPush(parts, subscription, message, false)).rejects.toThrow('307');
  expect(push.received).toEqual([]);
  // Without the redirect the message arrives.
  push.moved.clear();
  await sendPush(parts, subscription, message, false);
  expect(push.received).toHaveLength(1);
});
