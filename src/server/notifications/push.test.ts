import { expect, test } from 'vitest';
import { createSecrets } from '../secrets/secrets.ts';
import { startPushService } from '../testing/push-service.ts';
import { startTestServer } from '../testing/server.ts';
import { sendPush } from './push.ts';

test('a push service cannot redirect the server to another address', async () => {
  const push = await startPushService();
  const server = await startTestServer('sqlite');
  try {
    push.subscribe('other');
    push.moved.set('phone', 'other');
    const { endpoint, keys } = push.subscribe('phone');
    const parts = {
      db: server.db,
      config: {
        publicUrl: '',
        mail: { url: '', from: '', isInsecureAllowed: false },
        pushOrigins: [push.settings.PUSH_ORIGINS],
      },
      secrets: createSecrets(Buffer.alloc(32)),
    };
    const subscription = { id: 'a', user_id: 'b', session: 'c', created_at: '', endpoint, ...keys };
    const message = { title: 'Holiday Parks', body: 'A report', link: '/', tag: 'a' };
    await expect(sendPush(parts, subscription, message, false)).rejects.toThrow('307');
    expect(push.received).toEqual([]);
    // Without the redirect the message arrives.
    push.moved.clear();
    await sendPush(parts, subscription, message, false);
    expect(push.received).toHaveLength(1);
  } finally {
    await server.stop();
    await push.stop();
  }
});
