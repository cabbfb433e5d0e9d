// Whether the connection, the page or the session fails: in the end there is exactly one complete
// record, and no item is left on the device.
import 'fake-indexeddb/auto';
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { readRecord, writeRecords } from '../database/database.ts';
import { createDevice } from './device.test-helper.ts';
import {
  createFakeServer,
  type Fault,
  newAuditItem,
  newChecklistItem,
  newCompletionItem,
  newHazardItem,
  newReportItem,
} from './fakeServer.test-helper.ts';
import { findItem, insertItem, listItems, listReceipts, readFileBytes, updateItem } from './items.ts';
import { listCompletionDifferences } from './listDifferences.ts';
import { createSender, getDelayMs } from './sender.ts';

const clear = () => writeRecords({ delete: [IDBKeyRange.lowerBound('')] });
const hourMs = 60 * 60_000;

beforeEach(clear);

describe('an item', () => {
  test('an item is sent with its files and replaced by a receipt', async () => {
    const device = createDevice();
    const { item, isStored } = await insertItem(newReportItem());
    expect(isStored).toBe(true);
    await device.wake();
    const [report] = device.server.submitted;
    expect(report?.body).toMatchObject({ name: 'Ellie Barker', capturedAt: item.capturedAt });
    expect(report?.photos).toEqual(item.files.map(({ sha256 }) => sha256));
    expect(await listItems()).toEqual([]);
    expect(await listReceipts()).toMatchObject([
      { number: 'ACC-2026-0001', photos: 3, signatures: 2, park: 'Lido Beach', rejected: [] },
    ]);
    expect(JSON.stringify(await listReceipts())).not.toContain('Ellie');
    expect(await readFileBytes(item.id, 'a')).toBeUndefined();
  });

  test('an item waits without a retry while offline, and is sent when online again', async () => {
    const device = createDevice();
    device.setOffline(true);
    device.server.setErrors(() => 'neverSent');
    await insertItem(newReportItem());
    await insertItem(newReportItem());
    await device.wake();
    expect(device.delaysMs).toEqual([]);
    const items = await listItems();
    expect(items.map(({ state, attempts }) => [state, attempts])).toEqual([
      ['waiting', 1],
      ['waiting', 0],
    ]);
    device.setOffline(false);
    device.server.setErrors(() => 'none');
    await device.wake({ isImmediate: true });
    expect(device.server.submitted).toHaveLength(2);
  });

  test('an item is retried after 1, 3 and 9 seconds, then with growing delays', async () => {
    const device = createDevice();
    device.server.setErrors(() => 'badGateway');
    const { item } = await insertItem(newReportItem());
    await device.wake();
    expect(device.delaysMs).toEqual([1000, 3000, 9000]);
    expect((await findItem(item.id))?.error).toMatchObject({ step: 'photo', status: 502 });
    expect(await device.getNextDelay()).toBeGreaterThan(4000);
    expect([1, 2, 3, 9].map((attempts) => getDelayMs(attempts, 0))).toEqual([5000, 10_000, 20_000, 300_000]);
  });

  test('an item whose requests fail immediately is retried once, then left for the next attempt', async () => {
    const device = createDevice();
    device.server.setErrors(() => 'neverSent');
    const { item } = await insertItem(newReportItem());
    await device.wake();
    expect(device.delaysMs).toEqual([1000]);
    expect(await findItem(item.id)).toMatchObject({ state: 'waiting', error: { status: 0 } });
  });

  test('an item is retried after the time in Retry-After', async () => {
    const device = createDevice();
    let requestCount = 0;
    device.server.setErrors(() => (requestCount++ === 0 ? 'busy' : 'none'));
    await insertItem(newReportItem());
    await device.wake();
    expect(device.delaysMs).toEqual([2000]);
    expect(device.server.submitted).toHaveLength(1);
  });

  test('an item is sent at once if its next attempt is far in the future because the clock was set back', async () => {
    const device = createDevice();
    const { item } = await insertItem(newReportItem());
    await updateItem(item.id, { nextAttemptAt: Date.now() + 30 * 24 * hourMs });
    await device.wake();
    expect(device.server.submitted).toHaveLength(1);
  });

  test.each([80, 30 * 24])('an item sent again %i hours after a lost response is recorded once', async (hours) => {
    const device = createDevice();
    let left = 0;
    // The response to the report is lost repeatedly.
    device.server.setErrors(() => (++left > 5 ? 'responseLost' : 'none'));
    await insertItem(newReportItem());
    await device.wake();
    expect(await listItems()).toHaveLength(1);
    device.advanceClock(hours * hourMs);
    device.server.deleteUnattached();
    device.server.setErrors(() => 'none');
    await device.wake();
    expect(device.server.submitted).toHaveLength(1);
    expect(await listReceipts()).toMatchObject([{ number: 'ACC-2026-0001' }]);
  });

  test('the files of an item are uploaded again if the server has deleted them', async () => {
    const device = createDevice();
    let requestCount = 0;
    device.server.setErrors(() => (++requestCount > 4 ? 'neverSent' : 'none'));
    const { item } = await insertItem(newReportItem());
    await device.wake();
    expect(device.server.uploads.size).toBe(4);
    device.server.deleteUnattached();
    device.server.setErrors(() => 'none');
    await device.wake({ isImmediate: true });
    expect(device.server.submitted[0]?.photos).toEqual(item.files.map(({ sha256 }) => sha256));
  });

  test('a file of an item is uploaded again if the server received different bytes', async () => {
    const device = createDevice();
    const { item } = await insertItem(newReportItem());
    let requestCount = 0;
    device.server.setErrors(() => {
      if (++requestCount === 6)
        for (const upload of [...device.server.uploads.values()].slice(0, 1)) upload.sha256 = 'other';
      return 'none';
    });
    await device.wake();
    expect(requestCount).toBe(8);
    expect(device.server.submitted[0]?.photos).toEqual(item.files.map(({ sha256 }) => sha256));
  });

  test('an item is sent without a photo that the server cannot read, and the photo stays on the device', async () => {
    const device = createDevice();
    device.server.unreadable.add('two.jpg');
    const { item } = await insertItem(newReportItem());
    await device.wake();
    expect(device.server.submitted[0]?.photos).toHaveLength(4);
    const [receipt] = await listReceipts();
    expect(receipt).toMatchObject({
      photos: 2,
      rejected: [{ name: 'two.jpg', position: 2, problem: 'UNPROCESSABLE.' }],
    });
    expect(await readFileBytes(item.id, 'b')).toBeDefined();
  });

  test('an item needs attention if the server can read none of its photos', async () => {
    const device = createDevice();
    for (const name of ['one.jpg', 'two.jpg', 'three.jpg']) device.server.unreadable.add(name);
    await insertItem(newReportItem());
    await device.wake();
    expect(device.server.submitted).toEqual([]);
    expect(await listItems()).toMatchObject([
      { state: 'refused', error: { step: 'photo', message: 'UNPROCESSABLE.' } },
    ]);
  });

  test('an item that fails does not delay the next one', async () => {
    const device = createDevice();
    const brokenItem = newReportItem();
    brokenItem.files = brokenItem.files.map((file) => ({
      ...file,
      file: new File([file.id], `unreadable ${file.id}`),
    }));
    for (const { file } of brokenItem.files) device.server.unreadable.add(file.name);
    await insertItem(brokenItem);
    await insertItem({ ...newReportItem(), createdAt: Date.now() + 1 });
    await device.wake();
    expect(device.server.submitted).toHaveLength(1);
    expect(await listItems()).toMatchObject([{ id: brokenItem.id, state: 'refused' }]);
  });

  test('an item waits for its own user to sign in', async () => {
    const device = createDevice();
    await insertItem(newReportItem());
    device.server.signIn('huw');
    await device.wake();
    expect(await listItems()).toMatchObject([{ state: 'signIn' }]);
    await device.wake({ isImmediate: true });
    expect(device.server.submitted).toEqual([]);
    device.server.signIn('sian');
    await device.wake({ isSignedIn: true });
    expect(device.server.submitted).toMatchObject([{ userId: 'sian' }]);
  });

  test('an item of another user is not sent, and schedules no next attempt', async () => {
    const device = createDevice('huw');
    await insertItem(newReportItem());
    await device.wake({ isImmediate: true });
    expect(device.server.submitted).toEqual([]);
    expect(await device.getNextDelay()).toBeUndefined();
  });

  test('an item of a deleted user can be sent by a reviewer, with the ids of both users', async () => {
    const device = createDevice();
    const { item } = await insertItem(newReportItem());
    device.server.signIn('huw');
    await device.wake();
    // Like `sendForFormerUser` of the outbox.
    await updateItem(item.id, { userId: 'huw', username: 'huw for sian', submittedFor: 'sian' });
    await device.wake({ id: item.id });
    expect(device.server.submitted).toMatchObject([{ userId: 'huw', submittedFor: 'sian' }]);
  });

  test('an item with the key of another one that the server has gets no receipt and needs attention', async () => {
    const device = createDevice();
    const { item } = await insertItem(newReportItem());
    const key = `sian /api/submit-accident ${item.id}`;
    device.server.replies.set(key, { fingerprint: 'of another payload', body: { number: 'ACC-2026-0007' } });
    await device.wake();
    expect(await listReceipts()).toEqual([]);
    expect(await listItems()).toMatchObject([{ state: 'refused', body: item.body, error: { code: 'KEY_REUSED' } }]);
    expect(device.server.submitted).toEqual([]);
  });

  test('an item whose form is left during sending is not shown in the form afterwards', async () => {
    const device = createDevice();
    const { item } = await insertItem(newReportItem());
    let requestCount = 0;
    device.server.setErrors(() => {
      if (++requestCount === 2) void updateItem(item.id, { isOnForm: false });
      return 'none';
    });
    await device.wake();
    expect(await listReceipts()).toMatchObject([{ isOnForm: false }]);
  });
});

