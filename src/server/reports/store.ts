import { sql } from 'kysely';
import { getMonth, unknownMonths } from '#shared/dates.ts';
import { mapReportFields, type ReportFieldName } from '#shared/reports/report-fields.ts';
import {
  type MyReport,
  type NewReport,
  type Report,
  type ReportMonth,
  type ReportQuery,
  Report as ReportSchema,
  type ReportType,
} from '#shared/reports/reports.ts';
import type { StoredSignedBy } from '#shared/reports/signed-by.ts';
import type { StoredMediaFile } from '#shared/uploads.ts';
import { type Engine, getEngine } from '../db/connect.ts';
import { incrementCounter } from '../db/counters.ts';
import { pageSize } from '../db/page-size.ts';
import { getPosition } from '../db/position.ts';
import { insertRow, type PreparedQuery, prepare } from '../db/prepared.ts';
import { findsRow } from '../db/queries.ts';
import { getReportSearchText } from '../db/report-search-text.ts';
import type { Database, Tables } from '../db/schema.ts';
import { nextSlice } from '../event-loop.ts';
import { buildRowJson } from './json-rows.ts';
import { filterReports, getTypeKey, type ReportSearch } from './queries/report-filter.ts';

type ReportRow = Tables['reports'];
type Search = ReportSearch & Pick<ReportQuery, 'after'>;

const toStoredSignature = (path: string | null) => (path === null ? null : ({ path, storageType: 'server' } as const));

const toReport = (row: ReportRow): Report => ({
  ...row,
  mediaFiles: JSON.parse(row.mediaFiles) as StoredMediaFile[],
  signature: toStoredSignature(row.signature),
  affectedUserSignature: toStoredSignature(row.affectedUserSignature),
  affectedUserSignedBy:
    row.affectedUserSignedBy === null ? null : (JSON.parse(row.affectedUserSignedBy) as StoredSignedBy),
  created_by: row.created_by_name,
});

/** Keeps a signature unless the name of the person who signed changes, because it shows that name. */
export const keepSignatures = (row: ReportRow, changed: ReportRow) => ({
  signature: changed.reporter === row.reporter ? row.signature : null,
  affectedUserSignature: findSigner(changed) === findSigner(row) ? row.affectedUserSignature : null,
});

/** Returns the name of the person who signed as the affected party or for them. */
function findSigner({ name, affectedUserSignedBy: signedBy }: ReportRow): string {
  if (signedBy === null) return name;
  try {
    return (JSON.parse(signedBy) as StoredSignedBy).name;
  } catch {
    return signedBy;
  }
}

const prefixes: Record<ReportType, string> = { accident: 'ACC', incident: 'INC' };

type NewReportRow = {
  id: string;
  reportType: ReportType;
  report: Omit<NewReport, 'capturedAt' | 'placeId'>;
  captured_at?: string | null;
  mediaFiles: StoredMediaFile[];
  fingerprint: string;
  by: { id: string; username: string };
  now: Date;
};

/** Inserts a report with its number, counted per type and year of submission. */
export async function insertReport(
  db: Database,
  { id, reportType, report, captured_at, mediaFiles, fingerprint, by, now }: NewReportRow,
) {
  const year = now.getUTCFullYear();
  const count = await incrementCounter(db, `${reportType} ${year}`);
  const number = `${prefixes[reportType]}-${year}-${String(count).padStart(4, '0')}`;
  const { signature, affectedUserSignature, affectedUserSignedBy } = report;
  const fields = mapReportFields((_, name) => report[name] ?? '') as Pick<ReportRow, ReportFieldName>;
  await insertRow(db, 'reports', {
    ...fields,
    id,
    number,
    reportType,
    position: getPosition(report.date, report.time, await incrementCounter(db, 'reports')),
    month: getMonth(report.date),
    mediaFiles: JSON.stringify(mediaFiles),
    signature: signature.path,
    affectedUserSignature: affectedUserSignature.path,
    affectedUserSignedBy: affectedUserSignedBy ? JSON.stringify(affectedUserSignedBy) : null,
    search_text: getReportSearchText({ ...fields, number }),
    fingerprint,
    created_at: now.toISOString(),
    created_by: by.id,
    created_by_name: by.username,
    captured_at: captured_at ?? null,
    first_opened_at: null,
    type_key: getTypeKey(report.type),
    deletion_id: null,
  });
  return { id, number };
}

/** Finds an identical report with the same signature by the same user: sent again without an idempotency key. */
export const findDuplicate = async (db: Database, by: string, signature: string, fingerprint: string) =>
  (await selectDuplicate(db, { by, signature, fingerprint }))[0];

