// Finds every record that names a person, deleted ones too, and lists the fields and the other
// people in each.
import { formatDay, formatInstantDay } from '#shared/dates.ts';
import { accountFields, type Hit, type Person } from '#shared/law/access-requests.ts';
import { foldText } from '#shared/text.ts';
import type { StoredMediaFile } from '#shared/uploads.ts';
import { isWithoutErasedName } from '../db/erased-names.ts';
import type { Database } from '../db/schema.ts';
import { containsText } from '../db/search.ts';
import { createNameFinder, type NameFinder } from '../db/user-names.ts';
import { createMatcher } from './matching.ts';

type Fields = Record<string, string>;

type Candidate = Pick<Hit, 'id' | 'thing' | 'label'> & {
  fields: Fields;
  /** Names of the fields that contain a person's name. */
  people: string[];
  images: string[];
  /** The record's contact number, which belongs to the person in its field `name`. */
  number?: string;
};

/** Stands for a viewer of every park, so that the copy shows the full names of all users. */
export const everyParkViewer = { role: 'Admin', park: '' } as const;

/** Fields that hold a username. An assignee need not have an account. */
const usernameFields = new Set([...accountFields, 'assignee']);

const maxTextLength = 10_000;

/**
 * Returns every record that names the person. Compares all stored text, in small pages, which takes
 * seconds of CPU time; see record-search.ts.
 */
export async function gatherHits(db: Database, person: Person, excludedRequestId = ''): Promise<Hit[]> {
  const matcher = createMatcher(person);
  const getName = await createNameFinder(db, everyParkViewer);
  const hits: Hit[] = [];
  for await (const candidate of readCandidates(db, person, excludedRequestId, getName)) {
    const shownFields = Object.entries(candidate.fields).map(
      ([field, text]) => [field, usernameFields.has(field) ? getName(text) : text] as const,
    );
    // A field with a username matches by the username and by the full name shown for it.
    const fieldMatches = shownFields.map(([field, text]) => {
      const username = candidate.fields[field] ?? '';
      const matches = [...new Set([text, username])].map((searchedText) => matcher.findInText(searchedText));
      return [field, matches.includes('sure') ? 'sure' : matches.find(Boolean)] as const;
    });
    const matchingFields = fieldMatches.flatMap(([field, match]) => (match ? [field] : []));
    if (matchingFields.length === 0) continue;
    const fieldsWithName = fieldMatches.flatMap(([field, match]) => (match === 'sure' ? [field] : []));
    const isNamesake =
      fieldsWithName.length === 1 && fieldsWithName[0] === 'name' && matcher.isOtherNumber(candidate.number ?? '');
    const { id, thing, label, people, images } = candidate;
    hits.push({
      id,
      thing,
      label,
      where: matchingFields,
      isPossible: fieldsWithName.length === 0 || isNamesake,
      others: [
        ...new Set(
          shownFields.flatMap(([field, text]) =>
            people.includes(field) && text && !matchingFields.includes(field) ? [text] : [],
          ),
        ),
      ],
      texts: shownFields
        .filter(([, text]) => text !== '')
        .map(([field, text]) => ({ field, text: text.slice(0, maxTextLength) })),
      images,
    });
  }
  return hits;
}

const pageSize = 50;
/** Few at a time, because a submission may have megabytes of text. */
const submissionsPerRead = 5;

async function* readPages<Row extends { id: string }>(
  read: (after: string) => Promise<Row[]>,
  size = pageSize,
): AsyncGenerator<Row> {
  let after = '';
  for (;;) {
    const rows = await read(after);
    yield* rows;
    const last = rows.at(-1);
    if (!last || rows.length < size) return;
    after = last.id;
  }
}

const parseMedia = (json: string) => JSON.parse(json) as StoredMediaFile[];
const listStrings = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : value && typeof value === 'object'
      ? Object.values(value).flatMap(listStrings)
      : [];
const formatDeleted = (deletionId: string | null) => (deletionId === null ? '' : ' (deleted)');

