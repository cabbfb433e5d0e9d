import { type ComponentType, lazy } from 'react';

/** A component from a file of its own, fetched when it is first drawn, or before by `load`. What failed is fetched again. */
export function onDemand<Name extends string, Props>(
  fetch: () => Promise<Record<Name, ComponentType<Props>>>,
  name: Name,
) {
  let file: Promise<{ default: ComponentType<Props> }> | undefined;
  function load() {
    file ??= fetch().then((parts) => ({ default: parts[name] }));
    file.catch(() => {
      file = undefined;
    });
    return file;
  }
  return Object.assign(lazy(load), { load });
}
