// The part of an audit stored as JSON text, and recovery of what can be read if it is damaged.
import * as z from 'zod/mini';
import { type AuditTexts, auditTextNames, mapAuditTexts } from '#shared/audit-fields.ts';
import { StoredMediaFile } from '#shared/uploads.ts';

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
