// Calls every endpoint as every kind of caller, on records of their park, of another park, deleted and missing.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contract, type EndpointName } from '#shared/api.ts';
import { ApiError, sendRequest } from '#shared/client.ts';
import type { Endpoint } from '#shared/contract.ts';
import { getToday } from '#shared/dates.ts';
import { newId } from './ids.ts';
import {
  accessRequest,
  assessed,
  audit,
  type Caller,
  type CallerName,
  callers,
  checklist,
  closure,
  deletion,
  elsewhere,
  folder,
  here,
  hold,
  makeCaller,
  newSchedule,
  newUser,
  pack,
  type RecordKind,
  report,
  schedule,
  sections,
  submission,
  type TestContext,
  user,
  userByName,
  username,
} from './testing/access-records.ts';
import { newAudit, newReport, photo } from './testing/factories.ts';
import { engines, password, startTestServer } from './testing/server.ts';

type Recipe = {
  /** The status for nobody, staff of a park, staff of no park, a manager, an Admin. */
  may: readonly [number, number, number, number, number];
  /** The input, for a user and, if the endpoint names one, a record. */
  input?(context: TestContext, caller: Caller, id: string): object | Promise<object>;
  /** The record that the endpoint names. */
  record?: RecordKind;
};

const everyone = [200, 200, 200, 200, 200] as const;
const signedIn = [401, 200, 200, 200, 200] as const;
const createdForSignedIn = [401, 201, 201, 201, 201] as const;
const reviewer = [401, 403, 403, 200, 200] as const;
const createdForReviewers = [401, 403, 403, 201, 201] as const;
const adminOnly = [401, 403, 403, 403, 200] as const;
const createdForAdmins = [401, 403, 403, 403, 201] as const;

const asCsv = () => ({ query: { format: 'csv' } });
const byId = (_: TestContext, __: Caller, id: string) => ({ params: { id } });

/** Only the uploader can use photos; for callers who cannot upload, the Admin's are used. */
const uploader = ({ admin }: TestContext, caller: Caller) => (callers[caller.name].column === 0 ? admin : caller.as);

const submit = {
  may: createdForSignedIn,
  input: async (context: TestContext, caller: Caller) => ({ body: await newReport(uploader(context, caller)) }),
};

/** A park that the caller may use. */
const parkFor = ({ name }: Caller) => ('park' in callers[name] && callers[name].park) || here;

