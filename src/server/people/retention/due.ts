// Finds records whose retention period is over.
import { sql } from 'kysely';
import { canSeePark, type ParkViewer } from '#shared/access.ts';
import { getToday } from '#shared/dates.ts';
import { addYears } from '#shared/law/calendar.ts';
import { type RetentionRow, retentionLimits } from '#shared/people/keeping.ts';
import { getHazardTitle } from '#shared/places/hazards.ts';
import type { Config } from '../../config.ts';
import { guestAccountId } from '../../db/guest-account.ts';
import type { Database } from '../../db/schema.ts';
import { startSlices } from '../../event-loop.ts';
import { sha256 } from '../../hash.ts';
import { unknownPlace } from '../../messages/store.ts';
import { isAccountNamed } from '../search/named-fields.ts';
import { listFiles, listUploadOwners } from './files.ts';
import { findHoldOnRecord, findKeptUntil } from './kept-until.ts';

export type RecordType = RetentionRow['thing'];

/**
 * A record whose retention period is over, with a hash of the data that was checked, so that a
 * later change is detected.
 */
export type DueRow = RetentionRow & {
  hash: string;
  fileHashes: string[];
  /** The park of an audit, folder or message: only users who see the park may see the row. */
  park: string | null;
};

type Settings = Config['retention'];
type DueRecordFinder = {
  /** Returns records dated before `before` that may be due, oldest first, after those already listed. */
  list(db: Database, before: string, after: RecordCursor, limit: number): Promise<RecordCursor[]>;
  /** Returns the record, or undefined if its period is not over. */
  find(db: Database, settings: Settings, id: string, today: string): Promise<DueRow | undefined>;
};
type RecordCursor = { id: string; at: string };
const firstCursor: RecordCursor = { id: '', at: '' };

/** Lists rows of a table by a time, oldest first; `condition` chooses among them. */
const listByTime =
  (
    table: 'reports' | 'submissions' | 'audits' | 'folders' | 'holds' | 'guest_messages',
    time: string,
    condition = sql`true`,
  ) =>
  async (db: Database, before: string, after: RecordCursor, limit: number): Promise<RecordCursor[]> => {
    const at = sql.ref(time);
    const { rows } = await sql<RecordCursor>`select id, ${at} as at from ${sql.table(table)}
      where ${at} < ${before} and (${at}, id) > (${after.at}, ${after.id}) and ${condition}
      order by ${at}, id limit ${sql.lit(limit)}`.execute(db);
    return rows;
  };
const isNotDeleted = sql`deletion_id is null`;

const getDay = (instant: string) => getToday(new Date(instant));
const isOver = (until: string, today: string) => until < today;

const hashValues = (...values: unknown[]) => sha256(JSON.stringify(values));

const reports: DueRecordFinder = {
  list: listByTime('reports', 'created_at', isNotDeleted),
  async find(db, settings, id, today) {
    const keptReport = await findKeptUntil(db, settings, id);
    if (!keptReport || keptReport.report.deletion_id !== null || !isOver(keptReport.until, today)) return undefined;
    const files = await listFiles(db, await listUploadOwners(db, 'report', id));
    const fileHashes = files.map(({ sha256_stored }) => sha256_stored);
    const hold = keptReport.hold?.reason ?? null;
    const { report, lastEntry, until } = keptReport;
    const fullRow = await db.selectFrom('reports').selectAll().where('id', '=', id).executeTakeFirst();
    return {
      id,
      thing: 'report',
      label: report.number,
      place: report.selectedPlace,
      day: report.date,
      kind: fullRow?.reportType === 'incident' ? 'Incident report' : 'Accident report',
      class: keptReport.class,
      source: keptReport.source,
      until,
      files: files.length,
      hold,
      fileHashes,
      park: null,
      hash: hashValues(fullRow, until, lastEntry, hold, fileHashes),
    };
  },
};

const operatorsPeriodName = 'The operator’s own period';

async function createDueRow(
  db: Database,
  record: { id: string },
  {
    thing,
    ...rowFields
  }: Pick<DueRow, 'label' | 'place' | 'day' | 'kind' | 'class' | 'until' | 'hold' | 'park'> & {
    thing: 'submission' | 'audit' | 'folder' | 'investigation' | 'message';
  },
): Promise<DueRow> {
  const files = await listFiles(db, await listUploadOwners(db, thing, record.id));
  const fileHashes = files.map(({ sha256_stored }) => sha256_stored);
  return {
    ...rowFields,
    id: record.id,
    thing,
    source: operatorsPeriodName,
    files: files.length,
    fileHashes,
    hash: hashValues(record, rowFields.until, rowFields.hold, fileHashes),
  };
}

