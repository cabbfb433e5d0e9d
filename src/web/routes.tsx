// Every screen: its address, who may open it, what the browser's tab says, and the file it comes from, loaded when first opened.
import { type ComponentType, lazy } from 'react';
import { matchPath } from 'react-router';
import { isAllowed, type Role } from '#shared/access.ts';
import type { Who } from '#shared/contract.ts';

/** A component from a file of its own, fetched when it is first drawn, or before by `load`. What failed is fetched again. */
function screen<Name extends string, Props>(fetch: () => Promise<Record<Name, ComponentType<Props>>>, name: Name) {
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

type ScreenRoute = { path: string; who: Who; title: string; page: ReturnType<typeof screen<string, object>> };

export const routes: ScreenRoute[] = [
  { path: '/login', who: 'anyone', title: 'Login', page: screen(() => import('./auth/LoginPage.tsx'), 'LoginPage') },
  {
    path: '/reporting',
    who: 'signedIn',
    title: 'Reporting',
    page: screen(() => import('./reports/ReportingPage.tsx'), 'ReportingPage'),
  },
  {
    path: '/accidentreporting',
    who: 'signedIn',
    title: 'Accident Reporting Form',
    page: screen(() => import('./reports/StandalonePages.tsx'), 'AccidentReportingPage'),
  },
  {
    path: '/incidentreporting',
    who: 'signedIn',
    title: 'Incident Reporting Form',
    page: screen(() => import('./reports/StandalonePages.tsx'), 'IncidentReportingPage'),
  },
  {
    path: '/get-reports',
    who: 'reviewer',
    title: 'Reports',
    page: screen(() => import('./reports/ReportsPage.tsx'), 'ReportsPage'),
  },
  {
    path: '/checklists',
    who: 'signedIn',
    title: 'Checklists',
    page: screen(() => import('./checklists/ChecklistsPage.tsx'), 'ChecklistsPage'),
  },
  {
    path: '/admin',
    who: 'reviewer',
    title: 'Admin Panel',
    page: screen(() => import('./admin/AdminPage.tsx'), 'AdminPage'),
  },
  {
    path: '/admin/activity',
    who: 'admin',
    title: 'Activity',
    page: screen(() => import('./activity/ActivityPage.tsx'), 'ActivityPage'),
  },
  {
    path: '/admin/deleted',
    who: 'admin',
    title: 'Deleted things',
    page: screen(() => import('./deletions/DeletedPage.tsx'), 'DeletedPage'),
  },
  {
    path: '/audits',
    who: 'signedIn',
    title: 'Audits',
    page: screen(() => import('./audits/FoldersPage.tsx'), 'FoldersPage'),
  },
  {
    path: '/audit-folders/:folderId',
    who: 'signedIn',
    title: 'Audits',
    page: screen(() => import('./audits/FolderAuditsPage.tsx'), 'FolderAuditsPage'),
  },
  {
    path: '/create-audit/:folderId',
    who: 'signedIn',
    title: 'Create New Audit',
    page: screen(() => import('./audits/CreateAuditPage.tsx'), 'CreateAuditPage'),
  },
  {
    path: '/audit/:id',
    who: 'signedIn',
    title: 'Audit',
    page: screen(() => import('./audits/AuditDetailPage.tsx'), 'AuditDetailPage'),
  },
];

export const notFound = screen(() => import('./NotFoundPage.tsx'), 'NotFoundPage');

export const navigationBar = screen(() => import('./ui/NavigationBar.tsx'), 'NavigationBar');

/** Fetches the files of the screen that an address leads to. A failure shows when the screen is opened, which fetches them again. */
export function preloadScreen(pathname: string): Promise<unknown> {
  const path = pathname === '/' ? '/reporting' : pathname;
  const route = routes.find((route) => matchPath(route.path, path)) ?? { page: notFound, who: 'anyone' };
  return Promise.allSettled([route.page.load(), route.who !== 'anyone' && navigationBar.load()]);
}

/** Where a person goes after logging in: back to the page first asked for if the role allows it, else to /reporting. */
export function destinationFor(role: Role, asked = ''): string {
  const [path = ''] = asked.split(/[?#]/);
  const route = routes.find((route) => matchPath(route.path, path));
  return route && route.who !== 'anyone' && isAllowed(route.who, role) ? asked : '/reporting';
}
