// Where the user is. While the files of the next screen load, the last screen stays.
import { useDeferredValue } from 'react';
import type { AroundNavHandler } from 'wouter';
import { type BrowserLocationHook, useBrowserLocation, useSearch } from 'wouter/use-browser-location';

export const usePath: BrowserLocationHook = () => {
  const [path, navigate] = useBrowserLocation();
  return [useDeferredValue(path), navigate];
};

export const useQueryString = () => useDeferredValue(useSearch());

/** A link to the page that is shown adds no history entry. */
export const replaceSameUrl: AroundNavHandler = (navigate, to, options) => {
  const { pathname, search } = window.location;
  navigate(to, to === pathname + search ? { ...options, replace: true } : options);
};

let isBack = false;
for (const type of ['popstate', 'pushState', 'replaceState'])
  window.addEventListener(type, () => {
    isBack = type === 'popstate';
  });

/** Whether the user has come to this page by Back or Forward. */
export const isBackNavigation = () => isBack;
