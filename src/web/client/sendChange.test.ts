import { beforeEach, expect, test, vi } from 'vitest';
import { api } from '#shared/api.ts';
import { getBaseVersion, isContained, sendChange } from './sendChange.ts';

type Record = { version: number; title: string; description: string; data: object };
let id = 0;
let record: Record;
let params: { id: string };
/** What is lost next: the response, after the server has stored the change, or the request before. */
let lost: 'response' | 'request' | undefined;

/** Stores a change like the server: only based on the newest version. */
function store({ version, ...fields }: Record): Response {
  if (version !== record.version) return Response.json({ current: record }, { status: 409 });
  record = { ...record, ...fields, version: version + 1 };
  return Response.json(record);
}
const saveAsColleague = (fields: Partial<Record>) => store({ ...record, ...fields });

beforeEach(() => {
  id += 1;
  params = { id: `${id}` };
  record = { version: 1, title: '', description: '', data: {} };
  lost = undefined;
  vi.stubGlobal('fetch', async (_: unknown, { body }: { body: string }) => {
    const how = lost;
    lost = undefined;
    if (how === 'request') throw new TypeError();
    const response = store(JSON.parse(body));
    if (how === 'response') throw new TypeError();
    return response;
  });
});

const send = (version: number, fields: object, options = {}) =>
  sendChange(api.updateFolder, { params, body: { version, ...fields } as never }, options);
const loseResponse = async (version: number, fields: object, how: typeof lost = 'response') => {
  lost = how;
  await expect(send(version, fields)).rejects.toMatchObject({ status: 0 });
};

test('changed content is saved after a lost response, and not taken for the change of someone else', async () => {
  await loseResponse(1, { title: 'First' });
  await loseResponse(1, { title: 'Second' });
  await send(1, { title: 'Third' });
  expect(record).toMatchObject({ title: 'Third', version: 3 });
});

test('changed content is saved after a request that never arrived', async () => {
  await loseResponse(1, { title: 'First' }, 'request');
  await send(1, { title: 'Second' });
  expect(record).toMatchObject({ title: 'Second', version: 2 });
});

test("a colleague's change after a lost response is a conflict, even if it kept what was sent", async () => {
  await loseResponse(1, { title: 'Mine' });
  saveAsColleague({ description: 'Theirs' });
  await expect(send(1, { title: 'Mine, changed' })).rejects.toMatchObject({ body: { current: { version: 3 } } });
  expect(record).toMatchObject({ title: 'Mine', description: 'Theirs' });
});

test('a change of a colleague who gave the same answers and more is a conflict', async () => {
  await loseResponse(1, { data: { class: 'employee' } }, 'request');
  saveAsColleague({ data: { class: 'employee', harm: 'accident' } });
  expect(getBaseVersion(params, record, 1)).toEqual({ baseVersion: 1, isStale: true });
  await expect(send(1, { data: { class: 'public' } })).rejects.toMatchObject({ status: 409 });
});

test('a change of some fields is saved after a lost response although the stored record has other fields too', async () => {
  record.data = { location: 'Pool' };
  lost = 'response';
  await expect(send(1, { data: { location: 'Pool' } }, { isPartial: true })).rejects.toMatchObject({ status: 0 });
  record.data = { location: 'Pool', urgent: false };
  await send(1, { title: 'Second' }, { isPartial: true });
  expect(record).toMatchObject({ title: 'Second', version: 3 });
});

test('unsaved input is based on the version that it started from, or on the one that this page has saved', async () => {
  expect(getBaseVersion(params, record)).toEqual({ baseVersion: 1, isStale: false });
  await loseResponse(1, { title: 'Mine' });
  expect(getBaseVersion(params, record, 1)).toEqual({ baseVersion: 2, isStale: false });
  saveAsColleague({ title: 'Theirs' });
  expect(getBaseVersion(params, record, 1)).toEqual({ baseVersion: 1, isStale: true });
});

test('a newer version that contains all sent values counts as saved', () => {
  const record = {
    id: '1',
    version: 2,
    title: 'Mine',
    date: null,
    data: { location: 'Pool', media_files: [{ path: 'a', size: 1 }] },
  };
  expect(isContained({ title: ' Mine ', data: { location: 'Pool' } }, record)).toBe(true);
  expect(isContained({ date: undefined, data: { media_files: [{ path: 'a' }] } }, record)).toBe(true);
  expect(isContained({ title: 'Theirs' }, record)).toBe(false);
  expect(isContained({ data: { media_files: [] } }, record)).toBe(false);
  expect(isContained({ data: { location: 'Pool', urgent: true } }, record)).toBe(false);
  expect(isContained({ date: '2026-01-01' }, record)).toBe(false);
});
