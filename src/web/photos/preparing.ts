// Files that are being prepared, by form. They belong to no screen: users who leave a form and come
// back find what has been prepared since.
import { useEffectEvent, useLayoutEffect } from 'react';
import { createStore } from '../createStore.ts';
import { askBeforeLeaving } from '../ui/forms/useAskBeforeLeaving.ts';
import { useStore } from '../useStore.ts';

/** A form's status text while files are prepared. */
export const processingImagesText = 'Processing images...';

type Preparation = {
  /** Replaced when the preparation is cancelled: a former run adds nothing more. */
  run?: object;
  pendingCount: number;
  /** Prepared, and not yet added to the form. */
  ready: unknown[];
  problems: string[];
};

const nothing: Preparation = { pendingCount: 0, ready: [], problems: [] };
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

export const setProblems = (form: string, problems: string[]) => change(form, { problems });

/** Whether files are being prepared for one of these forms. */
export function useIsPreparing(forms: string[]): boolean {
  const all = useStore(preparations);
  return forms.some((form) => isUnfinished(all[form] ?? nothing));
}

export const hasProblems = (forms: string[]) => forms.some((form) => get(form).problems.length > 0);

/** Drops what is being prepared for a form, because its draft is deleted. */
export function cancelPreparation(form: string) {
  change(form, { ...nothing, run: {} });
}

/** Prepares files one by one; `usePreparation` adds them to the form. */
export async function prepareFiles<T>(form: string, files: File[], prepare: (file: File) => Promise<T>): Promise<void> {
  const run = get(form).run ?? {};
  change(form, { run, pendingCount: get(form).pendingCount + files.length });
  for (const file of files) {
    const result = await prepare(file).then(
      (prepared) => () => ({ ready: [...get(form).ready, prepared] }),
      ({ message }: Error) =>
        () => ({ problems: [...new Set([...get(form).problems, message])] }),
    );
    if (get(form).run !== run) return;
    change(form, { ...result(), pendingCount: get(form).pendingCount - 1 });
  }
}

/** Passes prepared files to the form on the screen as soon as they are ready. */
export function usePreparation<T>(form: string, onReady: (prepared: T[]) => void) {
  const { pendingCount, ready, problems } = useStore(preparations)[form] ?? nothing;
  const add = useEffectEvent((prepared: T[]) => onReady(prepared));
  // Before the next event, which may remove one of the form's files.
  useLayoutEffect(() => {
    const prepared = get(form).ready as T[];
    if (ready.length === 0 || prepared.length === 0) return;
    change(form, { ready: [] });
    add(prepared);
  }, [form, ready]);
  return { pendingCount, problems };
}
