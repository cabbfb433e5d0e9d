// Investigations in the database. All reviewers see them, as they see reports.
import { canSeePark, type ParkViewer } from '#shared/access.ts';
import { getToday } from '#shared/dates.ts';
import {
  type Action,
  type CoveredThing,
  decisiveSections,
  type Investigation,
  type ListedInvestigation,
  listMissing,
  type SectionContents,
  type SectionName,
  sectionNames,
  storedSections,
} from '#shared/investigations.ts';
import { getHazardTitle } from '#shared/places/hazards.ts';
import { lastDay, toDueDay } from '../audits/store.ts';
import { createNameTest, listAssigneesSince } from '../audits/verification.ts';
import { parseData } from '../db/audit-data.ts';
import { incrementCounter } from '../db/counters.ts';
import { countRows } from '../db/queries.ts';
import type { Database, Tables } from '../db/schema.ts';
import { newId } from '../ids.ts';
import {
  type ActionChain,
  findConfirmation,
  followActions,
  getProgress,
  type NoteRow,
  selectActions,
} from './state.ts';

type SectionRow = Tables['investigation_sections'];
type Author = { id: string; username: string };
type CoveredRecord = { thing: CoveredThing; id: string };

/** Inserts an investigation with its number and its empty sections. */
export async function insertInvestigation(
  db: Database,
  { park, record, by, now }: { park: string; record: CoveredRecord; by: Author; now: Date },
): Promise<{ id: string; number: string }> {
  const id = newId();
  const year = now.getUTCFullYear();
  const number = `INV-${year}-${String(await incrementCounter(db, `investigation ${year}`)).padStart(4, '0')}`;
  const author = { created_at: now.toISOString(), created_by: by.id, created_by_name: by.username };
  await db
    .insertInto('investigations')
    .values({ id, number, park, ...author, deletion_id: null })
    .execute();
  const empty = { version: 0, content: '{}', saved_at: null, saved_by: null, saved_by_name: '' };
  await db
    .insertInto('investigation_sections')
    .values(sectionNames.map((section) => ({ ...empty, id: newId(), investigation_id: id, section })))
    .execute();
  await coverRecord(db, id, record);
  return { id, number };
}

export const coverRecord = (db: Database, investigationId: string, { thing, id }: CoveredRecord) =>
  db
    .insertInto('investigation_records')
    .values({ investigation_id: investigationId, thing, thing_id: id })
    .onConflict((conflict) => conflict.doNothing())
    .execute();

export const uncoverRecord = (db: Database, investigationId: string, id: string) =>
  db
    .deleteFrom('investigation_records')
    .where('investigation_id', '=', investigationId)
    .where('thing_id', '=', id)
    .execute();

type Filter = { id?: string; covers?: string | undefined; parks?: readonly string[] | undefined; isComplete?: boolean };

const selectInvestigations = (db: Database, { id, covers, parks, isComplete }: Filter) =>
  db
    .selectFrom('investigations')
    .where('deletion_id', 'is', null)
    .$if(id !== undefined, (qb) => qb.where('id', '=', id ?? ''))
    .$if(parks !== undefined, (qb) => qb.where('park', 'in', parks ?? []))
    .$if(covers !== undefined, (qb) =>
      qb.where('id', 'in', (eb) =>
        eb
          .selectFrom('investigation_records')
          .select('investigation_id')
          .where('thing_id', '=', covers ?? ''),
      ),
    )
    .$if(isComplete !== undefined, (qb) =>
      qb.where('id', isComplete ? 'in' : 'not in', (eb) =>
        eb.selectFrom('investigation_notes').select('investigation_id').where('kind', '=', 'complete'),
      ),
    );

/** The investigation that covers a record; undefined if there is none. */
export const findInvestigationOf = (db: Database, recordId: string) =>
  selectInvestigations(db, { covers: recordId }).select(['id', 'number']).executeTakeFirst();

/** Returns the name and the investigation of a section, unless the investigation is deleted. */
export const findSection = (db: Database, id: string) =>
  db
    .selectFrom('investigation_sections')
    .innerJoin('investigations', 'investigations.id', 'investigation_sections.investigation_id')
    .select(['investigation_sections.id', 'investigation_sections.investigation_id', 'investigation_sections.section'])
    .where('investigation_sections.id', '=', id)
    .where('investigations.deletion_id', 'is', null)
    .executeTakeFirst();

const toStoredSection = ({ id, version, saved_at, saved_by_name, section, content }: SectionRow) => ({
  ...{ id, version, saved_at, saved_by: saved_by_name },
  content: parseContent(section, content),
});

