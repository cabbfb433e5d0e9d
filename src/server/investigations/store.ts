// Investigations in the database. All reviewers see them, as they see reports.
import { canSeePark, type ParkViewer } from '#shared/access.ts';
import { getToday } from '#shared/dates.ts';
import {
  type Action,
  type Investigation,
  type ListedInvestigation,
  listMissing,
  type SectionContents,
  type SectionName,
  sectionNames,
  storedSections,
} from '#shared/investigations.ts';
import type { StoredMediaFile } from '#shared/uploads.ts';
import { parseData } from '../audits/stored-data.ts';
import { incrementCounter } from '../db/counters.ts';
import type { Database, Tables } from '../db/schema.ts';
import { newId } from '../ids.ts';
import type { RecordWithUploads } from '../uploads/store.ts';
import {
  type ActionChain,
  type ActionRow,
  findConfirmation,
  followActions,
  getProgress,
  type NoteRow,
} from './state.ts';

type InvestigationRow = Tables['investigations'];
export type SectionRow = Tables['investigation_sections'];
type Author = { id: string; username: string };
type CoveredRecord = { thing: 'report' | 'audit'; id: string };

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

/** The number of the investigation that covers a record; undefined if there is none. */
export async function findInvestigationOf(
  db: Database,
  recordId: string,
): Promise<{ id: string; number: string } | undefined> {
  return db
    .selectFrom('investigation_records')
    .innerJoin('investigations', 'investigations.id', 'investigation_records.investigation_id')
    .select(['investigations.id', 'investigations.number'])
    .where('investigation_records.thing_id', '=', recordId)
    .where('investigations.deletion_id', 'is', null)
    .executeTakeFirst();
}

