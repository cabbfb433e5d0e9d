import 'fake-indexeddb/auto';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readRecords, type StoredRecord, writeRecords } from '../database/database.ts';
import { storeTypedInput, typedInput } from '../ui/forms/typedInput.ts';
import { keepTypedInput } from './sealedInput.ts';

const text = 'The pool gate was open when Ellie ran in';
const stops: (() => void)[] = [];
let keys: Record<string, string>;
let status = 200;

/** Signs a user in: the server gives their session the key. */
function signIn(user: string) {
  vi.stubGlobal('fetch', async () => Response.json(status === 200 ? { key: keys[user] } : { message: '' }, { status }));
  stops.push(keepTypedInput(user));
}
/** Closes the page: only the browser's database is left. */
function closePage() {
  for (const stop of stops.splice(0)) stop();
  typedInput.set({});
}
const listStored = () => readRecords<StoredRecord & { keptAt: number }>('sealed/');
const type = (values: object, { name = 'note on 1', isKept = true } = {}) => storeTypedInput(name, { values, isKept });
const readTyped = (name = 'note on 1') => typedInput.get()[name]?.values;

beforeEach(async () => {
  status = 200;
  keys = Object.fromEntries(
    ['sian', 'huw'].map((user, index) => [user, btoa(String.fromCharCode(...Array(32).fill(index)))]),
  );
  await writeRecords({ delete: [IDBKeyRange.lowerBound('')] });
  signIn('sian');
});
afterEach(() => {
  closePage();
  vi.unstubAllGlobals();
});

test('what was typed is brought back after the page was closed, with its photos, and only to its user', async () => {
  const photo = new File([new Uint8Array([1, 2, 3])], 'gate.jpg', { type: 'image/jpeg' });
  type({ text, photos: [{ id: 'a', photo }], day: null });
  await expect.poll(listStored).toHaveLength(1);
  const [stored] = await listStored();
  const toText = (_: string, value: unknown) =>
    value instanceof ArrayBuffer ? Buffer.from(value).toString('latin1') : value;
  expect(JSON.stringify(stored, toText).length).toBeGreaterThan(text.length);
  expect(JSON.stringify(stored, toText)).not.toContain('Ellie');
  closePage();
  signIn('huw');
  type({ text: 'Mine' });
  await expect.poll(listStored).toHaveLength(2);
  expect(readTyped()).toEqual({ text: 'Mine' });
  closePage();
  signIn('sian');
  await expect.poll(() => readTyped()).toMatchObject({ text, photos: [{ id: 'a' }], day: null });
  const [{ photo: found }] = Object(readTyped()).photos;
  expect(found).toMatchObject({ name: 'gate.jpg', type: 'image/jpeg' });
  expect([...(await found.bytes())]).toEqual([1, 2, 3]);
});

test('what was typed before the key arrived is kept, and replaces what was kept before', async () => {
  type({ text: 'Before' });
  await expect.poll(listStored).toHaveLength(1);
  const [before] = await listStored();
  closePage();
  type({ text });
  signIn('sian');
  await expect.poll(listStored).not.toEqual([before]);
  closePage();
  signIn('sian');
  await expect.poll(() => readTyped()).toEqual({ text });
});

test('input is deleted when it was sent or discarded, after 14 days, and when its key is gone', async () => {
  type({ text });
  await expect.poll(listStored).toHaveLength(1);
  storeTypedInput('note on 1', undefined);
  await expect.poll(listStored).toEqual([]);
  for (const makeUseless of [
    async () => {
      const [record] = await listStored();
      await writeRecords({ put: [{ ...record, keptAt: Date.now() - 15 * 24 * 60 * 60_000 } as StoredRecord] });
    },
    async () => {
      keys.sian = keys.huw ?? '';
    },
  ]) {
    type({ text });
    await expect.poll(listStored).toHaveLength(1);
    closePage();
    await makeUseless();
    signIn('sian');
    await expect.poll(listStored).toEqual([]);
    expect(readTyped()).toBeUndefined();
  }
});

test('a form with secrets and a session without a key keep nothing', async () => {
  type({ text }, { isKept: false, name: 'password' });
  type({ text });
  await expect.poll(listStored).toHaveLength(1);
  expect((await listStored())[0]?.key).toContain('note');
  closePage();
  await writeRecords({ delete: [IDBKeyRange.lowerBound('')] });
  status = 403;
  signIn('sian');
  type({ text });
  for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
  expect(await listStored()).toEqual([]);
});
