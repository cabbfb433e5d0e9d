// Activity log entries as text: `sian deleted report ACC-2026-0001`.
import type { Activity, EntityType } from '#shared/activity.ts';

export const entityTypeNames: Record<EntityType, string> = {
  session: 'Sign-in',
  user: 'User',
  report: 'Report',
  checklist: 'Checklist',
  submission: 'Submitted checklist',
  folder: 'Audit folder',
  audit: 'Audit',
};

/**
 * Actions whose stored word differs from the one shown: stored words are hashed and never change.
 */
const shownActions: Record<string, string> = {
  filed: 'submitted',
  'was refused': 'was denied access',
  'was slowed down': 'hit the rate limit',
};

/** Phrases for actions that do not read well before the name of the record. */
const phrases: Record<string, (what: string) => string> = {
  listed: () => 'listed the reports',
  submitted: (what) => what,
  'opened as PDF': (what) => `opened ${what} as PDF`,
  'created as completed': (what) => `created ${what}, already completed`,
  'recorded a notice for': (what) => `recorded for ${what} that HSE or another firm was told`,
  released: (what) => `released ${what}: it may be permanently deleted before its legal period is over`,
  'removed for good': (what) => `permanently deleted ${what}`,
  'changed the password': () => 'changed the password',
  'failed to change the password': () => 'failed to change the password',
};

/** Describes an entry, to be shown after the name of its actor. */
export function describeEntry({ action: storedAction, thing, label, actor }: Activity): string {
  const action = shownActions[storedAction] ?? storedAction;
  if (thing === 'session') {
    if (action.startsWith('failed') && label) return `${action} as ${label}`;
    return label === '' || label === actor ? action : `${action}: ${label}`;
  }
  // The label is the photo's name, not the report's number.
  if (action === 'opened a photo') return `${action} of a report: ${label}`;
  const name = entityTypeNames[thing as EntityType]?.toLowerCase() ?? thing;
  const what = [name, label].filter(Boolean).join(' ');
  return phrases[storedAction]?.(what) ?? `${action} ${what}`;
}

/** Returns the changed fields: `role: None → Admin`. */
export function listChanges({ changes }: Activity): { field: string; text: string }[] {
  return Object.entries(changes ?? {}).map(([field, change]) => {
    const isPair = typeof change === 'object' && change !== null && 'from' in change && 'to' in change;
    return { field, text: isPair ? `${formatValue(change.from)} → ${formatValue(change.to)}` : formatValue(change) };
  });
}

function formatValue(value: unknown): string {
  if (value === '' || value === null || value === undefined) return 'empty';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
