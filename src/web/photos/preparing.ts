// Files that are being prepared, by form. They belong to no screen: users who leave a form and come
// back find what has been prepared since.
import { useEffectEvent, useLayoutEffect } from 'react';
import { createStore } from '../createStore.ts';
import type { Status } from '../ui/feedback/StatusLine.tsx';
import { askBeforeLeaving } from '../ui/forms/useAskBeforeLeaving.ts';
import { useStore } from '../useStore.ts';
import { isPhoto } from './preparePhoto.ts';

/** A form's status text while files are prepared. */
export const processingImagesText = 'Processing images...';

type Preparation = {
  /** Replaced when the preparation is cancelled: a former run adds nothing more. */
  run?: object;
  pendingCount: number;
  /** Prepared, and not yet added to the form. */
  ready: unknown[];
  problems: string[];
  /** The names of the files that were not added. */
  leftOut: string[];
};

const nothing: Preparation = { pendingCount: 0, ready: [], problems: [], leftOut: [] };
const preparations = createStore<Record<string, Preparation>>({});
let stopAsking: (() => void) | undefined;

const get = (form: string) => preparations.get()[form] ?? nothing;
const isUnfinished = ({ pendingCount, ready }: Preparation) => pendingCount > 0 || ready.length > 0;

function change(form: string, changes: Partial<Preparation>) {
  const next = { ...preparations.get(), [form]: { ...get(form), ...changes } };
  const isAnyUnfinished = Object.values(next).some(isUnfinished);
  if (isAnyUnfinished) stopAsking ??= askBeforeLeaving();
  else {
    stopAsking?.();
    stopAsking = undefined;
  }
  preparations.set(next);
}

/** How many files are being prepared for the form, or are ready and not yet added to it. */
export const countUnfinished = (form: string) => get(form).pendingCount + get(form).ready.length;

export const clearProblems = (form: string) => change(form, { problems: [], leftOut: [] });

/** Whether files are being prepared for one of these forms. */
export function useIsPreparing(forms: string[]): boolean {
  const all = useStore(preparations);
  return forms.some((form) => isUnfinished(all[form] ?? nothing));
}

/** Returns the names of the files that were not added to these forms. */
export function useLeftOut(forms: string[]): string[] {
  const all = useStore(preparations);
  return forms.flatMap((form) => all[form]?.leftOut ?? []);
}

/** Names the files that were not added. Empty without any. */
export const describeLeftOut = (names: string[]) => (names.length > 0 ? `Left out: ${names.join(', ')}` : '');

/** Returns a form's status that also names the files that were not added. */
export function withLeftOut(status: Status | undefined, names: string[]): Status | undefined {
  const text = describeLeftOut(names);
  if (!text) return status;
  return status ? { ...status, hint: [status.hint, text].filter(Boolean).join(' ') } : { kind: 'error', text };
}

/** Drops what is being prepared for a form, because its draft is deleted. */
export function cancelPreparation(form: string) {
  change(form, { ...nothing, run: {} });
}

type PhotoOptions<T> = {
  /** How many photos the form can still take, without those that are being prepared for it. */
  room: number;
  /** Returns the message if photos were left out, because the form cannot take more. */
  describeLimit(leftOutCount: number): string;
  /** Whether files that are not photos have a message beside photos too. */
  isStrict: boolean;
  prepare(file: File): Promise<T>;
};

/**
 * Prepares those of these files that are photos, one by one; `usePreparation` adds them to the form. Clears the
 * messages about earlier files, unless some are still being prepared.
 */
export async function preparePhotos<T>(form: string, files: File[], options: PhotoOptions<T>): Promise<void> {
  const run = get(form).run ?? {};
  const room = Math.max(0, options.room - countUnfinished(form));
  // From now on, because Submit waits for them.
  if (!isUnfinished(get(form))) clearProblems(form);
  change(form, { run, pendingCount: get(form).pendingCount + files.length });
  const arePhotos = await Promise.all(files.map(isPhoto));
  if (get(form).run !== run) return;
  const photos = files.filter((_, index) => arePhotos[index]);
  const accepted = photos.slice(0, room);
  const hasOthers = photos.length < files.length && (options.isStrict || photos.length === 0);
  const leaveOut = (others: File[], newProblems: string[]) =>
    change(form, {
      pendingCount: get(form).pendingCount - others.length,
      problems: [...new Set([...get(form).problems, ...newProblems])],
      leftOut: [...get(form).leftOut, ...others.map(({ name }) => name)],
    });
  leaveOut(
    files.filter((file) => !accepted.includes(file)),
    [
      ...(hasOthers ? ['Only image files are supported'] : []),
      ...(accepted.length < photos.length ? [options.describeLimit(photos.length - accepted.length)] : []),
    ],
  );
  for (const file of accepted) {
    const result = await options.prepare(file).catch((error: Error) => error);
    if (get(form).run !== run) return;
    if (result instanceof Error) leaveOut([file], [result.message]);
    else change(form, { ready: [...get(form).ready, result], pendingCount: get(form).pendingCount - 1 });
  }
}

/** Passes prepared files to the form on the screen as soon as they are ready. */
export function usePreparation<T>(form: string, onReady: (prepared: T[]) => void) {
  const { pendingCount, ready, problems, leftOut } = useStore(preparations)[form] ?? nothing;
  const add = useEffectEvent((prepared: T[]) => onReady(prepared));
  // Before the next event, which may remove one of the form's files.
  useLayoutEffect(() => {
    const prepared = get(form).ready as T[];
    if (ready.length === 0 || prepared.length === 0) return;
    change(form, { ready: [] });
    add(prepared);
  }, [form, ready]);
  return { pendingCount, problems, leftOut };
}