/** `SCHEDULE_ROUNDS=10` runs the schedules ten times in a row. */
const rounds = Number(process.env.SCHEDULE_ROUNDS ?? 1);

const error = fc.constantFrom<Fault>(
  'none',
  'none',
  'none',
  'neverSent',
  'responseLost',
  'badGateway',
  'busy',
  'tooSlow',
  'inFlight',
  'signedOut',
  'closed',
);

describe('the completion of an audit', () => {
  const draft = { key: 'draft/sian/audit', format: 2, value: {}, keptAt: Date.now() };
  const findDraft = () => readRecord('draft/sian/audit');

  test('the completion of an audit is recognised after a lost response, and its draft is deleted', async () => {
    const device = createDevice();
    await writeRecords({ put: [draft] });
    await insertItem(newCompletionItem(device.server, { drafts: [draft.key] }));
    let requestCount = 0;
    device.server.setErrors(() => (++requestCount === 3 ? 'responseLost' : 'none'));
    await device.wake();
    expect(device.server.submitted).toHaveLength(1);
    const [receipt] = await listReceipts();
    expect(receipt).toMatchObject({ kind: 'completion', photos: 2 });
    expect(receipt).not.toHaveProperty('completedBy');
    expect(await findDraft()).toBeUndefined();
  });

  test('the completion of an audit that another user has completed gets a receipt with their name, and the draft is kept', async () => {
    const device = createDevice();
    await writeRecords({ put: [draft] });
    const { item } = await insertItem(newCompletionItem(device.server, { drafts: [draft.key] }));
    const data = { completed: true, completed_by: 'huw', media_files: [] };
    device.server.audits.set(item.recordId ?? '', { version: 2, data });
    await device.wake();
    expect(await listItems()).toEqual([]);
    expect(await listReceipts()).toMatchObject([{ completedBy: 'huw' }]);
    expect(await findDraft()).toBeDefined();
  });

  test('the completion of an audit needs attention with both versions if the audit has changed', async () => {
    const device = createDevice();
    const { item } = await insertItem(newCompletionItem(device.server));
    const data = { completed: false, completed_by: null, media_files: [], description: 'Not in order' };
    device.server.audits.set(item.recordId ?? '', { version: 2, data });
    await device.wake();
    const [refused] = await listItems();
    expect(refused).toMatchObject({ state: 'refused', error: { code: 'STALE' } });
    expect(refused && listCompletionDifferences(refused)).toEqual([
      { label: 'Description', mine: 'In order', theirs: 'Not in order' },
    ]);
  });
});

