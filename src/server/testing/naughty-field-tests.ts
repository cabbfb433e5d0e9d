// How to test naughty strings in the fields of endpoints, beyond what the contract and `endpoint-cases.ts` say.
import { parseAnswers } from '#shared/answers.ts';
import { api, type EndpointName } from '#shared/api.ts';
import { sectionTypes } from '#shared/checklists.ts';
import { getUsernameKey } from '#shared/users.ts';
import { newId } from '../ids.ts';
import { ownPark } from './access-records.ts';
import { signedPasskey } from './authenticator.ts';
import { newAudit, newLesson } from './factories.ts';
import { sendMessage } from './messages.ts';
import {
  type FieldTest,
  fromAddress,
  isRejectedPassword,
  type TestContext,
  type TestRequest,
} from './naughty-fields.ts';
import { insertRow } from './rows.ts';
import { seedUploads } from './seed-reports.ts';

const byId = <T extends { id: string }>(things: T[], shape: (thing: T) => object = (thing) => thing) =>
  new Map(things.map((thing) => [thing.id, shape(thing)]));
/** Returns `prepare` for a request of the Admin that is always the same. */
const asAdmin =
  (request: Omit<TestRequest, 'client'> = {}) =>
  ({ admin }: TestContext) => ({ client: admin, ...request });

const submitReport: FieldTest = {
  prepare: async (context) => {
    const [photo = '', signature = '', affected = ''] = await seedUploads(context.server.db, 3, context.admin.id);
    const files = {
      mediaFiles: [{ path: photo, name: '', storageType: 'server' }],
      signature: { path: signature },
      affectedUserSignature: { path: affected },
      affectedUserSignedBy: { name: 'Mary Barker', capacity: 'Could not sign', reason: 'Her hand is in plaster' },
    };
    return { client: context.admin, body: { ...context.report, ...files } };
  },
  // The server sets the type of a file itself.
  ignored: ['mediaFiles.0.type', 'placeId', 'messageId'],
  readStored: async ({ admin }) => byId(await admin(api.listReports)),
};
const readStoredFolders: FieldTest['readStored'] = async ({ admin }) => byId(await admin(api.listFolders));
const number = { unit: 'pH', min: 7.2, max: 7.6 };
const audit = { urgent: false, days: 1, assignees: { 'Lido Beach': 'sian' } };
const onFail = { when: 'outOfRange', photo: 'optional', audit };
const checklistBody = { title: 'Pool', sections: [{ title: 'Gate', type: 'text', required: false, number, onFail }] };
const withinChecklist = {
  'sections.0.onFail.audit.assignees': ['Lido Beach'],
  // The first question is a text: it has no choices and depends on no other.
  ...{ 'sections.0.choices.0.text': [], 'sections.0.choices.0.fails': [] },
  ...{ 'sections.0.showIf.section': [], 'sections.0.showIf.answers.0': [] },
};
const readStoredChecklists: FieldTest['readStored'] = async ({ admin }) => byId(await admin(api.listChecklists));
const scheduleBody = {
  parks: ['Mounds'],
  repeat: 'daily',
  opens_at: '06:00',
  closes_at: '10:00',
  more_windows: [{ opens_at: '12:00', closes_at: '14:00' }],
  starts_on: '2026-01-01',
  season_from: '03-01',
  season_to: '10-31',
  ends_on: '2099-12-31',
  gate: 'Pool',
};
const readStoredSchedules: FieldTest['readStored'] = async ({ admin }) => byId(await admin(api.listSchedules));
const media = async ({ server, admin }: TestContext) =>
  (await seedUploads(server.db, 1, admin.id)).map((path) => ({ path, name: '' }));
const withMedia = async (context: TestContext) => ({ media_files: await media(context) });
export const sections = sectionTypes.map((type) => ({
  ...{ title: type, type, required: false },
  ...(type.startsWith('choice') && { choices: ['Open', 'Shut'].map((text) => ({ text, fails: false })) }),
}));

/** Returns a client that leaves what the server takes for names in a text: other tests name users like this. */
const leavingNames = (client: { fetch: typeof fetch }) => ({
  fetch: (async (path, init) => {
    const response = await client.fetch(path, init);
    const reply = (await response.clone().json()) as { code?: string; hash: string; found: object[] };
    if (reply.code !== 'IDENTIFIABLE') return response;
    const decisions = { hash: reply.hash, choices: reply.found.map(() => 'leave') };
    const body = JSON.stringify({ ...JSON.parse(String(init?.body)), decisions });
    return client.fetch(path, { ...init, body });
  }) as typeof fetch,
});

