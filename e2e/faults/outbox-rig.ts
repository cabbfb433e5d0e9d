// A device with a real outbox and a real server; both can be killed. A report is filled in once,
// and copies of its stored item are sent under every fault.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Page } from '@playwright/test';
import { api } from '#shared/api.ts';
import { hashPassword } from '../../src/server/auth/passwords.ts';
import { parseConfig } from '../../src/server/config.ts';
import { connect } from '../../src/server/db/connect.ts';
import { startProcess } from '../../src/server/testing/process.ts';
import { password, signInAt } from '../../src/server/testing/server.ts';
import { testSettings } from '../../src/server/testing/settings.ts';
import { insertUser } from '../../src/server/users/store.ts';
import { photo } from '../interactions.ts';
import { addPhotos, affected, fillIn, own, signByTyping, submit } from '../report-form.ts';
import { startFaultProxy } from './fault-proxy.ts';
import { type KillableBrowser, startBrowser } from './killable-browser.ts';

export type Copy = {
  name: string;
  /** The keys of its requests: photos, signatures, the report. */
  requests: string[];
  hashes: string[];
};

export type OutboxRig = Awaited<ReturnType<typeof startOutboxRig>>;

export async function startOutboxRig({ hangMs }: { hangMs: number }) {
  const folder = mkdtempSync(join(tmpdir(), 'outbox-'));
  const profile = join(folder, 'browser');
  const settings = { DATA_DIR: join(folder, 'data'), ADMIN_PASSWORD: password };
  let server = await startProcess(settings);
  const db = await connect(parseConfig({ ...testSettings, ...settings }));
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

  /** A page of the app's origin that is not the app. */
  async function withBarePage<T>(work: (page: Page) => Promise<T>): Promise<T> {
    const page = await browser.context.newPage();
    await page.goto(`${proxy.url}/healthz`);
    return work(page).finally(() => page.close());
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
    async killServer() {
      await server.end('SIGKILL');
      server = await startProcess(settings);
    },
    async killBoth() {
      await Promise.all([browser.kill(), server.end('SIGKILL')]);
      [server, browser] = await Promise.all([startProcess(settings), startBrowser(profile)]);
      await signIn();
    },
    /** Fills in a report through its form, and keeps what the form stored as the model of the copies. */
    async fillInModel() {
      await signIn();
      const page = await this.open('/reporting');
      await fillIn(page);
      await addPhotos(page, ['phone-jolla.jpg', 'gps-DSCN0010.jpg', 'orientation-landscape-6.jpg'].map(photo));
      await signByTyping(page, own);
      await signByTyping(page, affected);
      proxy.setDown(true);
      await submit(page).click();
      await page.getByText('Saved on this device.').waitFor();
      await page.close();
      proxy.setDown(false);
      await withBarePage((page) => page.evaluate(keepAsModel));
    },
    insertCopies: (names: string[]): Promise<Copy[]> => withBarePage((page) => page.evaluate(insertCopies, names)),
    async insertChecklist(title: string) {
      const admin = await signInAt(server.url, 'huw');
      const sections = [{ title: 'Chlorine', type: 'text' as const, required: true }];
      await admin(api.createChecklist, { body: { title, sections } });
    },
    async countReports(name: string): Promise<number> {
      return (await db.selectFrom('reports').select('id').where('name', 'like', name).execute()).length;
    },
    /** Until nothing waits. Opens the app again and again, as people do. */
    async waitUntilSent(timeoutMs: number) {
      for (const end = Date.now() + timeoutMs; ; ) {
        const page = await this.open();
        const isEmpty = await isSentWithin(page, 12_000);
        await page.close().catch(() => undefined);
        if (isEmpty) return;
        if (Date.now() > end) throw new Error(`Not everything was sent:\n${await withBarePage(describeOutbox)}`);
      }
    },
    /** Each copy is there once, with every byte of its files. */
    async findProblems(copies: Copy[]): Promise<string[]> {
      const problems: string[] = [];
      for (const { name, hashes } of copies) {
        const reports = await db.selectFrom('reports').select('id').where('name', '=', name).execute();
        if (reports.length !== 1) problems.push(`${name}: ${reports.length} reports`);
        for (const { id } of reports) {
          const files = await db
            .selectFrom('uploads')
            .select('sha256_received')
            .where('attached_id', '=', id)
            .execute();
          const received = files.map(({ sha256_received }) => sha256_received).toSorted();
          if (received.join() !== hashes.toSorted().join()) problems.push(`${name}: other files were received`);
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

async function isSentWithin(page: Page, ms: number): Promise<boolean> {
  for (const end = Date.now() + ms; Date.now() < end; await wait(200))
    if (await page.evaluate(isOutboxEmpty)) return true;
  return false;
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
    const items = await new Promise<{ value: { body: { name: string }; state: string; error?: object } }[]>(
      (resolve) => {
        request.onsuccess = () => resolve(request.result);
      },
    );
    db.close();
    return items
      .map(({ value: { body, state, error } }) => JSON.stringify({ name: body.name, state, error }))
      .join('\n');
  });

async function isOutboxEmpty(): Promise<boolean> {
  const opening = indexedDB.open('drafts');
  const db = await new Promise<IDBDatabase>((resolve) => {
    opening.onsuccess = () => resolve(opening.result);
  });
  const count = (prefix: string) =>
    new Promise<number>((resolve) => {
      const range = IDBKeyRange.bound(prefix, `${prefix}\uffff`);
      const request = db.transaction('drafts').objectStore('drafts').count(range);
      request.onsuccess = () => resolve(request.result);
    });
  const left = (await count('outbox/item/')) + (await count('outbox/file/'));
  db.close();
  return left === 0;
}

async function keepAsModel(): Promise<void> {
  const opening = indexedDB.open('drafts');
  const db = await new Promise<IDBDatabase>((resolve) => {
    opening.onsuccess = () => resolve(opening.result);
  });
  const transaction = db.transaction('drafts', 'readwrite', { durability: 'strict' });
  const store = transaction.objectStore('drafts');
  const range = IDBKeyRange.bound('outbox/', 'outbox0');
  store.getAll(range).onsuccess = ({ target }) => {
    for (const record of (target as IDBRequest<{ key: string }[]>).result) {
      const [, kind, , file = ''] = record.key.split('/');
      if (kind === 'item' || kind === 'file') store.put({ ...record, key: `model/${kind}/${file}` });
    }
    store.delete(range);
  };
  await new Promise((resolve) => transaction.addEventListener('complete', resolve));
  db.close();
}

async function insertCopies(names: string[]): Promise<Copy[]> {
  type File = { id: string; key: string; sha256: string };
  type Item = { key: string; format: number; value: { files: File[]; body: object } };
  const opening = indexedDB.open('drafts');
  const db = await new Promise<IDBDatabase>((resolve) => {
    opening.onsuccess = () => resolve(opening.result);
  });
  const read = <T>(request: IDBRequest<T>) =>
    new Promise<T>((resolve) => {
      request.onsuccess = () => resolve(request.result);
    });
  const transaction = db.transaction('drafts', 'readwrite', { durability: 'strict' });
  const store = transaction.objectStore('drafts');
  const { value, format } = (await read(store.get('model/item/'))) as Item;
  const contents = await read(store.getAll(IDBKeyRange.bound('model/file/', 'model/file0')));
  const copies = names.map((name, index) => {
    const id = crypto.randomUUID();
    const files = value.files.map((file) => ({ ...file, key: crypto.randomUUID() as string }));
    const copy = { ...value, id, files, createdAt: Date.now() + index, isOnForm: false, body: { ...value.body, name } };
    store.put({ key: `outbox/item/${id}`, format, value: copy });
    for (const content of contents)
      store.put({ ...content, key: `outbox/file/${id}/${content.key.slice('model/file/'.length)}` });
    return { name, requests: [...files.map(({ key }) => key), id], hashes: files.map(({ sha256 }) => sha256) };
  });
  await new Promise((resolve) => transaction.addEventListener('complete', resolve));
  db.close();
  localStorage.setItem('outbox-waiting', '1');
  return copies;
}
