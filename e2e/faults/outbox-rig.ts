// A device with a real outbox and a real server; both can be killed. A report is filled in once,
// and copies of its stored item are sent under every fault.
import { appendFileSync, globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Page } from '@playwright/test';
import { api } from '#shared/api.ts';
import { parseConfig } from '../../src/server/config.ts';
import { connect } from '../../src/server/db/connect.ts';
import { hashPassword } from '../../src/server/sign-in/session/passwords.ts';
import { newAudit } from '../../src/server/testing/factories.ts';
import { startProcess } from '../../src/server/testing/process.ts';
import { password, signInAt } from '../../src/server/testing/server.ts';
import { testSettings } from '../../src/server/testing/settings.ts';
import { insertUser } from '../../src/server/users/store.ts';
import { photo } from '../interactions.ts';
import { addPhotos, affectedSignature, fillIn, ownSignature, signByTyping, submit } from '../report-form.ts';
import { startFaultProxy } from './fault-proxy.ts';
import { type KillableBrowser, startBrowser } from './killable-browser.ts';

export const kinds = ['report', 'checklist', 'audit', 'completion'] as const;
export type Kind = (typeof kinds)[number];

export type Copy = {
  name: string;
  kind: Kind;
  /** The idempotency keys of its requests: photos, signatures, the report. */
  requests: string[];
  hashes: string[];
};

export type OutboxRig = Awaited<ReturnType<typeof startOutboxRig>>;

