// A record's version as HTTP says it: given out as an ETag, asked for with If-Match. The bodies carry it too, as `version`.
import type { FastifyReply } from 'fastify';

/** Versions begin at 1: no record ever has this one. */
const noVersion = 0;

/**
 * A change's body with the version it is to be made on. Refuses nothing: what is not one of our tags, or another than
 * the body's own `version`, is the version of no record, and therefore stale.
 */
export function applyIfMatch(body: unknown, ifMatch: string | undefined): unknown {
  if (ifMatch === undefined || ifMatch.trim() === '*') return body;
  const { version: inBody } = body as { version?: number };
  const [, digits] = /^\s*"(\d{1,9})"\s*$/.exec(ifMatch) ?? [];
  const version = Number(digits ?? noVersion);
  return { ...(body as object), version: inBody === undefined || inBody === version ? version : noVersion };
}

/** Tells the version of a record that is answered whole. */
export function setETag(reply: FastifyReply, result: unknown): void {
  const { version } = Object(result) as { version?: unknown };
  if (typeof version === 'number') reply.header('etag', `"${version}"`);
}
