// Endpoint that erases the name of an access request in records that are kept.
import { addDays } from '#shared/calendar.ts';
import { formatDay, getToday } from '#shared/dates.ts';
import { type ErasableType, type ErasureOutcome, isErasable } from '#shared/people/name-erasure.ts';
import { getLogWord } from '#shared/record-kinds.ts';
import type { Config } from '../config.ts';
import { assertNoBackup } from '../db/purge-pause.ts';
import { removeTraces } from '../db/remove-traces.ts';
import type { Database, Tables } from '../db/schema.ts';
import { createFieldError, required } from '../errors/http-error.ts';
import { getFilePath } from '../files/upload-path.ts';
import type { Handlers } from '../http/handler-context.ts';
import { erasedNameAction } from '../names/erased-names.ts';
import { findReportPeriod } from '../reports/kept-until.ts';
import { eraseName } from './erase-name.ts';
import { findHoldOnPerson, findHoldOnRecord, heldMessage } from './kept-until.ts';
import { addToLedger } from './ledger.ts';

type ErasedNameRow = Tables['blanked'];

export const eraseNameHandlers = {
  async blankNames({ db, log, body, params, config, files, now, writeTransaction }) {
    const ids = [...new Set(body.ids)];
    if (body.count !== ids.length)
      throw createFieldError('count', `You ticked ${ids.length}. Type that number to erase the name in them.`);
    // Not returned from the transaction, because its result is stored as the reply.
    let paths: string[] = [];
    let entries: ErasedNameRow[] = [];
    const outcome = await writeTransaction(async (db, logActivity) => {
      [paths, entries] = [[], []];
      await assertNoBackup(db, now, 'Nothing was erased.');
      const request = required(
        await db.selectFrom('access_requests').selectAll().where('id', '=', params.id).executeTakeFirst(),
        'Access request not found',
      );
      const { name, number, username } = request;
      const names = [name, ...(JSON.parse(request.spellings) as string[])];
      const person = [...names, username].filter(Boolean);
      const outcome: ErasureOutcome = { blanked: [], skipped: [] };
      for (const hit of ids) {
        const { thing, id } = parseHitId(hit);
        const reason = isErasable(thing)
          ? await getReasonToSkip(db, config, thing, id, person, now)
          : getOtherReason(thing);
        const erasure =
          reason === undefined
            ? await eraseName(db, { thing: thing as ErasableType, id }, { names, telephone: number }, body.reason, now)
            : undefined;
        if (!erasure) {
          const noNameMessage = 'None of its texts has the name. A username stays with its account.';
          outcome.skipped.push({ id: hit, reason: reason ?? noNameMessage });
          continue;
        }
        outcome.blanked.push(hit);
        paths.push(...erasure.paths);
        entries.push(erasure.entry);
        logActivity({
          action: erasedNameAction,
          thing: getLogWord(thing as ErasableType),
          thing_id: id,
          label: erasure.label,
          changes: { ...erasure.changes, request: request.id },
        });
      }
      return outcome;
    });
    // After a crash here, the next start adds the missing entries from the database.
    await addToLedger(config.retention.ledger, entries);
    for (const path of paths) await files.remove(getFilePath(path));
    await removeTraces(db, log);
    return outcome;
  },
} satisfies Partial<Handlers>;

function parseHitId(hit: string): { thing: string; id: string } {
  const [thing = '', id = ''] = hit.split(/:(.*)/s);
  return { thing, id };
}

/** The reason that is shown for records in which a name cannot be erased, by their type. */
const reasonsByKind = new Map(
  Object.entries({
    user: 'A username stays until no record names it: delete the account, then destroy it under Retention',
    accessRequest: 'An access request is destroyed whole when its period has ended',
    checklist: 'A checklist is changed under Checklists; submissions keep its earlier versions',
    device: 'A shared device is removed under Shared Devices, and set up again with another name',
    place: 'A place is renamed under Places',
    pack: 'A pack is deleted 30 days after it was made',
    activity: 'The activity log is evidence and is never changed',
  }),
);
const getOtherReason = (thing: string) => reasonsByKind.get(thing) ?? 'A name in it cannot be erased';

/** Returns why the name may not be erased yet, or undefined if it may. */
async function getReasonToSkip(
  db: Database,
  { retention }: Pick<Config, 'retention'>,
  thing: ErasableType,
  id: string,
  person: string[],
  now: Date,
): Promise<string | undefined> {
  if ((await findHoldOnPerson(db, person)) || (await findHoldOnRecord(db, thing, id))) return heldMessage;
  if (thing === 'hold') {
    const hold = await db.selectFrom('holds').select('lifted_at').where('id', '=', id).executeTakeFirst();
    return hold && !hold.lifted_at ? 'The hold is in force: lift it first' : undefined;
  }
  if (thing !== 'report') return undefined;
  const period = await findReportPeriod(db, retention, id);
  if (period && getToday(now) < addDays(period.until, 1)) return `Kept by law until ${formatDay(period.until)}`;
  return undefined;
}