const createDueRowWithoutFiles = (
  record: { id: string },
  rowFields: Pick<DueRow, 'thing' | 'label' | 'day' | 'class' | 'until' | 'hold'>,
): DueRow => ({
  ...rowFields,
  id: record.id,
  place: '',
  kind: '',
  source: operatorsPeriodName,
  files: 0,
  fileHashes: [],
  park: null,
  hash: hashValues(record, rowFields.hold),
});

const submissions: DueRecordFinder = {
  list: listByTime('submissions', 'submitted_at', isNotDeleted),
  async find(db, settings, id, today) {
    const row = await db.selectFrom('submissions').selectAll().where('id', '=', id).executeTakeFirst();
    if (!row || row.deletion_id !== null) return undefined;
    const until = addYears(getDay(row.submitted_at), settings.years);
    if (!isOver(until, today)) return undefined;
    const hold = await findHoldReason(db, 'submission', id);
    const facts = { label: row.number, place: row.park, day: getDay(row.submitted_at), kind: row.checklist_title };
    const rowFields = { class: 'Submitted checklist', until, hold, park: null };
    return createDueRow(db, row, { thing: 'submission', ...facts, ...rowFields });
  },
};

const audits: DueRecordFinder = {
  list: listByTime('audits', 'completed_at', sql`completed = 1 and ${isNotDeleted}`),
  async find(db, settings, id, today) {
    const row = await db.selectFrom('audits').selectAll().where('id', '=', id).executeTakeFirst();
    if (!row || row.deletion_id !== null || row.completed !== 1 || !row.completed_at) return undefined;
    // An action is kept as long as its investigation.
    if (row.investigation_id && (await investigationExists(db, row.investigation_id))) return undefined;
    const until = addYears(getDay(row.completed_at), settings.years);
    if (!isOver(until, today)) return undefined;
    const folder = await db.selectFrom('folders').select('park').where('id', '=', row.folder_id).executeTakeFirst();
    const park = folder?.park ?? '';
    const hold = await findHoldReason(db, 'audit', id);
    const facts = { label: row.title, place: park, day: getDay(row.completed_at), kind: '' };
    return createDueRow(db, row, { thing: 'audit', ...facts, class: 'Completed audit', until, hold, park });
  },
};

const investigationExists = async (db: Database, id: string) =>
  (await db.selectFrom('investigations').select('id').where('id', '=', id).executeTakeFirst()) !== undefined;

/** Folders without audits. */
const folders: DueRecordFinder = {
  list: listByTime(
    'folders',
    'created_at',
    sql`${isNotDeleted} and not exists (select 1 from audits where audits.folder_id = folders.id)`,
  ),
  async find(db, settings, id, today) {
    const row = await db.selectFrom('folders').selectAll().where('id', '=', id).executeTakeFirst();
    if (!row || row.deletion_id !== null) return undefined;
    const until = addYears(getDay(row.created_at), settings.years);
    const audit = await db.selectFrom('audits').select('id').where('folder_id', '=', id).executeTakeFirst();
    if (audit || !isOver(until, today)) return undefined;
    const hold = await findHoldReason(db, 'folder', id);
    const facts = { label: row.name, place: row.park, day: getDay(row.created_at), kind: '' };
    const rowFields = { class: 'Empty audit folder', until, hold, park: row.park };
    return createDueRow(db, row, { thing: 'folder', ...facts, ...rowFields });
  },
};

/** Deleted users whom no remaining record names. */
const users: DueRecordFinder = {
  list: (db, _before, after, limit) =>
    db
      .selectFrom('users')
      .select(['id', 'deleted_at as at'])
      .where('deleted_at', 'is not', null)
      .where('id', '<>', guestAccountId)
      .where('username', 'not like', 'Former user %')
      .where('id', '>', after.id)
      .orderBy('id')
      .limit(limit)
      .execute()
      .then((rows) => rows.map(({ id, at }) => ({ id, at: at ?? '' }))),
  async find(db, _settings, id, today) {
    const user = await db
      .selectFrom('users')
      .select(['id', 'username', 'deleted_at'])
      .where('id', '=', id)
      .executeTakeFirst();
    if (!user?.deleted_at || user.username.startsWith('Former user ') || (await isAccountNamed(db, user)))
      return undefined;
    const until = getDay(user.deleted_at);
    if (!isOver(until, today)) return undefined;
    const hold = await findHoldReason(db, 'user', id);
    const rowFields = { label: user.username, day: until, class: 'User who left, named in no record', until, hold };
    return createDueRowWithoutFiles(user, { thing: 'user', ...rowFields });
  },
};

