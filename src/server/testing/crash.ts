// Crash test: the server is killed while clients send requests, and a journal records acknowledged
// changes. After each restart the database and files must contain exactly these, complete.
import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { hash } from '@node-rs/argon2/index.js';
import Sqlite from 'better-sqlite3';
import { api } from '#shared/api.ts';
import { ApiError } from '#shared/client.ts';
import { isInProgress } from '#shared/packs.ts';
import { verifyLog } from '../activity/verify.ts';
import { parseConfig } from '../config.ts';
import { connect, type Engine } from '../db/connect.ts';
import type { Database } from '../db/schema.ts';
import { getSqliteConnection } from '../db/sqlite.ts';
import { openFileStore } from '../files/open-store.ts';
import type { FileStore } from '../files/store.ts';
import { getFilePath } from '../files/upload-path.ts';
import { sha256 } from '../hash.ts';
import { insertUser } from '../users/store.ts';
import { createWrites } from './crash-writes.ts';
import { createReportBody, photo, signaturePng } from './factories.ts';
import { findFreePort } from './free-port.ts';
import { type ServerProcess, startProcess } from './process.ts';
import { createDatabase, password, signInAt, type TestClient } from './server.ts';

type SentRequest = { kind: 'report' | 'folder' | 'audit'; key: string; body: Record<string, unknown>; client: number };
type AcknowledgedRecord = SentRequest & {
  id: string;
  state: 'open' | 'completing' | 'completed' | 'deleting' | 'deleted';
};

type CrashFigures = {
  rounds: number;
  acknowledged: number;
  retried: number;
  slowestStartMs: number;
  others: Record<string, number>;
};

const clients = 8;
/** A killed instance's claim on a pack expires after a minute. */
const packsTimeoutMs = 5 * 60_000;

/**
 * Runs this many rounds in the folder. Rejects with the first change that is lost or incomplete.
 * With packs, clients also request packs of reports, and the last check waits until they are built.
 */