/** Returns the content of a section; missing fields are empty. */
export const parseContent = <Name extends SectionName>(section: Name, content: string): SectionContents[Name] =>
  storedSections[section].parse(JSON.parse(content)) as SectionContents[Name];

/** Returns the records that the chosen investigations cover, by the id of the investigation. */
async function readRecords(db: Database, viewer: ParkViewer, filter: Filter) {
  const rows = await db
    .selectFrom('investigation_records')
    .leftJoin('reports', (join) =>
      join.onRef('reports.id', '=', 'investigation_records.thing_id').on('reports.deletion_id', 'is', null),
    )
    .leftJoin('audits', (join) =>
      join.onRef('audits.id', '=', 'investigation_records.thing_id').on('audits.deletion_id', 'is', null),
    )
    .leftJoin('folders', 'folders.id', 'audits.folder_id')
    .leftJoin('guest_messages', 'guest_messages.id', 'investigation_records.thing_id')
    .leftJoin('places', 'places.id', 'guest_messages.place_id')
    .select(['investigation_records.investigation_id', 'investigation_records.thing', 'investigation_records.thing_id'])
    .select(['reports.number', 'reports.selectedPlace', 'reports.date', 'audits.title', 'guest_messages.kind'])
    .select('places.name as place')
    .select((eb) => eb.fn.coalesce('audits.created_at', 'guest_messages.created_at').as('created_at'))
    .select((eb) => eb.fn.coalesce('folders.park', 'guest_messages.park').as('park'))
    .where('investigation_records.investigation_id', 'in', selectInvestigations(db, filter).select('id'))
    .orderBy('reports.created_at')
    .orderBy('investigation_records.thing_id')
    .execute();
  const records = rows.map(
    ({ investigation_id, thing, thing_id, number, selectedPlace, date, title, kind, place, created_at, park }) => {
      const visibleTitle =
        park !== null && canSeePark(viewer, park) ? (title ?? getHazardTitle(kind, place ?? '')) : '';
      const label = thing === 'report' ? number : visibleTitle;
      const day = date ?? (created_at ? getToday(new Date(created_at)) : '');
      return { investigation_id, thing, id: thing_id, label: label ?? '', park: selectedPlace ?? park ?? '', day };
    },
  );
  return groupById(records);
}

const groupById = <Row extends { investigation_id: string | null }>(rows: Row[]) =>
  Map.groupBy(rows, ({ investigation_id }) => investigation_id);

function readContents(rows: SectionRow[]): SectionContents {
  const contents = sectionNames.map((name) => [
    name,
    parseContent(name, rows.find(({ section }) => section === name)?.content ?? '{}'),
  ]);
  return Object.fromEntries(contents) as SectionContents;
}

/** Returns the chosen investigations with some of their sections and their state, newest first. */
async function readInvestigations(db: Database, filter: Filter, sections: readonly SectionName[]) {
  const chosen = selectInvestigations(db, filter);
  const ids = chosen.select('id');
  const rows = await chosen.selectAll().orderBy('created_at', 'desc').orderBy('number', 'desc').execute();
  const allSections = await db
    .selectFrom('investigation_sections')
    .selectAll()
    .where('section', 'in', sections)
    .where('investigation_id', 'in', ids)
    .execute();
  const allNotes = await db
    .selectFrom('investigation_notes')
    .selectAll()
    .where('investigation_id', 'in', ids)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  const allActions = await selectActions(db).where('audits.investigation_id', 'in', ids).execute();
  const [sectionsById, notesById] = [groupById(allSections), groupById(allNotes)];
  const actionsById = groupById(allActions);
  return rows.map(({ id, number, park, created_at, created_by: starterId, created_by_name }) => {
    const sectionRows = sectionsById.get(id) ?? [];
    const noteRows = notesById.get(id) ?? [];
    const contents = readContents(sectionRows);
    const chains = followActions(actionsById.get(id) ?? [], noteRows);
    const { questions, ...progress } = getProgress(created_at, contents, noteRows, chains);
    const summary = { id, number, park, created_at, created_by: created_by_name, level: contents.depth.level };
    return { summary: { ...summary, ...progress }, starterId, questions, contents, sectionRows, noteRows, chains };
  });
}

/** Returns all investigations, newest first, or the one that covers a record. */
export async function listInvestigations(
  db: Database,
  viewer: ParkViewer,
  covers?: string,
): Promise<ListedInvestigation[]> {
  const records = await readRecords(db, viewer, { covers });
  const found = await readInvestigations(db, { covers }, decisiveSections);
  return found.map(({ summary }) => ({ ...summary, records: records.get(summary.id) ?? [] }));
}

