// How the screens make the calls of the table: `queryFor` for useQuery, `mutationFor` for useMutation, `callApi` for everything else.
import { MutationCache, onlineManager, QueryClient, queryOptions } from '@tanstack/react-query';
import { api } from '#shared/api.ts';
import { ApiError, type EndpointInput, sendRequest } from '#shared/client.ts';
import type { Endpoint, Reply } from '#shared/contract.ts';
import { isOnline, reportStatus, subscribeToConnection } from '../offline/connection.ts';
import { forgetUser } from './offlineSession.ts';
import { waitForSignIn } from './reauthentication.ts';

/** The input of a row; may be left out where nothing in it is needed. */
type OptionalInput<R extends Endpoint> =
  Record<never, never> extends EndpointInput<R> ? [input?: EndpointInput<R>] : [input: EndpointInput<R>];

declare module '@tanstack/react-query' {
  interface Register {
    defaultError: Error;
    /** `refreshes: false` on a mutation that changes nothing on the screen. */
    mutationMeta: { refreshes?: boolean };
  }
}

/** How far the server's clock is ahead of this machine's, in milliseconds: tablets run late. */
let clockOffset = 0;
let lastResponseAt = 0;

/** What time the server has it, in milliseconds. */
export const getServerTime = () => Date.now() + clockOffset;

/** When the server last answered, by this machine's clock. */
export const getLastResponseTime = () => lastResponseAt;

/** How long an answer is waited for, in milliseconds: photos take their time on a weak connection. */
const getTimeoutMs = (init?: RequestInit) => (init?.body instanceof FormData ? 120_000 : 30_000);

const browserFetch: typeof fetch = async (input, init) => {
  const signals = [AbortSignal.timeout(getTimeoutMs(init)), init?.signal ?? []].flat();
  const response = await fetch(input, { ...init, signal: AbortSignal.any(signals) });
  const date = Date.parse(response.headers.get('date') ?? '');
  if (!Number.isNaN(date)) clockOffset = date - Date.now();
  lastResponseAt = Date.now();
  reportStatus(response.status);
  return response;
};

/** These mean by 401 what they say; anywhere else it means that the session has ended. */
const endpointsWithoutSession: Endpoint[] = [api.getSession, api.login, api.logout];

/**
 * Makes a call. Where the session has ended it waits for the person to sign in over the page, then makes the call again.
 * Rejects with ApiError.
 */
export async function callApi<R extends Endpoint>(endpoint: R, ...[input]: OptionalInput<R>): Promise<Reply<R>> {
  const attempt = () =>
    sendRequest(browserFetch, endpoint, (input ?? {}) as EndpointInput<R>).catch((error: unknown) => {
      if (error instanceof ApiError && error.status === 0) reportStatus(0);
      throw error;
    });
  try {
    return await attempt();
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401 || endpointsWithoutSession.includes(endpoint)) throw error;
    forgetUser();
    await waitForSignIn();
    return attempt();
  }
}

/** The server was not reached, is too busy, or still has the first attempt in hand. */
export const isTransientError = (error: unknown) =>
  error instanceof ApiError &&
  ([0, 502, 503, 504].includes(error.status) || (error.status === 409 && error.retryAfter !== undefined));

/** There is no such thing, or not for this person. */
export const isNotFound = (error: unknown) => error instanceof ApiError && error.status === 404;

const retryDelaysMs = [1000, 3000, 9000];

/** Makes a call that carries a key, and makes it again after 1, 3 and 9 s while the fault is one that may pass: done once. */
export async function callApiWithRetry<R extends Endpoint>(
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

/** Options for useQuery: `useQuery(read(api.getReport, { params: { id } }))`. */
export function queryFor<R extends Endpoint>(endpoint: R, ...args: OptionalInput<R>) {
  return queryOptions({
    queryKey: [endpoint.path, args[0] ?? {}],
    queryFn: ({ signal }): Promise<Reply<R>> =>
      callApi(endpoint, ...([{ ...args[0], signal }] as unknown as OptionalInput<R>)),
  });
}

/** Options for useMutation: `useMutation(send(api.deleteReport))`. */
export const mutationFor = <R extends Endpoint>(endpoint: R) => ({
  mutationFn: (input: EndpointInput<R>): Promise<Reply<R>> =>
    callApi(endpoint, ...([input] as unknown as OptionalInput<R>)),
});

/** Like `mutationFor`, for what must not get lost on a bad connection; see callApiWithRetry. */
export const mutationWithRetryFor = <R extends Endpoint>(endpoint: R) => ({
  mutationFn: (input: EndpointInput<R> & { key: string }): Promise<Reply<R>> => callApiWithRetry(endpoint, input),
});

// Back online, every query on the screen is refetched.
onlineManager.setEventListener((setOnline) => subscribeToConnection(() => setOnline(isOnline())));

/** A successful write refreshes what is on the screen. */
export const queryClient: QueryClient = new QueryClient({
  mutationCache: new MutationCache({
    onSuccess(_reply, _input, _context, mutation) {
      if (mutation.meta?.refreshes !== false) void queryClient.invalidateQueries();
    },
  }),
  defaultOptions: {
    // 'always': a call without a network fails and says so, rather than waiting unseen.
    queries: {
      networkMode: 'always',
      refetchOnReconnect: true,
      retry: (times, error) => times < 2 && isTransientError(error),
    },
    mutations: { networkMode: 'always' },
  },
});
