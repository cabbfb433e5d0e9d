// Activity log entries as text: `sian deleted report ACC-2026-0001`.
import type { Activity, EntityType } from '#shared/activity.ts';
import { formatDay, formatInstant } from '#shared/dates.ts';

export const entityTypeNames: Record<EntityType, string> = {
  session: 'Sign-in',
  user: 'User',
  device: 'Shared device',
  report: 'Report',
  checklist: 'Checklist',
  submission: 'Submitted checklist',
  folder: 'Audit folder',
  audit: 'Audit',
  schedule: 'Schedule',
  check: 'Scheduled check',
  park: 'Park',
  pack: 'Pack',
  place: 'Place',
  investigation: 'Investigation',
  message: 'Message from a guest',
  lesson: 'Lesson',
};

/**
 * Actions whose stored word differs from the one shown: stored words are hashed and never change.
 */
const actionTexts: Record<string, string> = {
  filed: 'submitted',
  'was refused': 'was denied access',
  'was slowed down': 'hit the rate limit',
};

/** Phrases for actions that do not read well before the name of the record. */
const phrases: Record<string, (record: string) => string> = {
  listed: () => 'listed the reports',
  submitted: (record) => record,
  'opened as PDF': (record) => `opened ${record} as PDF`,
  'created as completed': (record) => `created ${record}, already completed`,
  'recorded a notice for': (record) => `recorded for ${record} that HSE or another firm was told`,
  released: (record) => `released ${record}: it may be permanently deleted before its legal period is over`,
  'opened an access request': () => 'opened an access request',
  'gathered for an access request': () => 'gathered the records of an access request',
  'chose for an access request': () => 'chose what is sent for an access request',
  'made the copy for an access request': () => 'made the copy for an access request',
  'listed what may be destroyed': () => 'listed the records that may be destroyed',
  destroyed: (record) => `destroyed ${record} at the end of its retention period`,
  'destroyed again after a restore': (record) => `destroyed ${record} again after a backup was restored`,
  'blanked a name in': (record) => `erased a name in ${record}`,
  'blanked a name again after a restore in': (record) => `erased a name in ${record} again after a backup was restored`,
  'removed for good': (record) => `permanently deleted ${record}`,
  'changed the password': () => 'changed the password',
  'signed out a device of': () => 'signed out on another device',
  'failed to sign out a device': () => 'failed to sign out on another device',
  'failed to change the password': () => 'failed to change the password',
};

/**
 * Describes an entry, to be shown after the name of its actor: `opened report ACC-2026-0001 4
 * times`.
 */
export function describeEntry({ action: storedAction, thing, label, actor }: Activity, count = 1): string {
  const action = actionTexts[storedAction] ?? storedAction;
  const times = count > 1 ? ` ${count} times` : '';
  if (thing === 'session') {
    if (action.startsWith('failed') && label) return `${action} as ${label}${times}`;
    return (label === '' || label === actor ? action : `${action}: ${label}`) + times;
  }
  // The label is a file name, not the report's number.
  if (action === 'opened a photo')
    return `opened ${isSignature(label) ? 'a signature' : 'a photo'} of a report${times}`;
  const name = entityTypeNames[thing as EntityType]?.toLowerCase() ?? thing;
  const record = [name, label].filter(Boolean).join(' ');
  return (phrases[storedAction]?.(record) ?? `${action} ${record}`) + times;
}

const isSignature = (fileName: string) => /^(?:affected-)?signature-\d+\.png$/.test(fileName);

type CombinedEntry = { entry: Activity; count: number };

/** Combines adjacent entries with the same text into the newest of them, with a count. */
export function combineRepeats(entries: Activity[]): CombinedEntry[] {
  const combined: CombinedEntry[] = [];
  for (const entry of entries) {
    const last = combined.at(-1);
    if (last && isRepeat(last.entry, entry)) last.count += 1;
    else combined.push({ entry, count: 1 });
  }
  return combined;
}

/** Changes have different values, so they are not combined. */
const isRepeat = (a: Activity, b: Activity) =>
  a.actor === b.actor &&
  a.thing === b.thing &&
  a.thing_id === b.thing_id &&
  a.changes === null &&
  b.changes === null &&
  describeEntry(a) === describeEntry(b);

const fieldNames: Record<string, string> = { is_urgent: 'urgent', media_files: 'photos' };

/** Returns the changed fields: `role: None → Admin`. */
export function listChanges({ changes }: Activity): { field: string; text: string }[] {
  return Object.entries(changes ?? {}).map(([name, change]) => {
    const field = fieldNames[name] ?? name;
    const hasFromAndTo = typeof change === 'object' && change !== null && 'from' in change && 'to' in change;
    return {
      field,
      text: hasFromAndTo ? `${formatValue(change.from)} → ${formatValue(change.to)}` : formatValue(change),
    };
  });
}

function formatValue(value: unknown): string {
  if (value === '' || value === null || value === undefined) return 'empty';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.map(formatValue).join(', ') || 'none';
  if (typeof value === 'object') return 'name' in value ? formatValue(value.name) : JSON.stringify(value);
  const text = String(value);
  if (text.startsWith('/uploads/')) return 'an image';
  // The log has only the salted hash of a reason, so that the reason itself can be erased.
  if (/^[0-9a-f]{64}$/.test(text)) return 'kept outside the activity log';
  if (/^\d{4}-\d\d-\d\dT/.test(text)) return formatInstant(text);
  return /^\d{4}-\d\d-\d\d$/.test(text) ? formatDay(text) : text;
}