/** An endpoint without an entry accepts every string that its schema accepts, and is not read afterwards. */
export const fieldTests: Partial<Record<EndpointName, FieldTest>> = {
  login: {
    prepare: ({ server }, at) => ({
      client: fromAddress(server.anonymous, at),
      body: { username: `person.${newId()}`, password: 'x' },
    }),
    isRateLimited: true,
    status: 401,
  },
  enterCode: { adds: { passkey: signedPasskey }, status: 401, oneIn: 5 },
  confirmIdentity: {
    adds: { passkey: signedPasskey },
    isOfNewUser: true,
    isRateLimited: true,
    status: 400,
    oneIn: 5,
  },
  signInWithPasskey: { status: 401, oneIn: 5 },
  // Nothing is stored of what these receive.
  startProviderSignIn: { status: 404 },
  completeProviderSignIn: { status: 404 },
  linkIdentity: { status: 404 },
  addPasskey: { status: 400, oneIn: 5 },
  renamePasskey: {
    async prepare({ server, admin }) {
      const id = newId();
      await insertRow(server.db, 'passkeys', {
        id,
        user_id: admin.id,
        name: 'Phone',
        host: 'localhost',
        credential_id: id,
        public_key: 'x',
        is_confirmed: 1,
      });
      return { client: admin, params: { id }, body: { name: 'Phone' } };
    },
    readStored: async ({ server }) => byId(await server.db.selectFrom('passkeys').select(['id', 'name']).execute()),
    oneIn: 5,
  },
  setPin: { isOfNewUser: true, statusIfWrong: { currentPassword: 400 }, isRateLimited: true, oneIn: 5 },
  signInWithPin: { status: 403, oneIn: 5 },
  createSharedDevice: {
    // The request signs the user out, so each has another user.
    async prepare({ server }) {
      return { client: await server.as('Admin'), body: { park: ownPark, name: 'Lifeguard hut' } };
    },
    readStored: async ({ admin }) => byId(await admin(api.listSharedDevices)),
    isRateLimited: true,
    oneIn: 5,
  },
  checkAppSetUp: { status: 400, oneIn: 5 },
  confirmRecoveryCodes: { status: 400, oneIn: 5 },
  changePassword: {
    isOfNewUser: true,
    storesNothing: 'of a password, only its hash is stored',
    rejects: (fieldPath, text) => fieldPath === 'newPassword' && isRejectedPassword(text),
    statusIfWrong: { currentPassword: 400 },
    isRateLimited: true,
    secret: 'newPassword',
    oneIn: 5,
  },
  endSessions: { isOfNewUser: true, statusIfWrong: { currentPassword: 400 }, isRateLimited: true, oneIn: 5 },
  requestEmailChange: {
    // Leaves the email address empty, because the test server sends no email.
    adds: { email: '' },
    isOfNewUser: true,
    statusIfWrong: { currentPassword: 400 },
    isRateLimited: true,
    oneIn: 5,
  },
  acceptInvitation: {
    status: 404,
    rejects: (fieldPath, text) => fieldPath === 'password' && isRejectedPassword(text),
    oneIn: 5,
  },
  confirmEmailChange: { status: 404, oneIn: 5 },
  uploadImage: { prepare: asAdmin(), status: 400, oneIn: 5 },
  submitAccident: submitReport,
  submitIncident: { ...submitReport, oneIn: 5 },
  submitChecklist: {
    adds: { data: {} },
    openFields: { data: sections.map((_, at) => String(at)) },
    rejects: (fieldPath, text) => {
      const [, index] = fieldPath.split('.');
      return index !== undefined && Object.keys(parseAnswers(sections, { [index]: text }).errors).length > 0;
    },
    statusIfWrong: { checklistId: 404 },
    ignored: ['placeId'],
    readStored: async ({ admin }) => byId(await admin(api.listSubmissions)),
  },
  createChecklist: { adds: checklistBody, openFields: withinChecklist, readStored: readStoredChecklists },
  updateChecklist: {
    record: 'new',
    adds: checklistBody,
    openFields: withinChecklist,
    readStored: readStoredChecklists,
  },
  getOverview: { oneIn: 5 },
  listAuditsOnDay: { oneIn: 5 },
  getLastResult: { statusIfWrong: { place: 404 } },
  createSchedule: {
    record: 'new',
    adds: scheduleBody,
    statusIfWrong: { checklist_id: 404, 'places.0': 400 },
    readStored: readStoredSchedules,
    oneIn: 5,
  },
  updateSchedule: {
    adds: scheduleBody,
    statusIfWrong: { 'places.0': 400 },
    readStored: readStoredSchedules,
    oneIn: 5,
  },
  createClosure: { readStored: async ({ admin }) => byId(await admin(api.listClosures)), oneIn: 5 },
  explainMissedCheck: { status: 404, oneIn: 5 },
  createFolder: { readStored: readStoredFolders },
  updateFolder: { record: 'new', readStored: readStoredFolders },
  createAudit: {
    adds: async (context) => ({
      media_files: await media(context),
      source: {
        thing: 'audit',
        id: (await context.admin(api.createAudit, { body: newAudit(context.ids.folder) })).id,
        photos: [`/uploads/2026/01/${newId()}.png`],
      },
    }),
    statusIfWrong: { folder_id: 404, 'source.id': 404 },
    ignored: ['media_files.0.type', 'placeId', 'verification.verifier', 'source.answer', 'source.reason'],
    readStored: async ({ admin, ids }) => byId(await admin(api.listAudits, { params: { folderId: ids.folder } })),
  },
  addAuditNote: { adds: withMedia, ignored: ['media_files.0.type'] },
  verifyAudit: { adds: withMedia, ignored: ['media_files.0.type'] },
  updateAudit: {
    async prepare(context) {
      const { id } = await context.admin(api.createAudit, { body: newAudit(context.ids.folder) });
      const done = { text: 'The bolts are tight', media_files: await media(context) };
      const data = { completed: true, media_files: await media(context), done };
      return { client: context.admin, params: { id }, body: { data } };
    },
    // Date and time at the top level have priority over those in `data`. Only lessons have answers.
    ignored: ['media_files.0.type', 'date', 'time', 'answer_note', 'done.media_files.0.type']
      .map((name) => `data.${name}`)
      .concat('placeId'),
    async readStored({ admin, ids, server }) {
      const notes = await server.db.selectFrom('audit_notes').select(['audit_id', 'words', 'media_files']).execute();
      const done = new Map(
        notes.map((note) => [note.audit_id, { text: note.words, media_files: JSON.parse(note.media_files) }]),
      );
      return byId(await admin(api.listAudits, { params: { folderId: ids.folder } }), (audit) => ({
        ...audit,
        data: { ...audit, done: done.get(audit.id) },
      }));
    },
  },
  changeAudits: {
    async prepare(context) {
      const { id } = await context.admin(api.createAudit, { body: newAudit(context.ids.folder) });
      const change = { action: 'assign', assignee: 'Bob' };
      return { client: context.admin, body: { audits: [{ id, version: 1 }], change } };
    },
    ignored: ['change.assignee', 'change.date'],
    // The action says which other fields there are, so a wrong one is rejected alone. Audits that do not exist are skipped.
    openFields: { 'change.action': [], 'audits.0.id': [] },
  },
  userExists: { storesNothing: 'only looks it up', oneIn: 5 },
  searchEverything: { storesNothing: 'only looks it up' },
  removePushSubscription: { storesNothing: 'deletes a row' },
  markJunk: { storesNothing: 'names messages' },
  undoJunk: { storesNothing: 'names messages' },
  // Names are compared by it, without their capitals and signs.
  linkLocation: { ignored: ['key'] },
  createUser: {
    rejects: (fieldPath, text) => fieldPath === 'password' && isRejectedPassword(text),
    normalise: { username: getUsernameKey },
    secret: 'password',
    ignored: ['password'],
    readStored: async ({ admin }) => byId(await admin(api.listUsers)),
  },
  updateUserDetails: { readStored: async ({ admin }) => byId(await admin(api.listUsers)) },
  assignRole: { prepare: asAdmin({ body: { username: 'nobody.here', role: 'None', park: '' } }), status: 404 },
  resetPassword: { record: 'missing', oneIn: 5 },
  // User import needs a CSV file, so naughty-strings-elsewhere.test.ts tests it.
  checkUserImport: { status: 400, oneIn: 5 },
  importUsers: { status: 400, oneIn: 5 },
  getReportPdf: { oneIn: 5 },
  // Sends a version that no assessment has: the strings are parsed but not stored.
  saveAssessment: { adds: { version: 9999, people: [], particulars: {} }, status: 409 },
  decideAssessment: { adds: { version: 9999 }, status: 409 },
  addRiddorNotice: { adds: { hseReference: 'ABC', note: 'Told them' }, status: 409 },
  saveParkSettings: { adds: { authority: 'HSE', assignee: 'sian' }, status: 400 },
  saveAllParkSettings: {
    adds: { parks: [{ park: 'Mounds', authority: 'HSE', assignee: 'sian' }] },
    status: 400,
    isRateLimited: true,
  },
  // No link has the token.
  saveFirstSteps: { status: 409, oneIn: 5 },
  switchMessages: { isRateLimited: true },
  closeMessages: {
    adds: async ({ server }) => ({
      messages: [{ id: (await sendMessage(server)).id, reason: 'Dry' }, { id: (await sendMessage(server)).id }],
      reason: 'Wet',
      answer: 'Thank you',
    }),
    // Messages that do not exist are skipped.
    openFields: { 'messages.0.id': [] },
  },
  closeMessage: {
    adds: { reason: 'Nothing is loose', answer: 'Thank you' },
    rejects: (fieldPath, text) => fieldPath === 'number' && text.trim() !== '',
    ignored: ['number'],
    readStored: async ({ server }) => byId(await server.db.selectFrom('guest_messages').selectAll().execute()),
  },
  removeMessagePhoto: { record: 'missing' },
  createInvestigation: { record: 'new', statusIfWrong: { id: 404 } },
  saveInvestigationSection: {
    record: 'missing',
    adds: { section: 'risk', content: { outcome: 'holds', text: 'Read again' } },
    // The section says which fields its content has, so a wrong one is rejected alone.
    openFields: { section: [] },
  },
  coverReport: { record: 'missing' },
  addInvestigationNote: {
    record: 'missing',
    adds: { kind: 'correction', about: '', text: 'It was 8 o’clock', decisions: { hash: '', choices: [] } },
  },
  createLesson: {
    prepare: async (context) => ({
      client: leavingNames(context.admin),
      body: {
        ...newLesson(),
        parks: ['Mounds'],
        photos: await media(context),
        isPhotoChecked: true,
        decisions: { hash: '', choices: [] },
      },
    }),
    statusIfWrong: { investigation_id: 404 },
    // Files get other names, which name no one.
    ignored: ['decisions.hash', 'photos.0.name', 'photos.0.type'],
    oneIn: 3,
  },
  addPlaces: { isRateLimited: true, oneIn: 5 },
  updatePlace: { record: 'new' },
  joinPlaces: { prepare: asAdmin({ params: { id: 'nowhere' }, body: { into: 'nowhere' } }), status: 404 },
  changeLabel: { record: 'new' },
  addLabels: { isRateLimited: true },
  getLabels: { prepare: asAdmin({ query: { park: 'Mounds', size: '24' } }), status: 404 },
  unlinkLocation: { record: 'new', statusIfWrong: { placeId: 404 }, storesNothing: 'deletes rows' },
  reviewHold: { record: 'new' },
  releaseDeleted: { record: 'new' },
  saveNotificationSettings: { adds: { off: [{ kind: 'reportFiled', channel: 'email' }] } },
  addPushSubscription: { adds: { endpoint: 'https://x', keys: { p256dh: 'A', auth: 'A' } }, status: 400 },
  deleteReport: { record: 'new', adds: { reason: 'A duplicate' } },
  deleteSubmission: { record: 'new', adds: { reason: 'A duplicate' } },
  createPack: {
    prepare: asAdmin({ body: { recipient: 'HSE', purpose: 'A visit', withoutNames: false, reports: ['nobody'] } }),
    status: 400,
  },
  createAccessRequest: {
    adds: { spellings: ['Mary'], number: '07700900123', username: 'mair', identityChecked: 'Passport' },
    // Stored as telephone numbers are.
    ignored: ['number'],
  },
  saveAccessChoices: {
    record: 'missing',
    adds: {
      choices: [
        {
          id: 'report:1',
          choice: 'redact',
          because: 'A reason',
          texts: ['Huw'],
          images: [{ path: '/uploads/x', isLeftOut: false, boxes: [{ x: 0, y: 0, width: 1, height: 1 }] }],
        },
      ],
      extendedBecause: 'Much to look through',
    },
  },
  blankNames: { record: 'missing' },
  runRetention: { status: 409 },
  exportReadings: { record: 'missing' },
};
