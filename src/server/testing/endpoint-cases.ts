// For every endpoint: a valid request, and the expected status for every kind of user.
import { randomUUID } from 'node:crypto';
import { type Api, api, type EndpointName } from '#shared/api.ts';
import type { EndpointInput } from '#shared/client.ts';
import type { ClientEndpoint } from '#shared/contract.ts';
import { getToday } from '#shared/dates.ts';
import { newId } from '../ids.ts';
import {
  accessRequest,
  assessedReport,
  audit,
  checklist,
  closure,
  deletion,
  folder,
  hold,
  investigation,
  investigationSection,
  lesson,
  message,
  messageWithPhoto,
  newSchedule,
  newUser,
  newUsername,
  ownPark,
  pack,
  place,
  type RecordKind,
  releasedInvestigation,
  report,
  schedule,
  sections,
  sharedDevice,
  submission,
  type TestContext,
  user,
  userByName,
} from './access-records.ts';
import { signedPasskey, unknownPasskey } from './authenticator.ts';
import { newAudit, newLesson, newReport, photo } from './factories.ts';
import { password, type TestClient } from './server.ts';

/** What a request is made of. */
export type Sender = TestContext & {
  /** Sends the request, and uploads its photos: a photo can be attached only by its uploader. */
  client: TestClient;
  /** A park that the client may use. */
  park: string;
  /** The id of the record which the request names, if it names one. */
  id: string;
};

type Input<E extends ClientEndpoint> = (sender: Sender) => EndpointInput<E> | Promise<EndpointInput<E>>;

export type EndpointCase<E extends ClientEndpoint = ClientEndpoint> = {
  /**
   * The expected status for callers without a session, staff of a park, staff of no park, managers,
   * Admins of a park if it differs from the last, and Admins of all parks.
   */
  statuses: readonly [number, number, number, number, ...([number] | [number, number])];
  /** The status for a reviewer who lacks a second factor, if it is not that of staff. */
  withoutFactor?: number;
  /** The status for a shared device without a session, if it is not that of nobody. */
  onSharedDevice?: number;
  /** The kind of record that the request names, in its path or its body. */
  record?: RecordKind;
} & (Record<never, never> extends EndpointInput<E> ? { input?: Input<E> } : { input: Input<E> });

const okForAll = [200, 200, 200, 200, 200] as const;
const okForSignedIn = [401, 200, 200, 200, 200] as const;
const createdForSignedIn = [401, 201, 201, 201, 201] as const;
const okForReviewers = [401, 403, 403, 200, 200] as const;
const createdForReviewers = [401, 403, 403, 201, 201] as const;
const okForAdmins = [401, 403, 403, 403, 200] as const;
const okForAdminsOfAllParks = [401, 403, 403, 403, 403, 200] as const;
const createdForAdminsOfAllParks = [401, 403, 403, 403, 403, 201] as const;

const noProvider = [404, 404, 404, 404, 404] as const;
const noProviderForAdmins = [401, 403, 403, 403, 403, 404] as const;
const notSetUpForAdmins = [401, 403, 403, 403, 403, 409] as const;

const csvQuery = () => ({ query: { format: 'csv' as const } });
/** Returns `input` for a request that names a record in its path and sends this body. */
const byIdWith =
  <Body extends object>(body: Body) =>
  ({ id }: Sender) => ({ params: { id }, body });
const byId = ({ id }: Sender) => ({ params: { id } });

const submitReport = {
  statuses: createdForSignedIn,
  input: async ({ client }: Sender) => ({ body: await newReport(client) }),
};

