// Several instances send waiting messages: each message once, even after an instance has died.
import { afterEach, describe, expect, test, vi } from 'vitest';
import { connect } from '../db/connect.ts';
import { newId } from '../ids.ts';
import { createSecrets } from '../secrets/secrets.ts';
import { startMailServer } from '../testing/mail-server.ts';
import { changeRows, readRow } from '../testing/rows.ts';
import { engines, startTestServer, type TestServer } from '../testing/server.ts';
import { insertUser } from '../users/store.ts';
import { notify } from './notify.ts';
import { sendDue, startSender } from './sender.ts';

const minute = 60_000;
/** These tests send emails only, which need no stored secret. */
const secrets = createSecrets(Buffer.alloc(32));
const log = { error: () => undefined, warn: () => undefined } as never;

describe.each(engines)('sending notifications on %s', (engine) => {
  const stops: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const stop of stops.splice(0).reverse()) await stop();
  });

  async function prepare(count: number, now: () => number) {
    const mail = await startMailServer();
    stops.push(mail.stop);
    const clock = () => new Date(now());
    // The server's own sender is already running, but has nothing to send yet.
    const server = await startTestServer(engine, mail.settings, clock);
    stops.push(server.stop);
    await server.db.transaction().execute(async (db) => {
      for (let at = 0; at < count; at++) {
        const person = { username: `person.${at}`, passwordHash: '', role: 'None' as const, park: '' };
        const id = await insertUser(db, { ...person, mustChangePassword: false }, clock());
        await changeRows(db, 'users', { id }, { email: `person.${at}@example.com` });
      }
    });
    return { mail, server, clock };
  }

  const notifyAll = async (server: TestServer, at: Date) => {
    const users = await server.db.selectFrom('users').select('id').where('email', '<>', '').execute();
    await server.db.transaction().execute((db) =>
      notify(db, at, {
        ...{ kind: 'auditAssigned', to: { users: users.map(({ id }) => id) }, thing: 'audit', thing_id: 'x' },
        ...{ park: '', text: 'Something to do', line: 'Something to do', link: '/audits' },
      }),
    );
  };

  const countSent = async (server: TestServer) => {
    const rows = await server.db.selectFrom('deliveries').select('id').where('state', '=', 'sent').execute();
    return rows.length;
  };

  test('500 messages are sent once each by three instances', async () => {
    const start = Date.parse('2026-12-01T12:00:00Z');
    const { mail, server, clock } = await prepare(500, () => start);
    for (let instance = 0; instance < 2; instance++) {
      // On SQLite use the server's connection, because the transactions of its one process share
      // it.
      const db = engine === 'postgres' ? await connect(server.config) : server.running.db;
      const stop = await startSender({ db, config: server.config, clock, log, secrets });
      stops.push(async () => {
        await stop();
        if (engine === 'postgres') await db.destroy();
      });
    }
    await notifyAll(server, clock());
    await vi.waitFor(async () => expect(await countSent(server)).toBe(500), { timeout: 25_000, interval: 200 });
    expect(mail.received).toHaveLength(500);
    expect(new Set(mail.received.map(({ messageId }) => messageId)).size).toBe(500);
    expect(new Set(mail.received.flatMap(({ to }) => to)).size).toBe(500);
  });

  test('600 messages waiting for one recipient do not delay others', async () => {
    const start = Date.parse('2026-12-01T12:00:00Z');
    const { mail, server, clock } = await prepare(2, () => start);
    mail.state.fullMailbox = 'person.0@example.com';
    const notifyUser = async (email: string, kind: 'auditAssigned' | 'auditDue') => {
      const { id } = await readRow(server.db, 'users', { email });
      const notice = { kind, to: { users: [id] }, thing: 'audit', thing_id: 'x', park: '', text: 'x', line: 'x' };
      await server.db.transaction().execute((db) => notify(db, clock(), { ...notice, link: '/audits' }));
    };
    await notifyUser('person.0@example.com', 'auditAssigned');
    await vi.waitFor(() => expect(mail.state.attempts).toBe(1), { timeout: 10_000 });
    const failed = await server.db.selectFrom('deliveries').selectAll().executeTakeFirstOrThrow();
    const waiting = {
      ...failed,
      kind: 'auditDue' as const,
      attempts: 0,
      leased_until: '',
      due_at: clock().toISOString(),
    };
    const rows = Array.from({ length: 600 }, () => ({ ...waiting, id: newId(), event: newId() }));
    await server.db.insertInto('deliveries').values(rows).execute();
    await notifyUser('person.1@example.com', 'auditDue');
    await vi.waitFor(() => expect(mail.received.map(({ to }) => to)).toEqual([['person.1@example.com']]), {
      timeout: 10_000,
    });
    // Messages stay in order, so the failed one is tried first.
    expect(mail.state.attempts).toBe(2);
  });

  // Several instances need PostgreSQL.
  test.runIf(engine === 'postgres')(
    'messages claimed by an instance that died are sent by another when its lease has expired',
    async () => {
      let now = Date.parse('2026-12-01T12:00:00Z');
      const { mail, server, clock } = await prepare(3, () => now);
      mail.state.delayMs = 0;
      // Stop the test's own server before any message is due; the services below play the instance
      // that dies.
      await server.running.stop();
      await notifyAll(server, clock());
      const services = { db: server.db, config: server.config, clock, log, secrets };
      // Claim messages, but never finish sending them. The time limit ends it after this test, when
      // the database is closed.
      sendDue(services, { send: () => new Promise(() => undefined), close: () => undefined }).catch(() => undefined);
      const claimedQuery = server.db.selectFrom('deliveries').select('id').where('leased_until', '<>', '');
      await vi.waitFor(async () => expect(await claimedQuery.execute()).toHaveLength(3), { timeout: 10_000 });
      let sent = 0;
      const mailer = {
        send: async () => {
          sent += 1;
          return '250 OK';
        },
        close: () => undefined,
      };
      now += minute;
      expect(await sendDue(services, mailer)).toBe(0);
      now += 2 * minute;
      expect(await sendDue(services, mailer)).toBe(3);
      expect([sent, await countSent(server)]).toEqual([3, 3]);
      expect(await sendDue(services, mailer)).toBe(0);
      await server.restart();
    },
  );
});
