// The server's life: settings → disk → database → first admin → listen, and an orderly end.
import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { createApp, type ServeScreens } from './app.ts';
import { type Clock, createClock } from './clock.ts';
import type { Config } from './config.ts';
import { connect } from './db/connect.ts';
import { migrate } from './db/migrate.ts';
import type { Database } from './db/schema.ts';
import { createIntake } from './files/intake.ts';
import { createSpaceGuard } from './files/space.ts';
import { openDisk } from './files/store.ts';
import { serveBuiltScreens } from './http/static.ts';
import { createPdfRenderer } from './pdf/render.ts';
import { sweep } from './sweep.ts';
import { makeFirstAdmin } from './users/first-admin.ts';

export type Running = {
  server: FastifyInstance;
  db: Database;
  /** Where it answers, for a browser on this machine. */
  address: string;
  /** The generated password of the first admin, when one was made just now. */
  firstPassword: string | undefined;
  /** Takes no more requests, finishes those under way within 10 s, and closes everything. */
  stop(): Promise<void>;
};

type Options = { clock?: Clock; serveScreens?: ServeScreens };

const MiB = 2 ** 20;

/** Starts a server and resolves when it answers. Throws, with the reason, when it must not start. */
export async function start(
  config: Config,
  { clock = createClock(), serveScreens = serveBuiltScreens }: Options = {},
): Promise<Running> {
  const space = createSpaceGuard({
    folder: config.dataDir,
    ballastBytes: config.space.ballastMb * MiB,
    uploadBytes: config.space.uploadFreeMb * MiB,
    writeBytes: config.space.writeFreeMb * MiB,
  });
  await space.tend();
  const db = await connect(config);
  await migrate(db);
  const files = await openDisk(join(config.dataDir, 'uploads'));
  const firstPassword = await makeFirstAdmin(db, config, clock());
  const intake = createIntake();
  const { name, logo } = config.operator;
  const pdf = createPdfRenderer({ operatorName: name, ...(logo && { logo: await readFile(logo) }) });
  const parts = { config, db, clock, files, intake, space, pdf };
  const server = await createApp(parts, serveScreens);
  const stopSweeping = sweep({ ...parts, log: server.log });
  await server.listen({ port: config.port, host: config.host });
  const { port } = server.server.address() as AddressInfo;
  const address = `http://localhost:${port}`;

  return {
    server,
    db,
    address: config.publicUrl || address,
    firstPassword,
    async stop() {
      stopSweeping();
      await server.close();
      await Promise.all([intake.close(), pdf.close()]);
      await db.destroy();
    },
  };
}
