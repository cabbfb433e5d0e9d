// Submissions in the database. Answers are one JSON text; signatures are large, so they have their
// own table and are read only when shown.
import { type Answers, findAnsweredPark } from '#shared/answers.ts';
import type { Checklist, Section, Submission, SubmissionQuery } from '#shared/checklists.ts';
import { getNextDay, getStartOfDay } from '#shared/dates.ts';
import { foldText, getSearchWords } from '#shared/text.ts';
import { incrementCounter } from '../db/counters.ts';
import { getPositionAt } from '../db/position.ts';
import type { Database } from '../db/schema.ts';
import { searchRows } from '../db/search.ts';
import { newId } from '../ids.ts';

type NewSubmissionRow = {
  checklist: Checklist;
  /** Without signatures. */
  answers: Answers;
  /** Data URLs by section. */
  signatures: Map<number, string>;
  captured_at?: string | null;
  by: { id: string; username: string; park: string };
  now: Date;
};

/** Inserts a submission with its number, counted per year. */
export async function insertSubmission(
  db: Database,
  { checklist, answers, signatures, captured_at, by, now }: NewSubmissionRow,
) {
  const id = newId();
  const submittedAt = now.toISOString();
  const year = now.getUTCFullYear();
  const number = `CHK-${year}-${String(await incrementCounter(db, `submission ${year}`)).padStart(4, '0')}`;
  const park = findAnsweredPark(checklist.sections, answers) || by.park;
  const words = Object.values(answers).filter((answer) => typeof answer === 'string');
  await db
    .insertInto('submissions')
    .values({
      id,
      number,
      position: getPositionAt(submittedAt, await incrementCounter(db, 'submissions')),
      checklist_id: checklist.id,
      checklist_version: checklist.version,
      checklist_title: checklist.title,
      data: JSON.stringify(answers),
      search_text: foldText([number, checklist.title, by.username, park, ...words].join('\n')),
      submitted_at: submittedAt,
      submitted_by: by.id,
      submitted_by_name: by.username,
      park,
      captured_at,
      deletion_id: null,
    })
    .execute();
  const rows = [...signatures].map(([section, data_url]) => ({ submission_id: id, section, data_url }));
  if (rows.length > 0) await db.insertInto('submission_signatures').values(rows).execute();
  return { id, number };
}

type SubmissionRow = Omit<Submission, 'data' | 'sections'> & { data: string; sections: string };

/** Returns matching submissions, newest first, without answers. */
export async function listSubmissions(db: Database, query: SubmissionQuery): Promise<Submission[]> {
  const rows = await selectSubmissions(db, query, query.limit ?? 500);
  return rows.map((row) => ({ ...toSubmission(row), data: {} }));
}

/** Returns all submissions with answers, page by page, so that other work can run in between. */
export async function* readSubmissionPages(db: Database): AsyncGenerator<Submission[]> {
  for await (const page of readAnswerPages(db, {})) yield addSignatures(db, page);
}

/** Every submission of the query, without its signatures, a page at a time. */
export async function* readAnswerPages(db: Database, query: SubmissionQuery): AsyncGenerator<Submission[]> {
  const size = 100;
  let after: string | undefined;
  for (;;) {
    const page = await selectSubmissions(db, { ...query, after }, size);
    yield page.map(toSubmission);
    if (page.length < size) return;
    after = page.at(-1)?.id;
    await new Promise(setImmediate);
  }
}

async function selectSubmissions(db: Database, query: SubmissionQuery, limit: number): Promise<SubmissionRow[]> {
  const { q = '', title, park, from, to } = query;
  const after = query.after
    ? await db.selectFrom('submissions').select('position').where('id', '=', query.after).executeTakeFirst()
    : undefined;
  if (query.after && !after) return [];
  // Find the positions with the index first, then read only the rows needed.
  const { found, position } = searchRows(db, 'submissions', getSearchWords(q));
  const positions = found
    .select(position.as('position'))
    .where('submissions.deletion_id', 'is', null)
    .$if(title !== undefined, (only) => only.where('submissions.checklist_title', '=', title ?? ''))
    .$if(park !== undefined, (only) => only.where('submissions.park', '=', park ?? ''))
    .$if(from !== undefined, (only) => only.where(position, '>=', getPositionAt(getStartOfDay(from ?? ''), 0)))
    .$if(to !== undefined, (only) => only.where(position, '<', getPositionAt(getStartOfDay(getNextDay(to ?? '')), 0)))
    .$if(after !== undefined, (only) => only.where(position, '<', after?.position ?? 0))
    .orderBy(position, 'desc')
    .limit(limit);
  return selectWithSections(db)
    .where('submissions.position', 'in', positions)
    .orderBy('submissions.position', 'desc')
    .execute();
}

const selectWithSections = (db: Database) =>
  db
    .selectFrom('submissions')
    .innerJoin('checklist_versions', (join) =>
      join
        .onRef('checklist_versions.checklist_id', '=', 'submissions.checklist_id')
        .onRef('checklist_versions.version', '=', 'submissions.checklist_version'),
    )
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
      'submissions.data',
      'checklist_versions.sections',
    ]);

/** Returns one submission with answers and signatures. */
export async function findSubmission(db: Database, id: string): Promise<Submission | undefined> {
  const row = await selectWithSections(db)
    .where('submissions.id', '=', id)
    .where('submissions.deletion_id', 'is', null)
    .executeTakeFirst();
  return row && (await addSignatures(db, [toSubmission(row)]))[0];
}

const toSubmission = (row: SubmissionRow): Submission => ({
  ...row,
  data: JSON.parse(row.data) as Answers,
  sections: JSON.parse(row.sections) as Section[],
});

async function addSignatures(db: Database, submissions: Submission[]): Promise<Submission[]> {
  if (submissions.length === 0) return submissions;
  const byId = new Map(submissions.map((submission) => [submission.id, submission]));
  const signatures = await db
    .selectFrom('submission_signatures')
    .selectAll()
    .where('submission_id', 'in', [...byId.keys()])
    .execute();
  for (const { submission_id, section, data_url } of signatures) {
    const submission = byId.get(submission_id);
    if (submission) submission.data[section] = data_url;
  }
  return submissions;
}

/** The sections of every version that was filled in under this title, newest version first. */
export async function listSubmittedSections(db: Database, title: string): Promise<Section[][]> {
  const rows = await db
    .selectFrom('checklist_versions')
    .select(['sections', 'checklist_id', 'version'])
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
  return rows.map(({ sections }) => JSON.parse(sections) as Section[]);
}

/** Returns all titles, including those of deleted or renamed checklists. */
export async function listTitles(db: Database): Promise<string[]> {
  const rows = await db
    .selectFrom('submissions')
    .select('checklist_title')
    .distinct()
    .where('deletion_id', 'is', null)
    .orderBy('checklist_title')
    .execute();
  return rows.map((row) => row.checklist_title);
}
