// Gathers in a child process, for one request at a time: comparing every text with a name takes
// seconds of computing. Users take turns.
import type { Hit } from '#shared/law/access-requests.ts';
import { HttpError } from '../errors/http-error.ts';
import type { HandlerContext } from '../http/handler-context.ts';
import { createPool, JobError } from '../workers/pool.ts';
import type { GatherJob } from './gather-child.ts';
import type { Person } from './matching.ts';

const MiB = 2 ** 20;

/** The settings of a connection to PostgreSQL that are not in its URL. */
const connectionSettings = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => name.startsWith('PG') || name === 'NODE_EXTRA_CA_CERTS'),
);

const pool = createPool<GatherJob, Hit[]>({
  script: new URL('./gather-child.ts', import.meta.url),
  size: 1,
  queue: 20,
  timeoutMs: 120_000,
  maxBytes: 400 * MiB,
  // Collects garbage often, because it reads megabytes of text at a time.
  env: { ...connectionSettings, NODE_OPTIONS: '--max-semi-space-size=4 --max-old-space-size=200' },
});

type Asker = Pick<HandlerContext<never>, 'config' | 'signal'> & { user: { id: string } };

/** Stops when the request ends. Throws 503 if it cannot be done now. */
export async function gatherApart({ config, user, signal }: Asker, person: Person, exceptRequest: string) {
  const { databaseUrl, dataDir } = config;
  try {
    return await pool.run({ databaseUrl, dataDir, person, exceptRequest }, { user: user.id, signal });
  } catch (error) {
    if (!(error instanceof JobError)) throw error;
    const message = 'The records could not be searched just now. Please try again in a moment.';
    throw Object.assign(new HttpError(503, message, { retryAfter: 5 }), { cause: error });
  }
}
