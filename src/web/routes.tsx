// Every screen: its address, who may open it, what the browser's tab says, and the file it comes from, loaded when first opened.
import { matchPath } from 'react-router';
import type { Who } from '#shared/contract.ts';
import { onDemand } from './ui/onDemand.ts';

type ScreenRoute = { path: string; who: Who; title: string; page: ReturnType<typeof onDemand<string, object>> };

export const routes: ScreenRoute[] = [
  { path: '/login', who: 'anyone', title: 'Login', page: onDemand(() => import('./auth/LoginPage.tsx'), 'LoginPage') },
  {
    path: '/reporting',
    who: 'signedIn',
    title: 'Reporting',
    page: onDemand(() => import('./reports/ReportingPage.tsx'), 'ReportingPage'),
  },
  {
    path: '/accidentreporting',
    who: 'signedIn',
    title: 'Accident Reporting Form',
    page: onDemand(() => import('./reports/StandalonePages.tsx'), 'AccidentReportingPage'),
  },
  {
    path: '/incidentreporting',
    who: 'signedIn',
    title: 'Incident Reporting Form',
    page: onDemand(() => import('./reports/StandalonePages.tsx'), 'IncidentReportingPage'),
  },
  {
    path: '/get-reports',
    who: 'reviewer',
    title: 'Reports',
    page: onDemand(() => import('./reports/ReportsPage.tsx'), 'ReportsPage'),
  },
  {
    path: '/checklists',
    who: 'signedIn',
    title: 'Checklists',
    page: onDemand(() => import('./checklists/ChecklistsPage.tsx'), 'ChecklistsPage'),
  },
  {
    path: '/admin',
    who: 'reviewer',
    title: 'Admin Panel',
    page: onDemand(() => import('./admin/AdminPage.tsx'), 'AdminPage'),
  },
  {
    path: '/admin/activity',
    who: 'admin',
    title: 'Activity',
    page: onDemand(() => import('./activity/ActivityPage.tsx'), 'ActivityPage'),
  },
  {
    path: '/admin/deleted',
    who: 'admin',
    title: 'Deleted things',
    page: onDemand(() => import('./deletions/DeletedPage.tsx'), 'DeletedPage'),
  },
  {
    path: '/audits',
    who: 'signedIn',
    title: 'Audits',
    page: onDemand(() => import('./audits/FoldersPage.tsx'), 'FoldersPage'),
  },
  {
    path: '/audit-folders/:folderId',
    who: 'signedIn',
    title: 'Audits',
    page: onDemand(() => import('./audits/FolderAuditsPage.tsx'), 'FolderAuditsPage'),
  },
  {
    path: '/create-audit/:folderId',
    who: 'signedIn',
    title: 'Create New Audit',
    page: onDemand(() => import('./audits/CreateAuditPage.tsx'), 'CreateAuditPage'),
  },
  {
    path: '/audit/:id',
    who: 'signedIn',
    title: 'Audit',
    page: onDemand(() => import('./audits/AuditDetailPage.tsx'), 'AuditDetailPage'),
  },
];

export const notFound = onDemand(() => import('./NotFoundPage.tsx'), 'NotFoundPage');

export const navigationBar = onDemand(() => import('./ui/NavigationBar.tsx'), 'NavigationBar');

/** Fetches the files of the screen that an address leads to. A failure shows when the screen is opened, which fetches them again. */
export function preloadScreen(pathname: string): Promise<unknown> {
  const path = pathname === '/' ? '/reporting' : pathname;
  const route = routes.find((route) => matchPath(route.path, path)) ?? { page: notFound, who: 'anyone' };
  return Promise.allSettled([route.page.load(), route.who !== 'anyone' && navigationBar.load()]);
}
