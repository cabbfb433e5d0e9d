// Taking a backup of a running server: the database first, as it is at one moment, then the files that it names. Files never change
// and, while it lasts, none is removed: so what was copied first names nothing that cannot be copied after.
import { mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Config } from '../config.ts';
import { setCount } from '../counters.ts';
import { connect } from '../db/connect.ts';
import type { Database } from '../db/schema.ts';
import { openFiles } from '../files/choose.ts';
import { type FileStore, openDisk } from '../files/store.ts';
import { sha256 } from '../ids.ts';
import { fileOf } from '../uploads/take.ts';
import { holdPurges } from './hold.ts';
import { describeFile, type Manifest, manifestName, partialEnding, readFacts, sealName, sealOf } from './manifest.ts';
import { postgresBackup } from './postgres.ts';
import { sqliteBackup } from './sqlite.ts';

export const backupEngine = (config: Config) => (config.databaseUrl ? postgresBackup : sqliteBackup);

const packageFile = join(import.meta.dirname, '../../../package.json');

/** Makes a backup in a new folder inside `into`, named by the time, and gives its path. When it rejects, nothing is left of it. */
export async function takeBackup(
  config: Config,
  into: string,
  now = new Date(),
): Promise<{ folder: string; manifest: Manifest }> {
  const folder = join(resolve(into), `park-reports-${now.toISOString().slice(0, 19).replaceAll(':', '-')}Z`);
  const partial = `${folder}${partialEnding}`;
  if (!(await backupEngine(config).hasData(config)))
    throw new Error('There is no database to back up. Set DATA_DIR (or DATABASE_URL) as the server has it.');
  const db = await connect(config);
  try {
    await mkdir(resolve(into), { recursive: true, mode: 0o700 });
    await mkdir(partial, { mode: 0o700 });
    try {
      const manifest = await holdPurges(db, now, () => fill(config, partial, now));
      await rename(partial, folder);
      await sync(resolve(into));
      await setCount(db, 'last backup', Math.floor(now.getTime() / 1000));
      return { folder, manifest };
    } catch (error) {
      await rm(partial, { recursive: true, force: true });
      throw error;
    }
  } finally {
    await db.destroy();
  }
}

async function fill(config: Config, folder: string, now: Date): Promise<Manifest> {
  const engine = backupEngine(config);
  const file = join(folder, engine.fileName);
  const files: Manifest['files'] = {};
  const source = await openFiles(config, { beside: true });
  const target = await openDisk(join(folder, 'uploads'));
  const facts = await engine.dump(config, file, async (db) => {
    for await (const uploads of pagesOfUploads(db))
      await Promise.all(uploads.map(async (upload) => Object.assign(files, await copyUpload(source, target, upload))));
    return readFacts(db);
  });
  await rm(join(folder, 'uploads', '.unfinished'), { recursive: true });
  files[engine.fileName] = await describeFile(file);
  const { version } = JSON.parse(await readFile(packageFile, 'utf8')) as { version: string };
  const manifest: Manifest = { format: 1, made_at: now.toISOString(), version, engine: engine.name, ...facts, files };
  const text = `${JSON.stringify(manifest, null, 1)}\n`;
  for (const [name, content] of [
    [manifestName, text],
    [sealName, sealOf(text)],
  ] as const)
    await writeFile(join(folder, name), content, { mode: 0o640, flush: true });
  await sync(folder);
  return manifest;
}

type Upload = { path: string; sha256_stored: string };

/** Every upload, a few at a time. */
export async function* pagesOfUploads(db: Database): AsyncGenerator<Upload[]> {
  for (let after = ''; ; ) {
    const page = await db
      .selectFrom('uploads')
      .select(['path', 'sha256_stored'])
      .where('path', '>', after)
      .orderBy('path')
      .limit(16)
      .execute();
    if (page.length === 0) return;
    yield page;
    after = page.at(-1)?.path ?? '';
  }
}

async function copyUpload(
  source: FileStore,
  target: FileStore,
  { path, sha256_stored }: Upload,
): Promise<Manifest['files']> {
  const name = fileOf(path);
  const bytes = await source.read(name);
  if (!bytes)
    throw new Error(`The file ${path}, which the database names, is missing. Look for it in an older backup.`);
  if (sha256(bytes) !== sha256_stored)
    throw new Error(`The file ${path} is not as it was written. Look for it in an older backup.`);
  await target.write(name, bytes);
  return { [`uploads/${name}`]: { size: bytes.length, sha256: sha256_stored } };
}

async function sync(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder);
  await handle.sync().finally(() => handle.close());
}
