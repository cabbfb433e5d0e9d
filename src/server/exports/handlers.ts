// Endpoints that export lists, filtered as on the screen.
import type { EntityType } from '#shared/activity.ts';
import { type Folder, matchesFolder } from '#shared/audits.ts';
import { getToday } from '#shared/dates.ts';
import type { AuditExportQuery, ExportFormat } from '#shared/exports.ts';
import { readActivityPages } from '../activity/store.ts';
import { listFolders } from '../audits/folders.ts';
import { type AuditCondition, createOpenCondition, readAuditPages } from '../audits/store.ts';
import type { SignedInUser } from '../auth/session.ts';
import { listSubmittedSections, readAnswerPages } from '../checklists/submissions.ts';
import { waitUntilDurable } from '../db/connect.ts';
import { getReader } from '../db/reader.ts';
import type { Database } from '../db/schema.ts';
import { createNameFinder } from '../db/user-names.ts';
import type { FileReply, HandlerContext, Handlers } from '../http/handler-context.ts';
import { isInStateOn } from '../overview/store.ts';
import { createSearch } from '../reports/handlers.ts';
import { readReportPages } from '../reports/store.ts';
import { readCheckPages } from '../schedules/store.ts';
import { readUserPages } from '../users/store.ts';
import {
  activityColumns,
  answerColumns,
  answerRowColumns,
  auditColumns,
  checkColumns,
  reportColumns,
  toAnswerRows,
  userColumns,
} from './lists.ts';
import { createStream } from './stream.ts';
import type { Table } from './table.ts';

type ExportEndpoints =
  | 'exportReports'
  | 'exportSubmissions'
  | 'exportAudits'
  | 'exportUsers'
  | 'exportChecks'
  | 'exportActivity';

export const exportHandlers: Pick<Handlers, ExportEndpoints> = {
  async exportReports(context) {
    const { db, query, user, now } = context;
    const getName = await createNameFinder(db, user);
    return sendTable(context, 'report', {
      title: 'Reports',
      columns: reportColumns,
      pages: mapRows(readReportPages(db, await createSearch(db, query, user, now)), (report) => ({
        ...report,
        created_by: getName(report.created_by),
      })),
    });
  },

  async exportSubmissions(context) {
    const { db, query } = context;
    const getName = await createNameFinder(db, context.user);
    const pages = mapRows(readAnswerPages(db, query), (row) => ({ ...row, submitted_by: getName(row.submitted_by) }));
    const title = 'Submitted checklists';
    if (query.title === undefined)
      return sendTable(context, 'submission', {
        title,
        columns: answerRowColumns,
        pages: mapPages(pages, toAnswerRows),
      });
    const columns = answerColumns(await listSubmittedSections(db, query.title));
    return sendTable(context, 'submission', { title, columns, pages });
  },

  async exportAudits(context) {
    const { db, user, query } = context;
    const getName = await createNameFinder(db, user);
    const folders = (await listFolders(db, user)).filter((folder) => matchesQuery(folder, query));
    const ids = folders.map(({ id }) => id);
    return sendTable(context, 'audit', {
      title: 'Audits',
      columns: auditColumns,
      pages: mapRows(readAuditPages(db, user, ids, await createCondition(context)), (audit) => ({
        ...audit,
        assignee: getName(audit.assignee),
        completed_by: getName(audit.completed_by),
      })),
    });
  },

  exportUsers: (context) =>
    sendTable(context, 'user', {
      title: 'Users',
      columns: userColumns(context.user.role === 'Admin'),
      pages: readUserPages(context.db, context.user),
    }),

  async exportChecks(context) {
    const getName = await createNameFinder(context.db, context.user);
    return sendTable(context, 'check', {
      title: 'Scheduled checks',
      columns: checkColumns,
      pages: mapRows(readCheckPages(context.db, context.query, context.now), (check) => ({
        ...check,
        filled_in_by: getName(check.filled_in_by),
        reason_by: getName(check.reason_by),
      })),
    });
  },

  async exportActivity(context) {
    const { db, user, query } = context;
    // Read in the reader's thread, because finding one page of filtered entries may mean reading the
    // whole log.
    const reader = getReader(context);
    return sendTable(context, 'session', {
      title: 'Activity log',
      columns: activityColumns(await createNameFinder(db, user)),
      pages: readActivityPages(reader, user, query),
    });
  },
};

const matchesQuery = (folder: Folder, { q = '', park, folder: id }: AuditExportQuery) =>
  matchesFolder(folder, q) &&
  (id === undefined || folder.id === id) &&
  (park === undefined || park.some((name) => name === folder.park));

/**
 * Returns the condition for the audits to export, or undefined for all audits of the matching
 * folders.
 */
async function createCondition({
  db,
  user,
  now,
  query,
}: Pick<HandlerContext<never>, 'db' | 'now'> & { user: SignedInUser; query: AuditExportQuery }): Promise<
  AuditCondition | undefined
> {
  const { state, on = getToday(now), open, mine, assignee, overdue, urgent, source } = query;
  if (state) return isInStateOn(state, on);
  return open ? createOpenCondition(db, user, { mine, assignee, overdue, urgent, source }) : undefined;
}

type ExportContext = Pick<HandlerContext<never>, 'db' | 'now' | 'logActivity'> & {
  query: { format: ExportFormat } & Record<string, unknown>;
};

const contentTypes: Record<ExportFormat, string> = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

/**
 * Logs the export with the names of its filters but not their values, and returns the file as a
 * stream.
 */
async function sendTable<Row>(
  { db, now, logActivity, query: { format, ...filters } }: ExportContext,
  thing: EntityType,
  table: Table<Row>,
): Promise<FileReply> {
  const filterNames = Object.keys(filters).filter((name) => filters[name] !== undefined);
  await logActivity({
    action: 'exported',
    thing,
    label: `${table.title} (${format.toUpperCase()})`,
    ...(filterNames.length > 0 && { changes: { filteredBy: filterNames } }),
  });
  return {
    content: createStream(format, { ...table, pages: waitForDisk(db, table.pages) }),
    type: contentTypes[format],
    fileName: `${table.title} ${getToday(now)}.${format}`,
  };
}

async function* mapPages<From, To>(pages: AsyncIterable<From[]>, map: (page: From[]) => To[]): AsyncGenerator<To[]> {
  for await (const page of pages) yield map(page);
}

const mapRows = <Row>(pages: AsyncIterable<Row[]>, map: (row: Row) => Row) =>
  mapPages(pages, (page: Row[]) => page.map(map));

/** Passes pages on, each only after the data that it shows is on disk. */
async function* waitForDisk<Row>(db: Database, pages: AsyncIterable<Row[]>): AsyncGenerator<Row[]> {
  for await (const page of pages) {
    await waitUntilDurable(db);
    yield page;
  }
}
