import { expect, test } from 'vitest';
import { setCounter } from '../db/counters.ts';
import { engines } from '../testing/server.ts';
import { openMigratedDatabase } from '../testing/storage.ts';
import { insertUser } from '../users/store.ts';
import { emailFlagName, emailFlags, notify } from './notify.ts';
import { sendDue } from './sender.ts';

test.each(engines)(
  'an instance whose lease has expired does not store its result for a message that another instance is sending, on %s',
  async (engine) => {
    const db = await openMigratedDatabase(engine);
    let now = Date.parse('2026-12-01T12:00:00Z');
    const clock = () => new Date(now);
    const user = { username: 'sian', passwordHash: '', role: 'None' as const, park: '', email: 'sian@example.com' };
    const id = await insertUser(db, { ...user, mustChangePassword: false }, clock());
    await setCounter(db, emailFlagName, emailFlags.on);
    await db.transaction().execute((db) =>
      notify(db, clock(), {
        ...{ kind: 'auditAssigned', to: { users: [id] }, thing: 'audit', thing_id: 'x', park: '' },
        ...{ text: 'Assigned', line: 'Assigned', link: '/audits' },
      }),
    );
    const config = { operator: { name: 'Parks' }, publicUrl: '' };
    const services = { db, config, clock, log: { warn: () => undefined } } as never;
    const startInstance = async () => {
      const answer = Promise.withResolvers<string>();
      const called = Promise.withResolvers<void>();
      const send = () => {
        called.resolve();
        return answer.promise;
      };
      const sending = sendDue(services, { send, close: () => undefined });
      await called.promise;
      return { answer, sending };
    };
    const read = () => db.selectFrom('deliveries').select(['state', 'attempts', 'leased_until']).executeTakeFirst();

    const first = await startInstance();
    now += 3 * 60_000;
    const second = await startInstance();
    const leased = await read();
    expect(leased).toEqual({ state: 'waiting', attempts: 0, leased_until: '2026-12-01T12:05:00.000Z' });
    first.answer.reject(new Error('too late'));
    await first.sending;
    expect(await read()).toEqual(leased);
    second.answer.resolve('accepted');
    await second.sending;
    expect(await read()).toEqual({ state: 'sent', attempts: 1, leased_until: '' });
  },
);
