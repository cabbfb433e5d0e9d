// Audits in the database. Functions with a viewer return only audits in folders that this user may see.
import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import { isAllowed, type Viewer } from '#shared/access.ts';
import type { AuditTextName, AuditTexts } from '#shared/audit-fields.ts';
import {
  type AuditOrder,
  type AuditSource,
  type AuditState,
  getAuditState,
  type LinkedAudit,
  type ListedAudit,
  type OpenAudit,
  type OpenAuditCounts,
  type OpenAuditQuery,
  sortAudits,
  type Verification,
  type VerificationOutcome,
} from '#shared/audits.ts';
import { getNextDay, getToday } from '#shared/dates.ts';
import { getSearchWords } from '#shared/text.ts';
import { getAuditSearchText, listSearchedNotes, parseData, serializeData } from '../db/audit-data.ts';
import { incrementCounter } from '../db/counters.ts';
import { pageSize } from '../db/page-size.ts';
import { countRows, findsRow, splitList } from '../db/queries.ts';
import type { Database, Tables } from '../db/schema.ts';
import { containsText, searchRows } from '../db/search.ts';
import type { RunSearch } from '../db/search-runner.ts';
import { nextSlice } from '../event-loop.ts';
import { findPerson } from '../names/user-names.ts';
import { isAtPlace } from '../places/links/place-links.ts';
import { listAttached, toMediaFile } from '../uploads/store.ts';
import { isOfVisiblePark } from '../user-parks.ts';
import { selectVisibleAudits } from './scope.ts';

export type FoundAudit = ListedAudit & { folder: { name: string; park: string } };

export type AuditFields = Omit<ListedAudit, 'id' | 'folder_id' | 'created_at' | 'version' | 'parse_error'> & {
  completed_by_id?: string | null;
  completed_beside?: string[] | null;
};

/** Texts that are not given are empty. */
type GivenFields = Omit<AuditFields, AuditTextName> & Partial<AuditTexts>;

/** Selects audits with the names of their folder and verifier, and the follow-up of one that was found not to work. */
const selectAudits = (db: Database, viewer: Viewer) =>
  selectVisibleAudits(db, viewer)
    .selectAll('audits')
    .select(['folders.name as folder_name', 'folders.park as folder_park'])
    .select((eb) => [
      eb.selectFrom('users').select('username').whereRef('users.id', '=', 'audits.verifier_id').as('verifier'),
      eb
        .selectFrom('audits as follow_ups')
        .select('follow_ups.id')
        .where('audits.verified', '=', 'doesNotWork')
        .whereRef('follow_ups.follow_up_of', '=', 'audits.id')
        .where('follow_ups.deletion_id', 'is', null)
        .limit(1)
        .as('follow_up_id'),
    ]);

type Row = Awaited<ReturnType<ReturnType<typeof selectAudits>['execute']>>[number];

/** Yields the audits of a folder, newest first, page by page. */
export async function* readFolderPages(db: Database, viewer: Viewer, folderId: string): AsyncGenerator<FoundAudit[]> {
  const rows = await selectVisibleAudits(db, viewer)
    .select('audits.id')
    .where('audits.folder_id', '=', folderId)
    .orderBy('audits.created_at', 'desc')
    .orderBy('audits.id', 'desc')
    .execute();
  const ids = rows.map(({ id }) => id);
  yield* readAuditPages(db, viewer, ids);
}

export async function findAudit(db: Database, viewer: Viewer, id: string): Promise<FoundAudit | undefined> {
  const row = await selectAudits(db, viewer).where('audits.id', '=', id).executeTakeFirst();
  if (!row) return undefined;
  const [audit] = await parseRows(db, viewer, [row]);
  return audit && { ...audit, folder: { name: row.folder_name, park: row.folder_park } };
}

/** Whether the user completed the audit, on whichever device. */
export const hasCompleted = (db: Database, id: string, { id: userId }: { id: string }): Promise<boolean> =>
  findsRow(db.selectFrom('audits').where('id', '=', id).where('completed_by_id', '=', userId));

export type AuditCondition = (eb: ExpressionBuilder<Tables, 'audits'>) => Expression<SqlBool>;

/** Returns the ids of a folder's audits, in this order. */
export async function listAuditIds(
  db: Database,
  viewer: Viewer,
  folderId: string,
  order: AuditOrder,
): Promise<string[]> {
  const rows = await selectVisibleAudits(db, viewer)
    .select(['audits.id', 'audits.created_at', 'audits.date', 'audits.time', 'audits.is_urgent', 'audits.completed'])
    .where('audits.folder_id', '=', folderId)
    .execute();
  const audits = rows.map((row) => ({ ...row, is_urgent: row.is_urgent === 1, completed: row.completed === 1 }));
  return sortAudits(audits, order).map(({ id }) => id);
}

