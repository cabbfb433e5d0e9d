import { useSyncExternalStore } from 'react';
import type { Store } from './createStore.ts';

/** The store's value; the component is drawn again when it changes. */
export const useStore = <T>({ subscribe, get }: Store<T>): T => useSyncExternalStore(subscribe, get);
