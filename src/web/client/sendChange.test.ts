import { beforeEach, expect, test, vi } from 'vitest';
import { api } from '#shared/api.ts';
import { getBaseVersion, isOwnVersion, sendChange } from './sendChange.ts';

type Record = { version: number; title: string; description: string };
let id = 0;
let record: Record;
let params: { id: string };
/** Replies by key, as the server stores them; undefined once it has forgotten one. */
let replies: Map<string, unknown>;
let keys: string[];
/** What is lost of the next requests: the response, after the server has stored the change, or the request before. */
let losses: ('response' | 'request' | 'nothing')[];

/** Stores a change like the server: only based on the newest version, and once for each key. */
function store({ version, ...fields }: Record, key?: string): Response {
  if (key && replies.has(key)) {
    const reply = replies.get(key);
    return reply ? Response.json(reply) : Response.json({ code: 'KEY_REUSED', received: {} }, { status: 422 });
  }
  if (version !== record.version) return Response.json({ current: record }, { status: 409 });
  record = { ...record, ...fields, version: version + 1 };
  if (key) replies.set(key, record);
  return Response.json(record);
}
const saveAsColleague = (fields: Partial<Record>) => store({ ...record, ...fields });

beforeEach(() => {
  id += 1;
  params = { id: `${id}` };
  record = { version: 1, title: '', description: '' };
  replies = new Map();
  keys = [];
  losses = [];
  vi.stubGlobal('fetch', async (_: unknown, init: { body?: string; headers: { [name: string]: string } }) => {
    // The page asks whether the server can be reached.
    if (init.body === undefined) return new Response();
    const lost = losses.shift();
    const key = init.headers['idempotency-key'] ?? '';
    keys.push(key);
    if (lost === 'request') throw new TypeError();
    const response = store(JSON.parse(init.body), key);
    if (lost === 'response') throw new TypeError();
    return response;
  });
});

const send = (version: number, fields: object) =>
  sendChange(api.updateFolder, { params, body: { version, ...fields } as never });
const loseResponse = async (version: number, fields: object, ...lost: typeof losses) => {
  losses = lost.length > 0 ? lost : ['response'];
  await expect(send(version, fields)).rejects.toMatchObject({ status: 0 });
};

test('the same change is sent with the same key after a lost response, and gets the stored reply', async () => {
  await loseResponse(1, { title: 'Mine' });
  saveAsColleague({ description: 'Theirs' });
  expect(await send(1, { title: 'Mine' })).toMatchObject({ version: 2, title: 'Mine' });
  expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
  expect(keys).toEqual([keys[0], keys[0]]);
  expect(record).toMatchObject({ title: 'Mine', description: 'Theirs', version: 3 });
});

test('changes with responses have different keys, also with the same content', async () => {
  await send(1, { title: 'Mine' });
  await send(2, { title: 'Mine' });
  expect(new Set(keys).size).toBe(2);
});

test('changed content is saved after lost responses, and not taken for the change of someone else', async () => {
  await loseResponse(1, { title: 'First' });
  await loseResponse(1, { title: 'First' });
  await send(1, { title: 'Second' });
  expect(record).toMatchObject({ title: 'Second', version: 3 });
});

test('changed content is saved after several changes without a response', async () => {
  await loseResponse(1, { title: 'First' });
  // The server says that there is a newer version and that it is the first; then a response is lost again.
  await loseResponse(1, { title: 'Second' }, 'nothing', 'nothing', 'response');
  expect(record).toMatchObject({ title: 'Second', version: 3 });
  await send(1, { title: 'Third' });
  expect(record).toMatchObject({ title: 'Third', version: 4 });
});

test('a change that continued from another one, and was stored without a response, is not stored twice', async () => {
  await loseResponse(1, { title: 'First' });
  await loseResponse(1, { title: 'Second' }, 'nothing', 'nothing', 'response');
  expect(await send(1, { title: 'Second' })).toMatchObject({ title: 'Second', version: 3 });
  expect(record.version).toBe(3);
});

test('changed content is saved after a request that never arrived, which is then not stored', async () => {
  await loseResponse(1, { title: 'First' }, 'request');
  await send(1, { title: 'Second' });
  expect(record).toMatchObject({ title: 'Second', version: 2 });
});

test("a colleague's change is a conflict, and what never arrived is not stored over it", async () => {
  await loseResponse(1, { title: 'First' }, 'request');
  saveAsColleague({ title: 'First' });
  await expect(send(1, { title: 'Second' })).rejects.toMatchObject({ status: 409 });
  expect(record).toMatchObject({ title: 'First', version: 2 });
  expect(getBaseVersion(params, record, 1)).toEqual({ baseVersion: 1, isStale: true });
});

test("a colleague's change after a lost response is a conflict, even if it kept what was sent", async () => {
  await loseResponse(1, { title: 'Mine' });
  saveAsColleague({ description: 'Theirs' });
  await expect(send(1, { title: 'Mine, changed' })).rejects.toMatchObject({ body: { current: { version: 3 } } });
  expect(record).toMatchObject({ title: 'Mine', description: 'Theirs' });
});

test('a change is known as stored although the server has forgotten its reply', async () => {
  await loseResponse(1, { title: 'First' });
  replies.set(keys[0] ?? '', undefined);
  await send(1, { title: 'Second' });
  expect(record).toMatchObject({ title: 'Second', version: 3 });
});

test('without a connection, a conflict is not shown before the server has said whose change it is', async () => {
  await loseResponse(1, { title: 'First' });
  await loseResponse(1, { title: 'Second' }, 'nothing', 'request');
  expect(record).toMatchObject({ title: 'First', version: 2 });
  await send(1, { title: 'Second' });
  expect(record).toMatchObject({ title: 'Second', version: 3 });
});

test('unsaved input is based on the version that it started from, and not stale while a change has no response', async () => {
  expect(getBaseVersion(params, record)).toEqual({ baseVersion: 1, isStale: false });
  await loseResponse(1, { title: 'Mine' });
  expect(getBaseVersion(params, record, 1)).toEqual({ baseVersion: 1, isStale: false });
  expect(await isOwnVersion(params, 1, record)).toBe(true);
  saveAsColleague({ title: 'Theirs' });
  expect(await isOwnVersion(params, 1, record)).toBe(false);
  await expect(send(1, { title: 'Mine, changed' })).rejects.toMatchObject({ status: 409 });
  expect(getBaseVersion(params, record, 1)).toEqual({ baseVersion: 1, isStale: true });
});