/** Returns the ids of all audits in these folders that meet the condition, soonest due first. */
export async function listAuditIdsByDueDate(
  db: Database,
  viewer: Viewer,
  folderIds: string[],
  condition: AuditCondition,
): Promise<string[]> {
  const rows = await selectVisibleAudits(db, viewer)
    .select('audits.id')
    .where('audits.folder_id', 'in', folderIds)
    .where(condition)
    .orderBy('audits.due')
    .orderBy('audits.id')
    .execute();
  return rows.map(({ id }) => id);
}

/** Yields the audits with these ids, in this order, page by page; without those deleted since. */
export async function* readAuditPages(
  db: Database,
  viewer: Viewer,
  ids: readonly string[],
): AsyncGenerator<FoundAudit[]> {
  for (const page of splitList(ids, pageSize)) {
    const rows = await selectAudits(db, viewer).where('audits.id', 'in', page).execute();
    const audits = new Map<string, FoundAudit>();
    for (const [index, audit] of (await parseRows(db, viewer, rows)).entries())
      audits.set(audit.id, {
        ...audit,
        folder: { name: rows[index]?.folder_name ?? '', park: rows[index]?.folder_park ?? '' },
      });
    yield page.flatMap((id) => audits.get(id) ?? []);
    await nextSlice();
  }
}

/** Rebuilds an unreadable list of photos from the uploads attached to the audit. */
async function parseRows(db: Database, viewer: Viewer, rows: Row[]): Promise<ListedAudit[]> {
  const isVisibleSource = await createSourceFilter(db, viewer, rows);
  const read = rows.map((row) => ({ row, ...parseData(row.data) }));
  const damagedIds = read.filter(({ isComplete }) => !isComplete).map(({ row }) => row.id);
  const uploadsByAudit = Map.groupBy(await listAttached(db, 'audit', damagedIds), (upload) => upload.attached_id);
  return read.map(({ row, data, isComplete }) => ({
    id: row.id,
    folder_id: row.folder_id,
    title: row.title,
    created_at: row.created_at,
    version: row.version,
    date: row.date,
    time: row.time,
    is_urgent: row.is_urgent === 1,
    completed: row.completed === 1,
    completed_by: row.completed_by,
    completed_at: row.completed_at,
    captured_at: row.captured_at,
    ...(row.assignee_id && { assignee_id: row.assignee_id }),
    ...(isVisibleSource(row) && toSource(row)),
    ...(row.verify_days !== null && { verification: toVerification(row) }),
    ...data,
    ...(!isComplete && {
      parse_error: true as const,
      media_files: (uploadsByAudit.get(row.id) ?? []).map((upload) => toMediaFile(upload, '')),
    }),
  }));
}

/**
 * Returns a function that decides whether the user may see the source of an audit: a report or
 * submission if they may open it, an audit if it is in a park they see (its folder may have moved),
 * and always for hazards and lessons.
 */
async function createSourceFilter(db: Database, viewer: Viewer, rows: Tables['audits'][]) {
  const auditIds = rows.flatMap((row) => (row.source_thing === 'audit' && row.source_id ? [row.source_id] : []));
  const visibleAudits = new Set(auditIds);
  if (viewer.parks !== null && auditIds.length > 0) {
    const hiddenAudits = await db
      .selectFrom('audits')
      .innerJoin('folders', 'folders.id', 'audits.folder_id')
      .select('audits.id')
      .where('audits.id', 'in', auditIds)
      .where((eb) => eb.not(isOfVisiblePark('folders.park', viewer)))
      .execute();
    for (const { id } of hiddenAudits) visibleAudits.delete(id);
  }
  return ({ source_thing, source_id }: Tables['audits']) => {
    if (source_thing === 'audit') return visibleAudits.has(source_id ?? '');
    return source_thing === 'hazard' || source_thing === 'lesson' || isAllowed('reviewer', viewer);
  };
}

const toVerification = ({
  verify_days,
  verifier,
  verifier_id,
  verify_by,
  verified,
  follow_up_id,
}: Row): Verification => ({
  days: verify_days ?? 0,
  verifier: verifier ?? '',
  ...(verifier_id && { verifier_id }),
  by: verify_by,
  outcome: verified,
  ...(follow_up_id && { follow_up_id }),
});