export async function startOutboxRig({ hangMs }: { hangMs: number }) {
  const folder = mkdtempSync(join(tmpdir(), 'outbox-'));
  const profile = join(folder, 'browser');
  const settings = { DATA_DIR: join(folder, 'data'), ADMIN_PASSWORD: password };
  let server = await startProcess(settings);
  const db = (await connect(parseConfig({ ...testSettings, ...settings }))).withoutPlugins();
  const passwordHash = await hashPassword(password);
  const user = { username: 'sian', passwordHash, role: 'None', park: 'Lido Beach', mustChangePassword: false } as const;
  await insertUser(db, user, new Date());
  await insertUser(db, { ...user, username: 'huw', role: 'Admin' }, new Date());
  const proxy = await startFaultProxy(() => server.url, hangMs);
  let browser: KillableBrowser = await startBrowser(profile);

  async function signIn() {
    const { cookie } = await signInAt(server.url, 'sian');
    const [name = '', value = ''] = cookie.split('=');
    await browser.context.addCookies([{ name, value, url: proxy.url, httpOnly: true, sameSite: 'Strict' }]);
  }

  /** A page of the app's origin that does not load the app. */
  async function withPageWithoutApp<T>(work: (page: Page) => Promise<T>): Promise<T> {
    const page = await browser.context.newPage();
    await page.goto(`${proxy.url}/healthz`);
    return work(page).finally(() => page.close());
  }

  const signInAdmin = () => signInAt(server.url, 'huw');

  async function insertChecklist(title: string): Promise<string> {
    const sections = [{ title: 'Chlorine', type: 'text' as const, required: true }];
    return (await (await signInAdmin())(api.createChecklist, { body: { title, sections } })).id;
  }

  let checklistId: string | undefined;
  let folder_id: string | undefined;

  /** The properties in which items of this kind differ from a report's. */
  async function createChanges(kind: Kind, name: string): Promise<Omit<ItemChanges, 'name'>> {
    if (kind === 'report') return { photos: 3, signatures: 2, changes: {}, body: undefined };
    if (kind === 'checklist') {
      checklistId ??= await insertChecklist('Of the schedules');
      const changes = { kind, form: `checklist/${checklistId}`, address: '/checklists' };
      return { photos: 0, signatures: 0, changes, body: { checklistId, data: { 0: name } } };
    }
    const admin = await signInAdmin();
    folder_id ??= (await admin(api.createFolder, { body: { name: 'Plant', park: 'Lido Beach' } })).id;
    if (kind === 'audit') {
      const changes = { kind, form: `create-audit/${folder_id}`, address: `/audits/${folder_id}/create` };
      return { photos: 3, signatures: 0, changes, body: { folder_id, title: name } };
    }
    const { id: recordId } = await admin(api.createAudit, { body: newAudit(folder_id, { title: name }) });
    const changes = { kind, form: `audit/${recordId}`, address: `/audit/${recordId}`, recordId };
    const data = { completed: true, description: 'In order', media_files: [] };
    return { photos: 3, signatures: 0, changes, body: { data, version: 1 } };
  }

  /** The ids of the records created from this copy. */
  async function findRecords({ kind, name }: Copy): Promise<string[]> {
    const rows =
      kind === 'report'
        ? await db.selectFrom('reports').select('id').where('name', '=', name).execute()
        : kind === 'checklist'
          ? await db.selectFrom('submissions').select('id').where('data', 'like', `%"${name}"%`).execute()
          : await db.selectFrom('audits').select(['id', 'completed']).where('title', '=', name).execute();
    return rows.filter((row) => kind !== 'completion' || ('completed' in row && row.completed)).map(({ id }) => id);
  }

  return {
    db,
    proxy,
    signIn,
    get context() {
      return browser.context;
    },
    url: (path: string) => `${proxy.url}${path}`,
    async open(path = '/outbox', offsetMs = 0): Promise<Page> {
      const page = await browser.context.newPage();
      if (offsetMs !== 0)
        await page.addInitScript((offset) => {
          const { now } = Date;
          Date.now = () => now() + offset;
        }, offsetMs);
      await page.goto(`${proxy.url}${path}`).catch(() => undefined);
      return page;
    },
    async killBrowser() {
      await browser.kill();
      browser = await startBrowser(profile);
      await signIn();
    },
    /**
     * Kills the browser in the middle of a write to IndexedDB: the last record of its log has a
     * header (checksum, length, type) without content. At its second start Chromium then finds a
     * wrong checksum, and deletes the database.
     */
    async killBrowserWhileItWrites() {
      await browser.kill();
      const databases = join(profile, 'Default/IndexedDB');
      const [log] = globSync('*.leveldb/*.log', { cwd: databases }).toSorted().slice(-1);
      appendFileSync(join(databases, log ?? ''), Buffer.from([0x11, 0x22, 0x33, 0x44, 64, 0, 1]));
      browser = await startBrowser(profile);
      await signIn();
    },
    async killServer() {
      await server.end('SIGKILL');
      server = await startProcess(settings);
    },
    async killBoth() {
      await Promise.all([browser.kill(), server.end('SIGKILL')]);
      [server, browser] = await Promise.all([startProcess(settings), startBrowser(profile)]);
      await signIn();
    },
    /**
     * Fills in a report through its form, and keeps the stored item as the template of the copies.
     */
    async fillInTemplate() {
      await signIn();
      const page = await this.open('/reporting');
      await fillIn(page);
      await addPhotos(page, ['phone-jolla.jpg', 'gps-DSCN0010.jpg', 'orientation-landscape-6.jpg'].map(photo));
      await signByTyping(page, ownSignature);
      await signByTyping(page, affectedSignature);
      proxy.setOffline(true);
      await submit(page).click();
      await page.getByText('Saved on this device.').waitFor();
      await page.close();
      proxy.setOffline(false);
      await withPageWithoutApp((page) => page.evaluate(saveAsTemplate));
    },
    /** Items as their forms store them, each with its own files and keys. */
    async insertCopies(names: string[], kind: Kind = 'report'): Promise<Copy[]> {
      const changes: ItemChanges[] = [];
      for (const name of names) changes.push({ name, ...(await createChanges(kind, name)) });
      const copies = await withPageWithoutApp((page) => page.evaluate(insertCopies, changes));
      return copies.map((copy) => ({ ...copy, kind }));
    },
    insertChecklist,
    getBrowserLog: () => browser.getLog(),
    async countReports(name: string): Promise<number> {
      return (await db.selectFrom('reports').select('id').where('name', 'like', name).execute()).length;
    },
    /**
     * Resolves when nothing waits. As users do, opens the app again when nothing was sent for
     * `pageMs`; rejects when nothing was sent for `stuckMs`, however slow the computer is.
     */
    async waitUntilSent(stuckMs = 240_000, pageMs = 45_000) {
      let unsentText = 'not known';
      let lastChangeAt = Date.now();
      for (;;) {
        const page = await this.open();
        const openedAt = Date.now();
        while (Date.now() < Math.max(openedAt, lastChangeAt) + pageMs) {
          const now = await page.evaluate(listUnsent).catch(() => unsentText);
          if (now === '') return void (await page.close().catch(() => undefined));
          if (now !== unsentText) lastChangeAt = Date.now();
          unsentText = now;
          await wait(200);
        }
        const shown = `${page.url()} shows: ${await page.innerText('body').catch(String)}`;
        await page.close().catch(() => undefined);
        if (Date.now() > lastChangeAt + stuckMs)
          throw new Error(`Not everything was sent:\n${await withPageWithoutApp(describeOutbox)}\n${shown}`);
      }
    },
    /** Expects each copy to exist once, with every byte of its files. */
    async findProblems(copies: Copy[]): Promise<string[]> {
      const problems: string[] = [];
      for (const copy of copies) {
        const { name, kind, hashes } = copy;
        const records = await findRecords(copy);
        if (records.length !== 1) problems.push(`${name}: there ${records.length} times (${kind})`);
        for (const id of records) {
          const files = await db
            .selectFrom('uploads')
            .select('sha256_received')
            .where('attached_id', '=', id)
            .execute();
          const receivedHashes = files.map(({ sha256_received }) => sha256_received).toSorted();
          if (receivedHashes.join() !== hashes.toSorted().join()) problems.push(`${name}: other files were received`);
        }
      }
      return problems;
    },
    async stop() {
      await browser.kill().catch(() => undefined);
      await proxy.stop();
      await server.end('SIGKILL');
      await db.destroy();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

const describeOutbox = (page: Page) =>
  page.evaluate(async () => {
    const opening = indexedDB.open('drafts');
    const db = await new Promise<IDBDatabase>((resolve) => {
      opening.onsuccess = () => resolve(opening.result);
    });
    const request = db
      .transaction('drafts')
      .objectStore('drafts')
      .getAll(IDBKeyRange.bound('outbox/item/', 'outbox/item0'));
    const items = await new Promise<
      { value: { body: { name: string }; state: string; attempts: number; error?: object } }[]
    >((resolve) => {
      request.onsuccess = () => resolve(request.result);
    });
    db.close();
    return items
      .map(({ value: { body, state, attempts, error } }) => JSON.stringify({ name: body.name, state, attempts, error }))
      .join('\n');
  });

/**
 * The ids of the items on the device, and of their files that have not arrived; then their backups.
 * '' if there are none.
 */
async function listUnsent(): Promise<string> {
  type Item = { value: { id: string; files: { id: string; upload?: object }[] } };
  const opening = indexedDB.open('drafts');
  opening.onupgradeneeded = () => opening.result.createObjectStore('drafts', { keyPath: 'key' });
  const db = await new Promise<IDBDatabase>((resolve) => {
    opening.onsuccess = () => resolve(opening.result);
  });
  const store = db.transaction('drafts').objectStore('drafts');
  const items = store.getAll(IDBKeyRange.bound('outbox/item/', 'outbox/item0')) as IDBRequest<Item[]>;
  const files = store.getAllKeys(IDBKeyRange.bound('outbox/file/', 'outbox/file0'));
  await new Promise((resolve) => {
    files.onsuccess = resolve;
  });
  db.close();
  const backups = await (await caches.open('outbox-backups')).keys();
  if (items.result.length === 0) return [...files.result, ...backups.map(({ url }) => url)].join();
  return items.result
    .map(({ value: { id, files } }) => [id, ...files.filter(({ upload }) => !upload).map(({ id }) => id)].join())
    .join(' ');
}

/**
 * Saves the outbox as a template in the Cache API, because a browser that is killed may lose its
 * IndexedDB.
 */
async function saveAsTemplate(): Promise<void> {
  const opening = indexedDB.open('drafts');
  const db = await new Promise<IDBDatabase>((resolve) => {
    opening.onsuccess = () => resolve(opening.result);
  });
  const transaction = db.transaction('drafts', 'readwrite', { durability: 'strict' });
  const store = transaction.objectStore('drafts');
  const form = new FormData();
  for (const kind of ['item', 'file']) {
    const range = IDBKeyRange.bound(`outbox/${kind}/`, `outbox/${kind}0`);
    store.getAll(range).onsuccess = ({ target }) => {
      const records = (target as IDBRequest<{ key: string; value: object }[]>).result;
      for (const { key, value } of records)
        form.append(
          key.split('/')[3] ?? 'item',
          value instanceof ArrayBuffer ? new Blob([value]) : JSON.stringify(value),
        );
      store.delete(range);
    };
  }
  await new Promise((resolve) => transaction.addEventListener('complete', resolve));
  db.close();
  await caches.delete('outbox-backups');
  await (await caches.open('template')).put('/template', new Response(form));
}

type ItemChanges = { name: string; photos: number; signatures: number; changes: object; body: object | undefined };

async function insertCopies(items: ItemChanges[]): Promise<Omit<Copy, 'kind'>[]> {
  type File = { id: string; key: string; sha256: string; slot: string };
  type Item = { files: File[]; body: object };
  const format = 1;
  const template = await (await caches.match('/template'))?.formData();
  if (!template) throw new Error('The template is missing');
  const value = JSON.parse(String(template.get('item'))) as Item;
  const bytes = new Map<string, ArrayBuffer>();
  for (const [id, content] of template) if (content instanceof Blob) bytes.set(id, await content.arrayBuffer());
  const opening = indexedDB.open('drafts');
  opening.onupgradeneeded = () => opening.result.createObjectStore('drafts', { keyPath: 'key' });
  const db = await new Promise<IDBDatabase>((resolve) => {
    opening.onsuccess = () => resolve(opening.result);
  });
  const transaction = db.transaction('drafts', 'readwrite', { durability: 'strict' });
  const store = transaction.objectStore('drafts');
  const backups: [id: string, FormData][] = [];
  const copies = items.map(({ name, photos, signatures, changes, body }, index) => {
    const id = crypto.randomUUID();
    const isPhoto = ({ slot }: File) => slot === 'photo';
    const files = [
      ...value.files.filter(isPhoto).slice(0, photos),
      ...value.files.filter((file) => !isPhoto(file)).slice(0, signatures),
    ].map((file) => ({ ...file, key: crypto.randomUUID() as string }));
    const replacedFields = {
      files,
      createdAt: Date.now() + index,
      isOnForm: false,
      body: body ?? { ...value.body, name },
    };
    const copy = { ...value, ...changes, id, ...replacedFields };
    const backup = new FormData();
    const put = (key: string, value: object) => {
      store.put({ key, format, value });
      backup.append('format', String(format));
      backup.append(key, value instanceof ArrayBuffer ? new Blob([value]) : JSON.stringify(value));
    };
    put(`outbox/item/${id}`, copy);
    for (const file of files) put(`outbox/file/${id}/${file.id}`, bytes.get(file.id) as ArrayBuffer);
    backups.push([id, backup]);
    return { name, requests: [...files.map(({ key }) => key), id], hashes: files.map(({ sha256 }) => sha256) };
  });
  await new Promise((resolve) => transaction.addEventListener('complete', resolve));
  db.close();
  const cache = await caches.open('outbox-backups');
  for (const [id, backup] of backups) await cache.put(`/outbox-backups/${id}`, new Response(backup));
  localStorage.setItem('outbox-waiting', '1');
  return copies;
}
