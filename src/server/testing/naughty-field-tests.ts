// For each endpoint: a request in whose fields naughty strings are tested, and what to expect.
import { randomUUID } from 'node:crypto';
import { parseAnswers } from '#shared/answers.ts';
import { type Api, api, type EndpointName } from '#shared/api.ts';
import { sectionTypes } from '#shared/checklists.ts';
import { getUsernameKey } from '#shared/users.ts';
import { newId } from '../ids.ts';
import { hashPassword } from '../sign-in/session/passwords.ts';
import { insertUser } from '../users/store.ts';
import { signedPasskey, unknownPasskey } from './authenticator.ts';
import { newAudit, newFolder, newLesson } from './factories.ts';
import { sendMessage } from './messages.ts';
import {
  type FieldTest,
  fromAddress,
  insertUnattachedUploads,
  isRejectedPassword,
  type TestContext,
  type TestRequest,
} from './naughty-fields.ts';
import { password } from './server.ts';

type EndpointWithFields = {
  [N in EndpointName]: Api[N] extends { body: unknown } | { query: unknown } ? N : never;
}[EndpointName];

const byId = <T extends { id: string }>(things: T[], shape: (thing: T) => object = (thing) => thing) =>
  new Map(things.map((thing) => [thing.id, shape(thing)]));
/** Returns `prepare` for a request of the Admin that is always the same. */
const asAdmin =
  (request: Omit<TestRequest, 'client'> = {}) =>
  ({ admin }: TestContext) => ({ client: admin, ...request });
const newName = () => `person.${randomUUID().slice(0, 13)}`;

