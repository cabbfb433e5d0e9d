import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { createBackup } from '../backup/create-backup.ts';
import { restoreBackup } from '../backup/restore.ts';
import { openFileStore } from '../files/open-store.ts';
import { getFilePath } from '../files/upload-path.ts';
import { deleteUnusedUploads } from '../maintenance/unused-uploads.ts';
import { createTestFolder } from '../testing/folder.ts';
import { runProgram } from '../testing/process.ts';
import { startRetentionTest } from '../testing/retention-server.ts';
import { runInSteps } from '../testing/retention-steps.ts';
import { readRows } from '../testing/rows.ts';
import { engines } from '../testing/server.ts';
import { connectTo, createStorage } from '../testing/storage.ts';
import { setUp } from '../testing/test-server.ts';
import { readLedger } from './ledger.ts';
import { replayLedger } from './replay.ts';

describe.each(engines)('a retention run after an interruption or a restored backup, on %s', (engine) => {
  const folder = createTestFolder();
  const { server, admin, clock, setDay, submit, list, run, countRows } = setUp(() => startRetentionTest(engine));
  beforeEach(() => setDay('2026-06-01'));

  test('records destroyed since a backup are destroyed again after the backup is restored', async () => {
    const destroyedReport = await submit({ name: 'Once More' });
    const keptReport = await submit();
    await setDay('2045-01-01');
    const { folder: backup } = await createBackup(server.config, folder, { now: clock() });
    await run((await list()).hash, [destroyedReport.id]);
    expect(await readLedger(server.config.retention.ledger)).toContainEqual(
      expect.objectContaining({ id: destroyedReport.id }),
    );
    // The next backup copies the erasure ledger beside itself and the older backups.
    await createBackup(server.config, folder, { now: new Date(clock().getTime() + 1000) });
    expect(readFileSync(join(folder, 'destroyed.jsonl'), 'utf8')).toContain(destroyedReport.id);

    const storage = await createStorage(engine);
    const retention = { ...server.config.retention, ledger: join(storage.dataDir, 'destroyed.jsonl') };
    const config = { ...server.config, ...storage, retention };
    await restoreBackup(config, backup);
    const db = await connectTo(config);
    const ids = async () => (await db.selectFrom('reports').select('id').execute()).map(({ id }) => id);
    expect(await ids()).toEqual(expect.arrayContaining([destroyedReport.id, keptReport.id]));
    const files = await openFileStore(config);
    const services = { db, config, files, clock };
    // Two instances that start at once.
    const [first, second] = await Promise.all([replayLedger(services), replayLedger(services)]);
    expect(first + second).toBeGreaterThan(0);
    expect(await ids()).not.toContain(destroyedReport.id);
    expect(await ids()).toContain(keptReport.id);
    expect(
      await db.selectFrom('uploads').select('path').where('attached_id', '=', destroyedReport.id).execute(),
    ).toEqual([]);
    expect(await replayLedger(services)).toBe(0);
  });

  test('a retention run that crashes at any step leaves each report complete or destroyed; the next start continues', {
    timeout: 180_000,
  }, async () => {
    const files = await openFileStore(server.config, { isInUse: true });
    const { ledger } = server.config.retention;
    const create = async () => {
      const report = await submit({ name: 'Stopped Steffan' });
      await admin(api.saveAssessment, { params: report.params, body: { version: 0, answers: {}, people: [{}] } });
      const uploads = await readRows(server.db, 'uploads', { attached_id: report.id });
      return { ...report, paths: uploads.map(({ path }) => path) };
    };
    /**
     * Returns how much of a report exists. It must be everything, or nothing but the certificate.
     */
    const findState = async ({ id, paths }: Awaited<ReturnType<typeof create>>) => {
      const { db } = server;
      const rows = await Promise.all([
        db.selectFrom('reports').select('id').where('id', '=', id).execute(),
        db.selectFrom('assessments').select('id').where('report_id', '=', id).execute(),
        db.selectFrom('uploads').select('path').where('attached_id', '=', id).execute(),
      ]);
      const certificates = await db.selectFrom('destroyed').select('id').where('id', '=', id).execute();
      const log = await readRows(db, 'activity', { thing_id: id, action: 'destroyed' });
      const storedFiles = paths.filter((path) => existsSync(join(server.folder, 'uploads', getFilePath(path))));
      const state = {
        rows: rows.map((tableRows) => tableRows.length),
        files: storedFiles.length,
        certificates: certificates.length,
        entries: log.length,
        isInLedger: (await readLedger(ledger)).some((entry) => entry.id === id),
      };
      const completeState = { rows: [1, 1, 3], files: 3, certificates: 0, entries: 0, isInLedger: false };
      const destroyedState = { rows: [0, 0, 0], files: 0, certificates: 1, entries: 1, isInLedger: true };
      return {
        isComplete: rows[0].length === 1,
        state,
        expected: rows[0].length === 1 ? completeState : destroyedState,
      };
    };
    const restart = async () => {
      await replayLedger({ db: server.db, config: server.config, files, clock });
      // The hourly maintenance deletes files that no row names.
      await deleteUnusedUploads({ db: server.db, files, clock });
    };
    const { config, db } = server;
    const createPair = async () => {
      await setDay('2026-06-01');
      return [await create(), await create()] as const;
    };
    let recordPair = await createPair();
    const getRun = async () => {
      await setDay('2046-02-01');
      const body = { hash: (await list()).hash, ids: recordPair.map(({ id }) => id), count: 2 };
      return { user: { id: admin.id, username: admin.username }, now: clock().toISOString(), body };
    };
    /** Checks the pair after a restart. Both are destroyed or neither: they are in one transaction. */
    const expectDestroyed = async (at: string, isDestroyed: boolean) => {
      await restart();
      const states = await Promise.all(recordPair.map(findState));
      for (const { state, expected } of states) expect([at, state]).toEqual([at, expected]);
      expect([at, ...states.map(({ isComplete }) => isComplete)]).toEqual([at, !isDestroyed, !isDestroyed]);
      if (isDestroyed) recordPair = await createPair();
    };

    let steps = 0;
    // Count a second run, because the first one runs a query more.
    for (let run = 0; run < 2; run++) {
      steps = 0;
      await runInSteps({ config, db, files }, await getRun(), () => {
        steps += 1;
      });
      recordPair = await createPair();
    }
    // The last six steps delete files. The step before them follows the commit.
    const commitStep = steps - 6;
    expect(commitStep).toBeGreaterThan(40);
    const inTransaction = Array.from({ length: Math.floor(commitStep / 6) }, (_, index) => 1 + index * 6);
    const stepsAfterCommit = Array.from({ length: 7 }, (_, index) => commitStep + index);
    for (const stopStep of [...inTransaction, commitStep - 1, ...stepsAfterCommit]) {
      let step = 0;
      const run = runInSteps({ config, db, files }, await getRun(), () => {
        step += 1;
        // After the simulated crash every further operation fails.
        if (step >= stopStep) throw new Error('stopped');
      });
      await expect(run).rejects.toThrow('stopped');
      await expectDestroyed(`stopped at step ${stopStep} of ${steps}`, stopStep >= commitStep);
    }

    const program = join(import.meta.dirname, '../testing/killed-retention-run.ts');
    const settings = { DATA_DIR: config.dataDir, DATABASE_URL: config.databaseUrl };
    for (const [step, count] of [
      ['query', '25'],
      ['committed', '1'],
      ['file', '1'],
      ['file', '5'],
    ] as const) {
      const { code, output } = await runProgram([program, step, count, JSON.stringify(await getRun())], settings);
      // The exit code is null, because a signal ended the process.
      expect([step, count, code, output]).toEqual([step, count, null, '']);
      await expectDestroyed(`killed at ${step} ${count}`, step !== 'query');
    }
  });

  test('a ledger of destroyed records that could not be written, or was cut off, is completed at the next start', async () => {
    const { id } = await submit();
    await setDay('2046-01-01');
    const { hash } = await list();
    // The ledger cannot be written, as if the server crashed right after the commit.
    const { ledger } = server.config.retention;
    server.running.server.log.level = 'silent';
    const ledgerText = readFileSync(ledger, 'utf8');
    rmSync(ledger);
    const { mkdirSync, writeFileSync } = await import('node:fs');
    mkdirSync(ledger);
    await expect(run(hash, [id])).rejects.toMatchObject({ status: 500 });
    rmSync(ledger, { recursive: true });
    writeFileSync(ledger, `${ledgerText}{"id":"cut o`);
    expect(await countRows(id)).toBe(0);
    const files = await openFileStore(server.config, { isInUse: true });
    await replayLedger({ db: server.db, config: server.config, files, clock });
    expect(await readLedger(ledger)).toContainEqual(expect.objectContaining({ id }));
  });
});
