// The users and records of the access tests.
import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Role } from '#shared/access.ts';
import { api } from '#shared/api.ts';
import { newId } from '../ids.ts';
import { guestAccountId } from '../names/guest-account.ts';
import { deletePack, getPackPath, insertPack } from '../packs/store.ts';
import { deleteSharedDevice, insertSharedDevice } from '../sign-in/devices/shared-devices.ts';
import { insertOneUseToken } from '../sign-in/session/one-use-tokens.ts';
import { deleteUser } from '../users/store.ts';
import { newAudit, newFolder, newLesson } from './factories.ts';
import { sendMessage } from './messages.ts';
import { insertRow, readRow } from './rows.ts';
import { newReportWithoutFiles } from './seed-reports.ts';
import type { TestClient, TestServer } from './server.ts';

export const [ownPark, otherPark] = ['Lido Beach', 'Robin Hood'] as const;
export type TestContext = { server: TestServer; admin: TestClient };

type CallerKind = {
  statusIndex: 0 | 1 | 2 | 3 | 4 | -1;
  role?: Role;
  park?: string | string[];
  cookie?: string;
  isDeleted?: true;
  isHalfSignedIn?: true;
  lacksSecondFactor?: true;
  isByPin?: true;
  isSharedDevice?: true;
};

/**
 * The kinds of callers. `statusIndex` is the place of their status in the list `statuses` of
 * endpoint-cases.ts; -1 is the last.
 */
export const callers = {
  nobody: { statusIndex: 0 },
  'a guest': { statusIndex: 0, cookie: 'receipt=1BCFZFQZ1V8R8WZ3' },
  'a user with a garbage cookie': { statusIndex: 0, cookie: `hs_session=${'x'.repeat(43)}` },
  'an Admin who has entered the password only': { statusIndex: 0, role: 'Admin', park: '', isHalfSignedIn: true },
  'a shared device': { statusIndex: 0, isSharedDevice: true },
  'a deleted user': { statusIndex: 0, role: 'Admin', park: '', isDeleted: true },
  'staff of the park': { statusIndex: 1, role: 'None', park: ownPark },
  'staff of another park': { statusIndex: 1, role: 'None', park: otherPark },
  'staff of both parks': { statusIndex: 1, role: 'None', park: [ownPark, otherPark] },
  'staff of no park': { statusIndex: 2, role: 'None', park: '' },
  'an Admin without the second factor that they must have': {
    ...{ statusIndex: 2, role: 'Admin', park: '', lacksSecondFactor: true },
  },
  'an Admin who signed in with a PIN as staff': { statusIndex: 2, role: 'Admin', park: '', isByPin: true },
  'a manager': { statusIndex: 3, role: 'Health & Safety Manager', park: '' },
  'a manager of the park': { statusIndex: 3, role: 'Health & Safety Manager', park: ownPark },
  'a manager of both parks': { statusIndex: 3, role: 'Health & Safety Manager', park: [ownPark, otherPark] },
  'an Admin of the park': { statusIndex: 4, role: 'Admin', park: ownPark },
  'an Admin': { statusIndex: -1, role: 'Admin', park: '' },
} satisfies Record<string, CallerKind>;
export type CallerName = keyof typeof callers;
export type Caller = {
  name: CallerName;
  fetch: typeof fetch;
  id: string;
  client: TestClient;
  isSignedIn: boolean;
  /** A park that they may use. */
  park: string;
};

/**
 * Returns a caller of this kind: a new user with a session, or a client with the cookie of something
 * else, or with none.
 */
export async function makeCaller(server: TestServer, name: CallerName): Promise<Caller> {
  const kind: CallerKind = callers[name];
  const client = await createCallerClient(server, kind);
  const isSignedIn = kind.statusIndex !== 0;
  return { name, fetch: client.fetch, id: client.id, client, isSignedIn, park: [kind.park].flat()[0] || ownPark };
}

async function createCallerClient({ db, as, withCookie, createSession }: TestServer, kind: CallerKind) {
  if (kind.isSharedDevice) {
    const { token } = await insertSharedDevice(db, { park: ownPark, name: 'Lifeguard hut', by: '' }, new Date());
    // Also sent as the cookie of a session, which must not let anyone in.
    return withCookie(`hs_shared_device=${token}; hs_session=${token}`, '', '');
  }
  if (!kind.role) return withCookie(kind.cookie ?? '', '', '');
  const client = await as(kind.role, kind.park);
  if (kind.isHalfSignedIn) {
    // Also sent as the cookie of a session, which must not let anyone in.
    const token = await insertOneUseToken(db, 'second step', client.id, 300, new Date());
    return withCookie(`hs_second_step=${token}; hs_session=${token}`, client.id, client.username);
  }
  if (kind.lacksSecondFactor || kind.isByPin)
    return createSession(client.id, client.username, kind.isByPin ? 'PIN' : 'password');
  if (kind.isDeleted) await deleteUser(db, client.id, new Date());
  return client;
}