function toSource(row: Tables['audits']): Pick<ListedAudit, 'source'> {
  const { source_thing: thing, source_id: id, source_label, source_section: section } = row;
  if (!thing || !id) return {};
  return { source: { thing, id, label: source_label ?? '', ...(section !== null && { section }) } };
}

/** `park`: one park or several. */
export type AuditFilters = Omit<OpenAuditQuery, 'park' | 'after' | 'limit'> & { park?: string | readonly string[] };

/**
 * Returns a page of audits in a state, open unless `state` says otherwise. What is left to do starts with what is due
 * soonest; completed audits and all audits start with the newest.
 */
export async function listAuditsInState(
  db: Database,
  viewer: Viewer & { id: string },
  { after, limit = 50, ...filters }: OpenAuditQuery,
  search: RunSearch = (_, work) => work(db),
): Promise<OpenAudit[]> {
  const words = filters.q ?? filters.title;
  const isFiltered = Object.entries(filters).some(([name, value]) => value !== undefined && name !== 'mine');
  const ids = await search(words, (db) => listIdsInState(db, viewer, filters, { after, limit }), { isFiltered });
  const audits: OpenAudit[] = [];
  for await (const page of readAuditPages(db, viewer, ids))
    audits.push(...page.map(({ folder, ...audit }) => ({ ...audit, folder_name: folder.name, park: folder.park })));
  return audits;
}

/** Returns the ids of the audits in a state that match the filters, in the order of the state; all without a `limit`. */
export async function listIdsInState(
  db: Database,
  viewer: Viewer & { id: string },
  filters: AuditFilters,
  { after, limit }: Pick<OpenAuditQuery, 'after' | 'limit'> = {},
): Promise<string[]> {
  const state = getAuditState(filters);
  const isByDueDay = state !== 'completed' && state !== 'all';
  const words = getSearchWords(filters.q ?? filters.title ?? '');
  // The index finds audits in the order of their creation. Few audits of many are open, in one folder or at one place.
  const isIndexed = !isByDueDay && filters.folder === undefined && filters.place === undefined;
  const { matches, position } = searchRows(db, 'audits', isIndexed ? words : []);
  const key: ('audits.due' | 'audits.id' | 'audits.position')[] = isByDueDay
    ? ['audits.due', 'audits.id']
    : ['audits.position'];
  const columns = key.map((name) => (name === 'audits.position' ? position : sql.ref(name)));
  const last = selectVisibleAudits(db, viewer)
    .select(key)
    .where('audits.id', '=', after ?? '');
  const isAfter = sql<boolean>`(${sql.join(columns)}) ${sql.raw(isByDueDay ? '>' : '<')} ${last}`;
  const condition = await createListCondition(db, viewer, filters);
  const rows = await columns
    .reduce(
      (query, column) => query.orderBy(column, isByDueDay ? 'asc' : 'desc'),
      selectVisibleAudits(db, viewer, matches),
    )
    .select('audits.id')
    .where(condition)
    .$if(!isIndexed, (qb) => qb.where((eb) => eb.and(words.map((word) => containsText('audits.search_text', word)))))
    .$if(Boolean(after), (qb) => qb.where(isAfter))
    .$if(limit !== undefined, (qb) => qb.limit(limit ?? 0))
    .execute();
  return rows.map(({ id }) => id);
}

/** Returns the condition for audits in a state that match the filters. */
async function createListCondition(
  db: Database,
  viewer: Viewer & { id: string },
  { mine, assignee, unassigned, overdue, urgent, source, place, park, folder, ...filters }: AuditFilters,
): Promise<(eb: ExpressionBuilder<Tables, 'audits' | 'folders'>) => Expression<SqlBool>> {
  const state = getAuditState(filters);
  const assigneeId = mine ? viewer.id : assignee && (await findPerson(db, assignee))?.id;
  return (eb) =>
    eb.and([
      ...stateConditions[state](eb),
      ...(assigneeId ? [isOfPerson(assigneeId, state)(eb)] : []),
      // An assignee who is not a user is only a text.
      ...(assignee && !assigneeId ? [containsText('audits.data', `"assignee":${JSON.stringify(assignee)}`)] : []),
      ...(unassigned ? [eb('audits.completed', '=', 0), isUnassigned] : []),
      ...(overdue ? [isOpen(eb), eb('audits.due', '<', getToday())] : []),
      ...(urgent ? [eb('audits.is_urgent', '=', 1)] : []),
      ...(place ? [isAtPlace('audits.id', place)] : []),
      ...(source && isAllowed('reviewer', viewer) ? [eb('audits.source_thing', '=', source)] : []),
      ...(park !== undefined ? [eb('folders.park', 'in', [park].flat())] : []),
      ...(folder !== undefined ? [eb('audits.folder_id', '=', folder)] : []),
    ]);
}

