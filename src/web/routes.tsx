// Every screen: path, access level, document title, and its lazily loaded component.
import { matchPath } from 'react-router';
import type { AccessLevel } from '#shared/contract.ts';
import { lazyComponent } from './ui/loading/lazyComponent.ts';

type ScreenRoute = {
  path: string;
  access: AccessLevel;
  title: string;
  page: ReturnType<typeof lazyComponent<string, object>>;
};

export const routes: ScreenRoute[] = [
  {
    path: '/login',
    access: 'anyone',
    title: 'Login',
    page: lazyComponent(() => import('./auth/LoginPage.tsx'), 'LoginPage'),
  },
  {
    path: '/reporting',
    access: 'signedIn',
    title: 'Reporting',
    page: lazyComponent(() => import('./reports/ReportingPage.tsx'), 'ReportingPage'),
  },
  {
    path: '/accidentreporting',
    access: 'signedIn',
    title: 'Accident Reporting Form',
    page: lazyComponent(() => import('./reports/StandalonePages.tsx'), 'AccidentReportingPage'),
  },
  {
    path: '/incidentreporting',
    access: 'signedIn',
    title: 'Incident Reporting Form',
    page: lazyComponent(() => import('./reports/StandalonePages.tsx'), 'IncidentReportingPage'),
  },
  {
    path: '/outbox',
    access: 'signedIn',
    title: 'Outbox',
    page: lazyComponent(() => import('./outbox/OutboxPage.tsx'), 'OutboxPage'),
  },
  {
    path: '/get-reports',
    access: 'reviewer',
    title: 'Reports',
    page: lazyComponent(() => import('./reports/ReportsPage.tsx'), 'ReportsPage'),
  },
  {
    path: '/checklists',
    access: 'signedIn',
    title: 'Checklists',
    page: lazyComponent(() => import('./checklists/ChecklistsPage.tsx'), 'ChecklistsPage'),
  },
  {
    path: '/checks',
    access: 'reviewer',
    title: 'Scheduled Checks',
    page: lazyComponent(() => import('./schedules/ChecksPage.tsx'), 'ChecksPage'),
  },
  {
    path: '/admin',
    access: 'reviewer',
    title: 'Admin Panel',
    page: lazyComponent(() => import('./admin/AdminPage.tsx'), 'AdminPage'),
  },
  {
    path: '/admin/activity',
    access: 'reviewer',
    title: 'Activity',
    page: lazyComponent(() => import('./activity/ActivityPage.tsx'), 'ActivityPage'),
  },
  {
    path: '/admin/deleted',
    access: 'reviewer',
    title: 'Deleted items',
    page: lazyComponent(() => import('./deletions/DeletedItemsPage.tsx'), 'DeletedItemsPage'),
  },
  {
    path: '/audits',
    access: 'signedIn',
    title: 'Audits',
    page: lazyComponent(() => import('./audits/FoldersPage.tsx'), 'FoldersPage'),
  },
  {
    path: '/audit-folders/:folderId',
    access: 'signedIn',
    title: 'Audits',
    page: lazyComponent(() => import('./audits/FolderAuditsPage.tsx'), 'FolderAuditsPage'),
  },
  {
    path: '/create-audit/:folderId',
    access: 'signedIn',
    title: 'Create New Audit',
    page: lazyComponent(() => import('./audits/CreateAuditPage.tsx'), 'CreateAuditPage'),
  },
  {
    path: '/audit/:id',
    access: 'signedIn',
    title: 'Audit',
    page: lazyComponent(() => import('./audits/AuditDetailPage.tsx'), 'AuditDetailPage'),
  },
];

export const notFound = lazyComponent(() => import('./shell/NotFoundPage.tsx'), 'NotFoundPage');

export const navigationBar = lazyComponent(() => import('./shell/NavigationBar.tsx'), 'NavigationBar');

/**
 * Loads the files of a path's screen in advance. A failure appears when the screen opens, which
 * retries.
 */
export function preloadScreen(pathname: string): Promise<unknown> {
  const path = pathname === '/' ? '/reporting' : pathname;
  const route = routes.find((route) => matchPath(route.path, path)) ?? { page: notFound, access: 'anyone' };
  return Promise.allSettled([route.page.load(), route.access !== 'anyone' && navigationBar.load()]);
}
