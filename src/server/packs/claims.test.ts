import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { api } from '#shared/api.ts';
import type { Tables } from '../db/schema.ts';
import { newReport } from '../testing/factories.ts';
import { engines } from '../testing/server.ts';
import { createTestServer } from '../testing/test-server.ts';
import {
  addItems,
  claimPack,
  expirePacks,
  expirePacksWith,
  insertPack,
  markFileDeleted,
  updateClaimedPack,
} from './store.ts';

/** Shorter than the claims of a server, which ignores longer ones, because a wrong clock has set them. */
const claimMs = 30_000;

describe.each(engines)('claims on packs on %s', (engine) => {
  const { server, admin } = createTestServer(engine);

  /** Inserts a pack that the server's own builder does not claim. */
  const addPack = async (changes: Partial<Tables['packs']>) => {
    const request = { recipient: 'HSE', purpose: 'A claim', withoutNames: false, reports: [] };
    return server.db.transaction().execute(async (db) => {
      const id = await insertPack(db, request, admin, new Date());
      await db.updateTable('packs').set(changes).where('id', '=', id).execute();
      return id;
    });
  };
  const find = (id: string) => server.db.selectFrom('packs').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

  test('only one of several instances that look at the same time claims a pack', async () => {
    const claimed_until = new Date(Date.now() + claimMs).toISOString();
    const id = await addPack({ state: 'making', claim: 'dead', claimed_until });
    const later = new Date(Date.now() + 2 * claimMs);
    // The other instance claims the pack between the two steps of this one.
    let isFirst = true;
    const db = new Proxy(server.db, {
      get(db, name) {
        const value = Reflect.get(db, name);
        if (name !== 'updateTable' || !isFirst) return typeof value === 'function' ? value.bind(db) : value;
        isFirst = false;
        return (table: 'packs') => {
          const update = db.updateTable(table);
          return { set: (values: object) => interleave(update.set(values), () => claimPack(server.db, later)) };
        };
      },
    });
    expect(await claimPack(db, later)).toBeUndefined();
    const { claim, attempts } = await find(id);
    expect([claim === 'dead', attempts]).toEqual([false, 1]);
    await server.db.deleteFrom('pack_items').where('pack_id', '=', id).execute();
    await server.db.deleteFrom('packs').where('id', '=', id).execute();
  });

  test('an instance that lost its claim cannot change the pack', async () => {
    const claimed_until = new Date(Date.now() + claimMs).toISOString();
    const id = await addPack({ state: 'making', claim: 'new', claimed_until });
    expect(await updateClaimedPack(server.db, { id, claim: 'old' }, { state: 'ready' }, new Date())).toBe(false);
    expect(await updateClaimedPack(server.db, { id, claim: 'new' }, { state: 'failed' }, new Date())).toBe(true);
    expect(await find(id)).toMatchObject({ state: 'failed', claim: null });
  });

  test('a pack cannot be requested again while it is being made, or without any report left', async () => {
    const claimed_until = new Date(Date.now() + claimMs).toISOString();
    const id = await addPack({ state: 'making', claim: 'running', claimed_until });
    const requestAgain = () => admin(api.makePackAgain, { params: { id } });
    await expect(requestAgain()).rejects.toMatchObject({ status: 409, message: 'This pack is being made.' });
    await server.db.updateTable('packs').set({ state: 'expired', claim: null }).where('id', '=', id).execute();
    await expect(requestAgain()).rejects.toMatchObject({
      status: 409,
      message: 'All reports of this pack have been permanently deleted.',
    });
  });

  test('files of a killed build are deleted, and those of a running one stay', async () => {
    const claimed_until = new Date(Date.now() + claimMs).toISOString();
    const id = await addPack({ state: 'making', claim: 'running', claimed_until });
    const folder = join(server.folder, 'packs');
    for (const claim of ['killed', 'running']) {
      mkdirSync(join(folder, `${id}-${claim}`), { recursive: true });
      writeFileSync(join(folder, `${id}-${claim}.zip`), 'Personal data');
    }
    await server.restart();
    await expect.poll(() => existsSync(join(folder, `${id}-killed`))).toBe(false);
    await expect.poll(() => existsSync(join(folder, `${id}-killed.zip`))).toBe(false);
    expect(existsSync(join(folder, `${id}-running.zip`))).toBe(true);
  });

  test('files of a build that is killed while the server runs are deleted within minutes', async () => {
    const folder = join(server.folder, 'packs');
    mkdirSync(join(folder, 'first-killed'), { recursive: true });
    await server.restart();
    await expect.poll(() => existsSync(join(folder, 'first-killed'))).toBe(false);
    mkdirSync(join(folder, 'second-killed'));
    // Time passes 100 times as fast.
    const [start, startedAt] = [Date.now(), performance.now()];
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => start + 100 * (performance.now() - startedAt));
    await expect.poll(() => existsSync(join(folder, 'second-killed')), { timeout: 5000 }).toBe(false);
    clock.mockRestore();
  });

  test('a pack with an investigation expires when the investigation is destroyed or a name in it is erased', async () => {
    const id = await addPack({ state: 'ready' });
    await addItems(server.db, id, [{ thing: 'investigation', thing_id: 'one' }]);
    expect(await expirePacksWith(server.db, [{ thing: 'investigation', thing_id: 'one' }])).toEqual([
      `/uploads/packs/${id}.zip`,
    ]);
    expect((await find(id)).state).toBe('expired');
  });

  test('a user who has ten packs deletes one before asking for another', async () => {
    const { id: report } = await admin(api.submitAccident, { body: await newReport(admin) });
    const requester = await server.as('Admin');
    const request = () =>
      requester(api.createPack, {
        body: { recipient: 'HSE', purpose: 'A claim', withoutNames: false, reports: [report] },
      });
    const expires_at = new Date(Date.now() + 3_600_000).toISOString();
    const ids: string[] = [];
    for (let count = 0; count < 10; count++)
      ids.push(await addPack({ state: 'ready', created_by: requester.id, expires_at }));
    await expect(request()).rejects.toMatchObject({
      status: 409,
      message: 'You have 10 packs. Delete one before you make another.',
    });
    await requester(api.deletePack, { params: { id: ids[0] ?? '' } });
    expect((await request()).id).toBeTruthy();
  });

  test('a pack without names leaves out investigations even if they are requested', async () => {
    const { id: report } = await admin(api.submitAccident, { body: await newReport(admin) });
    const requester = await server.as('Admin');
    const options = { recipient: 'HSE', purpose: 'A claim', withInvestigations: true, reports: [report] };
    const { id } = await requester(api.createPack, { body: { ...options, withoutNames: true } });
    const packs = await requester(api.listPacks);
    expect(packs.find((pack) => pack.id === id)).toMatchObject({ withoutNames: true, withInvestigations: false });
  });

  test('a pack that is being made cannot be downloaded', async () => {
    const claimed_until = new Date(Date.now() + claimMs).toISOString();
    const id = await addPack({ state: 'making', claim: 'running', claimed_until });
    await expect(admin(api.getPackFile, { params: { id } })).rejects.toMatchObject({
      status: 409,
      message: 'This pack is not ready yet.',
    });
  });

  test('the cleanup lists a failed pack until its file was deleted', async () => {
    const id = await addPack({ state: 'failed', has_file: 1 });
    expect(await expirePacks(server.db, new Date())).toContain(id);
    await markFileDeleted(server.db, id);
    expect((await find(id)).has_file).toBe(0);
    expect(await expirePacks(server.db, new Date())).not.toContain(id);
  });
});

/** Runs `work` after the query is built and before it runs. */
function interleave<Query extends object>(query: Query, work: () => Promise<unknown>): Query {
  return new Proxy(query, {
    get(query, name) {
      const value: unknown = Reflect.get(query, name);
      if (typeof value !== 'function') return value;
      if (name === 'executeTakeFirst') return () => work().then(() => value.call(query));
      return (...args: unknown[]) => interleave(value.apply(query, args) as Query, work);
    },
  });
}
