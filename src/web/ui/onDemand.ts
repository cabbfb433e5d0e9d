// Components that come in files of their own.
import { type ComponentType, lazy } from 'react';

const onTheWay = new Set<Promise<unknown>>();
const watchers = new Set<() => void>();
const tell = () => {
  for (const watcher of watchers) watcher();
};

/** Whether any file is being fetched. */
export const isFetching = () => onTheWay.size > 0;

export function watchFetching(watcher: () => void) {
  watchers.add(watcher);
  return () => void watchers.delete(watcher);
}

/** A component from a file of its own, fetched when it is first drawn, or before by `load`. What failed is fetched again. */
export function onDemand<Name extends string, Props>(
  fetch: () => Promise<Record<Name, ComponentType<Props>>>,
  name: Name,
) {
  let file: Promise<{ default: ComponentType<Props> }> | undefined;
  function load() {
    if (file) return file;
    const fetched = fetch().then((parts) => ({ default: parts[name] }));
    file = fetched;
    onTheWay.add(fetched);
    queueMicrotask(tell);
    fetched
      .catch(() => {
        file = undefined;
      })
      .finally(() => {
        onTheWay.delete(fetched);
        tell();
      });
    return fetched;
  }
  return Object.assign(lazy(load), { load });
}
