// Submissions in the database. Answers are one JSON text; signatures are large, so they have their
// own table and are read only when shown.
import { sql } from 'kysely';
import { canSeePark, type ParkViewer } from '#shared/access.ts';
import type { Answers } from '#shared/answers.ts';
import type { Checklist, NotesRule, Section, StoredFailures, Submission, SubmissionQuery } from '#shared/checklists.ts';
import { getNextDay, getStartOfDay } from '#shared/dates.ts';
import { getDeviceTime } from '#shared/schedules/check-state.ts';
import { foldText, getSearchWords } from '#shared/text.ts';
import { getEngine } from '../db/connect.ts';
import { incrementCounter } from '../db/counters.ts';
import { getPositionAt } from '../db/position.ts';
import { findsRow } from '../db/queries.ts';
import { isReader } from '../db/reader.ts';
import type { Database, Tables } from '../db/schema.ts';
import { containsText, searchRows } from '../db/search.ts';
import { nextSlice } from '../event-loop.ts';
import { getIds, newId } from '../ids.ts';
import { listUsersNamed } from '../names/user-names.ts';
import { isAtPlace } from '../places/links/place-links.ts';
import { placeSubmission, updateAnsweredChecks } from '../schedules/link-submissions.ts';
import { newTypePattern, withFirstTypes } from './first-types.ts';
import { toNoteColumns } from './notes.ts';

type NewSubmissionRow = {
  checklist: Checklist;
  /** Answers without signatures. */
  answers: Answers;
  /** Signatures as data URLs, by section. */
  signatures: Map<number, string>;
  captured_at?: string | null;
  park: string;
  /** The id of its place; null for the park as a whole, undefined if the page knows no places. */
  placeId?: string | null | undefined;
  passed: boolean;
  /** Notes and photos of failing and other answers, by section. */
  noted?: { failures: StoredFailures; notes: StoredFailures };
  /** The ids of users whom answers name, by section. */
  people?: Map<number, string>;
  by: { id: string; username: string };
  now: Date;
};

/**
 * The number of characters of a submission that are searched. The longest possible submission has a
 * million, and indexing them would delay other writes by half a second.
 */
const searchedCharacters = 50_000;

type SearchedSubmission = Pick<
  Tables['submissions'],
  'number' | 'checklist_title' | 'submitted_by_name' | 'park' | 'data' | 'failure_notes' | 'notes'
>;

export function createSubmissionSearchText(row: SearchedSubmission): string {
  const texts = Object.values(JSON.parse(row.data) as Answers).filter((answer) => typeof answer === 'string');
  const notes = [row.failure_notes, row.notes].flatMap((stored) =>
    Object.values(JSON.parse(stored ?? '{}') as StoredFailures).map(({ note }) => note),
  );
  const searchedFields = [row.number, row.checklist_title, row.submitted_by_name, row.park, ...notes, ...texts]
    .join('\n')
    .slice(0, searchedCharacters);
  // The text was cut before folding, so it may end with half of a surrogate pair, which is replaced
  // here.
  return foldText(searchedFields).toWellFormed();
}

/**
 * Inserts a submission with its number, counted per year, and links it to its place and to the check that it answers.
 * `isForSeveralPlaces` says whether it was sent without a place, and cannot be for one place only.
 */
