// Lists deleted items and restores them.
import type { EntityType } from '#shared/activity.ts';
import { required } from '../errors/http-error.ts';
import type { Handlers } from '../http/handler-context.ts';
import { listDeleted, restoreDeleted } from './soft-delete.ts';

export const deletionHandlers = {
  listDeleted: ({ db, config, user, now }) => listDeleted(db, config, user, now),

  async restoreDeleted({ params, user, now, writeTransaction }) {
    return writeTransaction(async (db, logActivity) => {
      const restored = required(
        await restoreDeleted(db, user, params.id, now),
        'This item has already been restored or permanently deleted',
      );
      const { thing, thing_id, label } = restored;
      logActivity({ action: 'restored', thing: thing as EntityType, thing_id, label });
    });
  },
} satisfies Partial<Handlers>;