const selectDuplicate = prepare((db, filed: { by: string; signature: string; fingerprint: string }) =>
  db
    .selectFrom('reports')
    .select(['id', 'number'])
    .where('signature', '=', filed.signature)
    .where('created_by', '=', filed.by)
    .where('fingerprint', '=', filed.fingerprint),
);

/** Returns the user's own reports, newest first, without free text. */
export async function listReportsByUser(db: Database, userId: string, limit: number): Promise<MyReport[]> {
  const rows = await db
    .selectFrom('reports')
    .select(['number', 'reportType', 'selectedPlace', 'date', 'created_at', 'mediaFiles'])
    .select(['signature', 'affectedUserSignature'])
    .where('created_by', '=', userId)
    .where('deletion_id', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('number', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ mediaFiles, signature, affectedUserSignature, ...report }) => ({
    ...report,
    photos: (JSON.parse(mediaFiles) as StoredMediaFile[]).length,
    signatures: [signature, affectedUserSignature].filter(Boolean).length,
  }));
}

/** Returns who completed the last report of a user; '' before the first. */
export async function findLastReporter(db: Database, userId: string): Promise<string> {
  const last = await db
    .selectFrom('reports')
    .select('reporter')
    .where('created_by', '=', userId)
    .where('deletion_id', 'is', null)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return last?.reporter ?? '';
}

/** Returns matching reports, newest first by their date and time, as JSON ready to send. */
export const listReports = async (db: Database, { after, ...query }: Search, limit: number): Promise<Buffer> =>
  (await selectReportsAsJson(db, query, limit, await findPosition(db, after))).content;

async function selectReportsAsJson(
  db: Database,
  query: ReportSearch,
  limit: number,
  before?: number,
): Promise<Page<Buffer>> {
  const { reportType, ...filters } = query;
  const isFirstPage = before === undefined && Object.values(filters).every((value) => value === undefined);
  const [row] = isFirstPage
    ? await selectNewest(db, reportType, limit)
    : await joinRowsAsJson(db, selectListOrdered(db, query, limit, before)).execute();
  const { json, count, last } = row as JsonRow;
  // Bytes from the thread of SQLite's reader arrive as Uint8Array.
  const content =
    typeof json === 'string' ? Buffer.from(json) : Buffer.from(json.buffer, json.byteOffset, json.byteLength);
  return { content, count, last };
}

const storedAsJson = (column: string) => ({ path: `"${column}"`, storageType: `'server'` });
const createReportJson = (engine: Engine) =>
  buildRowJson(engine, ReportSchema, {
    signature: storedAsJson('signature'),
    affectedUserSignature: storedAsJson('affectedUserSignature'),
    created_by: 'created_by_name',
  });
const reportAsJson = { sqlite: createReportJson('sqlite'), postgres: createReportJson('postgres') };

/**
 * Joins the rows. SQLite returns bytes, which take half as long as text, and keeps the order of the
 * subquery, because it does not merge a subquery with a limit into the outer one.
 */
const joinedRows = {
  sqlite: sql<JsonRow['json']>`cast('[' || coalesce(group_concat(json, ','), '') || ']' as blob)`,
  postgres: sql<JsonRow['json']>`'[' || coalesce(string_agg(json::text, ',' order by position desc), '') || ']'`,
};

type JsonRow = { json: Uint8Array<ArrayBuffer> | string; count: number; last: number | null };

/** The database builds the rows' JSON, in a fraction of the time that Node would take. */
const joinRowsAsJson = (db: Database, listed: ReturnType<typeof selectListOrdered>) =>
  db
    .selectFrom(
      listed.select(['reports.position', sql.raw<string>(reportAsJson[getEngine(db)]).as('json')]).as('listed'),
    )
    .select((eb) => [
      joinedRows[getEngine(db)].as('json'),
      eb.fn.countAll<number>().as('count'),
      eb.fn.min<number | null>('position').as('last'),
    ]);

/**
 * Prepared queries for the first page, by type and limit, because building such a query takes as
 * long as running it.
 */
const newestQueries = new Map<string, PreparedQuery<Record<string, never>, JsonRow>>();

function selectNewest(db: Database, reportType: ReportType | undefined, limit: number): Promise<JsonRow[]> {
  const key = `${reportType} ${limit}`;
  const query =
    newestQueries.get(key) ?? prepare((db) => joinRowsAsJson(db, selectListOrdered(db, { reportType }, limit)));
  newestQueries.set(key, query);
  return query(db, {});
}

/**
 * Returns the position of the report that a cursor names, or 0, which is below all positions, if it
 * does not exist.
 */
async function findPosition(db: Database, id: string | undefined): Promise<number | undefined> {
  if (!id) return undefined;
  const row = await db.selectFrom('reports').select('position').where('id', '=', id).executeTakeFirst();
  return row?.position ?? 0;
}