// An endpoint without an entry here does not compile.
const recipes: { [Name in EndpointName]: Recipe } = {
  getSession: { may: signedIn },
  login: { may: everyone, input: () => ({ body: { username: 'admin', password } }) },
  logout: { may: everyone },
  changePassword: {
    may: signedIn,
    input: () => ({ body: { currentPassword: password, newPassword: 'another walk on the shore' } }),
  },
  getUsername: { may: signedIn, input: byId, record: { ...user, whenDeleted: 200 } },
  listNames: { may: signedIn },
  requestEmailChange: {
    // The test server sends no email.
    may: [401, 409, 409, 409, 409],
    input: () => ({ body: { email: 'sian@example.com', currentPassword: password } }),
  },
  confirmEmailChange: { may: [404, 404, 404, 404, 404], input: () => ({ body: { token: 'x'.repeat(43) } }) },
  uploadImage: {
    may: signedIn,
    input: async () => ({ file: new Blob([new Uint8Array(await photo())]), fileName: 'photo.jpg' }),
  },
  submitAccident: submit,
  submitIncident: submit,
  listMyReports: { may: signedIn },
  getLastReporter: { may: signedIn },
  listReports: { may: reviewer },
  listReportMonths: { may: reviewer, input: () => ({ query: { reportType: 'accident' } }) },
  getReport: { may: reviewer, input: byId, record: report },
  deleteReport: { may: reviewer, input: byId, record: report },
  getReportPdf: { may: reviewer, input: byId, record: report },
  getReportHistory: { may: reviewer, input: byId, record: report },
  getAssessment: { may: reviewer, input: byId, record: report },
  saveAssessment: {
    may: reviewer,
    input: (_, __, id) => ({ params: { id }, body: { version: 0, answers: {}, people: [{}] } }),
    record: report,
  },
  decideAssessment: {
    may: reviewer,
    input: (_, __, id) => ({ params: { id }, body: { version: 1, decision: 'record', reason: 'Nobody lost a day' } }),
    record: assessed,
  },
  addRiddorNotice: {
    may: createdForReviewers,
    input: (_, __, id) => ({ params: { id }, body: { duties: [], how: 'telephone', on: getToday() } }),
    record: assessed,
  },
  listOpenDuties: { may: reviewer },
  countDuties: { may: reviewer },
  listParkAuthorities: { may: reviewer },
  setParkAuthority: { may: adminOnly, input: () => ({ body: { park: 'Mounds', authority: 'HSE' } }) },
  getRuleSet: { may: reviewer, input: () => ({ params: { id: 'riddor-2013-v1' } }) },
  createAccessRequest: {
    may: createdForAdmins,
    input: () => ({ body: { name: 'Mair', spellings: [], receivedOn: '2026-01-01' } }),
  },
  listAccessRequests: { may: adminOnly },
  getAccessRequest: { may: adminOnly, input: byId, record: accessRequest },
  saveAccessChoices: {
    may: adminOnly,
    input: (_, __, id) => ({ params: { id }, body: { version: 1, choices: [] } }),
    record: accessRequest,
  },
  getAccessZip: { may: adminOnly, input: byId, record: accessRequest },
  blankNames: {
    may: adminOnly,
    input: (_, __, id) => ({ params: { id }, body: { ids: ['report:none'], count: 1, reason: 'asked' } }),
    record: accessRequest,
  },
  listRetention: { may: adminOnly },
  // There is no list with this id.
  runRetention: {
    may: [401, 403, 403, 403, 409],
    input: () => ({ body: { hash: '0'.repeat(64), ids: ['nobody'], count: 1 } }),
  },
  createPack: {
    may: createdForReviewers,
    input: async (context) => ({
      body: { recipient: 'HSE', purpose: 'Visit', withoutNames: true, reports: [await report.make(context, here)] },
    }),
  },
  listPacks: { may: reviewer },
  // The request belongs to another Admin.
  getPackFile: { may: [401, 403, 403, 404, 200], input: byId, record: pack },
  makePackAgain: { may: [401, 403, 403, 404, 200], input: byId, record: pack },
  deletePack: { may: [401, 403, 403, 404, 200], input: byId, record: pack },
  listHolds: { may: adminOnly },
  setHold: {
    may: createdForAdmins,
    input: () => ({ body: { thing: 'park', thing_id: 'Mounds', reason: 'A claim', reviewOn: '2027-01-01' } }),
  },
  reviewHold: {
    may: adminOnly,
    input: (_, __, id) => ({ params: { id }, body: { reviewOn: '2099-01-01' } }),
    record: hold,
  },
  liftHold: { may: adminOnly, input: byId, record: hold },
  releaseDeleted: {
    may: adminOnly,
    input: (_, __, id) => ({ params: { id }, body: { reason: 'A duplicate' } }),
    record: deletion,
  },
  listChecklists: { may: signedIn },
  submitChecklist: {
    may: createdForSignedIn,
    input: (_, __, checklistId) => ({ body: { checklistId, data: { '0': true } } }),
    record: checklist,
  },
  createChecklist: { may: createdForReviewers, input: () => ({ body: { title: 'Pool', sections } }) },
  updateChecklist: {
    may: reviewer,
    input: (_, __, id) => ({ params: { id }, body: { title: 'Pools', sections } }),
    record: checklist,
  },
  deleteChecklist: { may: reviewer, input: byId, record: checklist },
  listSubmissions: { may: reviewer },
  listSubmissionTitles: { may: reviewer },
  getSubmission: { may: reviewer, input: byId, record: submission },
  deleteSubmission: { may: reviewer, input: byId, record: submission },
  getSubmissionPdf: { may: reviewer, input: byId, record: submission },
  getOverview: { may: reviewer, input: () => ({ query: { from: '2026-01-01', to: '2026-12-31' } }) },
  listAuditsOnDay: { may: reviewer, input: () => ({ query: { state: 'open', on: '2026-12-31' } }) },
  listDueChecks: { may: signedIn },
  listSchedules: { may: reviewer },
  createSchedule: {
    may: createdForReviewers,
    input: (_, __, id) => ({ body: newSchedule(id) }),
    record: checklist,
  },
  updateSchedule: {
    may: reviewer,
    input(_, __, id) {
      const { checklist_id: _checklist, ...body } = newSchedule('');
      return { params: { id }, body };
    },
    record: schedule,
  },
  endSchedule: { may: reviewer, input: byId, record: schedule },
  listClosures: { may: reviewer },
  createClosure: {
    may: createdForReviewers,
    input: () => ({ body: { park: here, starts_on: '2099-12-24', ends_on: '2099-12-26' } }),
  },
  deleteClosure: { may: reviewer, input: byId, record: closure },
  listChecks: { may: reviewer },
  countChecks: { may: reviewer },
  // No check has been missed here; schedules.test.ts tests that.
  explainMissedCheck: {
    may: [401, 403, 403, 404, 404],
    input: () => ({ params: { id: newId() }, body: { reason: 'Storm' } }),
  },
  listFolders: { may: signedIn },
  createFolder: {
    may: createdForSignedIn,
    input: (_, caller) => ({ body: { name: 'Fire', description: '', park: parkFor(caller) } }),
  },
  getFolder: { may: signedIn, input: byId, record: folder },
  updateFolder: {
    may: signedIn,
    input: (_, caller, id) => ({ params: { id }, body: { name: 'Water', description: '', park: parkFor(caller) } }),
    // The change may move the folder to another park, so each user gets their own.
    record: folder,
  },
  deleteFolder: { may: signedIn, input: byId, record: folder },
  listAssignees: { may: signedIn, input: byId, record: folder },
  listAudits: { may: signedIn, input: (_, __, folderId) => ({ params: { folderId } }), record: folder },
  listOpenAudits: { may: signedIn },
  listAuditNotes: { may: signedIn, input: byId, record: audit },
  addAuditNote: {
    may: createdForSignedIn,
    input: (_, __, id) => ({ params: { id }, body: { text: 'The leak is back' } }),
    record: audit,
  },
  listReportAudits: { may: reviewer, input: byId, record: report },
  listSubmissionAudits: { may: reviewer, input: byId, record: submission },
  createAudit: { may: createdForSignedIn, input: (_, __, id) => ({ body: newAudit(id) }), record: folder },
  getAudit: { may: signedIn, input: byId, record: audit },
  updateAudit: {
    may: signedIn,
    input: (_, __, id) => ({ params: { id }, body: { title: 'Check the taps' } }),
    record: audit,
  },
  deleteAudit: { may: signedIn, input: byId, record: audit },
  getAuditPdf: { may: signedIn, input: byId, record: audit },
  listUsers: { may: reviewer },
  listRoles: { may: reviewer },
  userExists: { may: reviewer, input: () => ({ body: { username: username() } }) },
  createUser: { may: createdForReviewers, input: () => ({ body: newUser() }) },
  importUsers: { may: createdForReviewers, input: () => ({ body: { csv: `${username()},None,${here}` } }) },
  deleteUser: { may: reviewer, input: byId, record: user },
  assignRole: {
    may: reviewer,
    input: (_, __, name) => ({ body: { username: name, role: 'None', park: here } }),
    record: userByName,
  },
  updateUserDetails: {
    may: adminOnly,
    input: (_, __, id) => ({ params: { id }, body: { full_name: 'Siân Jones', email: '' } }),
    record: user,
  },
  resetPassword: { may: reviewer, input: (_, __, id) => ({ body: { id } }), record: user },
  exportReports: { may: reviewer, input: asCsv },
  exportSubmissions: { may: reviewer, input: asCsv },
  exportAudits: { may: reviewer, input: asCsv },
  exportUsers: { may: reviewer, input: asCsv },
  exportChecks: { may: reviewer, input: asCsv },
  exportActivity: { may: reviewer, input: asCsv },
  listNotifications: { may: signedIn },
  countNotifications: { may: signedIn },
  readNotification: { may: [401, 404, 404, 404, 404], input: () => ({ params: { id: newId() } }) },
  readAllNotifications: { may: signedIn },
  getNotificationSettings: { may: signedIn },
  saveNotificationSettings: { may: signedIn, input: () => ({ body: { off: [] } }) },
  sendTestNotification: { may: signedIn },
  addPushSubscription: {
    may: signedIn,
    input: () => ({
      body: { endpoint: `https://fcm.googleapis.com/fcm/send/${randomUUID()}`, keys: { p256dh: 'BA', auth: 'AA' } },
    }),
  },
  removePushSubscription: { may: signedIn, input: () => ({ body: { endpoint: 'https://fcm.googleapis.com/x' } }) },
  listReportDeliveries: { may: reviewer, input: byId, record: report },
  listAuditDeliveries: { may: signedIn, input: byId, record: audit },
  getDeliveryHealth: { may: adminOnly },
  listActivity: { may: reviewer },
  listDeleted: { may: reviewer },
  restoreDeleted: { may: adminOnly, input: byId, record: deletion },
};

