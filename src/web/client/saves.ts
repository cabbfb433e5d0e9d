// Saves in progress of forms that do not use the outbox. Stored outside the components until the
// page is closed: users who leave a form while it is saved and come back see its progress and then
// its outcome.
import type { ApiError } from '#shared/client.ts';
import { newUuid } from '../newUuid.ts';
import { askBeforeLeaving } from '../ui/forms/useAskBeforeLeaving.ts';
import { refreshScreen } from './api.ts';
import { getNewerVersion, mayHaveArrived, readError } from './errors.ts';

export type Save<Variables = unknown, Reply = unknown> = {
  /** What the form sends, as in a mutation of TanStack Query. */
  variables: Variables;
} & (
  | { phase: 'saving' }
  | { phase: 'saved'; reply: Reply }
  /** `newer` is the record as another user saved it. */
  | { phase: 'failed'; error: ApiError; newer?: unknown }
);

export type SendFunction<Variables, Reply> = (variables: Variables, key: string) => Promise<Reply>;

const saves = new Map<string, Save>();
/**
 * What was sent without a response, by the form's name, with its Idempotency-Key: the same content
 * is sent with the same key, also after its outcome was dismissed.
 */
const unansweredSaves = new Map<string, { variables: unknown; key: string }[]>();
const listeners = new Set<() => void>();

export function subscribeToSaves(listener: () => void) {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/** The save of the form with this name, such as `folder/ID`. */
export const findSave = (name: string) => saves.get(name);

function set(name: string, save: Save | undefined) {
  if (save) saves.set(name, save);
  else saves.delete(name);
  for (const listener of listeners) listener();
}

/**
 * Call when the user has seen the outcome, or the form is used for another record. A save in
 * progress continues.
 */
export function dismissSave(name: string) {
  if (saves.has(name) && saves.get(name)?.phase !== 'saving') set(name, undefined);
}

/** Sends a form's content, one request at a time. Never rejects: errors are in the outcome. */
export async function startSave<Variables, Reply>(
  name: string,
  variables: Variables,
  send: SendFunction<Variables, Reply>,
): Promise<void> {
  if (saves.get(name)?.phase === 'saving') return;
  const unanswered = unansweredSaves.get(name) ?? [];
  const repeated = unanswered.find((one) => isEqual(one.variables, variables));
  const key = repeated?.key ?? newUuid();
  const others = unanswered.filter((one) => one !== repeated);
  set(name, { phase: 'saving', variables });
  const stopAsking = askBeforeClosing();
  try {
    const reply = await send(variables, key);
    unansweredSaves.delete(name);
    set(name, { phase: 'saved', variables, reply });
    await refreshScreen();
  } catch (thrown) {
    const error = readError(thrown);
    const newer = getNewerVersion(error);
    unansweredSaves.set(name, mayHaveArrived(error) ? [...others, { variables, key }] : others);
    set(name, { phase: 'failed', variables, error, ...(newer !== undefined && { newer }) });
  }
  stopAsking();
}

/** Compares Files by identity. */
function isEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object' || a instanceof Blob) return false;
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => isEqual((a as Record<string, unknown>)[name], (b as Record<string, unknown>)[name]))
  );
}

/**
 * Asks before the page is closed, because the outcome would then be unknown. Workers have no
 * window.
 */
const askBeforeClosing = () => (typeof window === 'undefined' ? () => undefined : askBeforeLeaving());