/** Access requests, some years after they were answered, or received if no answer is recorded. */
const accessRequests: DueRecordFinder = {
  list: (db, _before, after, limit) =>
    db
      .selectFrom('access_requests')
      .select(['id', 'created_at as at'])
      .where('id', '>', after.id)
      .orderBy('id')
      .limit(limit)
      .execute(),
  async find(db, settings, id, today) {
    const row = await db.selectFrom('access_requests').selectAll().where('id', '=', id).executeTakeFirst();
    const until = row && addYears(row.closed_on ?? row.received_on, settings.accessRequestYears);
    if (!row || !until || !isOver(until, today)) return undefined;
    const hold = await findHoldReason(db, 'accessRequest', id);
    const rowFields = {
      label: `of ${row.name}`,
      day: row.closed_on ?? row.received_on,
      class: 'Access request',
      until,
      hold,
    };
    return createDueRowWithoutFiles(row, { thing: 'accessRequest', ...rowFields });
  },
};

/** Lifted holds, which still contain a name and a reason. */
const liftedHolds: DueRecordFinder = {
  list: listByTime('holds', 'lifted_at'),
  async find(db, settings, id, today) {
    const row = await db.selectFrom('holds').selectAll().where('id', '=', id).executeTakeFirst();
    const until = row?.lifted_at && addYears(getDay(row.lifted_at), settings.years);
    if (!row || !until || !isOver(until, today)) return undefined;
    const report = await db.selectFrom('reports').select('number').where('id', '=', row.thing_id).executeTakeFirst();
    const hold = await findHoldReason(db, 'hold', id);
    const rowFields = {
      label: `on ${report?.number ?? row.thing_id}`,
      day: getDay(row.lifted_at ?? ''),
      class: 'Lifted hold',
      until,
      hold,
    };
    return createDueRowWithoutFiles(row, { thing: 'hold', ...rowFields });
  },
};

/** Investigations of which all covered records were destroyed. */
const investigations: DueRecordFinder = {
  list: (db, _before, after, limit) =>
    db
      .selectFrom('investigations')
      .select(['id', 'created_at as at'])
      .where('deletion_id', 'is', null)
      .where((eb) =>
        eb.not(
          eb.exists(
            eb
              .selectFrom('investigation_records')
              .leftJoin('reports', 'reports.id', 'investigation_records.thing_id')
              .leftJoin('audits', 'audits.id', 'investigation_records.thing_id')
              .leftJoin('guest_messages', 'guest_messages.id', 'investigation_records.thing_id')
              .select(sql`1`.as('one'))
              .whereRef('investigation_records.investigation_id', '=', 'investigations.id')
              .where((eb) => eb(eb.fn.coalesce('reports.id', 'audits.id', 'guest_messages.id'), 'is not', null)),
          ),
        ),
      )
      .where('id', '>', after.id)
      .orderBy('id')
      .limit(limit)
      .execute(),
  async find(db, _settings, id, today) {
    const row = await db.selectFrom('investigations').selectAll().where('id', '=', id).executeTakeFirst();
    if (!row || row.deletion_id !== null) return undefined;
    const records = await db
      .selectFrom('investigation_records')
      .leftJoin('reports', 'reports.id', 'investigation_records.thing_id')
      .leftJoin('audits', 'audits.id', 'investigation_records.thing_id')
      .leftJoin('guest_messages', 'guest_messages.id', 'investigation_records.thing_id')
      .leftJoin('destroyed', 'destroyed.id', 'investigation_records.thing_id')
      .select((eb) => eb.fn.coalesce('reports.id', 'audits.id', 'guest_messages.id').as('kept_id'))
      .select('destroyed.destroyed_at')
      .where('investigation_records.investigation_id', '=', id)
      .execute();
    if (records.some(({ kept_id }) => kept_id !== null)) return undefined;
    const until = getDay(
      records
        .map(({ destroyed_at }) => destroyed_at ?? '')
        .toSorted()
        .at(-1) || row.created_at,
    );
    if (!isOver(until, today)) return undefined;
    const sections = await db
      .selectFrom('investigation_sections')
      .selectAll()
      .where('investigation_id', '=', id)
      .execute();
    const notes = await db.selectFrom('investigation_notes').selectAll().where('investigation_id', '=', id).execute();
    const hold = await findHoldReason(db, 'investigation', id);
    const facts = { label: row.number, place: row.park, day: getDay(row.created_at), kind: '' };
    const record = { ...row, sections, notes };
    const rowFields = { class: 'Investigation of destroyed records', until, hold, park: null };
    return createDueRow(db, record, { thing: 'investigation', ...facts, ...rowFields });
  },
};