export async function canReadSection(db: Database, sectionId: string): Promise<boolean> {
  const row = await db
    .selectFrom('investigation_sections')
    .innerJoin('investigations', 'investigations.id', 'investigation_sections.investigation_id')
    .select('investigations.id')
    .where('investigation_sections.id', '=', sectionId)
    .where('investigations.deletion_id', 'is', null)
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns the section with the number of its investigation. */
export const findSection = (db: Database, id: string) =>
  db
    .selectFrom('investigation_sections')
    .innerJoin('investigations', 'investigations.id', 'investigation_sections.investigation_id')
    .selectAll('investigation_sections')
    .select('investigations.number')
    .where('investigation_sections.id', '=', id)
    .where('investigations.deletion_id', 'is', null)
    .executeTakeFirst();

export const toStoredSection = ({ id, version, saved_at, saved_by_name, section, content }: SectionRow) => ({
  ...{ id, version, saved_at, saved_by: saved_by_name },
  content: parseContent(section, content),
});

/** The content of a section; what is missing in it is empty. */
export const parseContent = <Name extends SectionName>(section: Name, content: string): SectionContents[Name] =>
  storedSections[section].parse(JSON.parse(content)) as SectionContents[Name];

export const listPhotos = (content: object): StoredMediaFile[] => {
  const { photos = [], list = [] } = content as Partial<SectionContents['facts'] & SectionContents['statements']>;
  return [...photos, ...list.flatMap((item) => item.photos ?? [])];
};

/** Of one investigation, or of all. */
async function listNoteRows(db: Database, of?: string): Promise<NoteRow[]> {
  return db
    .selectFrom('investigation_notes')
    .selectAll()
    .$if(of !== undefined, (qb) => qb.where('investigation_id', '=', of ?? ''))
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

/** The audits of actions and their follow-ups, deleted ones too, in the order of their creation. */
async function listActionRows(db: Database, of?: string): Promise<ActionRow[]> {
  return db
    .selectFrom('audits')
    .leftJoin('folders', 'folders.id', 'audits.folder_id')
    .select(['audits.id', 'audits.title', 'audits.investigation_id', 'audits.source_thing', 'audits.source_id'])
    .select(['audits.source_section', 'audits.date', 'audits.completed', 'audits.verify_days', 'audits.verify_by'])
    .select(['audits.verified', 'audits.assignee_id', 'audits.completed_by_id', 'audits.deletion_id', 'audits.data'])
    .select('folders.park')
    .select((eb) =>
      eb
        .selectFrom('audit_notes')
        .select('audit_notes.created_at')
        .whereRef('audit_notes.audit_id', '=', 'audits.id')
        .where('audit_notes.verified', 'is not', null)
        .limit(1)
        .as('verified_at'),
    )
    .$if(of !== undefined, (qb) => qb.where('audits.investigation_id', '=', of ?? ''))
    .$if(of === undefined, (qb) => qb.where('audits.investigation_id', 'is not', null))
    .orderBy('audits.created_at')
    .orderBy('audits.id')
    .execute();
}

type RecordRow = { investigation_id: string; record: ListedInvestigation['records'][number] };

async function listRecordRows(db: Database, viewer: ParkViewer, of?: string): Promise<RecordRow[]> {
  const rows = await db
    .selectFrom('investigation_records')
    .leftJoin('reports', (join) =>
      join.onRef('reports.id', '=', 'investigation_records.thing_id').on('reports.deletion_id', 'is', null),
    )
    .leftJoin('audits', (join) =>
      join.onRef('audits.id', '=', 'investigation_records.thing_id').on('audits.deletion_id', 'is', null),
    )
    .leftJoin('folders', 'folders.id', 'audits.folder_id')
    .select(['investigation_records.investigation_id', 'investigation_records.thing', 'investigation_records.thing_id'])
    .select(['reports.number', 'reports.selectedPlace', 'reports.date', 'audits.title', 'audits.created_at'])
    .select('folders.park')
    .$if(of !== undefined, (qb) => qb.where('investigation_records.investigation_id', '=', of ?? ''))
    .orderBy('reports.created_at')
    .orderBy('investigation_records.thing_id')
    .execute();
  return rows.map(({ investigation_id, thing, thing_id, number, selectedPlace, date, title, created_at, park }) => {
    const label = thing === 'report' ? number : park !== null && canSeePark(viewer, park) ? title : '';
    const day = date ?? (created_at ? getToday(new Date(created_at)) : '');
    return {
      investigation_id,
      record: { thing, id: thing_id, label: label ?? '', park: selectedPlace ?? park ?? '', day },
    };
  });
}

function readContents(rows: SectionRow[]): SectionContents {
  const find = <Name extends SectionName>(name: Name) =>
    parseContent(name, rows.find(({ section }) => section === name)?.content ?? '{}');
  return {
    madeSafe: find('madeSafe'),
    depth: find('depth'),
    facts: find('facts'),
    statements: find('statements'),
    causes: find('causes'),
    risk: find('risk'),
  };
}

/** What the state of an investigation depends on. */
const decisiveSections: SectionName[] = ['depth', 'causes', 'risk'];

/** Returns all investigations, newest first, or the one that covers a record. */
export async function listInvestigations(
  db: Database,
  viewer: ParkViewer,
  recordId?: string,
): Promise<ListedInvestigation[]> {
  const one = recordId === undefined ? undefined : await findInvestigationOf(db, recordId);
  if (recordId !== undefined && !one) return [];
  const rows = await db
    .selectFrom('investigations')
    .selectAll()
    .where('deletion_id', 'is', null)
    .$if(one !== undefined, (qb) => qb.where('id', '=', one?.id ?? ''))
    .orderBy('created_at', 'desc')
    .orderBy('number', 'desc')
    .execute();
  const sections = await db
    .selectFrom('investigation_sections')
    .selectAll()
    .where('section', 'in', decisiveSections)
    .$if(one !== undefined, (qb) => qb.where('investigation_id', '=', one?.id ?? ''))
    .execute();
  const sectionsById = Map.groupBy(sections, ({ investigation_id }) => investigation_id);
  const notesById = Map.groupBy(await listNoteRows(db, one?.id), ({ investigation_id }) => investigation_id);
  const actionsById = Map.groupBy(await listActionRows(db, one?.id), ({ investigation_id }) => investigation_id ?? '');
  const recordsById = Map.groupBy(
    await listRecordRows(db, viewer, one?.id),
    ({ investigation_id }) => investigation_id,
  );
  return rows.map((row) => {
    const notes = notesById.get(row.id) ?? [];
    const contents = readContents(sectionsById.get(row.id) ?? []);
    const { questions: _, ...progress } = getProgress(
      row.created_at,
      contents,
      notes,
      followActions(actionsById.get(row.id) ?? [], notes),
    );
    const records = (recordsById.get(row.id) ?? []).map(({ record }) => record);
    return { ...toSummary(row), records, level: contents.depth.level, ...progress };
  });
}

const toSummary = ({ id, number, park, created_at, created_by_name }: InvestigationRow) => ({
  ...{ id, number, park, created_at },
  created_by: created_by_name,
});

/** An investigation as a user sees it, with what its rows say. */
export type FoundInvestigation = Investigation & { chains: ActionChain[]; noteRows: NoteRow[] };

export async function findInvestigation(
  db: Database,
  viewer: ParkViewer & { id: string },
  id: string,
): Promise<FoundInvestigation | undefined> {
  const row = await db
    .selectFrom('investigations')
    .selectAll()
    .where('id', '=', id)
    .where('deletion_id', 'is', null)
    .executeTakeFirst();
  if (!row) return undefined;
  const sectionRows = await db
    .selectFrom('investigation_sections')
    .selectAll()
    .where('investigation_id', '=', id)
    .execute();
  const noteRows = await listNoteRows(db, id);
  const chains = followActions(await listActionRows(db, id), noteRows);
  const contents = readContents(sectionRows);
  const progress = getProgress(row.created_at, contents, noteRows, chains);
  const completion = noteRows.find(({ kind }) => kind === 'complete');
  const needsConfirmation = contents.depth.level === 'high' && completion !== undefined && !findConfirmation(noteRows);
  const stored = new Map(sectionRows.map((section) => [section.section, toStoredSection(section)]));
  return {
    ...toSummary(row),
    records: (await listRecordRows(db, viewer, id)).map(({ record }) => record),
    level: contents.depth.level,
    ...progress,
    sections: Object.fromEntries(stored) as Investigation['sections'],
    notes: noteRows.map(({ id, kind, about, words, created_at, created_by_name }) => ({
      ...{ id, kind, about, text: words, created_at },
      created_by: created_by_name,
    })),
    actions: chains.map((chain) => toAction(chain, viewer)),
    missing: listMissing(contents),
    needsConfirmation,
    canConfirm: needsConfirmation && completion?.created_by !== viewer.id,
    ...{ chains, noteRows },
  };
}

function toAction({ first, current, cause, state, doerIds }: ActionChain, viewer: ParkViewer & { id: string }): Action {
  const park = first.park ?? '';
  const isVisible = canSeePark(viewer, park);
  return {
    ...{ id: first.id, cause, park, state, current_id: current.id },
    title: isVisible ? first.title : '',
    assignee: isVisible ? parseData(current.data).data.assignee : '',
    due: current.verify_by ?? current.date,
    canWaive: (state === 'open' || state === 'toVerify') && !doerIds.includes(viewer.id),
  };
}

/** Stores the content of a section if it still has this version; returns whether it had. */
export async function updateSection(
  db: Database,
  { id, version, content, by, now }: { id: string; version: number; content: object; by: Author; now: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('investigation_sections')
    .set({
      version: version + 1,
      content: JSON.stringify(content),
      saved_at: now.toISOString(),
      saved_by: by.id,
      saved_by_name: by.username,
    })
    .where('id', '=', id)
    .where('version', '=', version)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function insertNote(
  db: Database,
  {
    by,
    now,
    text,
    ...note
  }: Pick<NoteRow, 'investigation_id' | 'kind' | 'about'> & {
    text: string;
    by: Author;
    now: Date;
  },
): Promise<string> {
  const id = newId();
  await db
    .insertInto('investigation_notes')
    .values({
      ...{ id, words: text, created_at: now.toISOString(), created_by: by.id, created_by_name: by.username },
      ...note,
    })
    .execute();
  return id;
}

/** Permanently deletes an investigation; returns the records that may have uploads. */
export async function deleteInvestigation(db: Database, id: string): Promise<RecordWithUploads[]> {
  const sections = await db
    .deleteFrom('investigation_sections')
    .where('investigation_id', '=', id)
    .returning('id')
    .execute();
  await db.deleteFrom('investigation_notes').where('investigation_id', '=', id).execute();
  await db.deleteFrom('investigation_records').where('investigation_id', '=', id).execute();
  await db.deleteFrom('investigations').where('id', '=', id).execute();
  return sections.map((section) => ({ attached_to: 'investigation', attached_id: section.id }));
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
