// Records a working server, and rebuilds disks from the recording as a power cut at any moment may
// leave them.
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { hash } from '@node-rs/argon2/index.js';
import { createRandom } from '#shared/law/testing/random.ts';
import { connect } from '../../db/connect.ts';
import { newId } from '../../ids.ts';
import { getCookieName, insertSession } from '../../sign-in/session/session.ts';
import { insertUser } from '../../users/store.ts';
import { signaturePng } from '../factories.ts';
import { startProcess } from '../process.ts';
import { insertRow } from '../rows.ts';
import { seedUploads } from '../seed-reports.ts';
import { password } from '../server.ts';
import { checkDisk } from './check.ts';
import { createDisk, type UnsyncedOutcome, unsyncedOutcomes } from './disk.ts';
import { type Acknowledged, type Journal, runClients, type Worker } from './load.ts';
import type { Mutant } from './mutants.ts';
import { getRecorderCommand, type RecordedCall, readRecording } from './recording.ts';

type Options = {
  rounds: number;
  disksPerRound: number;
  /** The number of responses after which a round ends. */
  requests: number;
  mutant?: Mutant;
  onRound?: (round: number) => void;
};

export type Figures = {
  rounds: number;
  disks: number;
  answered: number;
  acknowledged: number;
  /**
   * The number of simulated power cuts during a checkpoint, and shortly after the write-ahead log
   * was restarted.
   */
  inCheckpoint: number;
  afterRestart: number;
  /** The number of rebuilt disks on which the server started: one per round. */
  serverStarts: number;
};

const clients = 8;

/**
 * Runs the rounds. Throws at the first damage or lost acknowledged change, with what is needed to
 * reproduce it.
 */
export async function runPowerCutRounds({
  rounds,
  disksPerRound,
  requests,
  mutant,
  onRound,
}: Options): Promise<Figures> {
  const roundsFolder = mkdtempSync(join(tmpdir(), 'power-cut-'));
  const figures = {
    rounds: 0,
    disks: 0,
    answered: 0,
    acknowledged: 0,
    inCheckpoint: 0,
    afterRestart: 0,
    serverStarts: 0,
  };
  try {
    const base = join(roundsFolder, 'base');
    const workers = await prepare(base);
    const signature = await signaturePng();
    for (let round = 0; round < rounds; round++) {
      const folder = join(roundsFolder, 'data');
      const log = join(roundsFolder, 'calls.log');
      for (const oldPath of [folder, log]) rmSync(oldPath, { recursive: true, force: true });
      cpSync(base, folder, { recursive: true });
      const journal: Journal = { acknowledged: [], answered: 0 };
      const server = await startProcess(
        { DATA_DIR: folder, ADMIN_PASSWORD: password },
        { wrapperCommand: getRecorderCommand(log), flags: mutant ? ['--import', mutantHook(mutant)] : [] },
      );
      const workersWithUploads = workers.map((worker) => ({ ...worker, uploads: [...worker.uploads] }));
      const clientsDone = runClients({ url: server.url, workers: workersWithUploads, password, signature }, journal);
      const waitForResponses = async () => {
        while (journal.answered < requests) await wait(20);
      };
      // Every fourth round ends with a regular shutdown, which runs a checkpoint.
      await Promise.race([waitForResponses(), clientsDone]).finally(() =>
        server.end(round % 4 === 3 ? 'SIGTERM' : 'SIGKILL'),
      );
      await clientsDone;
      const recording = await readRecording(log, base, folder);
      const acknowledged = placeAcknowledged(journal, recording);
      figures.answered += journal.answered;
      figures.acknowledged += acknowledged.length;
      const drawInteger = createRandom(round + 1);
      const random = () => drawInteger(2 ** 32) / 2 ** 32;
      const cutPositions = chooseCuts(recording, disksPerRound, random, figures);
      const disk = createDisk(base, folder, recording);
      for (const cut of cutPositions) {
        const target = join(roundsFolder, 'cut');
        rmSync(target, { recursive: true, force: true });
        mkdirSync(target);
        const outcome = unsyncedOutcomes[Math.floor(random() * unsyncedOutcomes.length)] as UnsyncedOutcome;
        disk.rebuild(target, cut, outcome, random);
        const due = acknowledged.filter(({ sentAt }) => sentAt <= cut);
        await checkDisk(target, due).catch((error: Error) => {
          error.message += ` (round ${round}, cut at call ${cut}, unsynced writes: ${outcome})`;
          throw error;
        });
        figures.disks += 1;
      }
      // Start the server itself on one of the rebuilt disks.
      const restartedServer = await startProcess({ DATA_DIR: join(roundsFolder, 'cut') });
      const health = await fetch(`${restartedServer.url}/healthz`);
      await restartedServer.end();
      if (!health.ok) throw new Error(`After a cut the server answered ${health.status}.`);
      figures.serverStarts += 1;
      figures.rounds += 1;
      onRound?.(figures.rounds);
    }
    return figures;
  } finally {
    rmSync(roundsFolder, { recursive: true, force: true });
  }
}

