// What differs between the user's changes of an audit and another user's version.
import { type AuditFieldName, auditFieldNames, auditLabels } from '#shared/audit-fields.ts';
import type { Audit } from '#shared/audits.ts';
import { formatDay } from '#shared/dates.ts';
import type { Difference } from '../ui/dialogs/ConflictDialog.tsx';
import type { OutboxItem } from './items.ts';

/** Formats a value of an audit or report; '' if there is none. */
export function formatValue(name: string, value: unknown): string {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  const text = String(value ?? '');
  return name === 'date' ? formatDay(text) : text;
}

/** Returns all fields that differ, because all are kept or dropped together. */
export function listDifferences(
  changes: Partial<Record<AuditFieldName, unknown>>,
  { title, date, time, data }: Audit,
): Difference[] {
  const current = { ...data, title, date, time };
  return auditFieldNames.flatMap((name) => {
    const [mine, theirs] = [formatValue(name, changes[name]), formatValue(name, current[name])];
    return changes[name] === undefined || mine === theirs ? [] : [{ label: auditLabels[name], mine, theirs }];
  });
}

/** Returns the differences of a completion that was rejected because someone else had changed the audit. */
export function listCompletionDifferences({ kind, body, error }: OutboxItem): Difference[] {
  if (kind !== 'completion' || !error?.current) return [];
  const { data, ...fields } = body as { data?: object };
  return listDifferences({ ...fields, ...data }, error.current as Audit);
}
