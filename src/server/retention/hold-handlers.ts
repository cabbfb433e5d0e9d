// Endpoints for holds, and for releasing deleted reports before their legal period ends.
import { getToday } from '#shared/dates.ts';
import type { Database } from '../db/schema.ts';
import { createFieldError, HttpError, required } from '../errors/http-error.ts';
import { saltText } from '../hash.ts';
import { insertHold } from '../holds/holds.ts';
import type { Handlers } from '../http/handler-context.ts';
import { findReportPeriod } from '../reports/kept-until.ts';
import { findHoldOnRecord } from './kept-until.ts';

export const holdHandlers = {
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
      if (thing === 'report' && !report) throw createFieldError('thing_id', 'There is no report with this number');
      const thing_id = report?.id ?? body.thing_id;
      const { id, hash } = await insertHold(db, { thing, thing_id, reason, reviewOn }, user, now);
      logActivity({
        action: 'set a hold on',
        thing: 'report',
        thing_id: report?.id ?? null,
        label: report?.number ?? '',
        changes: { hold: id, of: thing, reason: hash },
      });
      return { success: true, id } as const;
    }),

  reviewHold: ({ params, body, now, writeTransaction }) =>
    writeTransaction(async (db, logActivity) => {
      if (body.reviewOn <= getToday(now)) throw createFieldError('reviewOn', 'The next review must be after today');
      const hold = await requireHoldInForce(db, params.id);
      await db.updateTable('holds').set({ review_on: body.reviewOn }).where('id', '=', hold.id).execute();
      const changes = { hold: hold.id, review: { from: hold.review_on, to: body.reviewOn } };
      logActivity({ action: 'reviewed a hold on', thing: 'report', ...getReportLogFields(hold), changes });
    }),

  liftHold: ({ params, user, now, writeTransaction }) =>
    writeTransaction(async (db, logActivity) => {
      const hold = await requireHoldInForce(db, params.id);
      await db
        .updateTable('holds')
        .set({ lifted_at: now.toISOString(), lifted_by_name: user.username })
        .where('id', '=', hold.id)
        .execute();
      logActivity({
        action: 'lifted a hold on',
        thing: 'report',
        ...getReportLogFields(hold),
        changes: { hold: hold.id },
      });
    }),

  releaseDeleted: ({ params, body, user, now, writeTransaction, config }) =>
    writeTransaction(async (db, logActivity) => {
      const deletion = await db
        .selectFrom('deletions')
        .selectAll()
        .where('id', '=', params.id)
        .where('thing', '=', 'report')
        .executeTakeFirst();
      const period = deletion && (await findReportPeriod(db, config.retention, deletion.thing_id));
      if (!deletion || !period) throw new HttpError(404, 'This item has already been restored or permanently deleted');
      const hold = await findHoldOnRecord(db, 'report', deletion.thing_id);
      if (hold) throw new HttpError(409, `Held: ${hold.reason}`, { code: 'HELD' });
      const { salt, hash } = saltText(body.reason);
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
    }),
} satisfies Partial<Handlers>;

async function requireHoldInForce(db: Database, id: string) {
  return required(
    await db
      .selectFrom('holds')
      .leftJoin('reports', 'reports.id', 'holds.thing_id')
      .select(['holds.id', 'holds.thing_id', 'holds.reason', 'holds.review_on', 'reports.number'])
      .where('holds.id', '=', id)
      .where('holds.lifted_at', 'is', null)
      .executeTakeFirst(),
    'This hold was lifted',
  );
}

/**
 * Returns the log fields of the report under a hold. Returns none for a hold on a person or park,
 * because names are not logged.
 */
const getReportLogFields = ({ thing_id, number }: { thing_id: string; number: string | null }) =>
  number ? { thing_id, label: number } : {};