/** Counts the investigations that are not closed. Reads only those that may be closed: their findings are complete. */
export async function countOpenInvestigations(db: Database, parks?: readonly string[]): Promise<number> {
  const count = await countRows(selectInvestigations(db, { parks }));
  const complete = await readInvestigations(db, { parks, isComplete: true }, decisiveSections);
  return count - complete.filter(({ summary }) => summary.state === 'closed').length;
}

/** Returns the investigations whose findings are not complete, with who started them and whether the facts were saved. */
export async function listIncomplete(db: Database) {
  const found = await readInvestigations(db, { isComplete: false }, ['depth', 'facts']);
  return found.map(({ summary, starterId, sectionRows }) => ({
    ...summary,
    starterId,
    hasFacts: sectionRows.some(({ section, saved_at }) => section === 'facts' && saved_at !== null),
  }));
}

export async function findInvestigation(
  db: Database,
  viewer: ParkViewer & { id: string },
  id: string,
  now: Date,
): Promise<Investigation | undefined> {
  const [found] = await readInvestigations(db, { id }, sectionNames);
  if (!found) return undefined;
  const { summary, questions, contents, sectionRows, noteRows, chains } = found;
  const completion = noteRows.find(({ kind }) => kind === 'complete');
  const needsConfirmation = summary.level === 'high' && completion !== undefined && !findConfirmation(noteRows);
  const isOwnName = await createNameTest(db, viewer);
  const stored = new Map(sectionRows.map((section) => [section.section, toStoredSection(section)]));
  return {
    ...summary,
    records: (await readRecords(db, viewer, { id })).get(id) ?? [],
    questions,
    sections: Object.fromEntries(stored) as Investigation['sections'],
    notes: noteRows.map(({ id, kind, about, words, created_at, created_by_name }) => ({
      ...{ id, kind, about, text: words, created_at },
      created_by: created_by_name,
    })),
    actions: await Promise.all(
      chains.map(async (chain) => toAction(chain, viewer, (await listRecentAssignees(db, chain, now)).some(isOwnName))),
    ),
    missing: listMissing(contents),
    needsConfirmation,
    canConfirm: needsConfirmation && completion?.created_by !== viewer.id,
  };
}

const assignedDays = 30;

/** Returns the names of those to whom an action, and what it followed from, were assigned in the last 30 days. */
async function listRecentAssignees(db: Database, { audits }: ActionChain, now: Date): Promise<string[]> {
  const since = new Date(now.getTime() - assignedDays * 24 * 60 * 60_000).toISOString();
  const ids = audits.map(({ id }) => id);
  return [...audits.map(({ data }) => parseData(data).data.assignee), ...(await listAssigneesSince(db, ids, since))];
}

function toAction(
  { first, current, cause, state, doerIds }: ActionChain,
  viewer: ParkViewer & { id: string },
  wasAssigned: boolean,
): Action {
  const park = first.park ?? '';
  const { assignee } = parseData(current.data).data;
  const isVisible = canSeePark(viewer, park);
  return {
    ...{ id: first.id, cause, park, state, current_id: current.id },
    title: isVisible ? first.title : '',
    assignee: isVisible ? assignee : '',
    due: current.date === lastDay ? lastDay : toDueDay(current.due),
    canWaive: (state === 'open' || state === 'toVerify') && !doerIds.includes(viewer.id) && !wasAssigned,
  };
}

/** Stores the content of a section that had this version. */
export async function updateSection(
  db: Database,
  { id, version, content, by, now }: { id: string; version: number; content: object; by: Author; now: Date },
): Promise<void> {
  await db
    .updateTable('investigation_sections')
    .set({
      version: version + 1,
      content: JSON.stringify(content),
      saved_at: now.toISOString(),
      saved_by: by.id,
      saved_by_name: by.username,
    })
    .where('id', '=', id)
    .execute();
}

export async function insertNote(
  db: Database,
  { by, now, ...note }: Pick<NoteRow, 'investigation_id' | 'kind' | 'about' | 'words'> & { by: Author; now: Date },
): Promise<string> {
  const id = newId();
  const author = { created_at: now.toISOString(), created_by: by.id, created_by_name: by.username };
  await db
    .insertInto('investigation_notes')
    .values({ id, ...note, ...author })
    .execute();
  return id;
}

/** A number that grows with each change of a section. */
export async function getInvestigationVersion(db: Database, id: string): Promise<number> {
  const { version } = await db
    .selectFrom('investigation_sections')
    .select((eb) => eb.fn.sum<number>('version').as('version'))
    .where('investigation_id', '=', id)
    .executeTakeFirstOrThrow();
  return Number(version);
}