async function* readCandidates(
  db: Database,
  person: Person,
  excludedRequestId: string,
  getName: NameFinder,
): AsyncGenerator<Candidate> {
  yield* readReports(db);
  yield* readSubmissions(db);
  yield* readAudits(db, getName);
  yield* readFolders(db);
  const users = await db.selectFrom('users').select(['id', 'username', 'full_name', 'email', 'deleted_at']).execute();
  for (const { id, username, full_name, email, deleted_at } of users)
    yield {
      id: `user:${id}`,
      thing: 'user',
      label: username + (deleted_at ? ' (deleted)' : ''),
      fields: { username, 'full name': full_name, email },
      people: ['full name'],
      images: [],
    };
  const packs = await db.selectFrom('packs').select(['id', 'recipient', 'purpose', 'created_by_name']).execute();
  for (const { id, recipient, purpose, created_by_name } of packs)
    yield {
      id: `pack:${id}`,
      thing: 'pack',
      label: `Pack for ${recipient}`,
      fields: { recipient, purpose, 'made by': created_by_name },
      people: ['made by'],
      images: [],
    };
  yield* readMissedChecks(db);
  yield* readHolds(db);
  yield* readRequests(db, excludedRequestId);
  yield* readActivity(db, person);
}

async function* readReports(db: Database): AsyncGenerator<Candidate> {
  const rows = readPages((after) =>
    db
      .selectFrom('reports')
      .leftJoin('assessments', 'assessments.report_id', 'reports.id')
      .leftJoin('deletions', 'deletions.id', 'reports.deletion_id')
      .leftJoin('releases', 'releases.deletion_id', 'reports.deletion_id')
      .selectAll('reports')
      .select(['deletions.reason as deleted_because', 'releases.reason as released_because'])
      .select(['assessments.id as assessment_id', 'assessments.particulars', 'assessments.reason'])
      .where('reports.id', '>', after)
      .orderBy('reports.id')
      .limit(pageSize)
      .execute(),
  );
  for await (const row of rows) {
    const media = parseMedia(row.mediaFiles);
    const notices = row.assessment_id
      ? await db.selectFrom('riddor_notices').select('note').where('assessment_id', '=', row.assessment_id).execute()
      : [];
    const signedBy = row.affectedUserSignedBy ? (JSON.parse(row.affectedUserSignedBy) as Record<string, string>) : {};
    const { name, contactNumber, reporter, details, location, type, created_by_name } = row;
    yield {
      id: `report:${row.id}`,
      thing: 'report',
      label: row.number + formatDeleted(row.deletion_id),
      fields: {
        name,
        contactNumber,
        reporter,
        'submitted by': created_by_name,
        'signed by': signedBy.name ?? '',
        'why someone else signed': [signedBy.capacity, signedBy.reason].filter(Boolean).join(', '),
        type,
        location,
        details,
        'names of photos': media.map((file) => file.name).join('\n'),
        'why it was deleted': [row.deleted_because ?? '', row.released_because ?? ''].filter(Boolean).join('\n'),
        assessment: [
          row.reason ?? '',
          ...listStrings(JSON.parse(row.particulars ?? '{}')),
          ...notices.map(({ note }) => note ?? ''),
        ]
          .filter(Boolean)
          .join('\n'),
      },
      people: ['name', 'reporter', 'submitted by', 'signed by'],
      images: [...media.map((file) => file.path), row.signature, row.affectedUserSignature].filter(
        (path) => path !== null,
      ),
      number: contactNumber,
    };
  }
}

async function* readSubmissions(db: Database): AsyncGenerator<Candidate> {
  const rows = readPages(
    (after) =>
      db
        .selectFrom('submissions')
        .select(['id', 'number', 'checklist_title', 'data', 'failure_notes', 'submitted_by_name', 'deletion_id'])
        .where('id', '>', after)
        .orderBy('id')
        .limit(submissionsPerRead)
        .execute(),
    submissionsPerRead,
  );
  for await (const row of rows)
    yield {
      id: `submission:${row.id}`,
      thing: 'submission',
      label: `${row.number} ${row.checklist_title}${formatDeleted(row.deletion_id)}`,
      fields: {
        'submitted by': row.submitted_by_name,
        answers: listStrings(JSON.parse(row.data)).join('\n'),
        'failing answers': listStrings(JSON.parse(row.failure_notes ?? '{}')).join('\n'),
      },
      people: ['submitted by'],
      images: [],
    };
}

