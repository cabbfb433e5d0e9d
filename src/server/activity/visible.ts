// Which activity log entries a user may read: an Admin all except those about folders, audits and messages
// of parks they do not see, a Health & Safety Manager those about records they may see.
import type { ExpressionBuilder } from 'kysely';
import { isAdminOfAllParks, type Viewer } from '#shared/access.ts';
import type { Tables } from '../db/schema.ts';
import { isOfVisiblePark } from '../db/user-parks.ts';

/**
 * The condition for entries that a user may read. Only Admins see sign-ins, rejected requests, and
 * entries about users with a higher role than None.
 */
export const isVisibleTo = (viewer: Viewer) => (eb: ExpressionBuilder<Tables, 'activity'>) => {
  if (isAdminOfAllParks(viewer)) return eb.lit(true);
  const { role, parks } = viewer;
  const isOfPark = isOfVisiblePark('folders.park', viewer);
  return eb.or([
    ...(role === 'Admin' ? [eb('thing', 'not in', ['folder', 'audit', 'message'])] : []),
    eb('thing', 'in', [
      'report',
      'checklist',
      'submission',
      'schedule',
      'check',
      'park',
      'place',
      'investigation',
      'lesson',
    ]),
    ...(parks === null ? [eb('thing', 'in', ['folder', 'audit', 'message'])] : []),
    eb.and([eb('thing', '=', 'folder'), eb('thing_id', 'in', eb.selectFrom('folders').select('id').where(isOfPark))]),
    eb.and([
      eb('thing', '=', 'audit'),
      eb(
        'thing_id',
        'in',
        eb
          .selectFrom('audits')
          .innerJoin('folders', 'folders.id', 'audits.folder_id')
          .select('audits.id')
          .where(isOfPark),
      ),
    ]),
    eb.and([
      eb('thing', '=', 'message'),
      eb('thing_id', 'in', eb.selectFrom('guest_messages').select('id').where(isOfVisiblePark('park', viewer))),
    ]),
    eb.and([
      eb('thing', '=', 'user'),
      eb('thing_id', 'in', eb.selectFrom('users').select('id').where('role', '=', 'None')),
    ]),
  ]);
};