/** A kind of record that an endpoint names. */
export type RecordKind = {
  /** Creates a record and returns its id, or what the endpoint names it by. */
  make(context: TestContext, park: string): Promise<string>;
  delete(context: TestContext, id: string): Promise<unknown>;
  /** What names no record, if it is not an id. */
  missing?: string;
  /** Users of other parks get a 404 for it. */
  isParkScoped?: true;
  /** The status that permitted users get once the record is deleted, if it is not 404. */
  whenDeleted?: number;
};

export const newUsername = () => `person.${randomUUID().slice(0, 13)}`;
export const newUser = (park = '') => ({
  username: newUsername(),
  password: 'a walk along the shore',
  role: 'None' as const,
  park,
});

export const report: RecordKind = {
  async make({ admin, server }, park) {
    const body = await newReportWithoutFiles(server.db, admin.id, { selectedPlace: park });
    return (await admin(api.submitAccident, { body })).id;
  },
  delete: ({ admin }, id) => admin(api.deleteReport, { params: { id } }),
};

export const user: RecordKind = {
  make: async ({ admin }, park) => (await admin(api.createUser, { body: newUser(park) })).id,
  delete: ({ admin }, id) => admin(api.deleteUser, { params: { id } }),
};

export const userByName: RecordKind = {
  async make({ admin }, park) {
    const body = newUser(park);
    await admin(api.createUser, { body });
    return body.username;
  },
  async delete({ admin }, name) {
    const user = (await admin(api.listUsers)).find((user) => user.username === name);
    await admin(api.deleteUser, { params: { id: user?.id ?? '' } });
  },
  missing: 'nobody.here',
};

export const deletion: RecordKind = {
  async make(context, park) {
    const id = await report.make(context, park);
    await report.delete(context, id);
    const row = await context.server.db
      .selectFrom('reports')
      .select('deletion_id')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    return row.deletion_id ?? '';
  },
  delete: ({ admin }, id) => admin(api.restoreDeleted, { params: { id } }),
};

export const assessedReport: RecordKind = {
  async make(context, park) {
    const id = await report.make(context, park);
    await context.admin(api.saveAssessment, { params: { id }, body: { version: 0, answers: {}, people: [{}] } });
    return id;
  },
  delete: report.delete,
};

export const hold: RecordKind = {
  make: async ({ admin }) => {
    const body = { thing: 'park' as const, thing_id: 'Mounds', reason: 'A claim', reviewOn: '2099-01-01' };
    return (await admin(api.setHold, { body })).id;
  },
  delete: ({ admin }, id) => admin(api.liftHold, { params: { id } }),
};

export const accessRequest: RecordKind = {
  async make({ admin }) {
    // A name that no record contains, so that the request needs no decisions about records.
    const body = { name: randomUUID().replaceAll('-', ''), spellings: [], receivedOn: '2026-01-01' };
    return (await admin(api.createAccessRequest, { body })).id;
  },
  delete: ({ server }, id) => server.db.deleteFrom('access_requests').where('id', '=', id).execute(),
};

/** A pack that belongs to another Admin and is ready. */
export const pack: RecordKind = {
  async make({ admin, server }, park) {
    const reports = [await report.make({ admin, server }, park)];
    const body = { recipient: 'HSE', purpose: 'A visit', withoutNames: true, reports };
    const ready = { state: 'ready' as const, expires_at: new Date(Date.now() + 3_600_000).toISOString() };
    const owner = await server.as('Admin');
    // In one transaction, because the server would build a pack that it sees waiting.
    const id = await server.db.transaction().execute(async (db) => {
      const id = await insertPack(db, body, owner, new Date());
      await db.updateTable('packs').set(ready).where('id', '=', id).execute();
      return id;
    });
    await mkdir(join(server.folder, 'uploads/packs'), { recursive: true });
    await writeFile(join(server.folder, 'uploads', getPackPath(id)), 'PK');
    return id;
  },
  delete: ({ server }, id) => deletePack(server.db, id),
};

export const sections = [
  { title: 'Is the gate locked?', type: 'checkbox' as const, required: false },
  // One that can fail, so that a schedule of the checklist can say what may open.
  { title: 'Clear?', type: 'na' as const, required: false, onFail: { when: 'No' as const } },
];
export const checklist: RecordKind = {
  make: async ({ admin }) => (await admin(api.createChecklist, { body: { title: 'Pool', sections } })).id,
  delete: ({ admin }, id) => admin(api.deleteChecklist, { params: { id } }),
};