/** Every endpoint needs an entry, and a request if it has input; the compiler reports what is missing. */
export const endpointCases: { [Name in EndpointName]: EndpointCase<Api[Name]> } = {
  getSession: { statuses: okForSignedIn },
  login: { statuses: okForAll, input: () => ({ body: { username: 'admin', password } }) },
  // Nobody here is half signed in; second-step.test.ts tests the rest.
  enterCode: { statuses: [401, 401, 401, 401, 401], input: () => ({ body: { code: '123456' } }) },
  requestPasskey: { statuses: okForAll },
  // Nobody here has a passkey; passkeys.test.ts tests the rest.
  signInWithPasskey: { statuses: [401, 401, 401, 401, 401], input: () => ({ body: { passkey: signedPasskey } }) },
  logout: { statuses: okForAll },
  confirmIdentity: { statuses: okForSignedIn, input: () => ({ body: { currentPassword: password } }) },
  getSecondFactors: { statuses: okForSignedIn },
  putOffSecondFactor: { statuses: [401, 409, 409, 409, 409] },
  startAppSetUp: { statuses: okForSignedIn, withoutFactor: 403 },
  checkAppSetUp: { statuses: [401, 400, 400, 400, 400], input: () => ({ body: { code: '123456' } }) },
  removeApp: { statuses: okForSignedIn },
  startPasskeySetUp: { statuses: okForSignedIn, withoutFactor: 403 },
  addPasskey: {
    statuses: [401, 400, 400, 400, 400],
    input: () => ({ body: { name: 'Phone', passkey: unknownPasskey } }),
  },
  renamePasskey: {
    statuses: [401, 404, 404, 404, 404],
    input: () => ({ params: { id: 'x' }, body: { name: 'Phone' } }),
  },
  removePasskey: { statuses: okForSignedIn, input: () => ({ params: { id: 'x' } }) },
  createRecoveryCodes: { statuses: [401, 409, 409, 409, 409] },
  confirmRecoveryCodes: { statuses: [401, 400, 400, 400, 400], input: () => ({ body: { code: '1-aaaa' } }) },
  changePassword: {
    statuses: okForSignedIn,
    input: () => ({ body: { currentPassword: password, newPassword: 'another walk on the shore' } }),
  },
  setPin: {
    statuses: [401, 200, 200, 403, 403],
    withoutFactor: 403,
    input: () => ({ body: { currentPassword: password, pin: '274916' } }),
  },
  // pins.test.ts tests the right PIN.
  signInWithPin: {
    statuses: [403, 403, 403, 403, 403],
    onSharedDevice: 401,
    input: () => ({ body: { user: newId(), pin: '274916' } }),
  },
  getOwnSharedDevice: { statuses: [403, 403, 403, 403, 403], onSharedDevice: 200 },
  createSharedDevice: { statuses: okForReviewers, input: ({ park }) => ({ body: { park, name: 'Lifeguard hut' } }) },
  listSharedDevices: { statuses: okForReviewers },
  allowSharedDevice: { statuses: okForAdmins, input: byId, record: sharedDevice },
  removeSharedDevice: { statuses: okForReviewers, input: byId, record: sharedDevice },
  // The test server has no provider; single-sign-on tests the rest.
  startProviderSignIn: { statuses: noProvider, input: () => ({ body: { purpose: 'sign in' } }) },
  completeProviderSignIn: { statuses: noProvider, input: () => ({ body: { query: 'code=1' } }) },
  listWaitingIdentities: { statuses: noProviderForAdmins },
  linkIdentity: { statuses: noProviderForAdmins, input: () => ({ params: { id: newId() }, body: { user: newId() } }) },
  refuseIdentity: { statuses: noProviderForAdmins, input: () => ({ params: { id: newId() } }) },
  unlinkUser: { statuses: noProviderForAdmins, input: () => ({ params: { id: newId() } }) },
  allowLinkedUser: { statuses: noProviderForAdmins, input: () => ({ params: { id: newId() } }) },
  listSessions: { statuses: okForSignedIn },
  endSessions: { statuses: okForSignedIn, input: () => ({ body: { currentPassword: password } }) },
  getUsername: { statuses: okForSignedIn, input: byId, record: { ...user, whenDeleted: 200 } },
  listNames: { statuses: okForSignedIn },
  requestEmailChange: {
    // The test server sends no email.
    statuses: [401, 409, 409, 409, 409],
    input: () => ({ body: { email: 'sian@example.com', currentPassword: password } }),
  },
  inviteUser: { statuses: [401, 403, 403, 404, 404], input: () => ({ params: { id: newId() } }) },
  acceptInvitation: {
    statuses: [404, 404, 404, 404, 404],
    input: () => ({ body: { token: 'x'.repeat(43), password: 'a long walk by the sea' } }),
  },
  confirmEmailChange: { statuses: [404, 404, 404, 404, 404], input: () => ({ body: { token: 'x'.repeat(43) } }) },
  uploadImage: {
    statuses: okForSignedIn,
    input: async () => ({ file: new Blob([new Uint8Array(await photo())]), fileName: 'photo.jpg' }),
  },
  submitAccident: submitReport,
  submitIncident: submitReport,
  listMyReports: { statuses: okForSignedIn },
  getLastReporter: { statuses: okForSignedIn },
  listReports: { statuses: okForReviewers },
  listReportMonths: { statuses: okForReviewers, input: () => ({ query: { reportType: 'accident' } }) },
  findReportNeighbours: {
    statuses: okForReviewers,
    input: ({ id }) => ({ params: { id }, query: { reportType: 'accident' } }),
    record: report,
  },
  getReport: { statuses: okForReviewers, input: byId, record: report },
  deleteReport: { statuses: okForReviewers, input: byId, record: report },
  getReportPdf: { statuses: okForReviewers, input: byId, record: report },
  getReportHistory: { statuses: okForReviewers, input: byId, record: report },
  getAssessment: { statuses: okForReviewers, input: byId, record: report },
  saveAssessment: {
    statuses: okForReviewers,
    input: byIdWith({ version: 0, answers: {}, people: [{}] }),
    record: report,
  },
  decideAssessment: {
    statuses: okForReviewers,
    input: byIdWith({ version: 1, decision: 'record', reason: 'Nobody lost a day' }),
    record: assessedReport,
  },
  addRiddorNotice: {
    statuses: createdForReviewers,
    input: ({ id }) => ({ params: { id }, body: { duties: [], how: 'telephone', on: getToday() } }),
    record: assessedReport,
  },
  listOpenDuties: { statuses: okForReviewers },
  countDuties: { statuses: okForReviewers },
  listParkSettings: { statuses: okForReviewers },
  listParkNumbers: { statuses: okForSignedIn },
  listPlaces: { statuses: okForSignedIn },
  getPlace: { statuses: okForSignedIn, input: byId, record: place },
  listReadings: { statuses: okForReviewers, input: byId, record: place },
  addPlaces: { statuses: okForReviewers, input: ({ park }) => ({ body: { park, names: [randomUUID()] } }) },
  updatePlace: {
    statuses: okForReviewers,
    input: ({ id }) => ({ params: { id }, body: { name: randomUUID(), isRetired: true } }),
    record: place,
  },
  joinPlaces: {
    statuses: okForReviewers,
    input: async ({ id, ...context }) => {
      const { admin } = context;
      const park = (await admin(api.listPlaces)).find((other) => other.id === id)?.park ?? ownPark;
      return { params: { id }, body: { into: await place.make(context, park) } };
    },
    record: place,
  },
  changeLabel: { statuses: okForReviewers, input: byIdWith({ isOn: true }), record: place },
  addLabels: { statuses: okForReviewers, input: ({ park }) => ({ body: { park } }) },
  getLabels: {
    statuses: okForReviewers,
    async input({ park, ...context }) {
      await place.make(context, park);
      await context.admin(api.addLabels, { body: { park } });
      return { query: { park, size: '24' } };
    },
  },
  listLocations: { statuses: okForReviewers, input: ({ park }) => ({ query: { park } }) },
  linkLocation: {
    statuses: okForReviewers,
    input: ({ park }) => ({ body: { park, key: 'plot', name: randomUUID() } }),
  },
  unlinkLocation: {
    statuses: okForReviewers,
    input: ({ id }) => ({ body: { placeId: id, at: '2026-01-01' } }),
    record: place,
  },
  saveParkSettings: { statuses: okForAdmins, input: () => ({ body: { park: ownPark, assignee: '' } }) },
  saveAllParkSettings: { statuses: okForAdmins, input: () => ({ body: { parks: [{ park: ownPark, assignee: '' }] } }) },
  switchMessages: { statuses: okForAdmins, input: () => ({ body: { isOn: true } }) },
  getRuleSet: { statuses: okForReviewers, input: () => ({ params: { id: 'riddor-2013-v1' } }) },
  createAccessRequest: {
    statuses: createdForAdminsOfAllParks,
    input: () => ({ body: { name: 'Mair', spellings: [], receivedOn: '2026-01-01' } }),
  },
  listAccessRequests: { statuses: okForAdminsOfAllParks },
  getAccessRequest: { statuses: okForAdminsOfAllParks, input: byId, record: accessRequest },
  saveAccessChoices: {
    statuses: okForAdminsOfAllParks,
    input: byIdWith({ version: 1, choices: [] }),
    record: accessRequest,
  },
  getAccessZip: { statuses: okForAdminsOfAllParks, input: byId, record: accessRequest },
  blankNames: {
    statuses: okForAdminsOfAllParks,
    input: byIdWith({ ids: ['report:none'], count: 1, reason: 'asked' }),
    record: accessRequest,
  },
  listRetention: { statuses: okForAdminsOfAllParks },
  // The list of records with this hash does not exist, so permitted users get an error.
  runRetention: {
    statuses: [401, 403, 403, 403, 403, 409],
    input: () => ({ body: { hash: '0'.repeat(64), ids: ['nobody'], count: 1 } }),
  },
  createPack: {
    statuses: createdForReviewers,
    input: async (context) => ({
      body: { recipient: 'HSE', purpose: 'Visit', withoutNames: true, reports: [await report.make(context, ownPark)] },
    }),
  },
  listPacks: { statuses: okForReviewers },
  // The pack belongs to another Admin.
  getPackFile: { statuses: [401, 403, 403, 404, 404, 200], input: byId, record: pack },
  makePackAgain: { statuses: [401, 403, 403, 404, 404, 200], input: byId, record: pack },
  deletePack: { statuses: [401, 403, 403, 404, 404, 200], input: byId, record: pack },
  listHolds: { statuses: okForAdminsOfAllParks },
  setHold: {
    statuses: createdForAdminsOfAllParks,
    input: () => ({ body: { thing: 'park', thing_id: 'Mounds', reason: 'A claim', reviewOn: '2027-01-01' } }),
  },
  reviewHold: { statuses: okForAdminsOfAllParks, input: byIdWith({ reviewOn: '2099-01-01' }), record: hold },
  liftHold: { statuses: okForAdminsOfAllParks, input: byId, record: hold },
  releaseDeleted: { statuses: okForAdminsOfAllParks, input: byIdWith({ reason: 'A duplicate' }), record: deletion },
  listChecklists: { statuses: okForSignedIn },
  submitChecklist: {
    statuses: createdForSignedIn,
    input: ({ id: checklistId }) => ({ body: { checklistId, data: { '0': true } } }),
    record: checklist,
  },
  createChecklist: { statuses: createdForReviewers, input: () => ({ body: { title: 'Pool', sections } }) },
  updateChecklist: { statuses: okForReviewers, input: byIdWith({ title: 'Pools', sections }), record: checklist },
  deleteChecklist: { statuses: okForReviewers, input: byId, record: checklist },
  listSubmissions: { statuses: okForReviewers },
  listSubmissionTitles: { statuses: okForReviewers },
  // Only of the caller's own submissions; receipts.test.ts tests those of others.
  getSubmissionReceipt: { statuses: [401, 404, 404, 404, 404], input: byId, record: submission },
  getLastResult: {
    statuses: okForSignedIn,
    input: ({ park, id }) => ({ params: { id }, query: { park } }),
    record: checklist,
  },
  getSubmission: { statuses: okForReviewers, input: byId, record: submission },
  deleteSubmission: { statuses: okForReviewers, input: byId, record: submission },
  getSubmissionPdf: { statuses: okForReviewers, input: byId, record: submission },
  getOverview: { statuses: okForReviewers, input: () => ({ query: { from: '2026-01-01', to: '2026-12-31' } }) },
  listAuditsOnDay: { statuses: okForReviewers, input: () => ({ query: { state: 'open', on: '2026-12-31' } }) },
  listDueChecks: { statuses: okForSignedIn },
  listComingChecks: { statuses: okForSignedIn, input: ({ park }) => ({ query: { park } }) },
  listSchedules: { statuses: okForReviewers },
  createSchedule: { statuses: createdForReviewers, input: ({ id }) => ({ body: newSchedule(id) }), record: checklist },
  updateSchedule: {
    statuses: okForReviewers,
    input({ id }) {
      const { checklist_id: _checklist, ...body } = newSchedule('');
      return { params: { id }, body };
    },
    record: schedule,
  },
  endSchedule: { statuses: okForReviewers, input: byId, record: schedule },
  listClosures: { statuses: okForReviewers },
  createClosure: {
    statuses: createdForReviewers,
    input: () => ({ body: { park: ownPark, starts_on: '2099-12-24', ends_on: '2099-12-26' } }),
  },
  deleteClosure: { statuses: okForReviewers, input: byId, record: closure },
  listChecks: { statuses: okForReviewers },
  countChecks: { statuses: okForReviewers },
  // Permitted users get a 404, because no check was missed; schedules.test.ts tests the rest.
  explainMissedCheck: {
    statuses: [401, 403, 403, 404, 404],
    input: () => ({ params: { id: newId() }, body: { reason: 'Storm' } }),
  },
  listFolders: { statuses: okForSignedIn },
  createFolder: {
    statuses: createdForSignedIn,
    input: ({ park }) => ({ body: { name: 'Fire', description: '', park } }),
  },
  getFolder: { statuses: okForSignedIn, input: byId, record: folder },
  updateFolder: {
    statuses: okForSignedIn,
    input: ({ park, id }) => ({ params: { id }, body: { name: 'Water', description: '', park } }),
    // The change may move the folder to another park, so each user gets their own.
    record: folder,
  },
  deleteFolder: { statuses: okForSignedIn, input: byId, record: folder },
  listAudits: { statuses: okForSignedIn, input: ({ id: folderId }) => ({ params: { folderId } }), record: folder },
  listOpenAudits: { statuses: okForSignedIn },
  countOpenAudits: { statuses: okForSignedIn },
  listAuditNotes: { statuses: okForSignedIn, input: byId, record: audit },
  addAuditNote: { statuses: createdForSignedIn, input: byIdWith({ text: 'The leak is back' }), record: audit },
  verifyAudit: {
    statuses: createdForSignedIn,
    async input({ server, id }) {
      const waiting = { completed: 1, verify_days: 30, verify_by: '2099-12-31', verified: null } as const;
      await server.db.updateTable('audits').set(waiting).where('id', '=', id).execute();
      return { params: { id }, body: { outcome: 'works', text: 'The step holds' } };
    },
    record: audit,
  },
  listReportAudits: { statuses: okForReviewers, input: byId, record: report },
  listSubmissionAudits: { statuses: okForReviewers, input: byId, record: submission },
  listMessages: { statuses: okForReviewers },
  getMessage: { statuses: okForReviewers, input: byId, record: message },
  closeMessages: { statuses: okForReviewers, input: () => ({ body: { messages: [{ id: 'nowhere' }] } }) },
  markJunk: { statuses: okForReviewers, input: () => ({ body: { ids: ['nowhere'] } }) },
  undoJunk: { statuses: okForReviewers, input: () => ({ body: { ids: ['nowhere'] } }) },
  closeMessage: { statuses: okForReviewers, input: byIdWith({}), record: message },
  removeMessagePhoto: {
    statuses: okForAdmins,
    async input({ server, id }) {
      const photo = await server.db
        .selectFrom('uploads')
        .select('path')
        .where('attached_id', '=', id)
        .executeTakeFirst();
      return { params: { id }, body: { path: photo?.path ?? `/uploads/2026/01/${newId()}.jpg` } };
    },
    record: messageWithPhoto,
  },
  listInvestigations: { statuses: okForReviewers },
  createInvestigation: {
    statuses: createdForReviewers,
    input: ({ id }) => ({ body: { thing: 'audit', id } }),
    record: audit,
  },
  getInvestigation: { statuses: okForReviewers, input: byId, record: investigation },
  saveInvestigationSection: {
    statuses: okForReviewers,
    input: byIdWith({ section: 'madeSafe', version: 0, content: { text: 'The gate was locked' } }),
    record: investigationSection,
  },
  coverReport: {
    // There is no such report.
    statuses: [401, 403, 403, 400, 400],
    input: byIdWith({ number: 'ACC-1900-0001', isCovered: true }),
    record: investigation,
  },
  // Nothing is written yet, so the findings are not complete.
  addInvestigationNote: {
    statuses: [401, 403, 403, 409, 409],
    input: byIdWith({ kind: 'complete' }),
    record: investigation,
  },
  deleteInvestigation: { statuses: okForReviewers, input: byId, record: investigation },
  getInvestigationPdf: { statuses: okForReviewers, input: byId, record: investigation },
  getRepresentativeCopy: { statuses: okForReviewers, input: byId, record: releasedInvestigation },
  listLessons: { statuses: okForReviewers },
  createLesson: { statuses: createdForReviewers, input: () => ({ body: newLesson() }) },
  getLesson: { statuses: okForReviewers, input: byId, record: lesson },
  getLessonPdf: { statuses: okForReviewers, input: byId, record: lesson },
  exportInvestigations: { statuses: okForReviewers, input: csvQuery },
  exportMessages: { statuses: okForReviewers, input: csvQuery },
  createAudit: { statuses: createdForSignedIn, input: ({ id }) => ({ body: newAudit(id) }), record: folder },
  getAudit: { statuses: okForSignedIn, input: byId, record: audit },
  updateAudit: { statuses: okForSignedIn, input: byIdWith({ title: 'Check the taps' }), record: audit },
  // Audits that the user may not see are named in the reply.
  changeAudits: {
    statuses: okForSignedIn,
    input: () => ({ body: { audits: [{ id: newId(), version: 1 }], change: { action: 'remind' } } }),
  },
  deleteAudit: { statuses: okForSignedIn, input: byId, record: audit },
  getAuditPdf: { statuses: okForSignedIn, input: byId, record: audit },
  listUsers: { statuses: okForReviewers },
  listRoles: { statuses: okForReviewers },
  searchEverything: { statuses: okForSignedIn, input: () => ({ body: { q: 'Lido' } }) },
  userExists: { statuses: okForReviewers, input: () => ({ body: { username: newUsername() } }) },
  createUser: { statuses: createdForReviewers, input: ({ park }) => ({ body: newUser(park) }) },
  checkUserImport: { statuses: okForReviewers, input: () => ({ body: { csv: `${newUsername()},None,${ownPark}` } }) },
  importUsers: { statuses: createdForReviewers, input: () => ({ body: { csv: `${newUsername()},None,${ownPark}` } }) },
  deleteUser: { statuses: okForReviewers, input: byId, record: user },
  assignRole: {
    statuses: okForReviewers,
    // Managers give only parks of their own, so the user keeps theirs.
    input: async ({ admin, id: name }) => {
      const user = (await admin(api.listUsers)).find(({ username }) => username === name);
      return { body: { username: name, role: 'None', park: user?.park ?? ownPark } };
    },
    record: userByName,
  },
  updateUserDetails: { statuses: okForAdmins, input: byIdWith({ full_name: 'Siân Jones', email: '' }), record: user },
  resetPassword: { statuses: okForReviewers, input: ({ id }) => ({ body: { id } }), record: user },
  exportReports: { statuses: okForReviewers, input: csvQuery },
  exportSubmissions: { statuses: okForReviewers, input: csvQuery },
  exportAudits: { statuses: okForReviewers, input: csvQuery },
  exportPlaces: { statuses: okForReviewers, input: csvQuery },
  exportReadings: {
    statuses: okForReviewers,
    input: ({ id }) => ({ query: { format: 'csv', place: id } }),
    record: place,
  },
  exportUsers: { statuses: okForReviewers, input: csvQuery },
  exportChecks: { statuses: okForReviewers, input: csvQuery },
  exportActivity: { statuses: okForReviewers, input: csvQuery },
  listNotifications: { statuses: okForSignedIn },
  countNotifications: { statuses: okForSignedIn },
  readNotification: { statuses: [401, 404, 404, 404, 404], input: () => ({ params: { id: newId() } }) },
  readAllNotifications: { statuses: okForSignedIn },
  getInputKey: { statuses: okForSignedIn },
  getNotificationSettings: { statuses: okForSignedIn },
  saveNotificationSettings: { statuses: okForSignedIn, input: () => ({ body: { off: [] } }) },
  sendTestNotification: { statuses: okForSignedIn },
  addPushSubscription: {
    statuses: okForSignedIn,
    input: () => ({
      body: { endpoint: `https://fcm.googleapis.com/fcm/send/${randomUUID()}`, keys: { p256dh: 'BA', auth: 'AA' } },
    }),
  },
  removePushSubscription: {
    statuses: okForSignedIn,
    input: () => ({ body: { endpoint: 'https://fcm.googleapis.com/x' } }),
  },
  listReportDeliveries: { statuses: okForReviewers, input: byId, record: report },
  listAuditDeliveries: { statuses: okForSignedIn, input: byId, record: audit },
  getDeliveryHealth: { statuses: okForAdmins },
  getSystem: { statuses: okForAdminsOfAllParks },
  // The test server has neither email nor a provider.
  testSystemEmail: { statuses: notSetUpForAdmins },
  testSystemStorage: { statuses: okForAdminsOfAllParks },
  testSystemProvider: { statuses: notSetUpForAdmins },
  getFirstSteps: { statuses: okForAdminsOfAllParks },
  saveFirstSteps: { statuses: okForAdminsOfAllParks, input: () => ({ body: { mark: 'our parks', isOn: true } }) },
  listActivity: { statuses: okForReviewers },
  listDeleted: { statuses: okForReviewers },
  restoreDeleted: { statuses: okForAdmins, input: byId, record: deletion },
};
