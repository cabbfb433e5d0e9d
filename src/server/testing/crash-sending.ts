// Crash test of sending: the server is killed (SIGKILL) while it sends email. After the restarts
// every message must have arrived.
import { setTimeout as wait } from 'node:timers/promises';
import { parseConfig } from '../config.ts';
import { connect, type Engine } from '../db/connect.ts';
import { everyRow } from '../db/every-row.ts';
import type { Database } from '../db/schema.ts';
import { notify } from '../notifications/notify.ts';
import { insertUser } from '../users/store.ts';
import { startMailServer } from './mail-server.ts';
import { startProcess } from './process.ts';
import { createDatabase, password } from './server.ts';

const userCount = 20;
/** Maximum number of messages that one instance sends at a time. */
const maxConcurrent = 5;
const longestWaitMs = 60_000;

/** Runs this many rounds in the folder. Rejects with the list of lost messages. */
export async function runSendingRounds(engine: Engine, folder: string, rounds: number) {
  const database = engine === 'postgres' ? await createDatabase() : undefined;
  const mail = await startMailServer();
  mail.state.delayMs = 20;
  const settings = { DATA_DIR: folder, DATABASE_URL: database?.url ?? '', ADMIN_PASSWORD: password, ...mail.settings };
  let server = await startProcess(settings);
  const db = await connect(parseConfig(settings));
  try {
    const ids = await insertUsers(db);
    for (let round = 1; round <= rounds; round++) {
      await notifyEachUser(db, ids, round);
      const target = mail.state.attempts + 1 + Math.floor(Math.random() * (userCount - maxConcurrent));
      await until(() => mail.state.attempts >= target);
      await server.end('SIGKILL');
      // End the leases of the killed server, as two minutes would.
      await db.updateTable('deliveries').set({ leased_until: '' }).where(everyRow).execute();
      server = await startProcess(settings);
      await until(async () => (await listWaiting(db)).length === 0);
    }
    const deliveries = await db.selectFrom('deliveries').select(['id', 'state']).execute();
    const messageIds = mail.received.map(({ messageId }) => /^<(.*)@/.exec(messageId)?.[1] ?? '');
    const lostMessages = deliveries.filter(({ id, state }) => state !== 'sent' || !messageIds.includes(id));
    if (lostMessages.length > 0) throw new Error(`lost: ${JSON.stringify(lostMessages)}`);
    const duplicates = messageIds.length - new Set(messageIds).size;
    if (duplicates > rounds * maxConcurrent) throw new Error(`${duplicates} messages were sent twice`);
    return { rounds, messages: deliveries.length, duplicates };
  } finally {
    await server.end('SIGKILL');
    await db.destroy();
    await database?.drop();
    await mail.stop();
  }
}

const listWaiting = (db: Database) =>
  db.selectFrom('deliveries').select('id').where('state', '=', 'waiting').limit(1).execute();

async function insertUsers(db: Database): Promise<string[]> {
  const ids: string[] = [];
  for (let at = 0; at < userCount; at++) {
    const person = {
      username: `person.${at}`,
      passwordHash: '',
      role: 'None' as const,
      park: '',
      mustChangePassword: false,
    };
    ids.push(await insertUser(db, { ...person, email: `person.${at}@example.com` }, new Date()));
  }
  return ids;
}

/** Notifies each user with a message that is due at once, even in quiet hours. */
async function notifyEachUser(db: Database, users: string[], round: number): Promise<void> {
  const line = `Round ${round}`;
  const notificationFields = { thing: 'audit', thing_id: 'x', park: '', text: line, line, link: '/audits' };
  await db.transaction().execute(async (db) => {
    await notify(db, new Date(), { kind: 'auditAssigned', to: { users }, ...notificationFields, isUrgent: true });
    await db.updateTable('deliveries').set({ due_at: new Date().toISOString() }).where('attempts', '=', 0).execute();
  });
}

async function until(check: () => unknown): Promise<void> {
  const end = Date.now() + longestWaitMs;
  while (!(await check())) {
    if (Date.now() > end) throw new Error('messages are not sent');
    await wait(20);
  }
}
