// A record's version in the headers ETag and If-Match. Bodies also contain it, as `version`.
import type { FastifyReply } from 'fastify';

/** Versions start at 1, so no record has this one. */
const impossibleVersion = 0;

/**
 * Returns the body with the version in If-Match as its `version`. An unknown tag, or one that
 * differs from the body's own `version`, becomes a version that no record has, so the request is
 * rejected as stale.
 */
export function applyIfMatch(body: unknown, ifMatch: string | undefined): unknown {
  if (ifMatch === undefined || ifMatch.trim() === '*') return body;
  const { version: bodyVersion } = body as { version?: number };
  const [, digits] = /^\s*"(\d{1,9})"\s*$/.exec(ifMatch) ?? [];
  const version = Number(digits ?? impossibleVersion);
  return {
    ...(body as object),
    version: bodyVersion === undefined || bodyVersion === version ? version : impossibleVersion,
  };
}

/** Sets the ETag if the result has a version. */
export function setETag(reply: FastifyReply, result: unknown): void {
  const { version } = Object(result) as { version?: unknown };
  if (typeof version === 'number') reply.header('etag', `"${version}"`);
}
