// Gathers for access requests in a child process.
import { setPriority } from 'node:os';
import type { Hit } from '#shared/law/access-requests.ts';
import { connectReadOnly } from '../db/connect.ts';
import { handleJobs } from '../workers/child.ts';
import { gatherHits } from './gather.ts';
import type { GatherJob } from './record-search.ts';

// Users wait for everything else on a screen, so this has the lowest priority.
setPriority(10);

handleJobs<GatherJob, Hit[]>(async ({ person, excludedRequestId: exceptRequest, ...database }) => {
  const db = await connectReadOnly(database);
  try {
    return await gatherHits(db, person, exceptRequest);
  } finally {
    await db.destroy();
  }
});
