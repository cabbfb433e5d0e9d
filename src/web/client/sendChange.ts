import { replaceEqualDeep } from '@tanstack/react-query';
import type { EndpointInput } from '#shared/client.ts';
import type { ClientEndpoint, Reply } from '#shared/contract.ts';
import { newUuid } from '../newUuid.ts';
import { callApi } from './api.ts';
import { getNewerVersion, mayHaveArrived, readError } from './errors.ts';

type Versioned = { version: number };

/** A change, with the key that it is sent with each time. Each stored change makes the next version. */
type Change = { body: Versioned; key: string; send: () => Promise<unknown> };

/** Changes that had no response, oldest first, by the record's parameters: the server may have stored them. */
const unansweredChanges = new Map<string, Change[]>();
const getRecordName = (params: object) => JSON.stringify(params);
const listUnanswered = (params: object) => unansweredChanges.get(getRecordName(params)) ?? [];

const isEqual = (body: object, other: object) => replaceEqualDeep(body, other) === body;

/**
 * Sends a change based on one version of a record. The same change is sent with the same idempotency key until there is
 * a response; another one continues from what this page has stored without a response. Rejects with the newer version
 * if someone else has changed the record.
 */
export async function sendChange<R extends ClientEndpoint>(
  endpoint: R,
  input: EndpointInput<R> & { params: object; body: Versioned },
): Promise<Reply<R>> {
  const { params, body } = input;
  const name = getRecordName(params);
  const unanswered = listUnanswered(params);
  const repeated = unanswered.find((change) => isEqual(change.body, body));
  const key = repeated?.key ?? newUuid();
  const send = () =>
    (callApi as (endpoint: R, input: EndpointInput<R>) => Promise<Reply<R>>)(endpoint, { ...input, key });
  if (!repeated) unansweredChanges.set(name, [...unanswered, { body, key, send }]);
  try {
    const reply = await send();
    unansweredChanges.delete(name);
    return reply;
  } catch (error) {
    if (mayHaveArrived(error)) throw error;
    unansweredChanges.set(
      name,
      listUnanswered(params).filter((change) => change.key !== key),
    );
    const newer = getNewerVersion<Versioned>(error);
    if (!newer) throw error;
    const stored = await findStoredChange(params, body.version, newer.version);
    if (!stored) {
      unansweredChanges.delete(name);
      throw error;
    }
    const newBody = { ...body, version: newer.version };
    // Its photos were uploaded again, for example, but it is what was stored last.
    if (stored.reply && isEqual({ ...stored.body, version: newer.version }, newBody)) {
      unansweredChanges.delete(name);
      return stored.reply as Reply<R>;
    }
    return sendChange(endpoint, { ...input, body: newBody });
  }
}

/**
 * Returns the unanswered change of this page that made the version `newest`, if all since `version` are of this page. It
 * asks the server by sending them again: they are based on older versions, so that the server can only repeat their
 * replies. Without `reply`, the server has forgotten it.
 */
async function findStoredChange(
  params: object,
  version: number,
  newest: number,
): Promise<(Change & { reply?: unknown }) | undefined> {
  let reached = version;
  let last: (Change & { reply?: unknown }) | undefined;
  for (const change of listUnanswered(params)) {
    if (change.body.version !== reached || reached >= newest) continue;
    try {
      last = { ...change, reply: await change.send() };
    } catch (error) {
      if (mayHaveArrived(error)) throw error;
      if (readError(error).code !== 'KEY_REUSED') continue;
      last = change;
    }
    reached += 1;
  }
  return reached === newest ? last : undefined;
}

/** Whether the newer version of a record, in the error of another request, is this page's change without a response. */
export const isOwnVersion = async (params: object, version: number, newer: Versioned): Promise<boolean> =>
  (await findStoredChange(params, version, newer.version)) !== undefined;

/**
 * Returns the version that unsaved input is based on: the one it started from. It is stale if someone else changed the
 * record. While a change based on it has no response, that is not known until the next one is sent.
 */
export function getBaseVersion(params: object, record: Versioned, startVersion = record.version) {
  const isUnanswered = listUnanswered(params).some(({ body }) => body.version >= startVersion);
  return { baseVersion: startVersion, isStale: startVersion !== record.version && !isUnanswered };
}
