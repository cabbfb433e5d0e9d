// Clients that send requests, and the facts that each response acknowledged.
import { randomUUID } from 'node:crypto';
import { sha256 } from '../../hash.ts';
import { createReportBody } from '../factories.ts';
import { type Client, type ClientResponse, createClient, type Receipt } from './client.ts';

/** A fact stated by a response. No power cut after the response may undo it. */
export type Acknowledged = { receipt: Receipt } & (
  | { is: 'report' | 'audit' | 'upload' | 'deleted report' | 'deleted audit' | 'completed audit'; of: string }
  | { is: 'session'; of: string }
  /** At least this many log entries of this user and action. */
  | { is: 'logged'; of: string; action: string; count: number }
);

export type Worker = {
  id: string;
  username: string;
  cookie: string;
  folder: string;
  uploads: string[];
  signIns: number;
};
export type Journal = { acknowledged: Acknowledged[]; answered: number };

type LoadSettings = { url: string; workers: Worker[]; password: string; signature: Buffer };

/** Runs all clients until the server is killed. Rejects on an unexpected error. */
export async function runClients({ url, workers, password, signature }: LoadSettings, journal: Journal): Promise<void> {
  const audits = new Map<string, { completed: boolean; deleted: boolean }>();
  const reports: { id: string; deleted: boolean }[] = [];

  await Promise.all(
    workers.map(async (worker) => {
      const client = createClient(url, worker.cookie);
      const counts: Record<string, number> = {};
      const acknowledge = (answer: ClientResponse, is: Exclude<Acknowledged['is'], 'logged'>, of: string) =>
        journal.acknowledged.push({ receipt: answer.receipt, is, of });
      const acknowledgeEntry = (answer: ClientResponse, action: string) => {
        counts[action] = (counts[action] ?? 0) + 1;
        const count = counts[action] ?? 0;
        journal.acknowledged.push({ receipt: answer.receipt, is: 'logged', of: worker.username, action, count });
      };
      const expectSuccess = (answer: ClientResponse, ...also: number[]) => {
        journal.answered += 1;
        if (answer.status === 503) throw Object.assign(new Error('The server is stopping'), { code: 'STOPPING' });
        if (answer.status < 300 || also.includes(answer.status)) return answer;
        throw new Error(`${answer.status}: ${answer.body}`);
      };
      try {
        for (;;) await sendRandomRequest({ client, worker, acknowledge, acknowledgeEntry, expectSuccess });
      } catch (error) {
        if ((error as { code?: string }).code === undefined) throw error;
      } finally {
        client.close();
      }
    }),
  );

  type Step = {
    client: Client;
    worker: Worker;
    acknowledge(answer: ClientResponse, is: Exclude<Acknowledged['is'], 'logged'>, of: string): void;
    acknowledgeEntry(answer: ClientResponse, action: string): void;
    expectSuccess(answer: ClientResponse, ...also: number[]): ClientResponse;
  };

  async function sendRandomRequest({
    client,
    worker,
    acknowledge,
    acknowledgeEntry,
    expectSuccess,
  }: Step): Promise<void> {
    const randomNumber = Math.random();
    const pickRandom = <T>(list: T[]) => list[Math.floor(Math.random() * list.length)];
    if (randomNumber < 0.3) {
      const body = { folder_id: worker.folder, title: `Audit ${randomUUID()}`, description: 'All floors. '.repeat(20) };
      const key = randomUUID();
      const answer = expectSuccess(await client.send('POST', '/api/audits', body, key));
      const { id } = JSON.parse(answer.body) as { id: string };
      acknowledge(answer, 'audit', id);
      acknowledgeEntry(answer, 'created');
      audits.set(id, { completed: false, deleted: false });
      // Some requests are sent again with the same key, and get the stored reply.
      if (Math.random() < 0.2)
        acknowledge(expectSuccess(await client.send('POST', '/api/audits', body, key)), 'audit', id);
      return;
    }
    if (randomNumber < 0.5 && worker.uploads.length >= 3) {
      const [photo = '', signature = '', affected = ''] = worker.uploads.splice(0, 3);
      const body = {
        ...createReportBody(photo, signature, affected),
        name: `Person ${randomUUID()}`,
        details: `Slipped on the wet step by the pool. ${randomUUID()} `.repeat(6),
      };
      const answer = expectSuccess(await client.send('POST', '/api/submit-accident', body, randomUUID()));
      const { id } = JSON.parse(answer.body) as { id: string };
      acknowledge(answer, 'report', id);
      acknowledgeEntry(answer, 'filed');
      reports.push({ id, deleted: false });
      return;
    }
    if (randomNumber < 0.62) {
      // Two clients may pick the same audit; the second gets an error, because it is completed.
      const [id, audit] = pickRandom([...audits].filter(([, audit]) => !audit.deleted)) ?? [];
      if (!id || !audit) return;
      const body = { data: { completed: true } };
      const answer = expectSuccess(await client.send('PUT', `/api/audits/${id}`, body), 404, 409);
      if (answer.status !== 404) acknowledge(answer, 'completed audit', id);
      return;
    }
    if (randomNumber < 0.68) {
      const [id, audit] = pickRandom([...audits].filter(([, audit]) => !audit.deleted)) ?? [];
      if (!id || !audit) return;
      audit.deleted = true;
      const answer = expectSuccess(await client.send('DELETE', `/api/audits/${id}`, {}), 404);
      if (answer.status !== 404) acknowledgeEntry(answer, 'deleted');
      return acknowledge(answer, 'deleted audit', id);
    }
    if (randomNumber < 0.72) {
      const report = pickRandom(reports.filter(({ deleted }) => !deleted));
      if (!report) return;
      report.deleted = true;
      const answer = expectSuccess(await client.send('DELETE', `/api/delete-report/${report.id}`, {}), 404);
      return acknowledge(answer, 'deleted report', report.id);
    }
    if (randomNumber < 0.76) {
      const answer = expectSuccess(await client.upload(signature, '?use=signature'));
      return acknowledge(answer, 'upload', (JSON.parse(answer.body) as { filePath: string }).filePath);
    }
    // A user has ten sessions at most.
    if (randomNumber < 0.78 && worker.signIns < 8) {
      worker.signIns += 1;
      const answer = expectSuccess(await client.signIn({ username: worker.username, password }));
      const token = /hs_session=([\w-]+)/.exec(String(answer.headers['set-cookie']))?.[1] ?? '';
      return acknowledge(answer, 'session', sha256(token));
    }
    if (randomNumber < 0.88) {
      const answer = expectSuccess(await client.get('/api/get-reports?limit=30'));
      acknowledgeEntry(answer, 'listed');
      for (const { id } of JSON.parse(answer.body) as { id: string }[]) acknowledge(answer, 'report', id);
      return;
    }
    const folder = pickRandom(workers)?.folder;
    const answer = expectSuccess(await client.get(`/api/audits/folder/${folder}`));
    for (const { id, completed } of (JSON.parse(answer.body) as { id: string; completed: boolean }[]).slice(-40)) {
      acknowledge(answer, 'audit', id);
      if (completed) acknowledge(answer, 'completed audit', id);
    }
  }
}