test('the sender requests its lock again after the browser has refused to grant it', async () => {
  const server = createFakeServer();
  let isGranted = false;
  const sender = createSender({
    ...{ fetch: server.fetch, now: Date.now, random: () => 0, wait: async () => undefined },
    ...{
      isOffline: async () => false,
      getUserId: () => 'sian',
      onProgress: () => undefined,
      onChange: () => undefined,
    },
    withLock: (work) => (isGranted ? work() : Promise.reject(new DOMException('', 'InvalidStateError'))),
  });
  await insertItem(newReportItem());
  await expect(sender.wake()).rejects.toThrow();
  isGranted = true;
  await sender.wake();
  expect(server.submitted).toHaveLength(1);
});

test('a correction reuses the uploads of the item that it replaces', async () => {
  const device = createDevice();
  const first = newAuditItem();
  device.server.unreadable.add('two.jpg');
  await insertItem(first);
  await device.wake();
  expect(await listItems()).toMatchObject([{ state: 'refused', error: { step: 'photo', file: 'b' } }]);
  device.server.unreadable.clear();
  await insertItem({ ...first, id: crypto.randomUUID() }, { replaces: first.id });
  await device.wake();
  expect(device.server.uploads.size).toBe(2);
  expect(device.server.submitted).toHaveLength(1);
});