export async function insertSubmission(
  db: Database,
  { checklist, answers, signatures, captured_at = null, park, placeId, by, now, ...given }: NewSubmissionRow,
) {
  const { passed, noted = { failures: {}, notes: {} }, people = new Map<number, string>() } = given;
  const id = newId();
  const submittedAt = now.toISOString();
  const year = now.getUTCFullYear();
  const number = `CHK-${year}-${String(await incrementCounter(db, `submission ${year}`)).padStart(4, '0')}`;
  const columns = {
    number,
    checklist_title: checklist.title,
    submitted_by_name: by.username,
    park,
    data: JSON.stringify(answers),
    ...toNoteColumns(noted),
  };
  const stored = {
    ...{ id, checklist_id: checklist.id, park, captured_at },
    ...{ submitted_at: submittedAt, submitted_by: by.id },
    filled_in_at: getDeviceTime({ receivedAt: submittedAt, capturedAt: captured_at }),
    place_sent: placeId === undefined ? null : (placeId ?? ''),
  };
  await db
    .insertInto('submissions')
    .values({
      ...columns,
      ...stored,
      position: getPositionAt(submittedAt, await incrementCounter(db, 'submissions')),
      checklist_version: checklist.version,
      search_text: createSubmissionSearchText(columns),
      deletion_id: null,
      passed: passed ? 1 : 0,
      failures: Object.keys(noted.failures).length,
    })
    .execute();
  const rows = [...signatures].map(([section, data_url]) => ({ submission_id: id, section, data_url }));
  if (rows.length > 0) await db.insertInto('submission_signatures').values(rows).execute();
  const peopleRows = [...people].map(([section, user_id]) => ({ submission_id: id, section, user_id }));
  if (peopleRows.length > 0) await db.insertInto('submission_people').values(peopleRows).execute();
  const isForSeveralPlaces = await placeSubmission(db, stored);
  await updateAnsweredChecks(db, stored);
  return { id, number, isForSeveralPlaces };
}

type RowWithoutAnswers = Omit<
  Submission,
  'data' | 'sections' | 'failing' | 'failures' | 'notes' | 'people' | 'place' | 'place_not_known'
> & {
  sections: string;
  failing: number;
  failure_notes: string | null;
  notes: string | null;
  place_sent: string | null;
  place_id: string | null;
  place_name: string | null;
};
type SubmissionRow = RowWithoutAnswers & { data: string };

/** Who gets submissions, and whether their page knows the types of questions that came after the first ones. */
type Viewer = { user: ParkViewer; knowsNewTypes: boolean };

/** Returns matching submissions, newest first, without answers, as JSON ready to send. */
export async function listSubmissionsAsJson(db: Database, viewer: Viewer, query: SubmissionQuery): Promise<Buffer> {
  const rows = await selectWithoutAnswers(db)
    .select('checklist_versions.sections')
    .where('submissions.position', 'in', await selectPositions(db, query, query.limit ?? 500))
    .orderBy('submissions.position', 'desc')
    .execute();
  const texts = rows.map(({ sections, ...row }) => toJson(viewer, row, { data: '{}', sections }).join(''));
  return Buffer.from(`[${texts.join()}]`);
}

/**
 * Yields every submission with answers and signatures, as chunks of JSON ready to send. They are
 * bytes, because megabytes of text would be decoded and encoded again.
 */