async function* readAudits(db: Database, getName: NameFinder): AsyncGenerator<Candidate> {
  const rows = readPages((after) =>
    db.selectFrom('audits').selectAll().where('id', '>', after).orderBy('id').limit(pageSize).execute(),
  );
  for await (const row of rows) {
    const data = parseStoredObject(row.data);
    const media = Array.isArray(data.media_files) ? (data.media_files as StoredMediaFile[]) : [];
    const notes = await db.selectFrom('audit_notes').selectAll().where('audit_id', '=', row.id).execute();
    const { media_files: _, location, assignee, description, ...rest } = data;
    yield {
      id: `audit:${row.id}`,
      thing: 'audit',
      label: row.title + formatDeleted(row.deletion_id),
      fields: {
        title: row.title,
        source: row.source_label ?? '',
        location: String(location ?? ''),
        assignee: String(assignee ?? ''),
        description: String(description ?? ''),
        'completed by': row.completed_by ?? '',
        more: listStrings(rest).join('\n'),
        notes: notes
          .map(({ words, created_by_name: by }) => `${words} (${[...new Set([getName(by), by])].join(', ')})`)
          .join('\n'),
        'names of photos': media.map((file) => file.name).join('\n'),
      },
      people: ['assignee', 'completed by'],
      images: media.map((file) => file.path),
    };
  }
}

/** Damaged JSON is searched as one text, because it may still contain names. */
function parseStoredObject(json: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(json));
  } catch {
    return { description: json };
  }
}

async function* readFolders(db: Database): AsyncGenerator<Candidate> {
  const rows = await db.selectFrom('folders').selectAll().execute();
  for (const { id, name, description, thumbnail, deletion_id } of rows)
    yield {
      id: `folder:${id}`,
      thing: 'folder',
      label: name + formatDeleted(deletion_id),
      fields: { name, description },
      people: [],
      images: thumbnail ? [thumbnail] : [],
    };
}

/** Of checks, only the reason for a missed one is free text that may name a person. */
async function* readMissedChecks(db: Database): AsyncGenerator<Candidate> {
  const rows = readPages((after) =>
    db
      .selectFrom('due_checks')
      .select(['id', 'park', 'day', 'reason', 'reason_by_name'])
      .where('reason', 'is not', null)
      .where('id', '>', after)
      .orderBy('id')
      .limit(pageSize)
      .execute(),
  );
  for await (const { id, park, day, reason, reason_by_name } of rows)
    yield {
      id: `check:${id}`,
      thing: 'check',
      label: `Missed check, ${park}, ${formatDay(day)}`,
      fields: { reason: reason ?? '', 'given by': reason_by_name ?? '' },
      people: ['given by'],
      images: [],
    };
}

async function* readHolds(db: Database): AsyncGenerator<Candidate> {
  const rows = await db.selectFrom('holds').selectAll().execute();
  for (const { id, thing, thing_id, reason, created_by_name, created_at } of rows)
    yield {
      id: `hold:${id}`,
      thing: 'hold',
      label: `Hold of ${formatInstantDay(created_at)}`,
      fields: { person: thing === 'person' ? thing_id : '', reason, 'held by': created_by_name },
      people: ['person', 'held by'],
      images: [],
    };
}

/** Finds earlier access requests, except the one being answered. */
async function* readRequests(db: Database, excludedRequestId: string): AsyncGenerator<Candidate> {
  const rows = await db.selectFrom('access_requests').selectAll().where('id', '!=', excludedRequestId).execute();
  for (const row of rows)
    yield {
      id: `accessRequest:${row.id}`,
      thing: 'accessRequest',
      label: `Access request of ${formatDay(row.received_on)}`,
      fields: {
        name: row.name,
        spellings: (JSON.parse(row.spellings) as string[]).join('\n'),
        contactNumber: row.number,
        username: row.username,
        'identity checked': row.identity_checked,
      },
      people: ['name'],
      images: [],
      number: row.number,
    };
}

/** All log entries by or about the person make one hit, however many there are. */
async function* readActivity(db: Database, { name, spellings, username }: Person): AsyncGenerator<Candidate> {
  const rows = await selectActivity(db, { name, spellings, username }).limit(2000).execute();
  if (rows.length === 0) return;
  const lines = rows.map(({ at, actor, action, thing, label }) => `${at} ${actor} ${action} ${thing} ${label}`);
  yield {
    id: 'activity:all',
    thing: 'activity',
    label: `${rows.length} entries of the activity log`,
    fields: { entries: lines.join('\n') },
    people: [],
    images: [],
  };
}

export const selectActivity = (
  db: Database,
  { name, spellings, username }: Pick<Person, 'name' | 'spellings' | 'username'>,
) =>
  db
    .selectFrom('activity')
    .select(['seq', 'at', 'actor', 'action', 'thing', 'label'])
    .where((eb) =>
      eb.or([
        ...(username ? [eb('actor', '=', username)] : []),
        ...[name, ...spellings, username]
          .filter(Boolean)
          .map((text) => containsText('activity.search_text', foldText(text))),
      ]),
    )
    .where(isWithoutErasedName)
    .orderBy('seq', 'desc');
