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
  folder,
  hold,
  makeCaller,
  newSchedule,
  newUser,
  otherPark,
  ownPark,
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

type AccessCase = {
  /**
   * The expected status for callers without a session, staff of a park, staff of no park, managers
   * and Admins.
   */
  statuses: readonly [number, number, number, number, number];
  /**
   * Returns the input of a caller's request. `id` is that of the record in the endpoint's path, if it
   * has one.
   */
  input?(context: TestContext, caller: Caller, id: string): object | Promise<object>;
  /** The kind of record in the endpoint's path. */
  record?: RecordKind;
};

const okForAll = [200, 200, 200, 200, 200] as const;
const okForSignedIn = [401, 200, 200, 200, 200] as const;
const createdForSignedIn = [401, 201, 201, 201, 201] as const;
const okForReviewers = [401, 403, 403, 200, 200] as const;
const createdForReviewers = [401, 403, 403, 201, 201] as const;
const okForAdmins = [401, 403, 403, 403, 200] as const;
const createdForAdmins = [401, 403, 403, 403, 201] as const;

const csvQuery = () => ({ query: { format: 'csv' } });
const byId = (_: TestContext, __: Caller, id: string) => ({ params: { id } });

/**
 * A photo can be attached only by its uploader. Callers who cannot upload send a photo of the
 * Admin.
 */
const uploader = ({ admin }: TestContext, caller: Caller) =>
  callers[caller.name].statusIndex === 0 ? admin : caller.client;

const submit = {
  statuses: createdForSignedIn,
  input: async (context: TestContext, caller: Caller) => ({ body: await newReport(uploader(context, caller)) }),
};

/** A park that the caller may use. */
const getAllowedPark = ({ name }: Caller) => ('park' in callers[name] && callers[name].park) || ownPark;