const states = ['of the park', 'of another park', 'deleted', 'missing'] as const;

function expected({ may, record }: Recipe, name: CallerName, state: (typeof states)[number]): number {
  const { column, ...caller } = callers[name];
  const status = may[column];
  if (!record || status >= 400) return status;
  if (state === 'missing') return 404;
  if (state === 'deleted') return record.whenDeleted ?? 404;
  const park = state === 'of the park' ? here : elsewhere;
  const isOutside = record.isScoped && 'park' in caller && caller.park !== '' && caller.park !== park;
  return isOutside ? 404 : status;
}

/** Permissions do not depend on the engine, so PostgreSQL is tested with fewer kinds of users. */
const callersOnPostgres: CallerName[] = ['staff of another park', 'a manager of the park', 'an Admin'];

describe.each(engines)('access on %s', (engine) => {
  let context: TestContext;
  /** For the endpoints that do not change their own user. */
  const shared = new Map<CallerName, Caller>();
  beforeAll(async () => {
    const server = await startTestServer(engine);
    context = { server, admin: await server.as('Admin') };
    const names = engine === 'postgres' ? callersOnPostgres : (Object.keys(callers) as CallerName[]);
    for (const name of names) shared.set(name, await makeCaller(server, name));
  });
  afterAll(() => context.server.stop());

  async function attempt(row: Endpoint, caller: Caller, input: object) {
    let status = 0;
    const watched: typeof fetch = async (...args) => {
      const response = await caller.fetch(...args);
      status = response.status;
      return response;
    };
    const failed = await sendRequest(watched, row, input as never).then(
      () => undefined,
      (error: unknown) => error as ApiError,
    );
    if (failed && !(failed instanceof ApiError)) throw failed;
    return { status, text: failed?.text.replace(/"requestId":"\w+"/, '') ?? '' };
  }

  test.each(Object.entries(recipes))('%s', async (name, recipe) => {
    const row: Endpoint = contract[name as EndpointName];
    const { record } = recipe;
    const isRead = row.method === 'GET';
    const ids = new Map<string, string>();
    const getRecordIn = async (state: (typeof states)[number]) => {
      if (!record) return '';
      if (state === 'missing') return record.missing ?? newId();
      const id = ids.get(state) ?? (await record.make(context, state === 'of another park' ? elsewhere : here));
      if (state === 'deleted' && !ids.has(state)) await record.delete(context, id);
      ids.set(state, id);
      return id;
    };
    for (const [callerName, known] of shared) {
      const answers = new Map<string, string>();
      // An endpoint that names no record may affect its user: it could sign them out.
      const caller = record ? known : await makeCaller(context.server, callerName);
      for (const state of record ? states : states.slice(0, 1)) {
        const id = await getRecordIn(state);
        const input = (await recipe.input?.(context, caller, id)) ?? {};
        const { status, text } = await attempt(row, caller, input);
        expect(status, `${callerName}, ${record ? `a record ${state}` : 'no record'}: ${text}`).toBe(
          expected(recipe, callerName, state),
        );
        if (status === 404) answers.set(state, text);
        if (status < 300 && !isRead) ids.delete(state);
      }
      // Hidden and missing records have the same response, byte for byte.
      expect(new Set(answers.values()).size, callerName).toBeLessThanOrEqual(1);
    }
  });
});
