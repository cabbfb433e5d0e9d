// Saves of forms that do not use the outbox, in TanStack Query's cache of mutations until the page
// is closed: users who leave a form while it is saved and come back see its progress and then its
// outcome.
import { type MutationMeta, type MutationState, replaceEqualDeep } from '@tanstack/react-query';
import type { ApiError } from '#shared/client.ts';
import { newUuid } from '../newUuid.ts';
import { askBeforeLeaving } from '../ui/forms/useAskBeforeLeaving.ts';
import { queryClient } from './api.ts';
import { mayHaveArrived, readError } from './errors.ts';

export type Save<Variables, Reply> = MutationState<Reply, ApiError, Variables>;

export type SendFunction<Variables, Reply> = (variables: Variables, key: string) => Promise<Reply>;

const cache = queryClient.getMutationCache();
const listSaves = (name: string) => cache.findAll({ mutationKey: ['save', name] });

/**
 * What was sent without a response, by the form's name, with its Idempotency-Key: the same content
 * is sent with the same key, also after its outcome was dismissed.
 */
const unansweredSaves = new Map<string, { variables: unknown; key: string }[]>();

export const subscribeToSaves = (listener: () => void) => cache.subscribe(listener);

/** Returns the current or last save of the form with this name, such as `folder/ID`. */
export const findSave = <Variables, Reply>(name: string) =>
  listSaves(name)[0]?.state as Save<Variables, Reply> | undefined;

/**
 * Call when the user has seen the outcome, or the form is used for another record. A save in
 * progress continues.
 */
export function dismissSave(name: string) {
  for (const save of listSaves(name)) if (save.state.status !== 'pending') cache.remove(save);
}

/** Sends a form's content, unless it is being sent. Never rejects: errors are in the state of the save. */
export async function startSave<Variables, Reply>(
  name: string,
  variables: Variables,
  send: SendFunction<Variables, Reply>,
  meta?: MutationMeta,
): Promise<void> {
  if (findSave(name)?.status === 'pending') return;
  const unanswered = unansweredSaves.get(name) ?? [];
  const repeated = unanswered.find((one) => replaceEqualDeep(one.variables, variables) === one.variables);
  const key = repeated?.key ?? newUuid();
  const others = unanswered.filter((one) => one !== repeated);
  async function mutationFn(): Promise<Reply> {
    // If the page is closed while it saves, the outcome is unknown.
    const stopAsking = askBeforeLeaving();
    try {
      const reply = await send(variables, key);
      unansweredSaves.delete(name);
      return reply;
    } catch (thrown) {
      const error = readError(thrown);
      unansweredSaves.set(name, mayHaveArrived(error) ? [...others, { variables, key }] : others);
      throw error;
    } finally {
      stopAsking();
    }
  }
  const save = cache.build<Reply, Error, Variables, unknown>(queryClient, {
    mutationKey: ['save', name],
    mutationFn,
    meta,
    gcTime: Number.POSITIVE_INFINITY,
  });
  const saving = save.execute(variables).catch(() => undefined);
  for (const earlier of listSaves(name)) if (earlier !== save) cache.remove(earlier);
  await saving;
  // The cache keeps a failed save, but not what its functions hold, such as a password.
  save.setOptions({ mutationKey: ['save', name], gcTime: Number.POSITIVE_INFINITY });
}
