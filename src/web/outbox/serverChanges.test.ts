// Changes on the server while an item waits: the user gets the right message and loses nothing.
// Uses the real server.
import 'fake-indexeddb/auto';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { api } from '#shared/api.ts';
import { clearOldReplies } from '../../server/db/idempotency.ts';
import { newAudit, newFolder, photo, signaturePng } from '../../server/testing/factories.ts';
import { readRow } from '../../server/testing/rows.ts';
import type { TestClient } from '../../server/testing/server.ts';
import { makePinUser, shareDevice, signInWithPin } from '../../server/testing/shared-devices.ts';
import { createTestServer } from '../../server/testing/test-server.ts';
import { writeRecords } from '../database/database.ts';
import { getErrorReason } from './getErrorReason.ts';
import { type FileSlot, findItem, insertItem, listItems, listReceipts, type OutboxItem, updateItem } from './items.ts';
import { sendForFormerUser, submitAgain } from './outbox.ts';
import { saveCopy } from './saveCopy.ts';
import { createSender } from './sender.ts';

let now = Date.now();
let admin: TestClient;

const { server } = createTestServer('sqlite', {}, () => now);
beforeAll(async () => {
  admin = await server.as('Admin');
});
beforeEach(async () => {
  await writeRecords({ delete: [IDBKeyRange.lowerBound('')] });
  // Some tests advance the clock by days, which ends sessions.
  admin = await server.createSession(admin.id, admin.username);
});
afterEach(() => vi.unstubAllGlobals());

const matchNothing = () => false;

/**
 * Sends all items with this session. `isLost` selects responses that are lost, `isDropped` requests
 * that do not arrive.
 */
async function send(
  session: TestClient,
  isLost: (url: string) => boolean = matchNothing,
  isDropped = matchNothing as typeof isLost,
) {
  const sender = createSender({
    fetch: async (url, init) => {
      if (isDropped(String(url))) throw new TypeError('Failed to fetch');
      const response = await session.fetch(String(url), init);
      if (isLost(String(url))) throw new TypeError('Failed to fetch');
      return response;
    },
    now: () => now,
    random: () => 0,
    wait: async () => undefined,
    isOffline: async () => true,
    getUserId: () => undefined,
    onProgress: () => undefined,
    onChange: () => undefined,
    withLock: (work) => work(),
  });
  await sender.wake({ isImmediate: true, isSignedIn: true });
}

type ItemFields = Pick<OutboxItem, 'kind' | 'body'> & Partial<OutboxItem>;

async function put(user: TestClient, fields: ItemFields, slots: FileSlot[] = []) {
  const files = slots.map(async (slot, index) => {
    const bytes = slot === 'photo' ? await photo() : await signaturePng();
    const name = slot === 'photo' ? 'pool.jpg' : `${slot}.png`;
    const type = slot === 'photo' ? 'image/jpeg' : 'image/png';
    return { id: String(index), slot, file: new File([new Uint8Array(bytes)], name, { type }) };
  });
  const commonFields = { form: fields.kind, address: '/', title: 'Slip', park: 'Lido Beach' };
  const { item } = await insertItem({
    id: crypto.randomUUID(),
    userId: user.id,
    username: user.username,
    ...commonFields,
    createdAt: now,
    capturedAt: new Date(now).toISOString(),
    ...fields,
    files: await Promise.all(files),
  });
  return item;
}

const report = {
  selectedPlace: 'Lido Beach',
  name: 'Ellie Barker',
  age: 34,
  contactNumber: '07700900123',
  reporter: 'Huw Parry',
  date: '2026-03-14',
  time: '14:05',
  type: 'Slip',
  location: 'Plot 12',
  employmentStatus: 'Guest',
  emergencyService: 'None',
  details: 'Slipped on the wet step by the pool.',
};
const putReport = (user: TestClient) =>
  put(user, { kind: 'accident', body: report }, ['photo', 'photo', 'signature', 'affectedUserSignature']);

const getReason = (item: OutboxItem | undefined) => item?.error && getErrorReason(item.error);

/** Returns the text of the zip that the Save a Copy button downloads. */
async function readCopy(item: OutboxItem): Promise<string> {
  const link = { href: '', download: '', click: () => undefined };
  let zip: Blob | undefined;
  vi.stubGlobal('document', { createElement: () => link });
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    zip = blob as Blob;
    return 'blob:copy';
  });
  await saveCopy(item);
  expect(link.download).toMatch(/\.zip$/);
  return Buffer.from((await zip?.arrayBuffer()) ?? new ArrayBuffer(0)).toString('latin1');
}

