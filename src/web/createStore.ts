export type Store<T> = {
  get(): T;
  /** Calls the listener after every change. Returns a function that stops this. */
  subscribe(listener: () => void): () => void;
};

/** Creates a value outside React, which screens follow with `useStore`. */
export function createStore<T>(value: T): Store<T> & { set(value: T): void } {
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set(next) {
      if (Object.is(next, value)) return;
      value = next;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
