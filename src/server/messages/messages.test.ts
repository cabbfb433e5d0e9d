// Messages of guests as their page stores them.
import { describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { sha256 } from '../hash.ts';
import { newId } from '../ids.ts';
import { sendMessage } from '../testing/messages.ts';
import { engines } from '../testing/server.ts';
import { createTestServer } from '../testing/test-server.ts';
import { findReceipt } from './store.ts';

describe.each(engines)('a message of a guest on %s', (engine) => {
  const { server, admin } = createTestServer(engine);

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