export const submission: RecordKind = {
  async make(context, park) {
    const checklistId = await checklist.make(context, park);
    return (await context.admin(api.submitChecklist, { body: { checklistId, data: { '0': true } } })).id;
  },
  delete: ({ admin }, id) => admin(api.deleteSubmission, { params: { id } }),
};

export const newSchedule = (checklist_id: string, park: string = ownPark) => ({
  checklist_id,
  parks: [park],
  repeat: 'daily' as const,
  opens_at: '00:00',
  closes_at: '00:00',
  starts_on: '2026-01-01',
});
export const schedule: RecordKind = {
  make: async (context, park) =>
    (await context.admin(api.createSchedule, { body: newSchedule(await checklist.make(context, park), park) })).id,
  delete: ({ admin }, id) => admin(api.endSchedule, { params: { id } }),
};

export const closure: RecordKind = {
  make: async ({ admin }, park) =>
    (await admin(api.createClosure, { body: { park, starts_on: '2099-12-24', ends_on: '2099-12-26' } })).id,
  delete: ({ admin }, id) => admin(api.deleteClosure, { params: { id } }),
};

export const folder: RecordKind = {
  make: ({ admin }, park) => newFolder(admin, { park }),
  delete: ({ admin }, id) => admin(api.deleteFolder, { params: { id } }),
  isParkScoped: true,
};

export const sharedDevice: RecordKind = {
  make: async ({ server }, park) =>
    (await insertSharedDevice(server.db, { park, name: 'Lifeguard hut', by: '' }, new Date())).id,
  delete: ({ server }, id) => deleteSharedDevice(server.db, id),
  isParkScoped: true,
};

export const place: RecordKind = {
  async make({ admin, server }, park) {
    const name = randomUUID();
    await admin(api.addPlaces, { body: { park, names: [name] } });
    const { id } = await server.db.selectFrom('places').select('id').where('name', '=', name).executeTakeFirstOrThrow();
    return id;
  },
  delete: ({ server }, id) => server.db.deleteFrom('places').where('id', '=', id).execute(),
  isParkScoped: true,
};

export const audit: RecordKind = {
  make: async (context, park) =>
    (await context.admin(api.createAudit, { body: newAudit(await folder.make(context, park)) })).id,
  delete: ({ admin }, id) => admin(api.deleteAudit, { params: { id } }),
  isParkScoped: true,
};

export const investigation: RecordKind = {
  // Of an audit, because a report has photos, of which a user has a limited number in a day.
  async make(context, park) {
    const id = await audit.make(context, park);
    return (await context.admin(api.createInvestigation, { body: { thing: 'audit', id } })).id;
  },
  delete: ({ admin }, id) => admin(api.deleteInvestigation, { params: { id } }),
};

export const message: RecordKind = {
  make: async ({ server }, park) => (await sendMessage(server, {}, { park })).id,
  delete: ({ server }, id) => server.db.deleteFrom('guest_messages').where('id', '=', id).execute(),
  isParkScoped: true,
};

/** A message with a photo, which is no real file. */
export const messageWithPhoto: RecordKind = {
  async make({ server }, park) {
    const path = `/uploads/2026/01/${newId()}.jpg`;
    await insertRow(server.db, 'uploads', { path, type: 'image/jpeg', size: 1, uploaded_by: guestAccountId });
    const { id } = await sendMessage(server, { photos: [{ path }] }, { park });
    return id;
  },
  delete: message.delete,
  isParkScoped: true,
};

export const lesson: RecordKind = {
  make: async ({ admin }, park) => (await admin(api.createLesson, { body: newLesson({ parks: [park] }) })).id,
  async delete({ admin }, id) {
    for (const { audit } of (await admin(api.getLesson, { params: { id } })).answers)
      await admin(api.deleteAudit, { params: { id: audit?.id ?? '' } });
  },
};

/** An investigation of which a copy was released. */
export const releasedInvestigation: RecordKind = {
  async make(context, park) {
    const id = await investigation.make(context, park);
    const note = { id: randomUUID(), words: 'A step gave way', created_at: '2026-01-01', created_by: context.admin.id };
    await insertRow(context.server.db, 'investigation_notes', { ...note, investigation_id: id, kind: 'released' });
    return id;
  },
  delete: investigation.delete,
};

/** A section of an investigation. */
export const investigationSection: RecordKind = {
  async make(context, park) {
    const id = await investigation.make(context, park);
    return (await context.admin(api.getInvestigation, { params: { id } })).sections.madeSafe.id;
  },
  async delete(context, id) {
    const { investigation_id } = await readRow(context.server.db, 'investigation_sections', { id });
    await investigation.delete(context, investigation_id);
  },
};
