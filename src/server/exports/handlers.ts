// Endpoints that export lists, filtered as on the screen.
import type { EntityType } from '#shared/activity.ts';
import { auditOrders, type Folder, getAuditState, matchesFolder } from '#shared/audits.ts';
import { getToday } from '#shared/dates.ts';
import type { AuditExportQuery, ExportFormat } from '#shared/exports.ts';
import { matchesUser } from '#shared/users.ts';
import { readActivityPages } from '../activity/store.ts';
import { listFolders } from '../audits/folders.ts';
import { listAuditIds, listAuditIdsByDueDate, listIdsInState, readAuditPages } from '../audits/store.ts';
import { listSubmittedVersions, mayHaveOtherNotes, readAnswerPages } from '../checklists/submissions.ts';
import { waitUntilDurable } from '../db/connect.ts';
import { getReader } from '../db/reader.ts';
import type { Database } from '../db/schema.ts';
import { required } from '../errors/http-error.ts';
import type { FileReply, HandlerContext, Handlers } from '../http/handler-context.ts';
import { listInvestigations } from '../investigations/store.ts';
import { readMessagePages } from '../messages/store.ts';
import { createNameFinder } from '../names/user-names.ts';
import { toReadings } from '../overview/readings.ts';
import { isInStateOn } from '../overview/store.ts';
import { findPlace, listPlaces } from '../places/store.ts';
import { createSearch } from '../reports/handlers.ts';
import { readReportPages } from '../reports/store.ts';
import { readCheckPages } from '../schedules/store.ts';
import type { SignedInUser } from '../sign-in/session/session.ts';
import { readUserPages } from '../users/store.ts';
import {
  activityColumns,
  answerColumns,
  answerRowColumns,
  auditColumns,
  checkColumns,
  investigationColumns,
  messageColumns,
  placeColumns,
  readingColumns,
  reportColumns,
  toAnswerRows,
  userColumns,
} from './lists.ts';
import { mapPages, withNames, withPlaces } from './pages.ts';
import { createStream } from './stream.ts';
import type { Table } from './table.ts';

export const exportHandlers = {
  async exportReports(context) {
    const { db, query, user, now } = context;
    const getName = await createNameFinder(db, user);
    return sendTable(context, 'report', {
      title: 'Reports',
      columns: reportColumns,
      pages: withNames(
        withPlaces(db, user, readReportPages(db, await createSearch(db, query, user, now))),
        getName,
        'created_by',
      ),
    });
  },

  async exportSubmissions(context) {
    const { db, query, user } = context;
    const getName = await createNameFinder(db, user);
    const pages = withNames(withPlaces(db, user, readAnswerPages(db, query)), getName, 'submitted_by');
    const title = 'Submitted checklists';
    if (query.title === undefined)
      return sendTable(context, 'submission', {
        title,
        columns: answerRowColumns(await mayHaveOtherNotes(db)),
        pages: mapPages(pages, toAnswerRows),
      });
    const columns = answerColumns(await listSubmittedVersions(db, query.title));
    return sendTable(context, 'submission', { title, columns, pages });
  },

  async exportAudits(context) {
    const { db, user } = context;
    const getName = await createNameFinder(db, user);
    return sendTable(context, 'audit', {
      title: 'Audits',
      columns: auditColumns,
      pages: withNames(
        withPlaces(db, user, readAuditPages(db, user, await listExportedAuditIds(context))),
        getName,
        'assignee',
        'completed_by',
      ),
    });
  },

  exportUsers(context) {
    const { db, user, config, query } = context;
    return sendTable(context, 'user', {
      title: 'Users',
      columns: userColumns(user.role === 'Admin'),
      pages: mapPages(readUserPages(db, user, config), (page) => page.filter((one) => matchesUser(one, query.q ?? ''))),
    });
  },

  async exportChecks(context) {
    const getName = await createNameFinder(context.db, context.user);
    return sendTable(context, 'check', {
      title: 'Scheduled checks',
      columns: checkColumns,
      pages: withNames(readCheckPages(context.db, context.query, context.now), getName, 'filled_in_by', 'reason_by'),
    });
  },

  async exportPlaces(context) {
    const places = await listPlaces(context.db, context.user, context.query.park);
    return sendTable(context, 'place', { title: 'Places', columns: placeColumns, pages: toSinglePage(places) });
  },

  async exportReadings(context) {
    const { db, user, query } = context;
    const place = required(await findPlace(db, user, query.place), 'Place not found');
    const pages = mapPages(withPlaces(db, user, readAnswerPages(db, { place: place.id })), toReadings);
    return sendTable(context, 'submission', { title: 'Readings', columns: readingColumns, pages });
  },

  async exportInvestigations(context) {
    const { db, user } = context;
    const pages = toSinglePage(await listInvestigations(db, user));
    return sendTable(context, 'investigation', {
      title: 'Investigations',
      columns: investigationColumns,
      pages: withNames(pages, await createNameFinder(db, user), 'created_by'),
    });
  },

  async exportMessages(context) {
    const { db, user, query } = context;
    const getName = await createNameFinder(db, user);
    return sendTable(context, 'message', {
      title: 'Messages from guests',
      columns: messageColumns,
      pages: withNames(readMessagePages(db, user, query.park), getName, 'read_by', 'closed_by'),
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
} satisfies Partial<Handlers>;

const matchesQuery = (folder: Folder, { q = '', park, folder: id }: AuditExportQuery) =>
  matchesFolder(folder, q) &&
  (id === undefined || folder.id === id) &&
  (park === undefined || park.some((name) => name === folder.park));

type AuditExportContext = Pick<HandlerContext<never>, 'db' | 'now' | 'reader'> & {
  user: SignedInUser;
  query: AuditExportQuery;
};

/** Returns the ids of the audits to export, in the order of the screen. */
async function listExportedAuditIds(context: AuditExportContext): Promise<string[]> {
  const { user, now, query } = context;
  const db = getReader(context);
  const { list = query.open && getAuditState({ verify: query.verify }), state, on = getToday(now) } = query;
  if (list) return listIdsInState(db, user, { ...query, state: list });
  const folders = (await listFolders(context.db, user)).filter((folder) => matchesQuery(folder, query));
  const folderIds = folders.map(({ id }) => id);
  if (folderIds.length === 0) return [];
  if (state) return listAuditIdsByDueDate(db, user, folderIds, isInStateOn(state, on));
  const ids: string[][] = [];
  for (const id of folderIds) ids.push(await listAuditIds(db, user, id, query.sort ?? auditOrders[0].value));
  return ids.flat();
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
    content: await createStream(format, { ...table, pages: waitForDisk(db, table.pages) }),
    type: contentTypes[format],
    fileName: `${table.title} ${getToday(now)}.${format}`,
  };
}

async function* toSinglePage<Row>(rows: Row[]): AsyncGenerator<Row[]> {
  yield rows;
}

/** Passes pages on, each only after the data that it shows is on disk. */
async function* waitForDisk<Row>(db: Database, pages: AsyncIterable<Row[]>): AsyncGenerator<Row[]> {
  for await (const page of pages) {
    await waitUntilDurable(db);
    yield page;
  }
}
