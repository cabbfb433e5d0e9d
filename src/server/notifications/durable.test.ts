import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { setCounter } from '../db/counters.ts';
import { createGroupSync } from '../db/group-sync.ts';
import { getSqliteConnection } from '../db/sqlite.ts';
import { openMigratedDatabase } from '../testing/storage.ts';
import { insertUser } from '../users/store.ts';
import type { Email } from './email.ts';
import { emailFlagName, notify } from './notify.ts';
import { sendDue } from './sender.ts';

test('a notification is sent only when its change is on disk', async () => {
  const db = await openMigratedDatabase('sqlite');
  const file = getSqliteConnection(db);
  if (!file) throw new Error('This test needs SQLite.');
  const pendingSync = Promise.withResolvers<void>();
  file.groupSync = createGroupSync(
    () => pendingSync.promise,
    (error) => {
      throw error;
    },
  );
  const now = new Date('2026-12-01T12:00:00Z');
  const person = { username: 'sian', passwordHash: '', role: 'None' as const, park: '', email: 'sian@example.com' };
  const id = await insertUser(db, { ...person, mustChangePassword: false }, now);
  await setCounter(db, emailFlagName, 1);
  const notice = { kind: 'auditAssigned' as const, to: { users: [id] }, thing: 'audit', thing_id: 'x' };
  await db
    .transaction()
    .execute((db) => notify(db, now, { ...notice, park: '', text: 'Assigned', line: 'Assigned', link: '/audits' }));

  const sent: Email[] = [];
  const mailer = {
    async send(email: Email) {
      sent.push(email);
      return 'accepted';
    },
    close: () => undefined,
  };
  const config = { operator: { name: 'Parks' }, publicUrl: '' };
  const sending = sendDue({ db, config, clock: () => now, log: {} } as never, mailer);
  for (let turn = 0; turn < 20; turn++) await nextTurn();
  expect(sent).toEqual([]);
  pendingSync.resolve();
  expect(await sending).toBe(1);
  expect(sent).toMatchObject([{ to: 'sian@example.com' }]);
});
