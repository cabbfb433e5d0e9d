// Saves in progress of forms that do not use the outbox. Stored outside the components until the
// page is closed: users who leave a form while it is saved and come back see its progress and then
// its outcome.
import type { ApiError } from '#shared/client.ts';
import { newUuid } from '../newUuid.ts';
import { askBeforeLeaving } from '../ui/forms/useAskBeforeLeaving.ts';
import { refreshScreen } from './api.ts';
import { getNewerVersion, isTransientError, readError } from './errors.ts';

export type Save<Variables = unknown, Reply = unknown> = {
  /** What the form sends, as in a mutation of TanStack Query. */
  variables: Variables;
  /** The Idempotency-Key, reused while it is unknown whether the same content has arrived. */
  key: string;
} & (
  | { phase: 'saving' }
  | { phase: 'saved'; reply: Reply }
  /** `newer` is the record as another user saved it. */
  | { phase: 'failed'; error: ApiError; newer?: unknown }
);

export type SendFunction<Variables, Reply> = (variables: Variables, key: string) => Promise<Reply>;

const saves = new Map<string, Save>();
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
  const last = saves.get(name);
  if (last?.phase === 'saving') return;
  const isRepeat = last?.phase === 'failed' && mayHaveArrived(last.error) && isEqual(last.variables, variables);
  const key = isRepeat ? last.key : newUuid();
  set(name, { phase: 'saving', variables, key });
  const stopAsking = askBeforeClosing();
  try {
    const reply = await send(variables, key);
    set(name, { phase: 'saved', variables, key, reply });
    await refreshScreen();
  } catch (thrown) {
    const error = readError(thrown);
    const newer = getNewerVersion(error);
    set(name, { phase: 'failed', variables, key, error, ...(newer !== undefined && { newer }) });
  }
  stopAsking();
}

const mayHaveArrived = (error: ApiError) => error.status >= 500 || isTransientError(error);

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
