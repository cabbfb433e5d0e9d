// Requests to the server: `queryFor` for useQuery, `mutationFor` for useMutation, `callApi`
// otherwise.
import { MutationCache, onlineManager, QueryClient, queryOptions } from '@tanstack/react-query';
import { api } from '#shared/api.ts';
import { ApiError, backgroundHeaders, type EndpointInput, sendRequest } from '#shared/client.ts';
import type { ClientEndpoint, Reply } from '#shared/contract.ts';
import { deviceItems } from '../browserItems.ts';
import { connection, isOnline, reportStatus } from '../offline/connection.ts';
import { getInputCount, hasNewInput, markInputSent } from './activity.ts';
import { isSignedOut, isTransientError, readError } from './errors.ts';
import { forgetUser } from './offlineSession.ts';
import { waitForConfirmation, waitForSignIn } from './reauthentication.ts';

/** An endpoint's input; optional if nothing in it is required. */
type OptionalInput<R extends ClientEndpoint> =
  Record<never, never> extends EndpointInput<R> ? [input?: EndpointInput<R>] : [input: EndpointInput<R>];

declare module '@tanstack/react-query' {
  interface Register {
    defaultError: Error;
    /** `refreshes: false` for a mutation that changes nothing on the screen. */
    mutationMeta: { refreshes?: boolean };
  }
}

const clockOffsetKey = 'clock-offset';

/**
 * How far the server's clock is ahead of this device's, in milliseconds. Stored for pages opened
 * offline.
 */
let clockOffset = Number(deviceItems.read(clockOffsetKey)) || 0;

/** Returns the server's time in milliseconds. */
export const getServerTime = () => Date.now() + clockOffset;

/** Request timeout in milliseconds: photos take longer on slow connections. */
const getTimeoutMs = (init?: RequestInit) => (init?.body instanceof FormData ? 120_000 : 30_000);

/** `fetch` that also stores the offset of the server's clock, and whether the server responds. */
export const observeFetch: typeof fetch = async (input, init) => {
  const response = await fetch(input, init);
  const date = Date.parse(response.headers.get('date') ?? '');
  if (!Number.isNaN(date)) storeClockOffset(date - Date.now());
  reportStatus(response.status);
  return response;
};

const browserFetch: typeof fetch = async (input, init) => {
  const signals = [AbortSignal.timeout(getTimeoutMs(init)), init?.signal ?? []].flat();
  const count = getInputCount();
  const headers = { ...init?.headers, ...(!hasNewInput() && backgroundHeaders) } as Record<string, string>;
  const response = await observeFetch(input, { ...init, headers, signal: AbortSignal.any(signals) });
  // A gateway may have responded without the server.
  if (response.status < 500) markInputSent(count);
  return response;
};

function storeClockOffset(offset: number) {
  const hasChanged = Math.abs(offset - clockOffset) > 2000;
  clockOffset = offset;
  if (hasChanged) deviceItems.write(clockOffsetKey, String(offset));
}

/** A 401 from these is a normal result. Elsewhere the session has expired. */
const endpointsWithoutSession: ClientEndpoint[] = [
  ...[api.getSession, api.login, api.enterCode, api.logout],
  ...[api.requestPasskey, api.signInWithPasskey, api.signInWithPin, api.completeProviderSignIn],
];

/**
 * Sends a request. If the session has ended, or the user must confirm that it is them, waits for the
 * user and sends it again. Rejects with ApiError.
 */
export async function callApi<R extends ClientEndpoint>(endpoint: R, ...[input]: OptionalInput<R>): Promise<Reply<R>> {
  const attempt = () =>
    sendRequest(browserFetch, endpoint, (input ?? {}) as EndpointInput<R>).catch((error: unknown) => {
      if (error instanceof ApiError && error.status === 0) reportStatus(0);
      throw error;
    });
  try {
    return await attempt();
  } catch (error) {
    if (readError(error).code === 'CONFIRMATION_NEEDED') {
      const { currentPassword } = Object((input as { body?: unknown } | undefined)?.body) as {
        currentPassword?: string;
      };
      if (!(await waitForConfirmation(currentPassword))) throw error;
      return attempt();
    }
    // The role may have changed: the session says so, and the screen follows.
    if (readError(error).status === 403) void queryClient.invalidateQueries({ queryKey: [api.getSession.path] });
    if (!isSignedOut(error) || endpointsWithoutSession.includes(endpoint)) throw error;
    void forgetUser();
    await waitForSignIn();
    return attempt();
  }
}

const retryDelaysMs = [1000, 3000, 9000];

/** Sends an idempotent request; retries transient errors after 1, 3 and 9 s. */
export async function callApiWithRetry<R extends ClientEndpoint>(
  endpoint: R,
  input: EndpointInput<R> & { key: string },
): Promise<Reply<R>> {
  for (const delayMs of retryDelaysMs) {
    try {
      return await (callApi as (endpoint: R, input: EndpointInput<R>) => Promise<Reply<R>>)(endpoint, input);
    } catch (error) {
      if (!isTransientError(error) || input.signal?.aborted) throw error;
      await new Promise((resolve) => setTimeout(resolve, delayMs));
    }
  }
  return (callApi as (endpoint: R, input: EndpointInput<R>) => Promise<Reply<R>>)(endpoint, input);
}

/** Options for useQuery: `useQuery(queryFor(api.getReport, { params: { id } }))`. */
export function queryFor<R extends ClientEndpoint>(endpoint: R, ...args: OptionalInput<R>) {
  return queryOptions({
    queryKey: [endpoint.path, args[0] ?? {}],
    queryFn: ({ signal }): Promise<Reply<R>> =>
      callApi(endpoint, ...([{ ...args[0], signal }] as unknown as OptionalInput<R>)),
  });
}

/** Options for useMutation: `useMutation(mutationFor(api.deleteReport))`. */
export const mutationFor = <R extends ClientEndpoint>(endpoint: R) => ({
  mutationFn: (input: EndpointInput<R>): Promise<Reply<R>> =>
    callApi(endpoint, ...([input] as unknown as OptionalInput<R>)),
});

// Refetch the queries on the screen that are stale when back online.
onlineManager.setEventListener((setOnline) => connection.subscribe(() => setOnline(isOnline())));

/** A successful mutation refetches what is on the screen. */
export const queryClient: QueryClient = new QueryClient({
  mutationCache: new MutationCache({
    onSuccess(_reply, _input, _context, mutation) {
      if (mutation.meta?.refreshes !== false) void refreshScreen();
    },
  }),
  defaultOptions: {
    // 'always': without a network, a request fails visibly instead of waiting.
    queries: {
      networkMode: 'always',
      refetchOnReconnect: true,
      retry: (times, error) => times < 2 && isTransientError(error),
    },
    mutations: { networkMode: 'always' },
  },
});

/** Reports do not change, and for the records of an access request the server reads all records. */
const loggedWhenRead: unknown[] = [api.getReport.path, api.getAccessRequest.path];

/** Refetches what is on the screen, but nothing that is logged when it is read. */
export const refreshScreen = () =>
  queryClient.invalidateQueries({ predicate: ({ queryKey }) => !loggedWhenRead.includes(queryKey[0]) });
