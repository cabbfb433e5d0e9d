// What forms have sent that do not go through the outbox. It is kept outside the screens, until the page is closed: people who
// leave a form while it is saved and come back see its progress, and then its outcome.
import type { ApiError } from '#shared/client.ts';
import { newUuid } from '../newUuid.ts';
import { askBeforeLeaving } from '../ui/forms/useAskBeforeLeaving.ts';
import { isTransientError, queryClient } from './api.ts';
import { getNewerVersion, readError } from './errors.ts';

export type Save<Sent = unknown, Reply = unknown> = {
  /** What was entered. */
  sent: Sent;
  /** Its Idempotency-Key: the same as long as nobody knows whether the same content has arrived. */
  key: string;
} & (
  | { phase: 'saving' }
  | { phase: 'saved'; reply: Reply }
  /** `newer` is the record as someone else has saved it. */
  | { phase: 'failed'; error: ApiError; newer?: unknown }
);

export type Send<Sent, Reply> = (sent: Sent, key: string) => Promise<Reply>;

const saves = new Map<string, Save>();
const listeners = new Set<() => void>();

export function subscribeToSaves(listener: () => void) {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/** Of the form with this name: `folder/ID`. */
export const findSave = (name: string) => saves.get(name);

function set(name: string, save: Save | undefined) {
  if (save) saves.set(name, save);
  else saves.delete(name);
  for (const listener of listeners) listener();
}

/** Its outcome has been seen, or the form is for something else now. What is being saved goes on. */
export function dismissSave(name: string) {
  if (saves.has(name) && saves.get(name)?.phase !== 'saving') set(name, undefined);
}

/** Sends what a form holds, once at a time. Never rejects: what failed is in the outcome. */
export async function startSave<Sent, Reply>(name: string, sent: Sent, send: Send<Sent, Reply>): Promise<void> {
  const last = saves.get(name);
  if (last?.phase === 'saving') return;
  const isSameAgain = last?.phase === 'failed' && mayHaveArrived(last.error) && isEqual(last.sent, sent);
  const key = isSameAgain ? last.key : newUuid();
  set(name, { phase: 'saving', sent, key });
  const stopAsking = askIfPossible();
  try {
    const reply = await send(sent, key);
    set(name, { phase: 'saved', sent, key, reply });
    await queryClient.invalidateQueries();
  } catch (thrown) {
    const error = readError(thrown);
    const newer = getNewerVersion(error);
    set(name, { phase: 'failed', sent, key, error, ...(newer !== undefined && { newer }) });
  }
  stopAsking();
}

const mayHaveArrived = (error: ApiError) => error.status >= 500 || isTransientError(error);

/** Files are the same if they are one and the same. */
function isEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object' || a instanceof Blob) return false;
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => isEqual((a as Record<string, unknown>)[name], (b as Record<string, unknown>)[name]))
  );
}

/** A page that is closed would not know what became of it. */
const askIfPossible = () => (typeof window === 'undefined' ? () => undefined : askBeforeLeaving());