test.each([
  ['report', () => newReportItem(), 300],
  ['checklist', newChecklistItem, 50],
  ['new audit', newAuditItem, 50],
  ['hazard', newHazardItem, 50],
  ['completion', newCompletionItem, 50],
] as const)(
  'each %s arrives exactly once and complete after any sequence of failures',
  async (_, create, numRuns) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(error, { maxLength: 60 }),
        fc.array(fc.constantFrom('wake', 'wake', 'twoTabs', 'later', 'offline', 'online', 'clean', 'back', 'add'), {
          maxLength: 12,
        }),
        async (errors, steps) => {
          await clear();
          const device = createDevice();
          const left = [...errors];
          device.server.setErrors(() => (device.isOffline() ? 'neverSent' : (left.shift() ?? 'none')));
          const insertedItems = [(await insertItem(create(device.server as never))).item];
          for (const step of steps) {
            if (step === 'wake') await device.wake({ isImmediate: true });
            if (step === 'twoTabs') await device.wakeTwoTabs();
            if (step === 'later') device.advanceClock(hourMs);
            if (step === 'back') device.advanceClock(-48 * hourMs);
            if (step === 'clean') device.server.deleteUnattached();
            if (step === 'offline' || step === 'online') device.setOffline(step === 'offline');
            if (step === 'add') insertedItems.push((await insertItem(create(device.server as never))).item);
          }
          device.setOffline(false);
          // Each attempt uses up some of the errors.
          for (let count = 0; count < 80 && (await listItems()).length > 0; count++) {
            await device.wake({ isImmediate: true, isSignedIn: true });
          }
          const items = await listItems();
          expect(items.map(({ state, error }) => ({ state, error }))).toEqual([]);
          const sent = device.server.submitted;
          const hashes = (item: (typeof insertedItems)[number]) => item.files.map(({ sha256 }) => sha256).join();
          expect(sent.map(({ photos }) => photos.join()).toSorted()).toEqual(insertedItems.map(hashes).toSorted());
          expect((await listReceipts()).map(({ number = '' }) => number).toSorted()).toEqual(
            sent.map(({ number }) => number).toSorted(),
          );
        },
      ),
      { numRuns: numRuns * rounds },
    );
  },
  120_000 * rounds,
);