function selectListOrdered(db: Database, query: ReportSearch, limit: number, before?: number) {
  const { matches, position } = filterReports(db, query);
  return matches
    .$if(before !== undefined, (qb) => qb.where(position, '<', before ?? 0))
    .orderBy(position, 'desc')
    .limit(limit);
}

/**
 * Returns the ids of the matching reports above and below one in the list, which need not match itself; without one,
 * those of the list's ends: the last one as `previous`, the first one as `next`.
 */
export async function findNeighbours(db: Database, id: string | undefined, query: ReportSearch) {
  const own = await findPosition(db, id);
  const { matches, position } = filterReports(db, query);
  const [next] = await selectListOrdered(db, query, 1, own).select('reports.id').execute();
  const [previous] = await matches
    .where(position, '>', own ?? Number.MIN_SAFE_INTEGER)
    .orderBy(position, 'asc')
    .limit(1)
    .select('reports.id')
    .execute();
  return { previous: previous?.id, next: next?.id };
}

/** Returns all matching reports page by page, so that other work can run in between. */
export async function* readReportPages(db: Database, { after, ...query }: Search): AsyncGenerator<Report[]> {
  yield* readPages(db, after, pageSize, async (before) => {
    const rows = await selectListOrdered(db, query, pageSize, before).selectAll('reports').execute();
    return { content: rows.map(toReport), count: rows.length, last: rows.at(-1)?.position ?? null };
  });
}

/** Like `readReportPages`, but as JSON ready to send. */
export async function* readReportPagesAsJson(db: Database, { after, ...filters }: Search): AsyncGenerator<Buffer> {
  const size = 500;
  yield* readPages(db, after, size, (before) => selectReportsAsJson(db, filters, size, before));
}

/** Some reports, their number, and the position of the last one. */
type Page<Content> = { content: Content; count: number; last: number | null };

/**
 * Yields pages. Each starts after the position, not the id, of the last report before it, because
 * that report may be destroyed in the meantime.
 */
async function* readPages<Content>(
  db: Database,
  after: string | undefined,
  size: number,
  read: (before: number | undefined) => Promise<Page<Content>>,
): AsyncGenerator<Content> {
  for (let before = await findPosition(db, after); ; ) {
    const { content, count, last } = await read(before);
    yield content;
    if (count < size || last === null) return;
    before = last;
    await nextSlice();
  }
}

/**
 * Returns the number of reports per month, newest month first. Reports without a readable date come
 * last, in the order of `unknownMonths`.
 */
export async function countByMonth(db: Database, query: ReportSearch): Promise<ReportMonth[]> {
  const { reportType, ...filters } = query;
  const isFiltered = Object.values(filters).some((value) => value !== undefined && value !== '');
  const months = await (isFiltered ? countMatches(db, query) : readCounts(db, reportType));
  return months.sort((a, b) => getUnknownMonthRank(a) - getUnknownMonthRank(b) || (a.month < b.month ? 1 : -1));
}

const getUnknownMonthRank = ({ month }: ReportMonth) => (unknownMonths as readonly string[]).indexOf(month) + 1;

/** Reads the counts that triggers maintain (migration 12). */
const readCounts = (db: Database, reportType: ReportType | undefined) =>
  db
    .selectFrom('report_months')
    .select((eb) => ['month', eb.fn.sum<number>('count').as('count')])
    .where('count', '>', 0)
    .$if(reportType !== undefined, (qb) => qb.where('reportType', '=', reportType ?? 'accident'))
    .groupBy('month')
    .execute();

/**
 * Counts matching reports per month from the reports themselves, because the counts of
 * `readCounts` cannot be filtered.
 */
export const countMatches = (db: Database, query: ReportSearch): Promise<ReportMonth[]> =>
  filterReports(db, query)
    .matches.select((eb) => ['reports.month', eb.fn.countAll<number>().as('count')])
    .groupBy('reports.month')
    .execute();

export async function findReport(db: Database, id: string): Promise<Report | undefined> {
  const row = await db
    .selectFrom('reports')
    .selectAll()
    .where('id', '=', id)
    .where('deletion_id', 'is', null)
    .executeTakeFirst();
  return row && toReport(row);
}

/** Whether this is the first opening by a reviewer other than the author. */
export const isFirstOpening = (db: Database, id: string, userId: string): Promise<boolean> =>
  findsRow(
    db
      .selectFrom('reports')
      .where('id', '=', id)
      .where('first_opened_at', 'is', null)
      .where('created_by', '<>', userId),
  );

export async function setFirstOpened(db: Database, id: string, now: Date): Promise<void> {
  await db
    .updateTable('reports')
    .set({ first_opened_at: now.toISOString() })
    .where('id', '=', id)
    .where('first_opened_at', 'is', null)
    .execute();
}
