// What a backup says of itself: every file with its hash, every table with its rows, and where the activity log ended.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { sql } from 'kysely';
import * as z from 'zod/mini';
import type { Database } from '../db/schema.ts';
import { sha256 } from '../ids.ts';

const Facts = z.object({
  /** The migrations the database has had. */
  schema: z.array(z.string()),
  /** How many rows each table has. */
  tables: z.record(z.string(), z.number()),
  activity: z.object({ seq: z.number(), hash: z.string() }),
});
export type Facts = z.output<typeof Facts>;

const Manifest = z.extend(Facts, {
  format: z.literal(1),
  made_at: z.string(),
  version: z.string(),
  engine: z.enum(['sqlite', 'postgres']),
  /** By their path in the backup. */
  files: z.record(z.string(), z.object({ size: z.number(), sha256: z.string() })),
});
export type Manifest = z.output<typeof Manifest>;

export const manifestName = 'manifest.json';
export const sealName = 'manifest.json.sha256';

/** As `sha256sum --check` reads it. */
export const sealOf = (manifest: string) => `${sha256(manifest)}  ${manifestName}\n`;

/** What a backup's folder is called until it is whole and on the disk. */
export const partialEnding = '.partial';

/** Refuses a folder that is no backup, that was never finished, or whose manifest is not as it was written. */
export async function readManifest(folder: string): Promise<Manifest> {
  if (resolve(folder).endsWith(partialEnding))
    throw new Error(`${folder} is not a backup: it was cut off before it was finished. Remove it and take another.`);
  const [text, seal] = await Promise.all(
    [manifestName, sealName].map((name) => readFile(join(folder, name), 'utf8').catch(() => undefined)),
  );
  if (text === undefined || seal === undefined) throw new Error(`${folder} is not a backup: it has no manifest.`);
  if (seal !== sealOf(text)) throw new Error(`The backup is damaged: ${manifestName} is not as it was written.`);
  const read = Manifest.safeParse(JSON.parse(text));
  if (!read.success) throw new Error('This backup was made by a newer version of the program.');
  return read.data;
}

/** Refuses a backup that lacks a file, has one too many, or one that is not as it was written. */
export async function checkFiles(folder: string, { files }: Manifest): Promise<void> {
  const found = new Set(await listFiles(folder));
  for (const name of [manifestName, sealName]) found.delete(name);
  for (const [path, known] of Object.entries(files)) {
    if (!found.delete(path)) throw new Error(`The backup is damaged: ${path} is missing.`);
    if ((await describeFile(join(folder, path))).sha256 !== known.sha256)
      throw new Error(`The backup is damaged: ${path} is not as it was written.`);
  }
  for (const path of found) throw new Error(`The backup is damaged: ${path} does not belong to it.`);
}

const listFiles = async (folder: string) =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));

export async function describeFile(path: string) {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return { size: (await stat(path)).size, sha256: hash.digest('hex') };
}

/** Sessions are not in a backup: who restores one signs in anew. */
const leftOut = new Set(['sessions', 'kysely_migration', 'kysely_migration_lock']);

export async function readFacts(db: Database): Promise<Facts> {
  const tables: Facts['tables'] = {};
  const all = await db.introspection.getTables();
  for (const { name } of all.filter(
    (table) => !table.isView && !leftOut.has(table.name) && !/_search/.test(table.name),
  )) {
    const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.ref(name)}`.execute(db);
    tables[name] = rows[0]?.count ?? 0;
  }
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  const activity = await db.selectFrom('activity_head').select(['seq', 'hash']).executeTakeFirstOrThrow();
  return { schema: rows.map((row) => row.name), tables, activity };
}
