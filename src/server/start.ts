// Starts and stops the server: settings, disk, database, first admin, listen.
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { createRecordSearch } from './access-requests/record-search.ts';
import { createApp, createGuestApp, type RegisterPages } from './app.ts';
import { upgrade } from './backup/upgrade.ts';
import { type Clock, createClock } from './clock.ts';
import { type Config, readSettingFile } from './config.ts';
import { revokeLogUpdates } from './db/append-only.ts';
import { assertIntegrity, checkpoint, connect, enableGroupSync, getSqlitePath, toDamageError } from './db/connect.ts';
import { canCheckInParallel, type Integrity, startParallelCheck } from './db/integrity.ts';
import type { Migrations } from './db/migrate.ts';
import { createReaderDatabase, openReader } from './db/reader.ts';
import type { Database } from './db/schema.ts';
import { writeWaitingEntries } from './db/write-transaction.ts';
import { checkDataFolder, lockDataFolder } from './files/data-folder.ts';
import { createSpaceGuard } from './files/disk-space.ts';
import { createImageProcessor, type ImagePool } from './files/image-processor.ts';
import { needsDataFolderLock, openFileStore } from './files/open-store.ts';
import { openPreviews } from './files/previews.ts';
import { openTemporaryFiles } from './files/temporary-files.ts';
import { createBodyReceiver } from './http/body-receiver.ts';
import { createRequestTracker } from './http/in-flight.ts';
import { startMaintenance } from './maintenance/maintenance.ts';
import { startSender } from './notifications/sender.ts';
import { startPackBuilder } from './packs/builder.ts';
import { registerBuiltPages } from './pages/pages.ts';
import { startParkList } from './parks/park-list.ts';
import { createPdfRenderer, type PdfPool } from './pdf/render.ts';
import { describeBrokenLink, findBrokenLinks } from './records/links.ts';
import { replayLedger } from './retention/replay.ts';
import { closeListedParks } from './schedules/closed-parks.ts';
import { openSecrets } from './secrets/secrets-key.ts';
import { countLostPasskeys } from './sign-in/factors/passkeys.ts';
import { startFactorPolicy } from './sign-in/session/factor-policy.ts';
import { createFirstAdmin } from './users/first-admin.ts';
import { createZipper } from './zip/zipper.ts';

type RunningServer = {
  server: FastifyInstance;
  /** The server of the pages for guests; undefined without GUEST_REPORTS. */
  guestServer: FastifyInstance | undefined;
  db: Database;
  /** The server's URL for a browser on this machine. */
  address: string;
  /** The port of the app. */
  port: number;
  /** The generated password of the first admin, if just created. */
  firstPassword: string | undefined;
  /** Rejects new requests, waits up to 10 s for in-flight ones, and closes everything. */
  stop(): Promise<void>;
};

type Options = {
  clock?: Clock;
  registerPages?: RegisterPages;
  migrations?: Migrations;
  /** How often the server looks for messages to send and packs to build. */
  pollMs?: number;
  /** Pools of child processes to share; by default the server creates its own. */
  pools?: { images: ImagePool; pdfs: PdfPool };
};

const MiB = 2 ** 20;

/** Starts a server; resolves when it responds. Throws, with the reason, if it must not start. */
export async function start(config: Config, options: Options = {}): Promise<RunningServer> {
  await checkDataFolder(config.dataDir, { containsDatabase: !config.databaseUrl });
  const unlock = needsDataFolderLock(config) ? lockDataFolder(config.dataDir) : () => {};
  try {
    const startedServer = await startInFolder(config, options);
    return { ...startedServer, stop: () => startedServer.stop().finally(unlock) };
  } catch (error) {
    unlock();
    throw toDamageError(error);
  }
}

/** Opens, checks and migrates the database, and opens its secrets; closes it again if that fails. */
async function openDatabase(config: Config, now: Date, migrations?: Migrations) {
  const isCheckedLater = !config.databaseUrl && canCheckInParallel(getSqlitePath(config.dataDir));
  const db = await connect(config);
  try {
    if (!isCheckedLater) await assertIntegrity(db);
    const backup = await upgrade(config, db, now, migrations);
    const unlistedParks = await startParkList(config.parksFile, db);
    await revokeLogUpdates(db);
    return { db, backup, isCheckedLater, unlistedParks, secrets: await openSecrets(config, db) };
  } catch (error) {
    await db.destroy();
    throw error;
  }
}

/** Logs links to nothing, so that an operator learns of them before a user does. Never rejects. */
async function logBrokenLinks(db: Database, log: FastifyInstance['log'], signal: AbortSignal): Promise<void> {
  try {
    const broken = await findBrokenLinks(db);
    if (broken.length > 0)
      log.error({ links: broken.map(describeBrokenLink) }, 'the database has links to nothing (docs/operating.md)');
  } catch (error) {
    if (!signal.aborted) log.error({ err: error }, 'the links in the database could not be checked');
  }
}

const drainTimeoutMs = 10_000;

async function close(server: FastifyInstance | undefined): Promise<void> {
  const closing = server?.close();
  server?.server.closeAllConnections();
  await closing;
}

