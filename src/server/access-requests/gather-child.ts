// Searches all records for a person in a child process, for access requests.
import { setPriority } from 'node:os';
import type { Hit } from '#shared/people/access-requests.ts';
import { connectReadOnly } from '../db/connect.ts';
import { handleJobs } from '../workers/child.ts';
import { gatherHits } from './gather.ts';
import type { GatherJob } from './record-search.ts';

// Low CPU priority, because users wait for other requests on a screen but not for this search.
setPriority(10);

handleJobs<GatherJob, Hit[]>(async ({ person, excludedRequestId, ...database }) => {
  const db = await connectReadOnly(database);
  try {
    return await gatherHits(db, person, excludedRequestId);
  } finally {
    await db.destroy();
  }
});
