// Endpoints for people's requests to see the data stored about them. An Admin decides about every
// record that names the person; possible matches are left out unless an Admin includes them.
import { countDays } from '#shared/calendar.ts';
import { getToday } from '#shared/dates.ts';
import {
  type AccessRequest,
  AccessRequestWithChoices,
  type Choice,
  describeAccessDeadline,
  getAccessDueDay,
  type Person,
} from '#shared/people/access-requests.ts';
import type { Database, Tables } from '../db/schema.ts';
import { createFieldError, createStaleError, HttpError, required } from '../errors/http-error.ts';
import { saltText } from '../hash.ts';
import type { Handlers } from '../http/handler-context.ts';
import { newId } from '../ids.ts';
import { createZipStream } from '../zip/zipper.ts';
import { addFiles } from './zip.ts';

type Row = Tables['access_requests'];

const toPerson = (row: Row): Person => ({
  name: row.name,
  spellings: JSON.parse(row.spellings) as string[],
  number: row.number,
  username: row.username,
});

function toAccessRequest(row: Row, now: Date): AccessRequest {
  const today = getToday(now);
  const { received_on, paused_days, paused_on, closed_on, extended_because } = row;
  const due_on = getAccessDueDay({
    receivedOn: received_on,
    pausedDays: paused_days,
    pausedOn: paused_on,
    isExtended: extended_because !== null,
    today,
  });
  return {
    ...row,
    ...toPerson(row),
    due_on,
    ...describeAccessDeadline(due_on, today, { pausedOn: paused_on, closedOn: closed_on }),
    created_by: row.created_by_name,
  };
}

async function requireRequest(db: Database, id: string): Promise<Row> {
  return required(
    await db.selectFrom('access_requests').selectAll().where('id', '=', id).executeTakeFirst(),
    'Access request not found',
  );
}

const parseChoices = (row: Row) => JSON.parse(row.choices) as Choice[];

/** Leaves out other columns of the row by parsing, because bodies of errors are sent as they are. */
const toRequestWithChoices = (row: Row, now: Date): AccessRequestWithChoices =>
  AccessRequestWithChoices.parse({ ...toAccessRequest(row, now), choices: parseChoices(row) });

export const accessHandlers = {
  createAccessRequest: ({ body, user, now, writeTransaction }) =>
    writeTransaction(async (db, logActivity) => {
      if (body.receivedOn > getToday(now)) throw createFieldError('receivedOn', 'A day cannot be in the future');
      const id = newId();
      const row = {
        id,
        version: 1,
        name: body.name,
        spellings: JSON.stringify(body.spellings.filter(Boolean)),
        number: body.number ?? '',
        username: body.username ?? '',
        received_on: body.receivedOn,
        identity_checked: body.identityChecked ?? '',
        extended_because: null,
        paused_on: null,
        paused_days: 0,
        closed_on: null,
        choices: '[]',
        created_at: now.toISOString(),
        created_by: user.id,
        created_by_name: user.username,
      };
      const { salt, hash } = saltText(JSON.stringify(row));
      await db
        .insertInto('access_requests')
        .values({ ...row, salt })
        .execute();
      logActivity({ action: 'opened an access request', thing: 'user', changes: { request: id, texts: hash } });
      return { success: true, id } as const;
    }),

  async listAccessRequests({ db, now }) {
    const rows = await db
      .selectFrom('access_requests')
      .selectAll()
      .orderBy('received_on', 'desc')
      .orderBy('id')
      .execute();
    return rows.map((row) => toAccessRequest(row, now));
  },

  async getAccessRequest({ db, params, user, now, recordSearch, signal, logActivity }) {
    const row = await requireRequest(db, params.id);
    const hits = await recordSearch.gatherHits(toPerson(row), row.id, { user: user.id, signal });
    await logActivity({
      action: 'gathered for an access request',
      thing: 'user',
      changes: { request: row.id, records: hits.length },
    });
    return { ...toAccessRequest(row, now), hits, choices: parseChoices(row) };
  },

  saveAccessChoices: ({ body, params, now, writeTransaction }) =>
    writeTransaction(async (db, logActivity) => {
      const row = await requireRequest(db, params.id);
      if (row.version !== body.version)
        throw createStaleError(
          'Someone else has changed this access request. Your choices are not lost.',
          toRequestWithChoices(row, now),
        );
      const unexplainedChoice = body.choices.find(({ choice, because }) => choice === 'leave' && !because?.trim());
      if (unexplainedChoice) throw createFieldError(`choices.${unexplainedChoice.id}`, 'Enter why this is left out');
      const today = getToday(now);
      const { pausedOn = row.paused_on } = body;
      const isResumed = row.paused_on !== null && pausedOn === null;
      const extended_because = row.extended_because ?? (body.extendedBecause?.trim() || null);
      const changes = {
        version: row.version + 1,
        choices: JSON.stringify(body.choices),
        extended_because,
        paused_on: pausedOn,
        paused_days: row.paused_days + (isResumed ? Math.max(0, countDays(row.paused_on ?? today, today)) : 0),
        closed_on: body.isClosed === undefined ? row.closed_on : body.isClosed ? (row.closed_on ?? today) : null,
      };
      const { salt: _, ...hashedRow } = { ...row, ...changes };
      const { salt, hash } = saltText(JSON.stringify(hashedRow));
      await db
        .updateTable('access_requests')
        .set({ ...changes, salt })
        .where('id', '=', row.id)
        .execute();
      logActivity({ action: 'chose for an access request', thing: 'user', changes: { request: row.id, texts: hash } });
      return toRequestWithChoices({ ...row, ...changes }, now);
    }),

  async getAccessZip(context) {
    const { db, params, user, now, recordSearch, signal, logActivity } = context;
    const row = await requireRequest(db, params.id);
    const person = toPerson(row);
    const hits = await recordSearch.gatherHits(person, row.id, { user: user.id, signal });
    const choices = new Map(parseChoices(row).map((choice) => [choice.id, choice]));
    const undecided = hits.filter(({ id, isPossible }) => !isPossible && !choices.has(id));
    if (undecided.length > 0)
      throw new HttpError(
        409,
        `Decide about every record first: ${undecided.length} left, for example ${undecided[0]?.label}`,
      );
    const decidedHits = hits.flatMap((hit) => {
      const choice = choices.get(hit.id);
      return choice ? [{ hit, choice }] : [];
    });
    const includedRecords = decidedHits.filter(({ choice }) => choice.choice !== 'leave');
    const withoutReason = decidedHits.filter(({ choice, hit }) => choice.choice === 'leave' && !hit.isPossible);
    const content = await createZipStream(context, (add) =>
      addFiles(context, add, row, person, includedRecords, withoutReason, user.id, now),
    );
    await logActivity({
      action: 'made the copy for an access request',
      thing: 'user',
      changes: { request: row.id, sent: includedRecords.length, leftOut: withoutReason.length },
    });
    return { content, type: 'application/zip', fileName: `access-request-${row.id.slice(0, 8)}.zip` };
  },
} satisfies Partial<Handlers>;
