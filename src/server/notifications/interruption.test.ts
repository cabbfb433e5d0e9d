// Outages of the mail server and crashes of the server lose no message, and each recipient gets
// messages in order.
import { expect, onTestFinished, test, vi } from 'vitest';
import { createClock } from '../clock.ts';
import { runSendingRounds } from '../testing/crash-sending.ts';
import { createTestFolder } from '../testing/folder.ts';
import { startMailServer } from '../testing/mail-server.ts';
import { changeRows } from '../testing/rows.ts';
import { engines, pollMs, startTestServer } from '../testing/server.ts';
import { notify } from './notify.ts';

const minute = 60_000;

test.each(engines)(
  'messages arrive in order and grouped after an hour without a mail server, on %s',
  async (engine) => {
    let now = Date.parse('2026-12-01T12:00:00Z');
    const clock = createClock(() => now);
    await using mail = await startMailServer();
    await using server = await startTestServer(engine, mail.settings, clock);
    const people = [await server.as('None'), await server.as('None'), await server.as('None')];
    for (const { id, username } of people)
      await changeRows(server.db, 'users', { id }, { email: `${username}@example.com` });
    const notifyPeople = (kind: 'auditAssigned' | 'auditDue', line: string) =>
      server.db.transaction().execute((db) =>
        notify(db, clock(), {
          ...{ kind, to: { users: people.map(({ id }) => id) }, thing: 'audit', thing_id: 'x' },
          ...{ park: '', text: line, line, link: '/audits' },
        }),
      );
    mail.state.isRejecting = true;
    for (let minutes = 0; minutes < 60; minutes += 10) {
      const before = mail.state.attempts;
      await notifyPeople('auditAssigned', `Assigned ${minutes}.`);
      if (minutes === 0)
        await vi.waitFor(() => expect(mail.state.attempts).toBeGreaterThanOrEqual(before + 3), { timeout: 10_000 });
      await notifyPeople('auditDue', `Due ${minutes}.`);
      now += 10 * minute;
    }
    expect(mail.received).toEqual([]);
    // Wait for emails that the sender is sending, because they do not contain the last messages.
    const inFlight = server.db.selectFrom('deliveries').select('id').where('leased_until', '<>', '');
    await vi.waitFor(async () => expect(await inFlight.execute()).toEqual([]), { timeout: 20_000 });
    mail.state.isRejecting = false;
    const isAllSent = async () => {
      now += 10 * minute;
      const waiting = server.db.selectFrom('deliveries').select('id').where('state', '<>', 'sent');
      return (await waiting.execute()).length === 0;
    };
    await vi.waitFor(async () => expect(await isAllSent()).toBe(true), { timeout: 20_000, interval: pollMs });
    for (const { username } of people) {
      const emails = mail.received.filter(({ to }) => to.includes(`${username}@example.com`));
      const lines = emails.flatMap(({ text }) => text.match(/(?:Assigned|Due) \d+\./g));
      expect(lines).toEqual([0, 10, 20, 30, 40, 50].flatMap((at) => [`Assigned ${at}.`, `Due ${at}.`]));
      expect(emails.length).toBeLessThan(lines.length / 2);
    }
  },
);

/** Few rounds, because `npm run crash -- --sending` runs more. */
const rounds = 2;

test.each(engines)(
  'a server killed while it sends email loses no message, on %s',
  { timeout: 180_000 },
  async (engine) => {
    const folder = createTestFolder(onTestFinished);
    expect(await runSendingRounds(engine, folder, rounds)).toMatchObject({ rounds, messages: 20 * rounds });
  },
);
