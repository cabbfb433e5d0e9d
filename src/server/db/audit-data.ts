// The part of an audit stored as JSON text, and recovery of what can be read if it is damaged; and the text used to
// search for audits.
import { sql } from 'kysely';
import * as z from 'zod/mini';
import { type AuditTexts, auditTextNames, auditTexts, mapAuditTexts } from '#shared/audit-fields.ts';
import { foldText } from '#shared/text.ts';
import { StoredMediaFile } from '#shared/uploads.ts';
import type { Database, Tables } from './schema.ts';

/** A text is missing if its field was added after the audit was stored. */
const texts = mapAuditTexts(() => z._default(z.string(), ''));
const AuditData = z.object({ ...texts, media_files: z.array(StoredMediaFile) });
type AuditData = z.output<typeof AuditData>;

export const serializeData = ({ media_files, ...given }: Partial<AuditTexts> & Pick<AuditData, 'media_files'>) =>
  JSON.stringify({ ...mapAuditTexts((name) => given[name] ?? ''), media_files });

/** `isComplete` is false if anything was missing or unreadable; everything readable is returned. */
export function parseData(text: string): { data: AuditData; isComplete: boolean } {
  const storedFields = parse(text) ?? recoverFields(text);
  const parsed = AuditData.safeParse(storedFields);
  if (parsed.success) return { data: parsed.data, isComplete: true };
  const readableFields = Object.entries(AuditData.shape).flatMap(([name, schema]) => {
    const read = schema.safeParse(storedFields[name]);
    return read.success ? [[name, read.data]] : [];
  });
  return {
    data: { ...mapAuditTexts(() => ''), media_files: [], ...Object.fromEntries(readableFields) },
    isComplete: false,
  };
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    return Object(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Finds complete string fields in text that is no longer valid JSON. */
function recoverFields(text: string): Record<string, unknown> {
  const recoveredFields = auditTextNames.flatMap((name) => {
    const quotedValue = new RegExp(`"${name}"\\s*:\\s*("(?:[^"\\\\]|\\\\.)*")`, 's').exec(text)?.[1];
    const value = quotedValue && parse(`{"value":${quotedValue}}`);
    return value ? [[name, value.value]] : [];
  });
  return Object.fromEntries(recoveredFields);
}

const searchedTexts = auditTextNames.filter((name) => auditTexts[name].kind !== 'person');

/**
 * The number of characters of an audit and its notes that are searched. A thousand notes may have millions, and indexing
 * them again with each note would delay other writes.
 */
const searchedCharacters = 50_000;

/**
 * Returns the text used to search for an audit: its title, its texts and its notes, newest first; not its assignee, for
 * whom there is a filter. When it changes, a migration must update the text of existing audits, as 057-audit-search.ts
 * does.
 */
export function getAuditSearchText({ title, data }: Pick<Tables['audits'], 'title' | 'data'>, notes: string[]): string {
  const texts = parseData(data).data;
  const searched = [title, ...searchedTexts.map((name) => texts[name]), ...notes].filter(Boolean).join('\n');
  // The text was cut before folding, so it may end with half of a surrogate pair, which is replaced here.
  return foldText(searched.slice(0, searchedCharacters)).toWellFormed();
}

/** Returns the words of the newest notes on an audit, as many as are searched. */
export async function listSearchedNotes(db: Database, auditId: string): Promise<string[]> {
  const { rows } = await sql<{ words: string }>`select words from (
    select words, created_at, id, sum(length(words)) over (order by created_at desc, id desc) - length(words) as newer
    from audit_notes where audit_id = ${auditId}) as notes
    where newer < ${searchedCharacters} order by created_at desc, id desc`.execute(db);
  return rows.map(({ words }) => words);
}

/** Updates the search text of an audit after it, its notes or names in them have changed. */
export async function updateSearchText(db: Database, id: string): Promise<void> {
  const row = await db.selectFrom('audits').select(['title', 'data']).where('id', '=', id).executeTakeFirstOrThrow();
  const search_text = getAuditSearchText(row, await listSearchedNotes(db, id));
  await db.updateTable('audits').set({ search_text }).where('id', '=', id).execute();
}
