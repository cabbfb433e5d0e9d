// Holds, and the release of deleted reports before their time.
import { successReply } from '#shared/replies.ts';
import { HttpError } from '../errors/http-error.ts';
import type { Handlers } from '../http/handler-context.ts';
import { newId } from '../ids.ts';
import { findKeptUntil } from './retention.ts';
import { saltReason } from './store.ts';

type RetentionCalls = 'listHolds' | 'setHold' | 'liftHold' | 'releaseDeleted';

export const retentionHandlers: Pick<Handlers, RetentionCalls> = {
  async listHolds({ db }) {
    const rows = await db
      .selectFrom('holds')
      .leftJoin('reports', 'reports.id', 'holds.thing_id')
      .selectAll('holds')
      .select('reports.number')
      .where('holds.lifted_at', 'is', null)
      .orderBy('holds.review_on')
      .orderBy('holds.id')
      .execute();
    return rows.map(({ number, ...hold }) => ({
      ...hold,
      label: number ?? hold.thing_id,
      created_by: hold.created_by_name,
    }));
  },

  setHold: ({ body, user, now, writeTransaction }) =>
    writeTransaction(async (db, logActivity) => {
      const { thing, reason, reviewOn } = body;
      const report =
        thing === 'report'
          ? await db
              .selectFrom('reports')
              .select(['id', 'number'])
              .where((eb) => eb.or([eb('id', '=', body.thing_id), eb('number', '=', body.thing_id.toUpperCase())]))
              .executeTakeFirst()
          : undefined;
      if (thing === 'report' && !report) {
        const message = 'There is no report with this number';
        throw new HttpError(400, message, { code: 'INVALID', fields: { thing_id: message } });
      }
      const id = newId();
      const { salt, hash } = saltReason(reason);
      await db
        .insertInto('holds')
        .values({
          id,
          thing,
          thing_id: report?.id ?? body.thing_id,
          reason,
          reason_salt: salt,
          review_on: reviewOn,
          created_at: now.toISOString(),
          created_by: user.id,
          created_by_name: user.username,
          lifted_at: null,
          lifted_by_name: null,
        })
        .execute();
      logActivity({
        action: 'set a hold on',
        thing: 'report',
        thing_id: report?.id ?? null,
        label: report?.number ?? '',
        changes: { hold: id, of: thing, reason: hash },
      });
      return { success: true, id } as const;
    }),

  liftHold: ({ params, user, now, writeTransaction }) =>
    writeTransaction(async (db, logActivity) => {
      const { numUpdatedRows } = await db
        .updateTable('holds')
        .set({ lifted_at: now.toISOString(), lifted_by_name: user.username })
        .where('id', '=', params.id)
        .where('lifted_at', 'is', null)
        .executeTakeFirst();
      if (numUpdatedRows === 0n) throw new HttpError(404, 'There is no such hold');
      logActivity({ action: 'lifted a hold on', thing: 'report', changes: { hold: params.id } });
      return successReply;
    }),

  releaseDeleted: ({ params, body, user, now, writeTransaction, config }) =>
    writeTransaction(async (db, logActivity) => {
      const deletion = await db
        .selectFrom('deletions')
        .selectAll()
        .where('id', '=', params.id)
        .where('thing', '=', 'report')
        .executeTakeFirst();
      const kept = deletion && (await findKeptUntil(db, config.retention, deletion.thing_id));
      if (!deletion || !kept) throw new HttpError(404, 'This item has already been restored or permanently deleted');
      const { hold } = kept;
      if (hold) throw new HttpError(409, `Held: ${hold.reason}`, { code: 'HELD' });
      const { salt, hash } = saltReason(body.reason);
      const row = {
        reason: body.reason,
        reason_salt: salt,
        created_at: now.toISOString(),
        created_by: user.id,
        created_by_name: user.username,
      };
      await db
        .insertInto('releases')
        .values({ deletion_id: deletion.id, ...row })
        .onConflict((conflict) => conflict.column('deletion_id').doUpdateSet(row))
        .execute();
      logActivity({
        action: 'released',
        thing: 'report',
        thing_id: deletion.thing_id,
        label: deletion.label,
        changes: { reason: hash },
      });
      return successReply;
    }),
};
