// A backup's manifest: every file with its hash, every table with its number of rows, and the end
// of the activity log.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { sql } from 'kysely';
import * as z from 'zod/mini';
import { listAppliedMigrations } from '../db/migrate.ts';
import type { Database } from '../db/schema.ts';
import { listBackedUpTables } from '../db/tables.ts';
import { sha256 } from '../hash.ts';

const Facts = z.object({
  /** The names of the migrations applied to the database. */
  schema: z.array(z.string()),
  /** The number of rows of each table. */
  tables: z.record(z.string(), z.number()),
  activity: z.object({ seq: z.number(), hash: z.string() }),
});
type Facts = z.output<typeof Facts>;

const Manifest = z.extend(Facts, {
  format: z.literal(1),
  made_at: z.string(),
  version: z.string(),
  engine: z.enum(['sqlite', 'postgres']),
  /** The files by their path in the backup. */
  files: z.record(z.string(), z.object({ size: z.number(), sha256: z.string() })),
});
export type Manifest = z.output<typeof Manifest>;

export const manifestName = 'manifest.json';
export const manifestHashName = 'manifest.json.sha256';

/** Returns the hash in the format that `sha256sum --check` reads. */
export const createManifestHash = (manifest: string) => `${sha256(manifest)}  ${manifestName}\n`;

/** Throws if the manifest is not valid, as that of a newer version may be. */
export function parseManifest(text: string): Manifest {
  const read = Manifest.safeParse(JSON.parse(text));
  if (!read.success) throw new Error('This backup was made by a newer version of the program.');
  return read.data;
}

export async function describeFile(path: string) {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return { size: (await stat(path)).size, sha256: hash.digest('hex') };
}

export async function readDatabaseFacts(db: Database): Promise<Facts> {
  const tables: Facts['tables'] = {};
  for (const name of await listBackedUpTables(db)) {
    const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.ref(name)}`.execute(db);
    tables[name] = rows[0]?.count ?? 0;
  }
  const activity = await db.selectFrom('activity_head').select(['seq', 'hash']).executeTakeFirstOrThrow();
  return { schema: await listAppliedMigrations(db), tables, activity };
}