export async function runCrashRounds(
  engine: Engine,
  folder: string,
  rounds: number,
  onRound: (round: number) => void = () => {},
  withPacks = false,
) {
  const database = engine === 'postgres' ? await createDatabase() : undefined;
  const guestPort = await findFreePort();
  const settings = {
    ...{ DATA_DIR: folder, DATABASE_URL: database?.url ?? '', ADMIN_PASSWORD: password, TRUST_PROXY: 'loopback' },
    ...{ GUEST_REPORTS: '1', GUEST_URL: 'https://safe.example', GUEST_PORT: `${guestPort}` },
  };
  const config = parseConfig(settings);
  const figures: CrashFigures = { rounds: 0, acknowledged: 0, retried: 0, slowestStartMs: 0, others: {} };
  let server: ServerProcess = await startProcess(settings);
  const db = await connect(config);
  const files = await openFileStore(config, { isInUse: true });
  // Use the real hashing, because the server runs in another process, which does not know the quick
  // hashes of tests (quick-argon2.ts).
  const passwordHash = await hash(password);
  const names = Array.from({ length: clients }, (_, index) => `client${index}`);
  for (const username of names)
    await insertUser(db, { username, passwordHash, role: 'Admin', park: '', mustChangePassword: false }, new Date());
  const sessions: (TestClient | undefined)[] = names.map(() => undefined);
  const images = { photo: await photo(), signature: await signaturePng() };
  const unattached: string[][] = names.map(() => []);
  const guestUrl = `http://127.0.0.1:${guestPort}`;
  const writes = createWrites({ db, photo: images.photo, passwordHash, guestUrl, getUrl: () => server.url });
  await writes.prepare(await signInAt(server.url, names[0] ?? ''));
  const acknowledged: AcknowledgedRecord[] = [];
  let unacknowledged: SentRequest[] = [];

  /** Called for each response that a client got. */
  let acknowledge = () => {};

  const send = async (session: TestClient, request: SentRequest): Promise<void> => {
    const { kind, key, body, client } = request;
    unacknowledged.push(request);
    const endpoint = kind === 'report' ? api.submitAccident : kind === 'folder' ? api.createFolder : api.createAudit;
    const { id } = (await session(endpoint, { body, key } as never)) as { id: string };
    unacknowledged = unacknowledged.filter((other) => other !== request);
    acknowledged.push({ kind, key, body, client, id, state: 'open' });
    acknowledge();
  };

  const upload = async (session: TestClient, client: number): Promise<void> => {
    const isSignature = (unattached[client]?.length ?? 0) % 3 !== 0;
    const file = new Blob([new Uint8Array(isSignature ? images.signature : images.photo)]);
    const query = isSignature ? { use: 'signature' } : {};
    const { filePath } = await session(api.uploadImage, { file, fileName: 'a.png', query } as never);
    unattached[client]?.push(filePath);
    acknowledge();
  };

  const step = async (client: number): Promise<void> => {
    const session = sessions[client];
    if (!session || Math.random() < 0.03) {
      sessions[client] = await signInAt(server.url, names[client] ?? '');
      acknowledge();
      return;
    }
    const clientRecords = acknowledged.filter((thing) => thing.client === client && thing.state === 'open');
    const report = clientRecords.find(({ kind }) => kind === 'report');
    const clientFolder = clientRecords.find(({ kind }) => kind === 'folder');
    const audit = clientRecords.find(({ kind }) => kind === 'audit');
    if (withPacks && report && Math.random() < 0.05) return requestPack(session, report);
    if (Math.random() < 0.3) {
      await writes.sendOne(client, session, {
        report: report?.id,
        folder: clientFolder?.id,
        getColleague: () => sessions[(client + 1) % clients],
      });
      acknowledge();
      return;
    }
    const randomNumber = Math.random();
    // A pack whose only report is deleted before it is built has nothing to contain.
    const removable = clientRecords.find(({ kind, id }) => kind === 'report' && !packed.has(id));
    if (randomNumber < 0.1 && removable) return remove(session, removable);
    if (randomNumber < 0.2 && audit) return complete(session, audit);
    if (randomNumber < 0.35) {
      const body = clientFolder
        ? { folder_id: clientFolder.id, title: `Audit ${randomUUID()}` }
        : { name: `Folder ${randomUUID()}`, park: 'Lido Beach', description: '' };
      return send(session, { kind: clientFolder ? 'audit' : 'folder', key: randomUUID(), body, client });
    }
    if ((unattached[client]?.length ?? 0) < 3) return upload(session, client);
    const [media = '', signature = '', affected = ''] = unattached[client]?.splice(0, 3) ?? [];
    return send(session, {
      kind: 'report',
      key: randomUUID(),
      body: { ...createReportBody(media, signature, affected), name: `Person ${randomUUID()}` },
      client,
    });
  };

  const packs: string[] = [];
  /** The reports of packs. */
  const packed = new Set<string>();
  const requestPack = async (session: TestClient, report: AcknowledgedRecord) => {
    const body = { recipient: 'An insurer', purpose: 'A claim', withoutNames: false, reports: [report.id] };
    packed.add(report.id);
    try {
      packs.push((await session(api.createPack, { body })).id);
    } catch (error) {
      // Each user gets one pack at a time.
      if (!(error instanceof ApiError && error.status === 409)) throw error;
    }
    acknowledge();
  };

  const remove = async (session: TestClient, report: AcknowledgedRecord) => {
    report.state = 'deleting';
    await session(api.deleteReport, { params: { id: report.id } });
    report.state = 'deleted';
    acknowledge();
  };
  const complete = async (session: TestClient, audit: AcknowledgedRecord) => {
    audit.state = 'completing';
    await session(api.updateAudit, { params: { id: audit.id }, body: { data: { completed: true } } });
    audit.state = 'completed';
    acknowledge();
  };

  /** Sends requests until the server is killed. Any other error fails the test. */
  const work = async (client: number): Promise<void> => {
    for (;;) {
      try {
        await step(client);
      } catch (error) {
        if (error instanceof ApiError && error.status !== 0) throw error;
        return;
      }
    }
  };

  try {
    for (let round = 0; round < rounds; round++) {
      const enoughAcknowledged = Promise.withResolvers<void>();
      const targetCount = figures.acknowledged + 3;
      acknowledge = () => {
        figures.acknowledged += 1;
        if (figures.acknowledged >= targetCount) enoughAcknowledged.resolve();
      };
      const clientsDone = Promise.all(names.map((_, client) => work(client)));
      await wait(Math.random() * 800);
      // In every other round wait until some requests have been acknowledged, however slow the
      // machine is.
      if (round % 2 === 0) await Promise.race([enoughAcknowledged.promise, clientsDone]);
      await server.end('SIGKILL');
      await clientsDone;
      const from = performance.now();
      server = await startProcess(settings);
      figures.slowestStartMs = Math.max(figures.slowestStartMs, Math.round(performance.now() - from));
      if (readdirSync(join(folder, 'temporary')).length > 0) throw new Error('Half an upload was left.');
      // Sessions stay valid; unanswered requests are sent again with their keys.
      for (const session of sessions) session?.moveTo(server.url);
      for (const session of sessions) if (session) await session(api.getSession);
      for (const sent of unacknowledged.splice(0)) {
        await send(sessions[sent.client] as TestClient, sent);
        figures.retried += 1;
      }
      figures.retried += await writes.sendAgain((client) => sessions[client] as TestClient);
      await writes.check(50);
      await assertStoreMatches(db, files, acknowledged, unattached.flat());
      if (readdirSync(join(folder, 'uploads', '.unfinished')).length > 0) throw new Error('Half a file was left.');
      figures.rounds += 1;
      onRound(figures.rounds);
    }
    await writes.check();
    figures.others = writes.count();
    const session = sessions.find((session) => session !== undefined);
    if (withPacks && session) await assertPacksAreBuilt(session, packs, join(folder, 'packs'));
    return figures;
  } finally {
    await server.end('SIGKILL');
    await db.destroy();
    await database?.drop();
  }
}