/** The condition for completed audits that wait for their verification. */
export const isToVerify: AuditCondition = (eb) => eb('audits.verify_by', 'is not', null);

/** The condition for audits with something left to do: to complete, or to verify. */
export const isOpen: AuditCondition = (eb) =>
  // Written as in the index for it, `audits_left`, or SQLite would not use that.
  eb.or([eb('audits.completed', '=', eb.lit(0)), isToVerify(eb)]);

const stateConditions: Record<AuditState, (eb: ExpressionBuilder<Tables, 'audits'>) => Expression<SqlBool>[]> = {
  toComplete: (eb) => [isOpen(eb), eb('audits.completed', '=', 0)],
  open: (eb) => [isOpen(eb)],
  verify: (eb) => [isToVerify(eb)],
  // Written as in the index `audits_completed`; with '=', SQLite would use another and sort.
  completed: (eb) => [eb('audits.completed', '<>', eb.lit(0))],
  all: () => [],
};

/**
 * The condition for what a person has to do: to complete, or to verify. Of completed audits, lists of those also have
 * what the person was assigned or completed.
 */
const isOfPerson =
  (id: string, state: AuditState): AuditCondition =>
  (eb) =>
    eb.or([
      eb.and([eb('audits.completed', '=', 0), eb('audits.assignee_id', '=', id)]),
      eb.and([isToVerify(eb), eb('audits.verifier_id', '=', id)]),
      ...(state === 'completed' || state === 'all'
        ? [
            eb.and([
              eb('audits.completed', '=', 1),
              eb.or([eb('audits.assignee_id', '=', id), eb('audits.completed_by_id', '=', id)]),
            ]),
          ]
        : []),
    ]);

const isUnassigned = containsText('audits.data', '"assignee":""');

/** Returns how many audits the user has to complete or to verify by the end of today. */
export async function countDueAudits(db: Database, user: Viewer & { id: string }, now: Date): Promise<number> {
  const due = selectVisibleAudits(db, user).where('audits.due', '<', getNextDay(getToday(now)));
  // Two queries, each with an index.
  const assigned = due.where('audits.assignee_id', '=', user.id).where('audits.completed', '=', 0);
  const toVerify = due.where('audits.verifier_id', '=', user.id).where(isToVerify);
  return (await countRows(assigned)) + (await countRows(toVerify));
}

export async function countOpenAudits(db: Database, viewer: Viewer): Promise<OpenAuditCounts> {
  const open = selectVisibleAudits(db, viewer).where('audits.completed', '=', 0);
  const overdue = open.where('audits.due', '<', getToday()).select((eb) => eb.fn.countAll<number>().as('overdue'));
  const parks = await overdue.select('folders.park').groupBy('folders.park').execute();
  const people = await overdue
    .innerJoin('users', 'users.id', 'audits.assignee_id')
    .select('users.username')
    .groupBy('users.username')
    .execute();
  const mostFirst = <Row extends { overdue: number }>(rows: Row[]) =>
    rows.toSorted((one, other) => other.overdue - one.overdue);
  return {
    parks: mostFirst(parks),
    people: mostFirst(people),
    unassigned: await countRows(open.where(isUnassigned)),
    toVerify: await countRows(selectVisibleAudits(db, viewer).where(isToVerify)),
  };
}

/** Returns the audits at the user's parks that were created from a record, including deleted ones. */
export async function listAuditsCreatedFrom(
  db: Database,
  viewer: Viewer,
  thing: AuditSource,
  id: string,
): Promise<LinkedAudit[]> {
  const rows = await db
    .selectFrom('audits')
    .innerJoin('folders', 'folders.id', 'audits.folder_id')
    .leftJoin('deletions', 'deletions.id', 'audits.deletion_id')
    .select(['audits.id', 'audits.title', 'audits.source_section as section', 'audits.date', 'audits.completed'])
    .select(['audits.completed_by', 'audits.completed_at'])
    .select(['deletions.deleted_by_name as deleted_by', 'deletions.deleted_at'])
    .where('audits.source_id', '=', id)
    .where('audits.source_thing', '=', thing)
    .where(isOfVisiblePark('folders.park', viewer))
    .orderBy('audits.created_at')
    .orderBy('audits.source_section')
    .execute();
  return rows.map((row) => ({ ...row, completed: row.completed === 1 }));
}

