// Searches for access requests in a child process, for one request at a time: comparing every text
// with a name takes seconds of computing. Users take turns.
import type { Hit, Person } from '#shared/people/access-requests.ts';
import type { Config } from '../config.ts';
import { HttpError } from '../errors/http-error.ts';
import type { RecordSearch } from '../http/handler-context.ts';
import { createPool, JobError } from '../workers/pool.ts';

const MiB = 2 ** 20;

export type GatherJob = { databaseUrl: string; dataDir: string; person: Person; excludedRequestId: string };

/** The settings of a connection to PostgreSQL that are not in its URL. */
const getConnectionSettings = () =>
  Object.fromEntries(
    Object.entries(process.env).filter(([name]) => name.startsWith('PG') || name === 'NODE_EXTRA_CA_CERTS'),
  );

export function createRecordSearch({ databaseUrl, dataDir }: Config): RecordSearch {
  const pool = createPool<GatherJob, Hit[]>({
    script: new URL('./gather-child.ts', import.meta.url),
    size: 1,
    maxWaiting: 20,
    timeoutMs: 120_000,
    maxBytes: 400 * MiB,
    // Small heap limits make Node collect garbage often, because the search reads megabytes of
    // text.
    env: { ...getConnectionSettings(), NODE_OPTIONS: '--max-semi-space-size=4 --max-old-space-size=200' },
  });
  return {
    async gatherHits(person, excludedRequestId, queueOptions) {
      try {
        return await pool.run({ databaseUrl, dataDir, person, excludedRequestId }, queueOptions);
      } catch (error) {
        if (!(error instanceof JobError)) throw error;
        const message = 'The records could not be searched just now. Please try again in a moment.';
        throw Object.assign(new HttpError(503, message, { retryAfter: 5 }), { cause: error });
      }
    },
    close: pool.close,
  };
}
