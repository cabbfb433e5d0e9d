// Finds every record that names a person, deleted ones too, and lists the fields and the other
// people in each.
import { formatDay, formatInstantDay } from '#shared/dates.ts';
import { type Hit, maxHitText, type Person } from '#shared/people/access-requests.ts';
import { foldText } from '#shared/text.ts';
import type { StoredMediaFile } from '#shared/uploads.ts';
import type { Database, Tables } from '../../db/schema.ts';
import { containsText } from '../../db/search.ts';
import { createNameFinder, type NameFinder } from '../../db/user-names.ts';
import { isWithoutErasedName } from './erased-names.ts';
import { createMatcher } from './matching.ts';
import { listNamedValues, type NamedValue, personalTables, readAllRows, readRowsOf } from './named-fields.ts';

type Matcher = ReturnType<typeof createMatcher>;

/** A viewer of every park, for work of the server and for copies that show the full names of all users. */
export const everyParkViewer = { role: 'Admin', parks: null } as const;

/**
 * Returns every record that names the person. Compares all stored text, in small pages, which takes
 * seconds of CPU time; see record-search.ts.
 */
export async function gatherHits(db: Database, person: Person, excludedRequestId = ''): Promise<Hit[]> {
  const matcher = createMatcher(person);
  const getName = await createNameFinder(db, everyParkViewer);
  const ids = new Set<string>();
  for (const table of personalTables)
    for await (const row of readAllRows(db, table)) {
      if (row.record === null || row.record === excludedRequestId || ids.has(row.record)) continue;
      if (listNamedValues(table, row).some((value) => findCertainty(matcher, value, getName))) ids.add(row.record);
    }
  const hits = await readRecords(db, [...ids].sort(), matcher, getName);
  const entries = await gatherLogEntries(db, person, matcher);
  return entries ? [...hits, entries] : hits;
}

/** Returns how certainly a text names the person. A username also counts as the full name shown for it. */
function findCertainty(matcher: Matcher, { text, isUsername }: NamedValue, getName: NameFinder) {
  const matches = [...new Set([isUsername ? getName(text) : text, text])].map(matcher.findInText);
  return matches.includes('sure') ? 'sure' : matches.find(Boolean);
}

type RecordDescription<T extends keyof Tables> = {
  thing: string;
  label(row: Tables[T]): string;
  images?(row: Tables[T]): (string | null)[];
  /** The contact number of the person in the field `name`. */
  number?(row: Tables[T]): string;
};

const listPaths = (mediaFiles: unknown) =>
  Array.isArray(mediaFiles) ? (mediaFiles as StoredMediaFile[]).map(({ path }) => path) : [];
const formatDeleted = (isDeleted: unknown) => (isDeleted ? ' (deleted)' : '');

const recordTypes: { [T in keyof Tables]?: RecordDescription<T> } = {
  reports: {
    thing: 'report',
    label: (row) => row.number + formatDeleted(row.deletion_id),
    images: (row) => [...listPaths(parseStored(row.mediaFiles)), row.signature, row.affectedUserSignature],
    number: (row) => row.contactNumber,
  },
  submissions: {
    thing: 'submission',
    label: (row) => `${row.number} ${row.checklist_title}${formatDeleted(row.deletion_id)}`,
  },
  audits: {
    thing: 'audit',
    label: (row) => row.title + formatDeleted(row.deletion_id),
    images: (row) => listPaths(Object(parseStored(row.data)).media_files),
  },
  folders: {
    thing: 'folder',
    label: (row) => row.name + formatDeleted(row.deletion_id),
    images: (row) => [row.thumbnail],
  },
  investigations: { thing: 'investigation', label: (row) => row.number + formatDeleted(row.deletion_id) },
  guest_messages: {
    thing: 'message',
    label: (row) => `Message from a guest, ${row.park}, ${formatInstantDay(row.created_at)}`,
    images: (row) => listPaths(parseStored(row.media_files)),
    number: ({ contact }) => (contact.includes('@') ? '' : contact),
  },
  lessons: {
    thing: 'lesson',
    label: ({ title }) => title,
    images: ({ media_files }) => listPaths(parseStored(media_files)),
  },
  users: { thing: 'user', label: (row) => row.username + formatDeleted(row.deleted_at) },
  waiting_identities: {
    thing: 'identity',
    label: (row) => `${row.name || row.email || 'Someone'}, who waits to be let in`,
  },
  packs: { thing: 'pack', label: (row) => `Pack for ${row.recipient}` },
  due_checks: { thing: 'check', label: (row) => `Missed check, ${row.park}, ${formatDay(row.day)}` },
  holds: { thing: 'hold', label: (row) => `Hold of ${formatInstantDay(row.created_at)}` },
  access_requests: {
    thing: 'accessRequest',
    label: (row) => `Access request of ${formatDay(row.received_on)}`,
    number: (row) => row.number,
  },
  places: { thing: 'place', label: (row) => `${row.name}, ${row.park}` },
  checklists: { thing: 'checklist', label: (row) => row.title + formatDeleted(row.deletion_id) },
};

