// Lazily loaded components.
import { type ComponentType, lazy } from 'react';
import { createStore } from '../../createStore.ts';
import { requestFailedStylesheets } from './stylesheets.ts';

const loading = new Set<Promise<unknown>>();
const slowAfterMs = 500;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Whether components have been loading for half a second; most load faster. */
export const isLoadingSlow = createStore(false);

function notify() {
  // Not at once: a store that changes while React draws a screen in slices makes it start again, without slices.
  if (loading.size > 0) timer ??= setTimeout(() => isLoadingSlow.set(true), slowAfterMs);
  else {
    clearTimeout(timer);
    timer = undefined;
    isLoadingSlow.set(false);
  }
}

/** A component in its own file, loaded when first drawn or by `load`. A failed load is retried. */
export function lazyComponent<Name extends string, Props>(
  fetch: () => Promise<Record<Name, ComponentType<Props>>>,
  name: Name,
) {
  let file: Promise<{ default: ComponentType<Props> }> | undefined;
  function load() {
    if (file) return file;
    const fetched = requestFailedStylesheets()
      .then(fetch)
      .then((parts) => ({ default: parts[name] }));
    file = fetched;
    loading.add(fetched);
    notify();
    fetched
      .catch(() => {
        file = undefined;
      })
      .finally(() => {
        loading.delete(fetched);
        notify();
      });
    return fetched;
  }
  return Object.assign(lazy(load), { load });
}
