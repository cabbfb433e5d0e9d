// The components of all screens, each loaded when it is first shown.
import type { ComponentType } from 'react';
import { homePath, isAdministration, screens } from './screens.ts';
import { lazyScreen } from './ui/loading/lazyComponent.ts';

/** By file: each exports a component of the file's name. */
const files = import.meta.glob<Record<string, ComponentType>>(['./**/*Page.tsx', '!./shell/ErrorPage.tsx']);

function createPage(file: string) {
  const load = files[file];
  if (!load) throw new Error(`Unknown screen ${file}`);
  return lazyScreen(load, file.slice(file.lastIndexOf('/') + 1, -'.tsx'.length));
}

export const routes = screens.map((screen) => ({
  ...screen,
  page: createPage(screen.file),
  hasAdminNav: isAdministration(screen),
}));

export const notFound = lazyScreen(() => import('./shell/NotFoundPage.tsx'), 'NotFoundPage');

export const navigationBar = lazyScreen(() => import('./shell/NavigationBar.tsx'), 'NavigationBar');

/** Beside the screens of administration. */
export const adminNav = lazyScreen(() => import('./admin/AdminNav.tsx'), 'AdminNav');

/** Whether a path is one of a screen's, whose path may have parameters: `/audit/:id`. */
const matchesPath = (pattern: string, path: string) =>
  new RegExp(`^${pattern.replace(/:\w+/g, '[^/]+')}/?$`, 'i').test(path);

/**
 * Loads the files of a path's screen in advance. A failure appears when the screen opens, which
 * retries.
 */
export function preloadScreen(pathname: string): Promise<unknown> {
  const path = pathname === '/' ? homePath : pathname;
  const route = routes.find((route) => matchesPath(route.path, path)) ?? {
    ...{ page: notFound, access: 'anyone', hasAdminNav: false },
  };
  return Promise.allSettled([
    route.page.load(),
    route.access !== 'anyone' && navigationBar.load(),
    route.hasAdminNav && adminNav.load(),
  ]);
}