/** Returns undefined for damaged JSON, of which the photos are unknown. Its text is searched as it is. */
function parseStored(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

const recordsPerRead = 20;

/** Reads the records completely, and describes where each names the person. */
async function readRecords(db: Database, ids: string[], matcher: Matcher, getName: NameFinder): Promise<Hit[]> {
  const hits: Hit[] = [];
  for (let start = 0; start < ids.length; start += recordsPerRead) {
    const page = ids.slice(start, start + recordsPerRead);
    const values = new Map<string, NamedValue[]>(page.map((id) => [id, []]));
    const records: { id: string; type: RecordDescription<'reports'>; row: Tables['reports'] }[] = [];
    for (const personalTable of personalTables)
      for await (const row of readRowsOf(db, personalTable, page)) {
        values.get(row.record)?.push(...listNamedValues(personalTable, row));
        const type = personalTable.of === 'id' ? recordTypes[personalTable.table] : undefined;
        if (type) records.push({ id: row.record, type: type as never, row: row as never });
      }
    for (const { id, type, row } of records) {
      const hit = toHit(values.get(id) ?? [], type.number?.(row) ?? '', matcher, getName);
      const images = (type.images?.(row) ?? []).filter((path) => path !== null);
      if (hit) hits.push({ id: `${type.thing}:${id}`, thing: type.thing, label: type.label(row), ...hit, images });
    }
  }
  const order = Object.values(recordTypes).map(({ thing }) => thing);
  return hits.toSorted(
    (a, b) => order.indexOf(a.thing) - order.indexOf(b.thing) || a.label.localeCompare(b.label, 'en'),
  );
}

type Matches = Pick<Hit, 'where' | 'isPossible' | 'others' | 'texts'>;

function toHit(values: NamedValue[], number: string, matcher: Matcher, getName: NameFinder): Matches | undefined {
  const shown = values.map((value) => ({
    ...value,
    shownText: value.isUsername ? getName(value.text) : value.text,
    certainty: findCertainty(matcher, value, getName),
  }));
  const listLabels = (chosen: typeof shown) => [...new Set(chosen.map(({ label }) => label))];
  const where = listLabels(shown.filter(({ certainty }) => certainty));
  if (where.length === 0) return undefined;
  const fieldsWithName = listLabels(shown.filter(({ certainty }) => certainty === 'sure'));
  const isNamesake = fieldsWithName.join() === 'name' && matcher.isOtherNumber(number);
  const others = shown.filter(({ isPerson, certainty }) => isPerson && !certainty).map(({ shownText }) => shownText);
  const joinTexts = (field: string, isFound: boolean) => {
    const values = shown.filter(({ label, certainty }) => label === field && Boolean(certainty) === isFound);
    return [...new Set(values.map(({ shownText }) => shownText))].join('\n');
  };
  return {
    where,
    isPossible: fieldsWithName.length === 0 || isNamesake,
    others: [...new Set(others)],
    texts: listLabels(shown).map((field) => ({
      field,
      // Texts that name the person stay complete, because the copy takes them from here.
      text: [joinTexts(field, true), joinTexts(field, false).slice(0, maxHitText)].filter(Boolean).join('\n'),
    })),
  };
}

/** All log entries by or about the person make one hit, however many there are. */
async function gatherLogEntries(
  db: Database,
  { name, spellings, username }: Person,
  matcher: Matcher,
): Promise<Hit | undefined> {
  const rows = await selectActivity(db, { name, spellings, username }).limit(2000).execute();
  const lines = rows.map(({ at, actor, action, thing, label }) => `${at} ${actor} ${action} ${thing} ${label}`);
  const text = lines.join('\n');
  const certainty = matcher.findInText(text);
  if (!certainty) return undefined;
  return {
    id: 'activity:all',
    thing: 'activity',
    label: `${rows.length} entries of the activity log`,
    where: ['entries'],
    isPossible: certainty !== 'sure',
    others: [],
    texts: [{ field: 'entries', text: text.slice(0, maxHitText) }],
    images: [],
  };
}

/** Selects the log entries by or about the person, newest first. */
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
