import { type ComponentType, createElement, lazy, type ReactNode, Suspense } from 'react';
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

type Fetch<Name extends string, Props> = () => Promise<Record<Name, ComponentType<Props>>>;

/**
 * A component in its own file, loaded when first drawn or by `load`. A failed load is retried. Until it is loaded,
 * `fallback` is in its place.
 */
export function lazyComponent<Name extends string, Props extends object>(
  fetch: Fetch<Name, Props>,
  name: Name,
  fallback: ReactNode = null,
) {
  const Part = lazyScreen(fetch, name);
  const draw = (props: Props) => createElement(Suspense, { fallback }, createElement<Props>(Part, props));
  return Object.assign(draw, { load: Part.load });
}

/** The same for a whole screen: until it is loaded, the screen before it stays. */
export function lazyScreen<Name extends string, Props>(fetch: Fetch<Name, Props>, name: Name) {
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