test('an item of a deleted user waits until a reviewer sends it, and its record names both users', async () => {
  const staff = await server.as('None', 'Lido Beach');
  const item = await putReport(staff);
  await admin(api.deleteUser, { params: { id: staff.id } });
  await send(staff);
  expect(await listItems()).toMatchObject([{ id: item.id, state: 'signIn' }]);
  const copy = await readCopy(item);
  for (const part of ['submission.json', 'Ellie Barker', 'pool.jpg', 'signature.png']) expect(copy).toContain(part);
  // The reviewer's own sign-in does not send the item.
  await send(admin);
  expect(await listItems()).toMatchObject([{ id: item.id, state: 'signIn' }]);
  await sendForFormerUser(item, admin);
  await send(admin);
  expect(await listItems()).toEqual([]);
  const [receipt] = await listReceipts();
  expect(receipt).toMatchObject({ photos: 2, signatures: 2, number: expect.stringMatching(/^ACC-/) });
  const [submittedReport] = await admin(api.listReports, { query: { q: receipt?.number, limit: 9 } });
  expect(submittedReport).toMatchObject({ created_by: `${admin.username} for ${staff.username}` });
});

test('an item that arrived before its user was deleted is not stored twice', async () => {
  const staff = await server.as('None', 'Lido Beach');
  const item = await putReport(staff);
  await send(staff, (url) => url.includes('submit'));
  expect(await listItems()).toMatchObject([{ state: 'waiting' }]);
  await admin(api.deleteUser, { params: { id: staff.id } });
  await sendForFormerUser((await findItem(item.id)) as OutboxItem, admin);
  await send(admin);
  expect(await listItems()).toEqual([]);
  expect(await listReceipts()).toMatchObject([{ photos: 2, signatures: 2, number: expect.stringMatching(/^ACC-/) }]);
  const reportRows = await server.db.selectFrom('reports').select('id').where('created_by', '=', staff.id).execute();
  expect(reportRows).toHaveLength(1);
});

test('a new audit of a user who was moved to another park can be created in a folder of that park', async () => {
  const staff = await server.as('None', 'Lido Beach');
  const deletedFolder = await newFolder(admin, { name: 'Plant', park: 'Lido Beach' });
  const item = await put(staff, { kind: 'audit', body: { folder_id: deletedFolder, title: 'Moved pump' } }, ['photo']);
  await admin(api.assignRole, { body: { username: staff.username, role: 'None', park: 'Kingsley' } });
  const movedUser = await server.createSession(staff.id, staff.username);
  await send(movedUser);
  const refused = await findItem(item.id);
  expect(refused).toMatchObject({ state: 'refused', error: { status: 404 } });
  expect(getReason(refused)).toBe('Folder not found');
  expect(await readCopy(item)).toContain('Moved pump');
  const folder = await newFolder(admin, { name: 'Boilers', park: 'Kingsley' });
  const body = { ...item.body, folder_id: folder };
  await submitAgain(refused as OutboxItem, { form: `create-audit/${folder}`, park: 'Kingsley', body });
  await send(movedUser);
  expect(await listItems()).toEqual([]);
  const [audit] = await movedUser(api.listAudits, { params: { folderId: folder } });
  expect(audit).toMatchObject({ title: 'Moved pump', media_files: [{ name: 'pool.jpg' }] });
});

test('a report of a user who was moved to another park arrives with the park chosen in the report', async () => {
  const staff = await server.as('None', 'Lido Beach');
  await putReport(staff);
  await admin(api.assignRole, { body: { username: staff.username, role: 'None', park: 'Kingsley' } });
  await send(await server.createSession(staff.id, staff.username));
  expect(await listReceipts()).toMatchObject([{ park: 'Lido Beach', photos: 2 }]);
});

test('a submission of a checklist that has changed since keeps the sections as they were answered', async () => {
  const staff = await server.as('None', 'Lido Beach');
  const sections = [{ title: 'Chlorine', type: 'text' as const, required: true }];
  const { id: checklistId } = await admin(api.createChecklist, { body: { title: 'Changed round', sections } });
  await put(staff, { kind: 'checklist', sections, body: { checklistId, checklistVersion: 1, data: { 0: '1.4' } } });
  const added = [{ title: 'Temperature', type: 'text' as const, required: true }, ...sections];
  await admin(api.updateChecklist, {
    params: { id: checklistId },
    body: { title: 'Changed round', sections: added, version: 1 },
  });
  await send(staff);
  expect((await listItems()).map(getReason)).toEqual([]);
  const [sent] = await admin(api.listSubmissions, { query: { title: 'Changed round', limit: 9 } });
  const submission = await admin(api.getSubmission, { params: { id: sent?.id ?? '' } });
  expect(submission).toMatchObject({ sections: [{ title: 'Chlorine' }], data: { 0: '1.4' } });
});