const submitReport: FieldTest = {
  prepare: async (context) => {
    const [photo = '', signature = '', affected = ''] = await insertUnattachedUploads(context, 3);
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
const folderBody = { name: 'Fire safety', description: 'Monthly rounds', park: 'Lido Beach' };
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
const createPoolChecklist = async ({ admin }: TestContext) => {
  const section = { title: 'Clear?', type: 'na' as const, required: false, onFail: { when: 'No' as const } };
  return (await admin(api.createChecklist, { body: { title: 'Pool', sections: [section] } })).id;
};
const readStoredSchedules: FieldTest['readStored'] = async ({ admin }) => byId(await admin(api.listSchedules));
const media = async (context: TestContext) =>
  (await insertUnattachedUploads(context, 1)).map((path) => ({ path, name: '' }));
export const sections = sectionTypes.map((type) => ({
  ...{ title: type, type, required: false },
  ...(type.startsWith('choice') && { choices: ['Open', 'Shut'].map((text) => ({ text, fails: false })) }),
}));

const prepareCsvExport = asAdmin({ query: { format: 'csv' } });

/** Creates a user with a session, and an IP address of their own for the request with number `at`. */
async function signInNewUser(server: TestContext['server'], at: number) {
  const username = newName();
  const person = { username, passwordHash: await hashPassword(password), role: 'None' as const, park: '' };
  const id = await insertUser(server.db, { ...person, mustChangePassword: false }, new Date());
  const client = await server.createSession(id, username);
  return { client: fromAddress(client, at), username };
}

// Every endpoint with a body or a query needs an entry; the compiler reports a missing one.
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

export const fieldTests: Record<EndpointWithFields, FieldTest> = {
  login: {
    prepare: ({ server }, at) => ({
      client: fromAddress(server.anonymous, at),
      body: { username: newName(), password: 'x' },
    }),
    isRateLimited: true,
    status: 401,
  },
  enterCode: {
    prepare: ({ server }) => ({ client: server.anonymous, body: { code: '123456', passkey: signedPasskey } }),
    status: 401,
    oneIn: 5,
  },
  confirmIdentity: {
    async prepare({ server }, at) {
      return { ...(await signInNewUser(server, at)), body: { currentPassword: password, passkey: signedPasskey } };
    },
    isRateLimited: true,
    status: 400,
    oneIn: 5,
  },
  signInWithPasskey: {
    prepare: ({ server }, at) => ({
      client: fromAddress(server.anonymous, at),
      body: { passkey: signedPasskey },
    }),
    status: 401,
    oneIn: 5,
  },
  // Nothing is stored of what these receive.
  startProviderSignIn: {
    prepare: ({ server }) => ({ client: server.anonymous, body: { purpose: 'sign in' } }),
    status: 404,
  },
  completeProviderSignIn: {
    prepare: ({ server }) => ({ client: server.anonymous, body: { query: 'code=1' } }),
    status: 404,
  },
  linkIdentity: {
    prepare: ({ admin }) => ({ client: admin, params: { id: newId() }, body: { user: newId() } }),
    status: 404,
  },
  addPasskey: {
    prepare: asAdmin({ body: { name: 'Phone', passkey: unknownPasskey } }),
    status: 400,
    oneIn: 5,
  },
  renamePasskey: {
    async prepare({ server, admin }) {
      const id = newId();
      await server.db
        .insertInto('passkeys')
        .values({
          ...{
            id,
            user_id: admin.id,
            name: 'Phone',
            host: 'localhost',
            credential_id: id,
            public_key: 'x',
            counter: 0,
          },
          ...{ can_be_backed_up: 0, is_backed_up: 0, is_confirmed: 1, created_at: '', last_used_at: null },
        })
        .execute();
      return { client: admin, params: { id }, body: { name: 'Phone' } };
    },
    readStored: async ({ server }) => byId(await server.db.selectFrom('passkeys').select(['id', 'name']).execute()),
    oneIn: 5,
  },
  setPin: {
    async prepare({ server }, at) {
      return { ...(await signInNewUser(server, at)), body: { currentPassword: password, pin: '274916' } };
    },
    statusIfWrong: { currentPassword: 400 },
    isRateLimited: true,
    oneIn: 5,
  },
  signInWithPin: {
    prepare: ({ server }, at) => ({
      client: fromAddress(server.anonymous, at),
      body: { user: newId(), pin: '274916' },
    }),
    status: 403,
    oneIn: 5,
  },
  createSharedDevice: {
    // The request signs the user out, so each has another user.
    async prepare({ server }) {
      return { client: await server.as('Admin'), body: { park: 'Lido Beach', name: 'Lifeguard hut' } };
    },
    readStored: async ({ admin }) => byId(await admin(api.listSharedDevices)),
    isRateLimited: true,
    oneIn: 5,
  },
  checkAppSetUp: { prepare: asAdmin({ body: { code: '123456' } }), status: 400, oneIn: 5 },
  confirmRecoveryCodes: {
    prepare: asAdmin({ body: { code: '1-aaaa-bbbb-cccc-dddd' } }),
    status: 400,
    oneIn: 5,
  },
  changePassword: {
    async prepare({ server }, at) {
      return { ...(await signInNewUser(server, at)), body: { currentPassword: password, newPassword: newName() } };
    },
    rejects: (fieldPath, text) => fieldPath === 'newPassword' && isRejectedPassword(text),
    statusIfWrong: { currentPassword: 400 },
    isRateLimited: true,
    secret: 'newPassword',
    oneIn: 5,
  },
  endSessions: {
    async prepare({ server }, at) {
      return { ...(await signInNewUser(server, at)), body: { currentPassword: password } };
    },
    statusIfWrong: { currentPassword: 400 },
    isRateLimited: true,
    oneIn: 5,
  },
  requestEmailChange: {
    // Leaves the email address empty, because the test server sends no email.
    async prepare({ server }, at) {
      return { ...(await signInNewUser(server, at)), body: { email: '', currentPassword: password } };
    },
    statusIfWrong: { currentPassword: 400 },
    isRateLimited: true,
    oneIn: 5,
  },
  acceptInvitation: {
    prepare: asAdmin({ body: { token: 'x'.repeat(43), password: 'a long walk by the sea' } }),
    status: 404,
    rejects: (fieldPath, text) => fieldPath === 'password' && isRejectedPassword(text),
    oneIn: 5,
  },
  confirmEmailChange: {
    prepare: asAdmin({ body: { token: 'x'.repeat(43) } }),
    status: 404,
    oneIn: 5,
  },
  uploadImage: { prepare: asAdmin(), status: 400, oneIn: 5 },
  submitAccident: submitReport,
  submitIncident: { ...submitReport, oneIn: 5 },
  listReports: { prepare: asAdmin() },
  listReportMonths: { prepare: asAdmin({ query: { reportType: 'accident' } }) },
  findReportNeighbours: {
    prepare: ({ admin, ids }) => ({ client: admin, params: { id: ids.report }, query: { reportType: 'accident' } }),
  },
  submitChecklist: {
    prepare: ({ admin, ids }) => ({ client: admin, body: { checklistId: ids.checklist, data: {} } }),
    openFields: { data: sections.map((_, at) => String(at)) },
    rejects: (fieldPath, text) => {
      const [, index] = fieldPath.split('.');
      return index !== undefined && Object.keys(parseAnswers(sections, { [index]: text }).errors).length > 0;
    },
    statusIfWrong: { checklistId: 404 },
    ignored: ['placeId'],
    readStored: async ({ admin }) => byId(await admin(api.listSubmissions)),
  },
  createChecklist: {
    prepare: asAdmin({ body: checklistBody }),
    openFields: withinChecklist,
    readStored: readStoredChecklists,
  },
  updateChecklist: {
    prepare: async ({ admin }) => ({
      client: admin,
      body: checklistBody,
      params: { id: (await admin(api.createChecklist, { body: checklistBody as never })).id },
    }),
    openFields: withinChecklist,
    readStored: readStoredChecklists,
  },
  getOverview: {
    prepare: asAdmin({ query: { from: '2026-01-01', to: '2026-12-31' } }),
    oneIn: 5,
  },
  listAuditsOnDay: {
    prepare: asAdmin({ query: { state: 'open', on: '2026-12-31' } }),
    oneIn: 5,
  },
  listDueChecks: { prepare: asAdmin() },
  listComingChecks: { prepare: asAdmin({ query: { park: 'Lido Beach' } }) },
  getLastResult: {
    prepare: ({ admin, ids }) => ({ client: admin, params: { id: ids.checklist }, query: { park: 'Lido Beach' } }),
    statusIfWrong: { place: 404 },
  },
  listChecks: { prepare: asAdmin() },
  countChecks: { prepare: asAdmin() },
  createSchedule: {
    prepare: async (context) => ({
      client: context.admin,
      body: { checklist_id: await createPoolChecklist(context), ...scheduleBody },
    }),
    statusIfWrong: { checklist_id: 404, 'places.0': 400 },
    readStored: readStoredSchedules,
    oneIn: 5,
  },
  updateSchedule: {
    prepare: async (context) => {
      const body = { checklist_id: await createPoolChecklist(context), ...scheduleBody, gate: '' };
      const { id } = await context.admin(api.createSchedule, { body: body as never });
      return { client: context.admin, body: scheduleBody, params: { id } };
    },
    statusIfWrong: { 'places.0': 400 },
    readStored: readStoredSchedules,
    oneIn: 5,
  },
  createClosure: {
    prepare: asAdmin({ body: { park: 'Mounds', starts_on: '2099-12-24', ends_on: '2099-12-26' } }),
    readStored: async ({ admin }) => byId(await admin(api.listClosures)),
    oneIn: 5,
  },
  explainMissedCheck: {
    prepare: asAdmin({ params: { id: 'none' }, body: { reason: 'Storm' } }),
    status: 404,
    oneIn: 5,
  },
  listSubmissions: { prepare: asAdmin() },
  createFolder: { prepare: asAdmin({ body: folderBody }), readStored: readStoredFolders },
  updateFolder: {
    prepare: async ({ admin }) => ({ client: admin, params: { id: await newFolder(admin) }, body: folderBody }),
    readStored: readStoredFolders,
  },
  createAudit: {
    prepare: async (context) => ({
      client: context.admin,
      body: newAudit(context.ids.folder, {
        media_files: await media(context),
        source: {
          thing: 'audit',
          id: (await context.admin(api.createAudit, { body: newAudit(context.ids.folder) })).id,
          photos: [`/uploads/2026/01/${newId()}.png`],
        },
      }),
    }),
    statusIfWrong: { folder_id: 404, 'source.id': 404 },
    ignored: ['media_files.0.type', 'placeId', 'verification.verifier', 'source.answer', 'source.reason'],
    readStored: async ({ admin, ids }) => byId(await admin(api.listAudits, { params: { folderId: ids.folder } })),
  },
  listOpenAudits: { prepare: asAdmin() },
  addAuditNote: {
    prepare: async (context) => ({
      client: context.admin,
      params: { id: (await context.admin(api.createAudit, { body: newAudit(context.ids.folder) })).id },
      body: { text: 'The leak is back', media_files: await media(context) },
    }),
    ignored: ['media_files.0.type'],
  },
  verifyAudit: {
    async prepare(context) {
      const colleague = await context.server.as('Admin');
      const { id } = await colleague(api.createAudit, {
        body: newAudit(context.ids.folder, { completed: true, verification: {} }),
      });
      const body = { outcome: 'works', text: 'The step holds', media_files: await media(context) };
      return { client: context.admin, params: { id }, body };
    },
    ignored: ['media_files.0.type'],
  },
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
    ignored: ['change.assignee', 'audits.0.id'],
    // The action says which other fields there are, so a wrong one is rejected alone.
    openFields: { 'change.action': [] },
  },
  searchEverything: { prepare: asAdmin({ body: { q: 'word' } }) },
  userExists: { prepare: asAdmin({ body: { username: 'x' } }), oneIn: 5 },
  createUser: {
    prepare({ admin }) {
      const username = newName();
      return {
        client: admin,
        username,
        body: { username, password: 'a walk along the shore', role: 'None', park: '' },
      };
    },
    rejects: (fieldPath, text) => fieldPath === 'password' && isRejectedPassword(text),
    normalise: { username: getUsernameKey },
    secret: 'password',
    ignored: ['password'],
    readStored: async ({ admin }) => byId(await admin(api.listUsers)),
  },
  updateUserDetails: {
    async prepare({ server, admin }) {
      const person = { username: newName(), passwordHash: '', role: 'None' as const, park: '' };
      const id = await insertUser(server.db, { ...person, mustChangePassword: false }, new Date());
      return { client: admin, params: { id }, body: { full_name: 'Siân Jones', email: '' } };
    },
    readStored: async ({ admin }) => byId(await admin(api.listUsers)),
  },
  assignRole: {
    prepare: asAdmin({ body: { username: 'nobody.here', role: 'None', park: '' } }),
    status: 404,
  },
  resetPassword: { prepare: asAdmin({ body: { id: 'nobody' } }), status: 404, oneIn: 5 },
  // User import needs a CSV file, so naughty-strings-elsewhere.test.ts tests it.
  importUsers: { prepare: asAdmin({ body: { csv: 'x' } }), status: 400, oneIn: 5 },
  getReportPdf: { prepare: (context) => ({ client: context.admin, params: { id: context.ids.report } }), oneIn: 5 },
  // Sends a version that no assessment has: the strings are parsed but not stored.
  saveAssessment: {
    prepare: (context) => ({
      client: context.admin,
      params: { id: context.ids.report },
      body: { version: 9999, answers: {}, people: [], particulars: {} },
    }),
    status: 409,
  },
  decideAssessment: {
    prepare: (context) => ({
      client: context.admin,
      params: { id: context.ids.report },
      body: { version: 9999, decision: 'record', reason: 'No day was lost' },
    }),
    status: 409,
  },
  addRiddorNotice: {
    prepare: (context) => ({
      client: context.admin,
      params: { id: context.ids.report },
      body: { duties: [], how: 'telephone', on: '2026-01-01', hseReference: 'ABC', note: 'Told them' },
    }),
    status: 409,
  },
  listOpenDuties: { prepare: asAdmin() },
  countDuties: { prepare: asAdmin() },
  saveParkSettings: {
    prepare: asAdmin({ body: { park: 'Mounds', authority: 'HSE', assignee: 'sian' } }),
    status: 400,
  },
  saveAllParkSettings: {
    prepare: asAdmin({ body: { parks: [{ park: 'Mounds', authority: 'HSE', assignee: 'sian' }] } }),
    status: 400,
    isRateLimited: true,
  },
  saveFirstSteps: { prepare: asAdmin({ body: { token: 'x'.repeat(43) } }), status: 409, oneIn: 5 },
  switchMessages: { prepare: asAdmin({ body: { isOn: true } }), isRateLimited: true },
  listMessages: { prepare: asAdmin({ query: { park: 'Mounds', page: '1', group: 'nowhere' } }) },
  closeMessages: {
    prepare: async ({ server, admin }) => ({
      client: admin,
      body: { messages: [{ id: (await sendMessage(server)).id, reason: 'Dry' }], reason: 'Wet', answer: 'Thank you' },
    }),
  },
  markJunk: { prepare: asAdmin({ body: { ids: ['nowhere'] } }) },
  undoJunk: { prepare: asAdmin({ body: { ids: ['nowhere'] } }) },
  closeMessage: {
    prepare: async ({ server, admin }) => ({
      client: admin,
      params: { id: (await sendMessage(server)).id },
      body: { reason: 'Nothing is loose', answer: 'Thank you' },
    }),
    rejects: (fieldPath, text) => fieldPath === 'number' && text.trim() !== '',
    ignored: ['number'],
    readStored: async ({ server }) => byId(await server.db.selectFrom('guest_messages').selectAll().execute()),
  },
  removeMessagePhoto: {
    prepare: ({ admin }) => ({
      client: admin,
      params: { id: 'nowhere' },
      body: { path: `/uploads/2026/01/${newId()}.jpg` },
    }),
    status: 404,
  },
  listInvestigations: { prepare: asAdmin({ query: { of: 'nowhere' } }) },
  createInvestigation: {
    prepare: asAdmin({ body: { thing: 'report', id: 'nowhere' } }),
    status: 404,
  },
  saveInvestigationSection: {
    prepare: asAdmin({
      params: { id: 'nowhere' },
      body: { section: 'risk', version: 0, content: { outcome: 'holds', text: 'Read again' } },
    }),
    status: 404,
    // The section says which fields its content has, so a wrong one is rejected alone.
    openFields: { section: [] },
  },
  coverReport: {
    prepare: asAdmin({ params: { id: 'nowhere' }, body: { number: 'ACC', isCovered: true } }),
    status: 404,
  },
  addInvestigationNote: {
    prepare: asAdmin({
      params: { id: 'nowhere' },
      body: { kind: 'correction', about: '', text: 'It was 8 o’clock', decisions: { hash: '', choices: [] } },
    }),
    status: 404,
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
    oneIn: 3,
  },
  exportInvestigations: { prepare: prepareCsvExport },
  exportMessages: { prepare: prepareCsvExport },
  addPlaces: {
    prepare: ({ admin }) => ({ client: admin, body: { park: 'Mounds', names: [newName()] } }),
    isRateLimited: true,
    oneIn: 5,
  },
  updatePlace: {
    prepare: asAdmin({ params: { id: 'nowhere' }, body: { name: 'Pool' } }),
    status: 404,
  },
  joinPlaces: {
    prepare: asAdmin({ params: { id: 'nowhere' }, body: { into: 'nowhere' } }),
    status: 404,
  },
  changeLabel: {
    prepare: asAdmin({ params: { id: 'nowhere' }, body: { isOn: true } }),
    status: 404,
  },
  addLabels: { prepare: asAdmin({ body: { park: 'Mounds' } }), isRateLimited: true },
  getLabels: { prepare: asAdmin({ query: { park: 'Mounds', size: '24' } }), status: 404 },
  listLocations: { prepare: asAdmin({ query: { park: 'Mounds' } }) },
  linkLocation: {
    prepare: ({ admin }) => ({ client: admin, body: { park: 'Mounds', key: 'pool', name: newName() } }),
  },
  unlinkLocation: {
    prepare: asAdmin({ body: { placeId: 'nowhere', at: '2026-01-01' } }),
    status: 404,
  },
  setHold: {
    prepare: asAdmin({ body: { thing: 'park', thing_id: 'Mounds', reason: 'A claim', reviewOn: '2099-01-01' } }),
  },
  reviewHold: {
    prepare: asAdmin({ params: { id: 'nobody' }, body: { reviewOn: '2099-01-01' } }),
    status: 404,
  },
  releaseDeleted: {
    prepare: asAdmin({ params: { id: 'nobody' }, body: { reason: 'A duplicate' } }),
    status: 404,
  },
  listNotifications: { prepare: asAdmin() },
  saveNotificationSettings: {
    prepare: asAdmin({ body: { off: [{ kind: 'reportFiled', channel: 'email' }] } }),
  },
  addPushSubscription: {
    prepare: asAdmin({ body: { endpoint: 'https://x', keys: { p256dh: 'A', auth: 'A' } } }),
    status: 400,
  },
  removePushSubscription: { prepare: asAdmin({ body: { endpoint: 'https://x' } }) },
  deleteReport: {
    prepare: asAdmin({ params: { id: 'nobody' }, body: { reason: 'A duplicate' } }),
    status: 404,
  },
  deleteSubmission: {
    prepare: asAdmin({ params: { id: 'nobody' }, body: { reason: 'A duplicate' } }),
    status: 404,
  },
  createPack: {
    prepare: asAdmin({ body: { recipient: 'HSE', purpose: 'A visit', withoutNames: false, reports: ['nobody'] } }),
    status: 400,
  },
  createAccessRequest: {
    prepare: asAdmin({
      body: {
        name: 'Mair',
        spellings: ['Mary'],
        number: '07700900123',
        username: 'mair',
        receivedOn: '2026-01-01',
        identityChecked: 'Passport',
      },
    }),
  },
  saveAccessChoices: {
    prepare: asAdmin({
      params: { id: 'nobody' },
      body: {
        version: 1,
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
    }),
    status: 404,
  },
  blankNames: {
    prepare: asAdmin({ params: { id: 'nobody' }, body: { ids: ['report:1'], count: 1, reason: 'asked' } }),
    status: 404,
  },
  runRetention: {
    prepare: asAdmin({ body: { hash: '0'.repeat(64), ids: ['nobody'], count: 1 } }),
    status: 409,
  },
  listActivity: { prepare: asAdmin() },
  exportReports: { prepare: prepareCsvExport },
  exportSubmissions: { prepare: prepareCsvExport },
  exportAudits: { prepare: prepareCsvExport },
  exportPlaces: { prepare: prepareCsvExport },
  exportReadings: { prepare: asAdmin({ query: { format: 'csv', place: 'nowhere' } }), status: 404 },
  exportUsers: { prepare: prepareCsvExport },
  exportChecks: { prepare: prepareCsvExport },
  exportActivity: { prepare: prepareCsvExport },
  getReportHistory: {
    prepare: async (context) => ({ client: context.admin, params: { id: context.ids.report } }),
  },
};
