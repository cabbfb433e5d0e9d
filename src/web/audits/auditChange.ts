// Converts changed fields to a request, and compares them with someone else's changes.
import type { Audit } from '#shared/audits.ts';
import type { MediaFile } from '#shared/uploads.ts';
import { auditLabels, formatAuditValue } from '../outbox/listVersions.ts';
import type { Difference } from '../ui/dialogs/ConflictDialog.tsx';
import { type Fields, getFields } from './useAuditEdits.ts';

type FieldName = keyof Fields;

const dataFields = ['location', 'assignee', 'description', 'is_urgent'] as const;

type Change = {
  title?: string;
  date?: string | null;
  time?: string | null;
  data: {
    location?: string;
    assignee?: string;
    description?: string;
    is_urgent?: boolean;
    completed?: boolean;
    media_files?: MediaFile[];
  };
};

/** Returns the request body for the named fields; new photos are added to those of `base`. */
export function createChange(names: FieldName[], values: Fields, base: Audit, added: MediaFile[]): Change {
  const data = Object.fromEntries(
    dataFields.filter((name) => names.includes(name)).map((name) => [name, values[name]]),
  );
  return {
    ...(names.includes('title') && { title: values.title }),
    ...(names.includes('date') && { date: values.date || null }),
    ...(names.includes('time') && { time: values.time || null }),
    data: {
      ...data,
      ...(added.length > 0 && { media_files: [...base.data.media_files, ...added] }),
    },
  };
}

/** Lists all differing fields, because all are kept or dropped together. */
export function listDifferences(changes: Partial<Fields>, current: Audit): Difference[] {
  const theirs = getFields(current);
  return (Object.keys(auditLabels) as (keyof typeof auditLabels)[]).flatMap((name) => {
    const mine = changes[name];
    if (mine === undefined || mine === theirs[name]) return [];
    return [
      { label: auditLabels[name], mine: formatAuditValue(name, mine), theirs: formatAuditValue(name, theirs[name]) },
    ];
  });
}