export async function* readSubmissionsAsJson(db: Database, viewer: Viewer): AsyncGenerator<Buffer> {
  for await (const positions of readPositions(db, {})) {
    const page = await selectWithoutAnswers(db)
      .select([
        selectBytes(db, 'submissions.data').as('data'),
        selectBytes(db, 'checklist_versions.sections').as('sections'),
      ])
      .where('submissions.position', 'in', positions)
      .orderBy('submissions.position', 'desc')
      .execute();
    const signatures = Map.groupBy(await selectSignatures(db, page), ({ submission_id }) => submission_id);
    const people = Map.groupBy(await selectPeople(db, page), ({ submission_id }) => submission_id);
    const rows = page.map(({ data, sections, ...row }) =>
      toJson(viewer, row, { data, sections, signatures: signatures.get(row.id), people: people.get(row.id) }),
    );
    const parts = rows.flatMap((row, at) => [at === 0 ? '[' : ',', ...row]);
    yield Buffer.concat([...parts, ']'].map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
  }
}

/** A text column's UTF-8 bytes, or its text on PostgreSQL, which sends bytes as twice as many digits. */
const selectBytes = (db: Database, column: string) =>
  getEngine(db) === 'sqlite' ? sql<JsonPart>`cast(${sql.ref(column)} as blob)` : sql<JsonPart>`${sql.ref(column)}`;

/** Yields every matching submission without its signatures, page by page. */
export async function* readAnswerPages(db: Database, query: SubmissionQuery): AsyncGenerator<Submission[]> {
  for await (const positions of readPositions(db, query)) {
    const page = await selectWithAnswers(db)
      .where('submissions.position', 'in', positions)
      .orderBy('submissions.position', 'desc')
      .execute();
    yield page.map((row) => toSubmission(row, everyPark));
  }
}

/**
 * A page ends at about this size or this many submissions, because a submission may have megabytes.
 */
const pageBytes = 250_000;
const pageSize = 100;

/**
 * Yields the positions of the submissions of one page at a time. Pages are small, because a page is
 * in memory until a slow client has read it.
 */
async function* readPositions(db: Database, query: SubmissionQuery): AsyncGenerator<number[]> {
  for (let before = Number.POSITIVE_INFINITY; ; ) {
    const sizes = await selectSizes(db, query, before);
    for (const positions of splitBySize(sizes)) {
      await nextSlice();
      yield positions;
    }
    const last = sizes.at(-1);
    if (!last || sizes.length < pageSize) return;
    before = last.position;
  }
}

function splitBySize(sizes: { position: number; bytes: number }[]): number[][] {
  const pages: number[][] = [];
  let bytesLeft = 0;
  for (const { position, bytes } of sizes) {
    if (bytes > bytesLeft) {
      pages.push([]);
      bytesLeft = pageBytes;
    }
    pages.at(-1)?.push(position);
    bytesLeft -= bytes;
  }
  return pages;
}

const selectSizes = async (db: Database, query: SubmissionQuery, before: number) =>
  selectJoined(db)
    .select(({ fn, selectFrom }) => {
      const countBytes = (column: string) => sql<number>`octet_length(${sql.ref(column)})`;
      const signatures = selectFrom('submission_signatures')
        .select(fn.coalesce(fn.sum<number>(countBytes('data_url')), sql.lit(0)).as('bytes'))
        .whereRef('submission_id', '=', 'submissions.id');
      return [
        'submissions.position',
        sql<number>`${countBytes('submissions.data')} + ${countBytes('checklist_versions.sections')} + ${signatures}`.as(
          'bytes',
        ),
      ];
    })
    .where('submissions.position', 'in', await selectPositions(db, query, pageSize, before))
    .orderBy('submissions.position', 'desc')
    .execute();

/**
 * Selects the positions of matching submissions from the indexes, so that only the needed rows are
 * read. Full names are shown with submissions but are not part of their text, so their users'
 * submissions are looked up.
 */
async function selectPositions(
  db: Database,
  { q = '', title, park, place, from, to, failing, after }: SubmissionQuery,
  limit: number,
  before = Number.POSITIVE_INFINITY,
) {
  const cursor = after
    ? await db.selectFrom('submissions').select('position').where('id', '=', after).executeTakeFirst()
    : undefined;
  const words = getSearchWords(q);
  const users = await listUsersNamed(db, words);
  const select = ({ matches, position }: SubmissionRows) =>
    matches
      .select(position.as('position'))
      .where('submissions.deletion_id', 'is', null)
      .$if(title !== undefined, (qb) => qb.where('submissions.checklist_title', '=', title ?? ''))
      .$if(park !== undefined, (qb) => qb.where('submissions.park', '=', park ?? ''))
      .$if(place !== undefined, (qb) => qb.where(isAtPlace('submissions.id', place ?? '')))
      .$if(failing !== undefined, (qb) => qb.where('submissions.failures', '>', sql.lit(0)))
      .$if(from !== undefined, (qb) => qb.where(position, '>=', getPositionAt(getStartOfDay(from ?? ''), 0)))
      .$if(to !== undefined, (qb) => qb.where(position, '<', getPositionAt(getStartOfDay(getNextDay(to ?? '')), 0)))
      .$if(after !== undefined, (qb) => qb.where(position, '<', cursor?.position ?? 0))
      .$if(Number.isFinite(before), (qb) => qb.where(position, '<', before))
      .orderBy(position, 'desc')
      .limit(limit);
  const byText = select(searchRows(db, 'submissions', words));
  if (users.length === 0) return byText;
  const byUser = select(selectSubmissionsOfUsers(db, users));
  return db
    .selectFrom(byText.as('by_text'))
    .select('position')
    .union(db.selectFrom(byUser.as('by_user')).select('position'))
    .orderBy('position', 'desc')
    .limit(limit);
}

type SubmissionRows = ReturnType<typeof searchRows<'submissions'>>;

/** Selects the submissions of these users that contain the searched words that are not in their names. */
function selectSubmissionsOfUsers(db: Database, users: Awaited<ReturnType<typeof listUsersNamed>>): SubmissionRows {
  const byOtherWords = Map.groupBy(users, ({ otherWords }) => otherWords.join(' '));
  const position = sql<number>`${sql.ref('submissions.position')}`;
  const matches = db
    .selectFrom('submissions')
    .where((eb) =>
      eb.or(
        [...byOtherWords.values()].map((named) =>
          eb.and([
            eb('submissions.submitted_by', 'in', getIds(named)),
            ...(named[0]?.otherWords ?? []).map((word) => containsText('submissions.search_text', word)),
          ]),
        ),
      ),
    );
  return { matches: isReader(db) ? matches.where(sql<boolean>`should_continue(${position})`) : matches, position };
}

const selectJoined = (db: Database) =>
  db
    .selectFrom('submissions')
    .innerJoin('checklist_versions', (join) =>
      join
        .onRef('checklist_versions.checklist_id', '=', 'submissions.checklist_id')
        .onRef('checklist_versions.version', '=', 'submissions.checklist_version'),
    );

const selectWithoutAnswers = (db: Database) =>
  selectJoined(db)
    .leftJoin('place_links', 'place_links.thing_id', 'submissions.id')
    .leftJoin('places', 'places.id', 'place_links.place_id')
    .select([
      'submissions.id',
      'submissions.number',
      'submissions.checklist_id',
      'submissions.checklist_title',
      'submissions.checklist_version',
      'submissions.submitted_at',
      'submissions.submitted_by_name as submitted_by',
      'submissions.park',
      'submissions.captured_at',
      'submissions.failures as failing',
      'submissions.failure_notes',
      'submissions.notes',
      'submissions.place_sent',
      'places.id as place_id',
      'places.name as place_name',
    ]);

const selectWithAnswers = (db: Database) =>
  selectWithoutAnswers(db).select(['submissions.data', 'checklist_versions.sections']);

/** Returns one submission with answers and signatures, without its place if the viewer does not see that park. */
export async function findSubmission(
  db: Database,
  id: string,
  viewer: ParkViewer = everyPark,
): Promise<Submission | undefined> {
  const row = await selectWithAnswers(db)
    .where('submissions.id', '=', id)
    .where('submissions.deletion_id', 'is', null)
    .executeTakeFirst();
  if (!row) return undefined;
  const submission = toSubmission(row, viewer);
  const people = await selectPeople(db, [row]);
  if (people.length > 0) submission.people = toPeople(people);
  for (const { section, data_url } of await selectSignatures(db, [row])) submission.data[section] = data_url;
  return submission;
}

const everyPark: ParkViewer = { parks: null };

/** Replaces the columns of the place, which has the park of its submission. */
const withPlace = <Row extends Pick<RowWithoutAnswers, 'park' | 'place_sent' | 'place_id' | 'place_name'>>(
  { place_sent, place_id, place_name, ...row }: Row,
  viewer: ParkViewer,
) => ({
  ...row,
  place: place_id && canSeePark(viewer, row.park) ? { id: place_id, name: place_name ?? '' } : null,
  place_not_known: Boolean(place_sent) && place_id === null,
});

const toSubmission = ({ failing, failure_notes, notes, ...row }: SubmissionRow, viewer: ParkViewer): Submission => ({
  ...withPlace(row, viewer),
  data: JSON.parse(row.data) as Answers,
  sections: JSON.parse(row.sections) as Section[],
  ...(failing > 0 && { failing, failures: JSON.parse(failure_notes ?? '{}') as StoredFailures }),
  ...(notes && { notes: JSON.parse(notes) as StoredFailures }),
});

type SignatureRow = { section: number; data_url: string };

type JsonPart = string | Buffer;

type Content = {
  data: JsonPart;
  sections: JsonPart;
  signatures?: SignatureRow[] | undefined;
  people?: PersonRow[] | undefined;
};

/**
 * Returns the parts of a submission's JSON. Answers and sections are stored as JSON and are
 * inserted as they are: parsing and serialising megabytes would delay other requests.
 */
function toJson(
  { user, knowsNewTypes }: Viewer,
  { failing, failure_notes, notes, ...row }: Omit<RowWithoutAnswers, 'sections'>,
  { data, sections, signatures = [], people = [] }: Content,
): JsonPart[] {
  const members = signatures.map(({ section, data_url }) => `"${section}":${JSON.stringify(data_url)}`);
  const answers = typeof data === 'string' ? data.slice(1, -1) : data.subarray(1, -1);
  const separator = answers.length > 0 && members.length > 0 ? ',' : '';
  const more = [
    failing > 0 ? `,"failing":${failing},"failures":${failure_notes ?? '{}'}` : '',
    notes ? `,"notes":${notes}` : '',
    people.length > 0 ? `,"people":${JSON.stringify(toPeople(people))}` : '',
  ];
  const start = `${JSON.stringify(withPlace(row, user)).slice(0, -1)},"data":{`;
  const parts = [start, answers, `${separator}${members.join()}},"sections":`, sections, `${more.join('')}}`];
  if (knowsNewTypes || !newTypePattern.test(sections.toString())) return parts;
  return [JSON.stringify(withFirstTypes(JSON.parse(parts.map(String).join('')) as Submission))];
}

const selectSignatures = (db: Database, rows: { id: string }[]) =>
  db.selectFrom('submission_signatures').selectAll().where('submission_id', 'in', getIds(rows)).execute();

type PersonRow = { section: number; user_id: string };

const selectPeople = (db: Database, rows: { id: string }[]) =>
  db.selectFrom('submission_people').selectAll().where('submission_id', 'in', getIds(rows)).execute();

const toPeople = (people: PersonRow[]): Record<string, string> =>
  Object.fromEntries(people.map(({ section, user_id }) => [section, user_id]));

/** Whether answers that do not fail may have notes, by any version of a checklist. */
export const mayHaveOtherNotes = (db: Database): Promise<boolean> =>
  findsRow(
    db
      .selectFrom('checklist_versions')
      .where(({ eb, or }) => or([eb('notes', '<>', 'failing'), eb('sections', 'like', '%"type":"photo"%')])),
  );

/**
 * Returns the sections of every submitted version of checklists with this title, newest version
 * first, and which answers take notes.
 */
export async function listSubmittedVersions(
  db: Database,
  title: string,
): Promise<{ sections: Section[]; notes: NotesRule }[]> {
  const rows = await db
    .selectFrom('checklist_versions')
    .select(['sections', 'notes', 'checklist_id', 'version'])
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('submissions')
          .select('submissions.id')
          .whereRef('submissions.checklist_id', '=', 'checklist_versions.checklist_id')
          .whereRef('submissions.checklist_version', '=', 'checklist_versions.version')
          .where('submissions.checklist_title', '=', title)
          .where('submissions.deletion_id', 'is', null),
      ),
    )
    .orderBy('created_at', 'desc')
    .execute();
  return rows.map(({ sections, notes }) => ({ sections: JSON.parse(sections) as Section[], notes }));
}

/** Returns the titles of all submitted checklists, including those deleted or renamed since. */
export async function listSubmissionTitles(db: Database): Promise<string[]> {
  const rows = await db
    .selectFrom('submissions')
    .select('checklist_title')
    .distinct()
    .where('deletion_id', 'is', null)
    .orderBy('checklist_title')
    .execute();
  return rows.map((row) => row.checklist_title);
}
