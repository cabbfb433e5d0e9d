// Finds every record that names a person, deleted ones too, and lists the fields and the other
// people in each.
import { type Hit, maxHitText, type Person } from '#shared/people/access-requests.ts';
import { foldText } from '#shared/text.ts';
import { splitList } from '../db/queries.ts';
import type { Database, Tables } from '../db/schema.ts';
import { containsText } from '../db/search.ts';
import { isWithoutErasedName } from '../names/erased-names.ts';
import { createMatcher } from '../names/matching.ts';
import { listNamedValues, type NamedValue, personalTables, readAllRows, readRowsOf } from '../names/named-fields.ts';
import { createNameFinder, everyParkViewer, type NameFinder } from '../names/user-names.ts';
import type { RecordKind } from '../record-kind.ts';
import { kindEntries } from '../records/kinds.ts';

type Matcher = ReturnType<typeof createMatcher>;

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

type Found = { thing: string; found: NonNullable<RecordKind['found']> };

/** People who wait to be let in are no records. */
const waitingIdentities: Found = {
  thing: 'identity',
  found: {
    label: ({ name, email }: Tables['waiting_identities']) => `${name || email || 'Someone'}, who waits to be let in`,
  } as Found['found'],
};

/** By table, in the order of a list. */
const foundInTables = new Map<string, Found>([
  ...kindEntries.flatMap(([thing, { table, found }]) => (found ? [[table, { thing, found }] as const] : [])),
  ['waiting_identities', waitingIdentities],
]);

const recordsPerRead = 20;

/** Reads the records completely, and describes where each names the person. */
async function readRecords(db: Database, ids: string[], matcher: Matcher, getName: NameFinder): Promise<Hit[]> {
  const hits: Hit[] = [];
  for (const page of splitList(ids, recordsPerRead)) {
    const values = new Map<string, NamedValue[]>(page.map((id) => [id, []]));
    const records: (Found & { id: string; row: Tables[keyof Tables] })[] = [];
    for (const personalTable of personalTables)
      for await (const row of readRowsOf(db, personalTable, page)) {
        values.get(row.record)?.push(...listNamedValues(personalTable, row));
        const type = personalTable.of === 'id' ? foundInTables.get(personalTable.table) : undefined;
        if (type) records.push({ ...type, id: row.record, row: row as never });
      }
    for (const { id, thing, found, row } of records) {
      const hit = toHit(values.get(id) ?? [], found.number?.(row as never) ?? '', matcher, getName);
      const images = (found.images?.(row as never) ?? []).filter((path) => path !== null);
      const { deletion_id, deleted_at } = row as { deletion_id?: string | null; deleted_at?: string | null };
      const label = found.label(row as never) + (deletion_id || deleted_at ? ' (deleted)' : '');
      if (hit) hits.push({ id: `${thing}:${id}`, thing, label, ...hit, images });
    }
  }
  const order = [...foundInTables.values()].map(({ thing }) => thing);
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
