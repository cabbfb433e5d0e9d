import type { EndpointInput } from '#shared/client.ts';
import type { ClientEndpoint, Reply } from '#shared/contract.ts';
import { callApi } from './api.ts';
import { getNewerVersion } from './errors.ts';

/**
 * Sends a change based on one version of a record. Rejects with the newer version if someone else
 * has changed it. Resolves with the newer version if it equals what was sent: an earlier attempt
 * succeeded, but its response was lost. `toRecord` maps what is sent to the fields of the record, if
 * they are named differently.
 */
export async function sendChange<R extends ClientEndpoint, Current = never>(
  endpoint: R,
  input: EndpointInput<R>,
  toRecord = (fields: Record<string, unknown>) => fields,
): Promise<Reply<R> | Current> {
  try {
    return await (callApi as (endpoint: R, input: EndpointInput<R>) => Promise<Reply<R>>)(endpoint, input);
  } catch (error) {
    const newer = getNewerVersion<Current>(error);
    const { version: _, ...fields } = (input as unknown as { body: Record<string, unknown> }).body;
    if (newer !== undefined && hasValue(fields) && isContained(toRecord(fields), newer)) return newer;
    throw error;
  }
}

/** Whether any field was sent. */
const hasValue = (sent: unknown): boolean =>
  typeof sent === 'object' && sent !== null ? Object.values(sent).some(hasValue) : sent !== undefined;

/** Whether the record contains every value that was sent; it may have more. */
export function isContained(sent: unknown, record: unknown): boolean {
  if (typeof sent === 'string' && typeof record === 'string') return sent.trim() === record;
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
      Object.entries(sent).every(([name, value]) => isContained(value, (record as Record<string, unknown>)[name]))
    );
  return (sent ?? null) === (record ?? null);
}