/** Waits until no pack is being built, then checks that each is complete and no half file is left. */
async function assertPacksAreBuilt(session: TestClient, ids: string[], folder: string): Promise<void> {
  const deadline = Date.now() + packsTimeoutMs;
  let packs = await session(api.listPacks);
  while (packs.some(isInProgress)) {
    if (Date.now() > deadline) throw new Error(`${packs.filter(isInProgress).length} packs were not built.`);
    await wait(1000);
    packs = await session(api.listPacks);
  }
  for (const id of ids) {
    const pack = packs.find((pack) => pack.id === id);
    if (!pack) throw new Error(`The pack ${id} was acknowledged and is lost.`);
    // Each attempt was killed.
    if (pack.problem?.startsWith('It could not be made in')) continue;
    if (pack.state !== 'ready') throw new Error(`The pack ${id} ${pack.state}: ${pack.problem}`);
    const response = await session.fetch(api.getPackFile.path.replace('{id}', id));
    const { length } = new Uint8Array(await response.arrayBuffer());
    if (length !== pack.bytes) throw new Error(`The file of pack ${id} has ${length} bytes, not ${pack.bytes}.`);
  }
  if (readdirSync(folder).length > 0) throw new Error('Half a pack was left.');
}

/** Compares the stored data with the journal in both directions. */
async function assertStoreMatches(
  db: Database,
  files: FileStore,
  acknowledged: AcknowledgedRecord[],
  unattached: string[],
): Promise<void> {
  const fail = (what: string) => {
    throw new Error(what);
  };
  const reports = new Map((await db.selectFrom('reports').selectAll().execute()).map((row) => [row.id, row]));
  const audits = new Map((await db.selectFrom('audits').selectAll().execute()).map((row) => [row.id, row]));
  const folders = new Set((await db.selectFrom('folders').select('id').execute()).map((row) => row.id));
  // Audits and folders of crash-writes.ts are checked there.
  const ownAudits = [...audits.values()].filter(({ title }) => title.startsWith('Audit '));
  const ownFolders = await db.selectFrom('folders').select('id').where('name', 'like', 'Folder %').execute();
  const count = (kind: SentRequest['kind']) => acknowledged.filter((thing) => thing.kind === kind).length;
  if (reports.size !== count('report')) fail(`${reports.size} reports are there, ${count('report')} were filed.`);
  if (ownAudits.length !== count('audit'))
    fail(`${ownAudits.length} audits are there, ${count('audit')} were created.`);
  if (ownFolders.length !== count('folder'))
    fail(`${ownFolders.length} folders are there, ${count('folder')} were created.`);
  for (const { kind, id, state, body } of acknowledged) {
    const row = kind === 'report' ? reports.get(id) : kind === 'audit' ? audits.get(id) : undefined;
    if (kind === 'folder' ? !folders.has(id) : !row) fail(`The ${kind} ${id} was acknowledged and is lost.`);
    if (state === 'deleted' && !row?.deletion_id) fail(`The ${kind} ${id} was deleted and is back.`);
    if (state === 'open' && row?.deletion_id) fail(`The ${kind} ${id} is gone, and nobody deleted it.`);
    if (state === 'completed' && audits.get(id)?.completed !== 1) fail(`The audit ${id} was completed and is open.`);
    if (kind === 'report' && reports.get(id)?.name !== body.name) fail(`The report ${id} is not what was filed.`);
  }
  const uploads = new Map((await db.selectFrom('uploads').selectAll().execute()).map((row) => [row.path, row]));
  for (const path of unattached) if (!uploads.has(path)) fail(`The upload ${path} was acknowledged and is lost.`);
  for (const { id, mediaFiles, signature, affectedUserSignature } of reports.values()) {
    const media = (JSON.parse(mediaFiles) as { path: string }[]).map((file) => file.path);
    for (const path of [...media, signature ?? '', affectedUserSignature ?? ''])
      if (uploads.get(path)?.attached_id !== id) fail(`The report ${id} names ${path}, which is not its own.`);
  }
  for (const { path, sha256_stored } of uploads.values()) {
    const bytes = await files.read(getFilePath(path));
    if (!bytes || sha256(bytes) !== sha256_stored)
      fail(`The row of ${path} names a file that is missing or not whole.`);
  }
  const { badRow } = await verifyLog(db);
  if (badRow) fail(`Row ${badRow.seq} of the log ${badRow.reason}.`);
  const path = getSqliteConnection(db)?.file.name;
  if (path) {
    // Use a new connection: on one that has checked the index before, FTS5 would compare the state
    // it remembers with later writes of the server, and report damage.
    const file = new Sqlite(path, { readonly: true });
    const integrityResult = file.pragma('integrity_check', { simple: true });
    file.close();
    if (integrityResult !== 'ok') fail(`The database is damaged: ${integrityResult}`);
  }
}
