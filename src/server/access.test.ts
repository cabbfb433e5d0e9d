// Calls every endpoint as every kind of caller, on records of their park, of another park, deleted and missing.
import { beforeAll, describe, expect, test } from 'vitest';
import { contract, type EndpointName } from '#shared/api.ts';
import { ApiError, sendRequest } from '#shared/client.ts';
import type { Endpoint } from '#shared/contract.ts';
import { newId } from './ids.ts';
import { type Caller, type CallerName, callers, makeCaller, otherPark, ownPark } from './testing/access-records.ts';
import { type EndpointCase, endpointCases } from './testing/endpoint-cases.ts';
import { engines } from './testing/server.ts';
import { createTestServer } from './testing/test-server.ts';
import { deleteUser } from './users/store.ts';

const states = ['of the park', 'of another park', 'deleted', 'missing'] as const;

function expected(
  {
    statuses,
    record,
    withoutFactor,
    onSharedDevice,
  }: Pick<EndpointCase, 'statuses' | 'record' | 'withoutFactor' | 'onSharedDevice'>,
  { notByPin }: Endpoint,
  name: CallerName,
  state: (typeof states)[number],
): number {
  const { statusIndex, ...caller } = callers[name];
  if ('isByPin' in caller && notByPin) return 403;
  if ('isSharedDevice' in caller && onSharedDevice) return onSharedDevice;
  const status = ('lacksSecondFactor' in caller && withoutFactor) || (statuses.at(statusIndex) ?? 0);
  if (!record || status === 401 || status === 403) return status;
  if (state === 'missing') return 404;
  if (state === 'deleted') return record.whenDeleted ?? 404;
  const park = state === 'of the park' ? ownPark : otherPark;
  const isInOtherPark = record.isParkScoped && 'park' in caller && caller.park !== '' && !caller.park.includes(park);
  return isInOtherPark ? 404 : status;
}

/** Permissions do not depend on the engine, so PostgreSQL is tested with fewer kinds of users. */
const callersOnPostgres: CallerName[] = [
  'a shared device',
  'an Admin who signed in with a PIN as staff',
  'an Admin who has entered the password only',
  'an Admin without the second factor that they must have',
  'staff of another park',
  'a manager of the park',
  'a manager of both parks',
  'an Admin of the park',
  'an Admin',
];

describe.each(engines)('access on %s', (engine) => {
  const settings = { REQUIRE_SECOND_FACTOR: 'reviewers', UPLOADS_PER_DAY: '5000' };
  const { server, admin } = createTestServer(engine, settings);
  const context = { server, admin };
  /** Callers for endpoints that do not change the calling user. */
  const sharedCallers = new Map<CallerName, Caller>();
  beforeAll(async () => {
    // A second factor has been required for years, so the time to set one up has ended.
    await server.db.updateTable('counters').set({ value: 1 }).where('name', 'like', 'second factor%').execute();
    const names = engine === 'postgres' ? callersOnPostgres : (Object.keys(callers) as CallerName[]);
    for (const name of names) sharedCallers.set(name, await makeCaller(server, name));
  });

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

  test.each(Object.entries(endpointCases))(
    'the endpoint %s returns the expected status to every kind of user',
    async (name, endpointCase) => {
      const endpoint: Endpoint = contract[name as EndpointName];
      const { record } = endpointCase;
      const isReadOnly = endpoint.method === 'GET';
      const ids = new Map<string, string>();
      const createInput = async ({ client, isSignedIn, park }: Caller, id: string) =>
        (await endpointCase.input?.({ ...context, client: isSignedIn ? client : admin, park, id })) ?? {};
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
        // A change without a record may be of the calling user, or end the session, so it gets new users.
        const caller = record || isReadOnly ? knownUser : await makeCaller(server, callerName);
        for (const state of record ? states : states.slice(0, 1)) {
          const id = await getRecordInState(state);
          const input = await createInput(caller, id);
          const { status, text } = await requestStatus(endpoint, caller, input);
          expect(status, `${callerName}, ${record ? `a record ${state}` : 'no record'}: ${text}`).toBe(
            expected(endpointCase, endpoint, callerName, state),
          );
          if (status === 404) responses.set(state, text);
          if (status < 300 && !isReadOnly) ids.delete(state);
        }
        // Each further reviewer would be told of every later record.
        if (caller !== knownUser) await deleteUser(server.db, caller.id, new Date());
        // Hidden and missing records have the same response, byte for byte.
        expect(new Set(responses.values()).size, callerName).toBeLessThanOrEqual(1);
      }
      // The listener for guests has none of these endpoints, whoever asks.
      const reviewer = sharedCallers.get('an Admin') as Caller;
      const input = await createInput(reviewer, await getRecordInState('of the park'));
      const fetchAsGuest: typeof fetch = (path, init) =>
        reviewer.client.fetch(new URL(String(path), server.guestUrl), init);
      expect((await requestStatus(endpoint, { ...reviewer, fetch: fetchAsGuest }, input)).status).toBe(404);
    },
  );
});