/** Starts the server. Call it while the data folder is locked. */
async function startInFolder(
  config: Config,
  { clock = createClock(), registerPages = registerBuiltPages, migrations, pollMs, pools: ownPools }: Options,
): Promise<RunningServer> {
  const { name: operatorName, logo: logoFile } = config.operator;
  const logo = logoFile ? await readSettingFile('OPERATOR_LOGO', logoFile) : undefined;
  const space = createSpaceGuard({
    folder: config.dataDir,
    ballastBytes: config.space.ballastMb * MiB,
    ballastRoomBytes: config.space.ballastRoomMb * MiB,
    minFreeForUploads: config.space.uploadFreeMb * MiB,
    minFreeForWrites: config.space.writeFreeMb * MiB,
  });
  await space.maintainBallast();
  await space.releaseStartReserve();
  const { db, backup, isCheckedLater, unlistedParks, secrets } = await openDatabase(config, clock(), migrations);
  const files = await openFileStore(config);
  await startFactorPolicy(db, config, clock());
  const firstPassword = await createFirstAdmin(db, config, clock());
  const temporaryFiles = await openTemporaryFiles(join(config.dataDir, 'temporary'), {
    isInUse: !needsDataFolderLock(config),
  });
  const imageProcessor = createImageProcessor(temporaryFiles, ownPools?.images);
  const previews = await openPreviews(config, { files, imageProcessor, temporaryFiles });
  const pdf = createPdfRenderer({ operatorName, ...(logo && { logo }) }, ownPools?.pdfs);
  const zipper = createZipper();
  const recordSearch = createRecordSearch(config);
  const requestTracker = createRequestTracker();
  const receiver = createBodyReceiver();
  const integrity: Integrity = {};
  const reader = config.databaseUrl ? undefined : openReader(getSqlitePath(config.dataDir));
  const parts = {
    config,
    db,
    clock,
    files,
    imageProcessor,
    previews,
    temporaryFiles,
    space,
    pdf,
    zipper,
    requestTracker,
    receiver,
    reader,
    integrity,
    recordSearch,
    secrets,
  };
  const server = await createApp(parts, registerPages);
  const guestServer = config.guestUrl ? await createGuestApp(parts) : undefined;
  await closeListedParks(db, clock());
  const replayedCount = await replayLedger({ db, config, files, clock });
  enableGroupSync(db, (error) => {
    server.log.fatal(
      { err: error },
      'the disk could not be synced: the server ends, and has acknowledged nothing that may be lost',
    );
    process.exit(1);
  });
  const metrics =
    config.metrics.port === undefined
      ? undefined
      : await (await import('./http/metrics.ts')).startMetricsServer(server, parts);
  const stopMaintenance = await startMaintenance({ ...parts, log: server.log });
  const stopSender = await startSender({ ...parts, log: server.log }, pollMs);
  const stopPackBuilder = await startPackBuilder({ ...parts, log: server.log }, pollMs);
  if (backup) server.log.info({ backup }, 'the database was of an older version: backed up, then brought up to date');
  if (unlistedParks.length > 0)
    server.log.warn(
      { parks: unlistedParks },
      'these parks are in the database and not in the list: they count as closed',
    );
  if (replayedCount > 0)
    server.log.warn(
      { destroyedAgain: replayedCount },
      'records that a restored backup had brought back were destroyed again',
    );
  const lostPasskeys = await countLostPasskeys(db, config);
  if (lostPasskeys > 0)
    server.log.warn(
      { lostPasskeys, host: config.passkeyHost },
      'passkeys of another address cannot be used: PUBLIC_URL has another host name (docs/operating.md)',
    );
  if (metrics) server.log.info({ port: metrics.port }, 'figures for Prometheus');
  await space.restoreStartReserve();
  await server.listen({ port: config.port, host: config.host });
  await guestServer?.listen({ port: config.guestPort, host: config.host });
  const { port } = server.server.address() as AddressInfo;
  const address = `http://localhost:${port}`;
  const check = isCheckedLater ? startParallelCheck(getSqlitePath(config.dataDir)) : undefined;
  void check?.problem.then((problem) => {
    if (!problem) return;
    integrity.problem = problem;
    server.log.fatal(
      { problem },
      'the database is damaged: stop the server and restore the last backup (docs/operating.md)',
    );
  });

  const linkCheckEnd = new AbortController();
  // A large database is read in a thread, which delays no request, and ends when it is done: it takes memory.
  const linkReader = isCheckedLater ? openReader(getSqlitePath(config.dataDir)) : undefined;
  const linkCheck = logBrokenLinks(
    linkReader ? createReaderDatabase(linkReader, { signal: linkCheckEnd.signal }) : db,
    server.log,
    linkCheckEnd.signal,
  ).then(() => linkReader?.close());

  return {
    server,
    guestServer,
    db,
    address: config.publicUrl || address,
    port,
    firstPassword,
    async stop() {
      await requestTracker.drain(drainTimeoutMs);
      linkCheckEnd.abort();
      await linkCheck;
      stopMaintenance();
      await Promise.all([stopSender(), stopPackBuilder()]);
      await Promise.all([server, guestServer].map(close));
      await metrics?.close();
      await Promise.all([imageProcessor.close(), previews.close(), pdf.close(), zipper.close(), recordSearch.close()]);
      await reader?.close();
      await check?.end();
      await writeWaitingEntries(db).catch((error) =>
        server.log.error({ err: error }, 'entries of the activity log could not be written and are lost'),
      );
      await checkpoint(db);
      await db.destroy();
    },
  };
}
