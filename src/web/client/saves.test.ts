import { afterEach, expect, test, vi } from 'vitest';
import { ApiError } from '#shared/client.ts';
import { dismissSave, findSave, startSave } from './saves.ts';

const name = 'folder/1';
const lostResponseError = new ApiError(0, '');

afterEach(() => dismissSave(name));

test('a form that is opened again during a save finds the progress, then the outcome', async () => {
  const answer = Promise.withResolvers<string>();
  const saving = startSave(name, { title: 'Mine' }, () => answer.promise);
  expect(findSave(name)).toMatchObject({ status: 'pending', variables: { title: 'Mine' } });
  dismissSave(name);
  expect(findSave(name)).toMatchObject({ status: 'pending' });
  answer.resolve('done');
  await saving;
  expect(findSave(name)).toMatchObject({ status: 'success', data: 'done', variables: { title: 'Mine' } });
});

test('a form is not saved again while its first save is in progress', async () => {
  const answer = Promise.withResolvers<string>();
  const send = vi.fn(() => answer.promise);
  const saving = startSave(name, 1, send);
  await startSave(name, 2, send);
  answer.resolve('');
  await saving;
  expect(send.mock.calls.map(([sent]: unknown[]) => sent)).toEqual([1]);
});

test('a retry keeps its idempotency key while it is unknown whether the content arrived; other content gets a new key', async () => {
  const keys: string[] = [];
  const attempt = (sent: unknown, error: ApiError) =>
    startSave(name, sent, (_, key) => {
      keys.push(key);
      return Promise.reject(error);
    });
  await attempt({ title: 'Mine', sections: ['A'] }, new ApiError(500, ''));
  await attempt({ title: 'Mine', sections: ['A'] }, new ApiError(422, '{"fields":{"title":"No"}}'));
  await attempt({ title: 'Mine', sections: ['A'] }, lostResponseError);
  await attempt({ title: 'Mine', sections: ['B'] }, lostResponseError);
  expect(keys[1]).toBe(keys[0]);
  expect(new Set(keys).size).toBe(3);
  expect(findSave(name)).toMatchObject({ status: 'error', error: { status: 0 } });
});

test('a retry keeps its idempotency key after the error was dismissed and after other content was sent', async () => {
  const keys: string[] = [];
  const attempt = (sent: string, error?: ApiError) =>
    startSave('note', sent, async (_, key) => {
      keys.push(key);
      if (error) throw error;
    });
  await attempt('Mine', lostResponseError);
  dismissSave('note');
  await attempt('Mine, changed', new ApiError(422, ''));
  dismissSave('note');
  await attempt('Mine');
  await attempt('Mine');
  expect(keys[2]).toBe(keys[0]);
  expect(new Set(keys).size).toBe(3);
});

test("a failed save contains the field errors or the other user's version", async () => {
  await startSave(name, {}, () => Promise.reject(new ApiError(422, '{"fields":{"name":"Too long"}}')));
  expect(findSave(name)).toMatchObject({ error: { fields: { name: 'Too long' } } });
  await startSave(name, {}, () => Promise.reject(new ApiError(409, '{"current":{"version":2}}')));
  expect(findSave(name)).toMatchObject({ status: 'error', error: { body: { current: { version: 2 } } } });
});