test('photos of failing answers stay on the device until they are sent, even if the server has deleted its copies', async () => {
  const staff = await server.as('None', 'Lido Beach');
  const onFail = { when: 'No', photo: 'required', audit: { urgent: false, days: 1, assignees: {} } } as const;
  const sections = [{ title: 'Gate locked?', type: 'na' as const, required: true, onFail }];
  const { id: checklistId } = await admin(api.createChecklist, { body: { title: 'Gates', sections } });
  const failures = { 0: { note: 'Hinge is broken', mediaFiles: [{ id: '0', name: 'pool.jpg' }] } };
  const body = { checklistId, checklistVersion: 1, data: { 0: 'No' }, failures };
  const item = await put(staff, { kind: 'checklist', body }, ['photo']);
  await updateItem(item.id, ({ files }) => ({ files: files.map((file) => ({ ...file, section: '0' })) }));
  await send(staff, undefined, (url) => url.includes('submit'));
  expect((await findItem(item.id))?.files).toMatchObject([{ section: '0', upload: {} }]);
  // Uploads that no record uses are deleted after 72 hours.
  now += 4 * 24 * 60 * 60_000;
  await server.db.deleteFrom('uploads').where('attached_id', 'is', null).execute();
  await send(await server.createSession(staff.id, staff.username));
  expect((await listItems()).map(({ error }) => error)).toEqual([]);
  const reviewer = await server.createSession(admin.id, admin.username);
  const [sent] = await reviewer(api.listSubmissions, { query: { title: 'Gates', limit: 9 } });
  const submission = await reviewer(api.getSubmission, { params: { id: sent?.id ?? '' } });
  expect(submission.failures).toMatchObject({ 0: { note: 'Hinge is broken', media_files: [{ name: 'pool.jpg' }] } });
});

test('an item whose checklist was deleted says so, and its answers can be copied', async () => {
  const staff = await server.as('None', 'Lido Beach');
  const sections = [{ title: 'Chlorine', type: 'text' as const, required: true }];
  const { id } = await admin(api.createChecklist, { body: { title: 'Deleted round', sections } });
  const item = await put(staff, { kind: 'checklist', sections, body: { checklistId: id, data: { 0: 'green' } } });
  await admin(api.deleteChecklist, { params: { id } });
  await send(staff);
  const refused = await findItem(item.id);
  expect(refused).toMatchObject({ state: 'refused', error: { status: 404 } });
  expect(getReason(refused)).toBe('Checklist not found');
  expect(await readCopy(item)).toContain('green');
});

test('a completion whose audit was deleted says so and can be copied', async () => {
  const staff = await server.as('None', 'Lido Beach');
  const folder = await newFolder(admin, { name: 'Gone', park: 'Lido Beach' });
  const { id } = await admin(api.createAudit, { body: newAudit(folder, { title: 'Deleted pump' }) });
  const body = { data: { completed: true, description: 'In order' }, version: 1 };
  const item = await put(staff, { kind: 'completion', recordId: id, body });
  await admin(api.deleteAudit, { params: { id } });
  await send(staff);
  const refused = await findItem(item.id);
  expect(getReason(refused)).toBe('Audit not found');
  expect(await readCopy(item)).toContain('In order');
});

test('a shared device learns of completions that it sends only whether they have arrived', async () => {
  const device = await shareDevice(await server.as('Admin'), 'Lido Beach', 'Slide');
  const staff = await makePinUser(server);
  const { client } = await signInWithPin(server, device, staff);
  const folder = await newFolder(admin, { name: 'Rides', park: 'Lido Beach' });
  const complete = async (title: string) => {
    const { id } = await admin(api.createAudit, { body: newAudit(folder, { title }) });
    const body = { data: { completed: true, description: 'In order', media_files: [] }, version: 1 };
    return put(staff, { kind: 'completion', recordId: id, body, fromDevice: 'Slide' }, ['photo']);
  };
  const own = await complete('Own');
  await send(client, (url) => url.includes('/api/audits/'));
  await send(client);
  expect(await listReceipts()).toMatchObject([{ id: own.id, photos: 1 }]);
  expect(await listReceipts()).not.toMatchObject([{ completedBy: expect.anything() }]);
  const other = await complete('Other');
  await admin(api.updateAudit, { params: { id: other.recordId ?? '' }, body: { data: { completed: true } } });
  const elsewhere = await complete('Elsewhere');
  const body = { data: { completed: true, description: 'Done from the office' } };
  await staff(api.updateAudit, { params: { id: elsewhere.recordId ?? '' }, body });
  const changed = await complete('Changed');
  await admin(api.updateAudit, { params: { id: changed.recordId ?? '' }, body: { title: 'Renamed' } });
  await send(client);
  const receipt = (await listReceipts()).find(({ id }) => id === other.id);
  expect(receipt).toMatchObject({ completedBy: 'someone else' });
  const ofElsewhere = (await listReceipts()).find(({ id }) => id === elsewhere.id);
  expect(ofElsewhere).toMatchObject({ completedBy: staff.username });
  expect(await findItem(changed.id)).toMatchObject({ state: 'refused', error: { code: 'STALE' } });
});