/** Returns the audit with this id if reviewers are notified of its deletion; otherwise an empty list. */
export const findAuditWithSource = (db: Database, id: string) => selectWithSource(db).where('id', '=', id).execute();

/** Returns the audits in a folder of whose deletion reviewers are notified. */
export const listAuditsWithSource = (db: Database, folderId: string) =>
  selectWithSource(db).where('folder_id', '=', folderId).where('deletion_id', 'is', null).execute();

/** Audits that are hazards, or follow from a report, submission, investigation, lesson or message. */
const selectWithSource = (db: Database) =>
  db
    .selectFrom('audits')
    .select(['id', 'title', 'source_thing', 'source_label'])
    .where((eb) =>
      eb.or([
        eb('source_thing', 'in', ['report', 'submission', 'hazard', 'investigation', 'lesson', 'message']),
        eb('investigation_id', 'is not', null),
      ]),
    );

/** Day and time for sorting: when it must be completed, or by which day verified; audits without a date are last. */
const toDue = ({ date, time }: Pick<AuditFields, 'date' | 'time'>, verifyBy?: string | null) =>
  verifyBy ? `${verifyBy} 24:00` : `${date || lastDay} ${time || '24:00'}`;

/** Stands for no day in the column `due`; an audit may be due on it all the same. */
export const lastDay = '9999-12-31';

/** The day by which something is left to do, from the column `due`. */
export const toDueDay = (due: string): string | null => (due.startsWith(lastDay) ? null : due.slice(0, lastDay.length));

function toColumns(fields: GivenFields, notes: string[] = []) {
  const texts = { title: fields.title, data: serializeData(fields) };
  return {
    ...texts,
    search_text: getAuditSearchText(texts, notes),
    date: fields.date,
    time: fields.time,
    due: toDue(fields, fields.verification?.by),
    assignee_id: fields.assignee_id ?? null,
    is_urgent: fields.is_urgent ? (1 as const) : (0 as const),
    completed: fields.completed ? (1 as const) : (0 as const),
    completed_by: fields.completed_by,
    completed_at: fields.completed_at,
    completed_by_id: fields.completed_by_id ?? null,
    completed_beside: fields.completed_beside ? JSON.stringify(fields.completed_beside) : null,
    verify_days: fields.verification?.days ?? null,
    verifier_id: fields.verification?.verifier_id ?? null,
    verify_by: fields.verification?.by ?? null,
    verified: fields.verification?.outcome ?? null,
    captured_at: fields.captured_at ?? null,
  };
}

type AuditToInsert = GivenFields & {
  id: string;
  folder_id: string;
  by: { id: string };
  now: Date;
  /** The audit that was found not to work or to need work, if it is its follow-up. */
  follow_up_of?: string;
};

export async function insertAudit(
  db: Database,
  { id, folder_id, by, now, source, follow_up_of, ...fields }: AuditToInsert,
): Promise<void> {
  await db
    .insertInto('audits')
    .values({
      ...toColumns(fields),
      id,
      folder_id,
      position: await incrementCounter(db, 'audits'),
      version: 1,
      created_at: now.toISOString(),
      created_by: by.id,
      deletion_id: null,
      source_thing: source?.thing ?? null,
      source_id: source?.id ?? null,
      source_label: source?.label ?? null,
      source_section: source?.section ?? null,
      follow_up_of: follow_up_of ?? null,
      investigation_id: await findInvestigationId(db, source),
    })
    .execute();
}

/** The investigation from which an audit follows, also through another audit. */
async function findInvestigationId(db: Database, source: AuditToInsert['source']): Promise<string | null> {
  if (source?.thing !== 'audit') return source?.thing === 'investigation' ? source.id : null;
  const audit = db.selectFrom('audits').select('investigation_id').where('id', '=', source.id);
  return (await audit.executeTakeFirst())?.investigation_id ?? null;
}

/** Stores the outcome of a verification. From then on the audit's own date counts again. */
export const storeOutcome = (db: Database, { id, version, ...audit }: ListedAudit, outcome: VerificationOutcome) =>
  db
    .updateTable('audits')
    .set({ verified: outcome, verify_by: null, due: toDue(audit), version: version + 1 })
    .where('id', '=', id)
    .execute();

export async function updateAudit(db: Database, { id, version }: ListedAudit, fields: AuditFields): Promise<void> {
  const columns = toColumns(fields, await listSearchedNotes(db, id));
  await db
    .updateTable('audits')
    .set({ ...columns, version: version + 1 })
    .where('id', '=', id)
    .execute();
}
