import { api } from '#shared/api.ts';
import { queryFor } from '../client/api.ts';
import { withOfflineCopy } from '../drafts/offlineCopies.ts';

/** The first audits that the user has to complete or to verify, soonest due first, also from the copy on this device. */
export const myAuditsQuery = withOfflineCopy(
  'user',
  queryFor(api.listOpenAudits, { query: { mine: 'yes', limit: 50 } }),
);