test.each([80, 30 * 24])(
  'a report sent again after %i hours and a cleanup of stored replies gets its first number',
  async (hours) => {
    const staff = await server.as('None', 'Lido Beach');
    await putReport(staff);
    await send(staff, (url) => url.includes('submit'));
    const { number } = await readRow(server.db, 'reports', { created_by: staff.id });
    now += hours * 60 * 60_000;
    await clearOldReplies(server.db, new Date(now));
    await send(await server.createSession(staff.id, staff.username));
    expect(await listItems()).toEqual([]);
    expect(await listReceipts()).toMatchObject([{ number, photos: 2, signatures: 2 }]);
  },
);

test('a report whose stored reply was deleted gets a receipt if it is the same report', async () => {
  const staff = await server.as('None', 'Lido Beach');
  await putReport(staff);
  await send(staff, (url) => url.includes('submit'));
  await server.db.updateTable('replies').set({ body: null }).where('user_id', '=', staff.id).execute();
  await send(staff);
  expect(await listItems()).toEqual([]);
  expect(await listReceipts()).toMatchObject([{ photos: 2, signatures: 2 }]);
});

/** What two tabs submit from one draft, and how the second one differs. */
const twoContents: Record<string, () => Promise<[ItemFields, changes: object]>> = {
  async checklist() {
    const sections = [{ title: 'Chlorine', type: 'text' as const, required: true }];
    const { id } = await admin(api.createChecklist, { body: { title: 'Pool', sections } });
    const body = { checklistId: id, data: { 0: '7.4' }, park: 'Lido Beach' };
    return [{ kind: 'checklist', body }, { data: { 0: '8.1' } }];
  },
  async audit() {
    return [{ kind: 'audit', body: newAudit(await newFolder(admin), { title: 'Pump' }) }, { title: 'Valve' }];
  },
  async hazard() {
    const hazard = { park: 'Lido Beach', kind: 'Fire', wasNearlyHurt: false };
    return [{ kind: 'hazard', body: { hazard, location: 'Pool', description: '' } }, { location: 'Bar' }];
  },
};

test.each(Object.entries(twoContents))(
  'another %s with the key of one that has arrived needs attention, keeps its input and can be sent with a new key',
  async (_, create) => {
    const staff = await server.as('None', 'Lido Beach');
    const [fields, changes] = await create();
    const { id } = await put(staff, fields);
    await send(staff);
    const body = { ...fields.body, ...changes };
    await put(staff, { ...fields, body, id });
    await send(staff);
    const refused = (await findItem(id)) as OutboxItem;
    expect(refused).toMatchObject({ state: 'refused', body, error: { code: 'KEY_REUSED', status: 422 } });
    expect(getReason(refused)).toMatch(/^This was already received on/);
    await submitAgain(refused, {});
    await send(staff);
    expect(await listItems()).toEqual([]);
    expect(await listReceipts()).toHaveLength(2);
  },
);

test.each(Object.entries(twoContents))(
  'another %s with the key of one that waits leaves that one as it is, and needs attention',
  async (_, create) => {
    const staff = await server.as('None', 'Lido Beach');
    const [fields, changes] = await create();
    const first = await put(staff, fields);
    const other = await put(staff, { ...fields, body: { ...fields.body, ...changes }, id: first.id });
    expect(other).toMatchObject({ state: 'refused', error: { code: 'KEY_REUSED' } });
    expect(await findItem(first.id)).toMatchObject({ state: 'waiting', body: fields.body });
    await send(staff);
    expect(await listReceipts()).toMatchObject([{ id: first.id }]);
    expect(await listItems()).toMatchObject([{ id: other.id, body: { ...fields.body, ...changes } }]);
  },
);
