// The list of all screens, for the browser (routes.ts) and for the build (files in build/).
import type { AccessLevel } from '#shared/contract.ts';

type Screen = {
  path: string;
  access: AccessLevel;
  /** The document's title. */
  title: string;
  /** The file of the screen, `./feature/NamePage.tsx`, which exports the component `NamePage`. */
  file: `./${string}Page.tsx`;
  /** Useless without a connection, so that devices of staff do not store it. */
  isOnlineOnly: boolean;
};

/** In `lines`: needs a connection. */
const online = true;

const lines: [Screen['path'], AccessLevel, Screen['title'], Screen['file'], isOnlineOnly?: true][] = [
  ['/login', 'anyone', 'Login', './auth/LoginPage.tsx'],
  ['/confirm-email', 'anyone', 'Confirm Email Address', './auth/ConfirmEmailPage.tsx', online],
  ['/invitation', 'anyone', 'Choose Your Password', './auth/InvitationPage.tsx', online],
  ['/sign-in/return', 'anyone', 'Sign In', './auth/SignInReturnPage.tsx', online],
  ['/reporting', 'signedIn', 'Reporting', './reports/ReportingPage.tsx'],
  ['/accidentreporting', 'signedIn', 'Accident Reporting Form', './reports/AccidentReportingPage.tsx'],
  ['/incidentreporting', 'signedIn', 'Incident Reporting Form', './reports/IncidentReportingPage.tsx'],
  ['/report-hazard', 'signedIn', 'Report a Hazard or Near Miss', './audits/new/ReportHazardPage.tsx'],
  ['/places/:id', 'signedIn', 'Place', './places/PlacePage.tsx'],
  ['/outbox', 'signedIn', 'Outbox', './outbox/OutboxPage.tsx'],
  ['/notifications', 'signedIn', 'Notifications', './notifications/NotificationsPage.tsx', online],
  [
    '/notification-settings',
    'signedIn',
    'Notification Settings',
    './notifications/NotificationSettingsPage.tsx',
    online,
  ],
  ['/sessions', 'signedIn', 'Where You Are Signed In', './auth/SessionsPage.tsx', online],
  ['/second-factors', 'signedIn', 'Two-Factor Sign-In', './auth/SecondFactorsPage.tsx', online],
  ['/get-reports', 'reviewer', 'Reports', './reports/list/ReportsPage.tsx'],
  ['/investigations', 'reviewer', 'Investigations', './investigations/InvestigationsPage.tsx'],
  ['/investigations/:id', 'reviewer', 'Investigation', './investigations/InvestigationPage.tsx'],
  ['/messages', 'reviewer', 'Messages from Guests', './messages/MessagesPage.tsx'],
  ['/messages/:id', 'reviewer', 'Message from a Guest', './messages/MessagePage.tsx'],
  ['/lessons/new', 'reviewer', 'New Lesson', './investigations/NewLessonPage.tsx'],
  ['/lessons/:id', 'reviewer', 'Lesson', './investigations/LessonPage.tsx'],
  ['/packs', 'reviewer', 'Packs', './packs/PacksPage.tsx'],
  ['/checklists', 'signedIn', 'Checklists', './checklists/ChecklistsPage.tsx'],
  ['/overview', 'reviewer', 'Overview', './overview/OverviewPage.tsx'],
  ['/overview/audits', 'reviewer', 'Audits', './overview/AuditsOnDayPage.tsx'],
  ['/overview/not-ready', 'reviewer', 'Not Ready to Open', './overview/NotReadyPage.tsx'],
  ['/coming-checks', 'signedIn', 'Coming Checks', './schedules/ComingChecksPage.tsx', online],
  ['/checks', 'reviewer', 'Scheduled Checks', './schedules/ChecksPage.tsx'],
  ['/admin', 'reviewer', 'Admin Panel', './admin/AdminPage.tsx'],
  ['/admin/activity', 'reviewer', 'Activity', './activity/ActivityPage.tsx'],
  ['/admin/deleted', 'reviewer', 'Deleted Items', './deletions/DeletedItemsPage.tsx'],
  ['/admin/places', 'reviewer', 'Places', './parks/PlacesPage.tsx'],
  ['/admin/devices', 'reviewer', 'Shared Devices', './users/SharedDevicesPage.tsx', online],
  ['/admin/parks', 'admin', 'Parks', './parks/ParksPage.tsx'],
  ['/admin/records', 'adminOfAllParks', 'Records', './records/RecordsPage.tsx'],
  ['/admin/system', 'adminOfAllParks', 'System', './admin/SystemPage.tsx', online],
  ['/admin/first-steps', 'adminOfAllParks', 'First Steps', './admin/FirstStepsPage.tsx', online],
  ['/audits', 'signedIn', 'Audits', './audits/folders/FoldersPage.tsx'],
  ['/audit-folders/:folderId', 'signedIn', 'Audits', './audits/folders/FolderAuditsPage.tsx'],
  ['/create-audit/:folderId', 'signedIn', 'Create New Audit', './audits/new/CreateAuditPage.tsx'],
  ['/audit/:id', 'signedIn', 'Audit', './audits/AuditDetailPage.tsx'],
];

export const screens = lines.map(
  ([path, access, title, file, isOnlineOnly = false]): Screen => ({ path, access, title, file, isOnlineOnly }),
);

/** The screens of administration by group, as their list shows them. */
export const administration: { heading: string; paths: string[] }[] = [
  { heading: '', paths: ['/admin'] },
  { heading: 'People', paths: ['/admin/devices', '/admin/deleted'] },
  { heading: 'Places', paths: ['/admin/parks', '/admin/places', '/checks'] },
  { heading: 'Records', paths: ['/admin/records', '/packs', '/admin/activity'] },
  { heading: 'Set-up', paths: ['/admin/first-steps', '/admin/system'] },
];
export const adminNavFile = './admin/AdminNav.tsx';
export const isAdministration = ({ path }: Pick<Screen, 'path'>) =>
  administration.some(({ paths }) => paths.includes(path));

export const isForReviewers = ({ access }: Pick<Screen, 'access'>) => access !== 'anyone' && access !== 'signedIn';

/** Parts of screens of staff that their devices do not store: only reviewers load them, or they need a connection. */
const partsNotStored = [
  './admin/AdminNav.tsx',
  './places/Readings.tsx',
  './search/SearchDialog.tsx',
  './auth/ChangePasswordDialog.tsx',
  './auth/ChoosePinDialog.tsx',
  './auth/ConfirmIdentityDialog.tsx',
  './audits/open/AuditSelection.tsx',
  './investigations/StartInvestigation.tsx',
];

/** Returns the files of screens, and of parts of screens, that devices of staff do not store. */
export const listFilesNotStored = () => [
  ...screens.filter((screen) => isForReviewers(screen) || screen.isOnlineOnly).map(({ file }) => file),
  ...partsNotStored,
];

/** The root redirects to this screen. */
export const homePath = '/reporting';

/** Shown above every screen that requires a session. */
export const navigationBarFile = './shell/NavigationBar.tsx';
