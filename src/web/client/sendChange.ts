import type { EndpointInput } from '#shared/client.ts';
import type { ClientEndpoint, Reply } from '#shared/contract.ts';
import { newUuid } from '../newUuid.ts';
import { callApi, callApiWithRetry } from './api.ts';
import { getNewerVersion, mayHaveArrived } from './errors.ts';

type Fields = Record<string, unknown>;
type Versioned = { version: number };

/** Changes that had no response, by the record's parameters: the server may have stored them. */
const unansweredChanges = new Map<string, Change[]>();
const getRecordName = (params: object) => JSON.stringify(params);

type Change = Options & { version: number; fields: Fields };

type Options = {
  /** Maps the sent fields to those of the record, if they are named differently. */
  toRecord?: (fields: Fields) => Fields;
  /** Whether objects among the sent fields contain only what changed. */
  isPartial?: boolean;
};

/**
 * Sends a change based on one version of a record. If an earlier change was stored although its
 * response was lost, continues from there. Rejects with the newer version if someone else has
 * changed the record; resolves with it if it equals what was sent.
 */
export async function sendChange<R extends ClientEndpoint, Current = never>(
  endpoint: R,
  input: EndpointInput<R> & { params: object; body: Versioned },
  options: Options = {},
): Promise<Reply<R> | Current> {
  const { version, ...sent } = input.body as unknown as Versioned & Fields;
  const change: Change = { ...options, version, fields: options.toRecord?.(sent) ?? sent };
  const name = getRecordName(input.params);
  const earlier = unansweredChanges.get(name) ?? [];
  unansweredChanges.set(name, [...earlier, change]);
  try {
    const send = (input.key ? callApiWithRetry : callApi) as (
      endpoint: R,
      input: EndpointInput<R>,
    ) => Promise<Reply<R>>;
    const reply = await send(endpoint, input);
    unansweredChanges.delete(name);
    return reply;
  } catch (error) {
    if (mayHaveArrived(error)) throw error;
    const newer = getNewerVersion<Current & Versioned>(error);
    if (newer === undefined) {
      unansweredChanges.set(name, earlier);
      throw error;
    }
    unansweredChanges.delete(name);
    if (hasValue(change.fields) && isContained(change.fields, newer)) return newer;
    if (!earlier.some((one) => isStoredAs(one, newer))) throw error;
    const body = { ...input.body, version: newer.version };
    return sendChange<R, Current>(endpoint, { ...input, body, ...(input.key && { key: newUuid() }) }, options);
  }
}

/**
 * Returns the version that unsaved input is based on: the one it started from, or `record` if that
 * has what this page sent without getting a response. It is stale if someone else changed the record.
 */
export function getBaseVersion(params: object, record: Versioned, startVersion = record.version) {
  const isOwn = unansweredChanges.get(getRecordName(params))?.some((change) => isStoredAs(change, record));
  const baseVersion = isOwn ? record.version : startVersion;
  return { baseVersion, isStale: baseVersion !== record.version };
}

/** Whether this version of a record is the outcome of a change, and of no other one after it. */
const isStoredAs = ({ version, fields, isPartial = false }: Change, record: Versioned): boolean =>
  record.version === version + 1 &&
  hasValue(fields) &&
  isContained(fields, record) &&
  (isPartial || Object.keys(fields).every((name) => isContained((record as Versioned & Fields)[name], fields[name])));

/** Whether any field was sent. */
const hasValue = (sent: unknown): boolean =>
  typeof sent === 'object' && sent !== null ? Object.values(sent).some(hasValue) : sent !== undefined;

/** Whether the record contains every value that was sent; it may have more. */
export function isContained(sent: unknown, record: unknown): boolean {
  if (typeof sent === 'string' && typeof record === 'string') return sent.trim() === record.trim();
  if (Array.isArray(sent))
    return (
      Array.isArray(record) &&
      sent.length === record.length &&
      sent.every((value, index) => isContained(value, record[index]))
    );
  if (typeof sent === 'object' && sent !== null)
    return (
      typeof record === 'object' &&
      record !== null &&
      Object.entries(sent).every(([name, value]) => isContained(value, (record as Fields)[name]))
    );
  return (sent ?? null) === (record ?? null);
}