const mutantHook = (mutant: Mutant) =>
  `data:text/javascript,${encodeURIComponent(`
    import { registerMutant } from ${JSON.stringify(new URL('mutants.ts', import.meta.url).href)};
    registerMutant(${JSON.stringify(mutant)});
  `)}`;

/** Creates a data folder with eight Admins, each with a session, an audit folder and uploads. */
async function prepare(folder: string): Promise<Worker[]> {
  const settings = { DATA_DIR: folder, ADMIN_PASSWORD: password };
  await (await startProcess(settings)).end();
  const db = await connect({ databaseUrl: '', dataDir: folder });
  // Use the real hashing, because the server runs in another process, which does not know the quick
  // hashes of tests (quick-argon2.ts).
  const passwordHash = await hash(password);
  const now = new Date();
  const workers: Worker[] = [];
  for (let index = 0; index < clients; index++) {
    const username = `client${index}`;
    const user = { username, passwordHash, role: 'Admin', park: '', mustChangePassword: false } as const;
    const id = await insertUser(db, user, now);
    const cookie = `${getCookieName(false)}=${await insertSession(db, id, now)}`;
    const audits = newId();
    await insertRow(db, 'folders', {
      id: audits,
      name: username,
      park: 'Lido Beach',
      version: 1,
      created_at: now.toISOString(),
      created_by: id,
    });
    // No more than a user may have unattached.
    const uploads = await seedUploads(db, 75, id);
    workers.push({ id, username, cookie, folder: audits, uploads, signIns: 0 });
  }
  await db.destroy();
  return workers;
}

/**
 * Finds the position in the recording at which each fact was acknowledged: when the write of the
 * first byte of its response began.
 */
function placeAcknowledged(
  { acknowledged }: Journal,
  recording: RecordedCall[],
): (Acknowledged & { sentAt: number })[] {
  const responseStarts = new Map<number, number[]>();
  for (const call of recording)
    if (call.kind === 'response') responseStarts.set(call.port, [...(responseStarts.get(call.port) ?? []), call.start]);
  return acknowledged.map((fact) => {
    const sentAt = responseStarts.get(fact.receipt.port)?.[fact.receipt.index];
    if (sentAt === undefined) throw new Error('A response is not in the recording.');
    return { ...fact, sentAt };
  });
}

/**
 * Chooses the positions of power cuts at risky moments: after a response, during a checkpoint, and
 * after the write-ahead log was restarted.
 */
function chooseCuts(recording: RecordedCall[], count: number, random: () => number, figures: Figures): number[] {
  const last = recording.at(-1)?.start ?? 0;
  const responses = recording.filter(({ kind }) => kind === 'response').map(({ start }) => start);
  const first = responses[0] ?? 0;
  const writes = recording.filter((call) => call.kind === 'write' && call.start >= first);
  const checkpoints = writes
    .filter((call) => call.kind === 'write' && call.path.endsWith('.sqlite'))
    .map(({ start }) => start);
  const walRestarts = writes
    .filter((call) => call.kind === 'write' && call.path.endsWith('-wal') && call.offset === 0)
    .map(({ start }) => start);
  const pickRandom = (list: number[]) => list[Math.floor(random() * list.length)];
  const cutPositions = Array.from({ length: count }, () => {
    const randomNumber = random();
    if (randomNumber < 0.25) {
      const cut = pickRandom(checkpoints);
      if (cut !== undefined) figures.inCheckpoint += 1;
      if (cut !== undefined) return cut;
    } else if (randomNumber < 0.4) {
      const cut = pickRandom(walRestarts);
      if (cut !== undefined) figures.afterRestart += 1;
      if (cut !== undefined) return cut + Math.floor(random() * 80);
    } else if (randomNumber < 0.5) return first + Math.floor(random() * (last - first));
    return pickRandom(responses) ?? last;
  });
  return cutPositions.sort((a, b) => a - b);
}