// Every endpoint needs an entry; the compiler reports a missing one.
const accessCases: { [Name in EndpointName]: AccessCase } = {
  getSession: { statuses: okForSignedIn },
  login: { statuses: okForAll, input: () => ({ body: { username: 'admin', password } }) },
  logout: { statuses: okForAll },
  changePassword: {
    statuses: okForSignedIn,
    input: () => ({ body: { currentPassword: password, newPassword: 'another walk on the shore' } }),
  },
  getUsername: { statuses: okForSignedIn, input: byId, record: { ...user, whenDeleted: 200 } },
  listNames: { statuses: okForSignedIn },
  requestEmailChange: {
    // The test server sends no email.
    statuses: [401, 409, 409, 409, 409],
    input: () => ({ body: { email: 'sian@example.com', currentPassword: password } }),
  },
  confirmEmailChange: {
    statuses: [404, 404, 404, 404, 404],
    input: () => ({ body: { token: 'x'.repeat(43) } }),
  },
  uploadImage: {
    statuses: okForSignedIn,
    input: async () => ({ file: new Blob([new Uint8Array(await photo())]), fileName: 'photo.jpg' }),
  },
  submitAccident: submit,
  submitIncident: submit,
  listMyReports: { statuses: okForSignedIn },
  getLastReporter: { statuses: okForSignedIn },
  listReports: { statuses: okForReviewers },
  listReportMonths: { statuses: okForReviewers, input: () => ({ query: { reportType: 'accident' } }) },
  getReport: { statuses: okForReviewers, input: byId, record: report },
  deleteReport: { statuses: okForReviewers, input: byId, record: report },
  getReportPdf: { statuses: okForReviewers, input: byId, record: report },
  getReportHistory: { statuses: okForReviewers, input: byId, record: report },
  getAssessment: { statuses: okForReviewers, input: byId, record: report },
  saveAssessment: {
    statuses: okForReviewers,
    input: (_, __, id) => ({ params: { id }, body: { version: 0, answers: {}, people: [{}] } }),
    record: report,
  },
  decideAssessment: {
    statuses: okForReviewers,
    input: (_, __, id) => ({ params: { id }, body: { version: 1, decision: 'record', reason: 'Nobody lost a day' } }),
    record: assessed,
  },
  addRiddorNotice: {
    statuses: createdForReviewers,
    input: (_, __, id) => ({ params: { id }, body: { duties: [], how: 'telephone', on: getToday() } }),
    record: assessed,
  },
  listOpenDuties: { statuses: okForReviewers },
  countDuties: { statuses: okForReviewers },
  listParkAuthorities: { statuses: okForReviewers },
  setParkAuthority: { statuses: okForAdmins, input: () => ({ body: { park: 'Mounds', authority: 'HSE' } }) },
  getRuleSet: { statuses: okForReviewers, input: () => ({ params: { id: 'riddor-2013-v1' } }) },
  createAccessRequest: {
    statuses: createdForAdmins,
    input: () => ({ body: { name: 'Mair', spellings: [], receivedOn: '2026-01-01' } }),
  },
  listAccessRequests: { statuses: okForAdmins },
  getAccessRequest: { statuses: okForAdmins, input: byId, record: accessRequest },
  saveAccessChoices: {
    statuses: okForAdmins,
    input: (_, __, id) => ({ params: { id }, body: { version: 1, choices: [] } }),
    record: accessRequest,
  },
  getAccessZip: { statuses: okForAdmins, input: byId, record: accessRequest },
  blankNames: {
    statuses: okForAdmins,
    input: (_, __, id) => ({ params: { id }, body: { ids: ['report:none'], count: 1, reason: 'asked' } }),
    record: accessRequest,
  },
  listRetention: { statuses: okForAdmins },
  // The list of records with this hash does not exist, so permitted users get an error.
  runRetention: {
    statuses: [401, 403, 403, 403, 409],
    input: () => ({ body: { hash: '0'.repeat(64), ids: ['nobody'], count: 1 } }),
  },
  createPack: {
    statuses: createdForReviewers,
    input: async (context) => ({
      body: { recipient: 'HSE', purpose: 'Visit', withoutNames: true, reports: [await report.make(context, ownPark)] },
    }),
  },
  listPacks: { statuses: okForReviewers },
  // The request belongs to another Admin.
  getPackFile: { statuses: [401, 403, 403, 404, 200], input: byId, record: pack },
  makePackAgain: { statuses: [401, 403, 403, 404, 200], input: byId, record: pack },
  deletePack: { statuses: [401, 403, 403, 404, 200], input: byId, record: pack },
  listHolds: { statuses: okForAdmins },
  setHold: {
    statuses: createdForAdmins,
    input: () => ({ body: { thing: 'park', thing_id: 'Mounds', reason: 'A claim', reviewOn: '2027-01-01' } }),
  },
  reviewHold: {
    statuses: okForAdmins,
    input: (_, __, id) => ({ params: { id }, body: { reviewOn: '2099-01-01' } }),
    record: hold,
  },
  liftHold: { statuses: okForAdmins, input: byId, record: hold },
  releaseDeleted: {
    statuses: okForAdmins,
    input: (_, __, id) => ({ params: { id }, body: { reason: 'A duplicate' } }),
    record: deletion,
  },
  listChecklists: { statuses: okForSignedIn },
  submitChecklist: {
    statuses: createdForSignedIn,
    input: (_, __, checklistId) => ({ body: { checklistId, data: { '0': true } } }),
    record: checklist,
  },
  createChecklist: { statuses: createdForReviewers, input: () => ({ body: { title: 'Pool', sections } }) },
  updateChecklist: {
    statuses: okForReviewers,
    input: (_, __, id) => ({ params: { id }, body: { title: 'Pools', sections } }),
    record: checklist,
  },
  deleteChecklist: { statuses: okForReviewers, input: byId, record: checklist },
  listSubmissions: { statuses: okForReviewers },
  listSubmissionTitles: { statuses: okForReviewers },
  getSubmission: { statuses: okForReviewers, input: byId, record: submission },
  deleteSubmission: { statuses: okForReviewers, input: byId, record: submission },
  getSubmissionPdf: { statuses: okForReviewers, input: byId, record: submission },
  getOverview: { statuses: okForReviewers, input: () => ({ query: { from: '2026-01-01', to: '2026-12-31' } }) },
  listAuditsOnDay: { statuses: okForReviewers, input: () => ({ query: { state: 'open', on: '2026-12-31' } }) },
  listDueChecks: { statuses: okForSignedIn },
  listSchedules: { statuses: okForReviewers },
  createSchedule: {
    statuses: createdForReviewers,
    input: (_, __, id) => ({ body: newSchedule(id) }),
    record: checklist,
  },
  updateSchedule: {
    statuses: okForReviewers,
    input(_, __, id) {
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
    input: (_, caller) => ({ body: { name: 'Fire', description: '', park: getAllowedPark(caller) } }),
  },
  getFolder: { statuses: okForSignedIn, input: byId, record: folder },
  updateFolder: {
    statuses: okForSignedIn,
    input: (_, caller, id) => ({
      params: { id },
      body: { name: 'Water', description: '', park: getAllowedPark(caller) },
    }),
    // The change may move the folder to another park, so each user gets their own.
    record: folder,
  },
  deleteFolder: { statuses: okForSignedIn, input: byId, record: folder },
  listAssignees: { statuses: okForSignedIn, input: byId, record: folder },
  listAudits: {
    statuses: okForSignedIn,
    input: (_, __, folderId) => ({ params: { folderId } }),
    record: folder,
  },
  listOpenAudits: { statuses: okForSignedIn },
  listAuditNotes: { statuses: okForSignedIn, input: byId, record: audit },
  addAuditNote: {
    statuses: createdForSignedIn,
    input: (_, __, id) => ({ params: { id }, body: { text: 'The leak is back' } }),
    record: audit,
  },
  listReportAudits: { statuses: okForReviewers, input: byId, record: report },
  listSubmissionAudits: { statuses: okForReviewers, input: byId, record: submission },
  createAudit: { statuses: createdForSignedIn, input: (_, __, id) => ({ body: newAudit(id) }), record: folder },
  getAudit: { statuses: okForSignedIn, input: byId, record: audit },
  updateAudit: {
    statuses: okForSignedIn,
    input: (_, __, id) => ({ params: { id }, body: { title: 'Check the taps' } }),
    record: audit,
  },
  deleteAudit: { statuses: okForSignedIn, input: byId, record: audit },
  getAuditPdf: { statuses: okForSignedIn, input: byId, record: audit },
  listUsers: { statuses: okForReviewers },
  listRoles: { statuses: okForReviewers },
  userExists: { statuses: okForReviewers, input: () => ({ body: { username: username() } }) },
  createUser: { statuses: createdForReviewers, input: () => ({ body: newUser() }) },
  importUsers: {
    statuses: createdForReviewers,
    input: () => ({ body: { csv: `${username()},None,${ownPark}` } }),
  },
  deleteUser: { statuses: okForReviewers, input: byId, record: user },
  assignRole: {
    statuses: okForReviewers,
    input: (_, __, name) => ({ body: { username: name, role: 'None', park: ownPark } }),
    record: userByName,
  },
  updateUserDetails: {
    statuses: okForAdmins,
    input: (_, __, id) => ({ params: { id }, body: { full_name: 'Siân Jones', email: '' } }),
    record: user,
  },
  resetPassword: { statuses: okForReviewers, input: (_, __, id) => ({ body: { id } }), record: user },
  exportReports: { statuses: okForReviewers, input: csvQuery },
  exportSubmissions: { statuses: okForReviewers, input: csvQuery },
  exportAudits: { statuses: okForReviewers, input: csvQuery },
  exportUsers: { statuses: okForReviewers, input: csvQuery },
  exportChecks: { statuses: okForReviewers, input: csvQuery },
  exportActivity: { statuses: okForReviewers, input: csvQuery },
  listNotifications: { statuses: okForSignedIn },
  countNotifications: { statuses: okForSignedIn },
  readNotification: { statuses: [401, 404, 404, 404, 404], input: () => ({ params: { id: newId() } }) },
  readAllNotifications: { statuses: okForSignedIn },
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
  listActivity: { statuses: okForReviewers },
  listDeleted: { statuses: okForReviewers },
  restoreDeleted: { statuses: okForAdmins, input: byId, record: deletion },
};

const states = ['of the park', 'of another park', 'deleted', 'missing'] as const;

function expected({ statuses, record }: AccessCase, name: CallerName, state: (typeof states)[number]): number {
  const { statusIndex, ...caller } = callers[name];
  const status = statuses[statusIndex];
  if (!record || status >= 400) return status;
  if (state === 'missing') return 404;
  if (state === 'deleted') return record.whenDeleted ?? 404;
  const park = state === 'of the park' ? ownPark : otherPark;
  const isInOtherPark = record.isParkScoped && 'park' in caller && caller.park !== '' && caller.park !== park;
  return isInOtherPark ? 404 : status;
}

/** Permissions do not depend on the engine, so PostgreSQL is tested with fewer kinds of users. */
const callersOnPostgres: CallerName[] = ['staff of another park', 'a manager of the park', 'an Admin'];

describe.each(engines)('access on %s', (engine) => {
  let context: TestContext;
  /** Callers for endpoints that do not change the calling user. */
  const sharedCallers = new Map<CallerName, Caller>();
  beforeAll(async () => {
    const server = await startTestServer(engine);
    context = { server, admin: await server.as('Admin') };
    const names = engine === 'postgres' ? callersOnPostgres : (Object.keys(callers) as CallerName[]);
    for (const name of names) sharedCallers.set(name, await makeCaller(server, name));
  });
  afterAll(() => context.server.stop());

  async function requestStatus(endpoint: Endpoint, caller: Caller, input: object) {
    let status = 0;
    const recordStatus: typeof fetch = async (...args) => {
      const response = await caller.fetch(...args);
      status = response.status;
      return response;
    };
    const failed = await sendRequest(recordStatus, endpoint, input as never).then(
      () => undefined,
      (error: unknown) => error as ApiError,
    );
    if (failed && !(failed instanceof ApiError)) throw failed;
    return { status, text: failed?.text.replace(/"requestId":"\w+"/, '') ?? '' };
  }

  test.each(Object.entries(accessCases))(
    'the endpoint %s returns the expected status to every kind of user',
    async (name, accessCase) => {
      const endpoint: Endpoint = contract[name as EndpointName];
      const { record } = accessCase;
      const isReadOnly = endpoint.method === 'GET';
      const ids = new Map<string, string>();
      const getRecordInState = async (state: (typeof states)[number]) => {
        if (!record) return '';
        if (state === 'missing') return record.missing ?? newId();
        const id = ids.get(state) ?? (await record.make(context, state === 'of another park' ? otherPark : ownPark));
        if (state === 'deleted' && !ids.has(state)) await record.delete(context, id);
        ids.set(state, id);
        return id;
      };
      for (const [callerName, knownUser] of sharedCallers) {
        const responses = new Map<string, string>();
        // An endpoint without a record may change the calling user or end the session, so it gets
        // new users.
        const caller = record ? knownUser : await makeCaller(context.server, callerName);
        for (const state of record ? states : states.slice(0, 1)) {
          const id = await getRecordInState(state);
          const input = (await accessCase.input?.(context, caller, id)) ?? {};
          const { status, text } = await requestStatus(endpoint, caller, input);
          expect(status, `${callerName}, ${record ? `a record ${state}` : 'no record'}: ${text}`).toBe(
            expected(accessCase, callerName, state),
          );
          if (status === 404) responses.set(state, text);
          if (status < 300 && !isReadOnly) ids.delete(state);
        }
        // Hidden and missing records have the same response, byte for byte.
        expect(new Set(responses.values()).size, callerName).toBeLessThanOrEqual(1);
      }
    },
  );
});