/** Messages of guests that are closed. They are kept as long as the audit or report that was created from them. */
const messages: DueRecordFinder = {
  list: listByTime('guest_messages', 'closed_at'),
  async find(db, settings, id, today) {
    const row = await db
      .selectFrom('guest_messages')
      .leftJoin('places', 'places.id', 'place_id')
      .leftJoin('reports', 'reports.id', 'report_id')
      .leftJoin('destroyed', 'destroyed.id', 'audit_id')
      .selectAll('guest_messages')
      .select(['places.name as place', 'reports.number', 'destroyed.destroyed_at'])
      .where('guest_messages.id', '=', id)
      .executeTakeFirst();
    if (!row?.closed_at || row.number !== null || (row.audit_id && !row.destroyed_at)) return undefined;
    const until = addYears(getDay(row.closed_at), settings.years);
    if (!isOver(until, today)) return undefined;
    const hold = await findHoldReason(db, 'message', id);
    const label = getHazardTitle(row.kind, row.place ?? unknownPlace);
    const facts = { label, place: row.park, day: getDay(row.closed_at), kind: '' };
    const rowFields = { class: 'Message from a guest', until, hold, park: row.park };
    return createDueRow(db, row, { thing: 'message', ...facts, ...rowFields });
  },
};

const findHoldReason = async (db: Database, thing: RecordType, id: string): Promise<string | null> =>
  (await findHoldOnRecord(db, thing, id))?.reason ?? null;

const recordFinders: Partial<Record<RecordType, DueRecordFinder>> = {
  report: reports,
  submission: submissions,
  audit: audits,
  folder: folders,
  user: users,
  accessRequest: accessRequests,
  hold: liftedHolds,
  investigation: investigations,
  message: messages,
};

const pageSize = 200;

const isVisible = ({ park }: DueRow, viewer: ParkViewer) => park === null || canSeePark(viewer, park);

/** Returns records whose period is over, oldest of each type first. */
export async function listDue(
  db: Database,
  settings: Settings,
  now: Date,
  viewer: ParkViewer,
): Promise<{ rows: DueRow[]; hasMore: boolean }> {
  const today = getToday(now);
  const before = `${addYears(today, -settings.years)}T99`;
  const rows: DueRow[] = [];
  const waitForSlice = startSlices();
  for (const finder of Object.values(recordFinders)) {
    let after = firstCursor;
    for (;;) {
      const page = await finder.list(db, before, after, pageSize);
      for (const { id } of page) {
        await waitForSlice();
        const due = await finder.find(db, settings, id, today);
        const row = due && isVisible(due, viewer) ? due : undefined;
        if (row && rows.length === retentionLimits.listed) return { rows, hasMore: true };
        if (row) rows.push(row);
      }
      const last = page.at(-1);
      if (!last || page.length < pageSize) break;
      after = last;
    }
  }
  return { rows, hasMore: false };
}

/**
 * Returns a record as it is now, or undefined if the user may not see it or its period is not over.
 */
export async function findDue(
  db: Database,
  settings: Settings,
  now: Date,
  id: string,
  viewer: ParkViewer,
): Promise<DueRow | undefined> {
  for (const finder of Object.values(recordFinders)) {
    const row = await finder.find(db, settings, id, getToday(now));
    if (row) return isVisible(row, viewer) ? row : undefined;
  }
  return undefined;
}

/** Returns the hash of a list, which depends on its rows and their order. */
export const hashList = (rows: DueRow[]) => sha256(JSON.stringify(rows.map(({ id, hash }) => [id, hash])));
