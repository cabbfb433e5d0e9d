// Lazily loaded components.
import { type ComponentType, lazy } from 'react';
import { createStore } from '../../createStore.ts';
import { requestFailedStylesheets } from './stylesheets.ts';

const loading = new Set<Promise<unknown>>();

/** Whether a component is being loaded. */
export const componentLoading = createStore(false);
const notify = () => componentLoading.set(loading.size > 0);

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
    queueMicrotask(notify);
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
