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
  isOnlineOnly?: true;
};

export const screens: Screen[] = [
  { path: '/login', access: 'anyone', title: 'Login', file: './auth/LoginPage.tsx' },
  {
    path: '/confirm-email',
    access: 'anyone',
    title: 'Confirm Email Address',
    file: './auth/ConfirmEmailPage.tsx',
    isOnlineOnly: true,
  },
  {
    path: '/invitation',
    access: 'anyone',
    title: 'Choose Your Password',
    file: './auth/InvitationPage.tsx',
    isOnlineOnly: true,
  },
  {
    path: '/sign-in/return',
    access: 'anyone',
    title: 'Sign In',
    file: './auth/SignInReturnPage.tsx',
    isOnlineOnly: true,
  },
  { path: '/reporting', access: 'signedIn', title: 'Reporting', file: './reports/ReportingPage.tsx' },
  {
    path: '/accidentreporting',
    access: 'signedIn',
    title: 'Accident Reporting Form',
    file: './reports/AccidentReportingPage.tsx',
  },
  {
    path: '/incidentreporting',
    access: 'signedIn',
    title: 'Incident Reporting Form',
    file: './reports/IncidentReportingPage.tsx',
  },
  {
    path: '/report-hazard',
    access: 'signedIn',
    title: 'Report a Hazard or Near Miss',
    file: './audits/new/ReportHazardPage.tsx',
  },
  { path: '/places/:id', access: 'signedIn', title: 'Place', file: './places/PlacePage.tsx' },
  { path: '/outbox', access: 'signedIn', title: 'Outbox', file: './outbox/OutboxPage.tsx' },
  {
    path: '/notifications',
    access: 'signedIn',
    title: 'Notifications',
    file: './notifications/NotificationsPage.tsx',
    isOnlineOnly: true,
  },
  {
    path: '/notification-settings',
    access: 'signedIn',
    title: 'Notification Settings',
    file: './notifications/NotificationSettingsPage.tsx',
    isOnlineOnly: true,
  },
  {
    path: '/sessions',
    access: 'signedIn',
    title: 'Where You Are Signed In',
    file: './auth/SessionsPage.tsx',
    isOnlineOnly: true,
  },
  {
    path: '/second-factors',
    access: 'signedIn',
    title: 'Two-Factor Sign-In',
    file: './auth/SecondFactorsPage.tsx',
    isOnlineOnly: true,
  },
  { path: '/get-reports', access: 'reviewer', title: 'Reports', file: './reports/list/ReportsPage.tsx' },
  {
    path: '/investigations',
    access: 'reviewer',
    title: 'Investigations',
    file: './investigations/InvestigationsPage.tsx',
  },
  {
    path: '/investigations/:id',
    access: 'reviewer',
    title: 'Investigation',
    file: './investigations/InvestigationPage.tsx',
  },
  { path: '/messages', access: 'reviewer', title: 'Messages from Guests', file: './messages/MessagesPage.tsx' },
  { path: '/messages/:id', access: 'reviewer', title: 'Message from a Guest', file: './messages/MessagePage.tsx' },
  {
    path: '/lessons/new',
    access: 'reviewer',
    title: 'New Lesson',
    file: './investigations/NewLessonPage.tsx',
  },
  { path: '/lessons/:id', access: 'reviewer', title: 'Lesson', file: './investigations/LessonPage.tsx' },
  { path: '/packs', access: 'reviewer', title: 'Packs', file: './packs/PacksPage.tsx' },
  { path: '/checklists', access: 'signedIn', title: 'Checklists', file: './checklists/ChecklistsPage.tsx' },
  { path: '/overview', access: 'reviewer', title: 'Overview', file: './overview/OverviewPage.tsx' },
  { path: '/overview/audits', access: 'reviewer', title: 'Audits', file: './overview/AuditsOnDayPage.tsx' },
  { path: '/overview/not-ready', access: 'reviewer', title: 'Not Ready to Open', file: './overview/NotReadyPage.tsx' },
  {
    path: '/coming-checks',
    access: 'signedIn',
    title: 'Coming Checks',
    file: './schedules/ComingChecksPage.tsx',
    isOnlineOnly: true,
  },
  { path: '/checks', access: 'reviewer', title: 'Scheduled Checks', file: './schedules/ChecksPage.tsx' },
  { path: '/admin', access: 'reviewer', title: 'Admin Panel', file: './admin/AdminPage.tsx' },
  { path: '/admin/activity', access: 'reviewer', title: 'Activity', file: './activity/ActivityPage.tsx' },
  { path: '/admin/deleted', access: 'reviewer', title: 'Deleted Items', file: './deletions/DeletedItemsPage.tsx' },
  { path: '/admin/places', access: 'reviewer', title: 'Places', file: './parks/PlacesPage.tsx' },
  {
    path: '/admin/devices',
    access: 'reviewer',
    title: 'Shared Devices',
    file: './users/SharedDevicesPage.tsx',
    isOnlineOnly: true,
  },
  { path: '/admin/parks', access: 'admin', title: 'Parks', file: './parks/ParksPage.tsx' },
  { path: '/admin/records', access: 'adminOfAllParks', title: 'Records', file: './records/RecordsPage.tsx' },
  {
    path: '/admin/system',
    access: 'adminOfAllParks',
    title: 'System',
    file: './admin/SystemPage.tsx',
    isOnlineOnly: true,
  },
  {
    path: '/admin/first-steps',
    access: 'adminOfAllParks',
    title: 'First Steps',
    file: './admin/FirstStepsPage.tsx',
    isOnlineOnly: true,
  },
  { path: '/audits', access: 'signedIn', title: 'Audits', file: './audits/folders/FoldersPage.tsx' },
  {
    path: '/audit-folders/:folderId',
    access: 'signedIn',
    title: 'Audits',
    file: './audits/folders/FolderAuditsPage.tsx',
  },
  {
    path: '/create-audit/:folderId',
    access: 'signedIn',
    title: 'Create New Audit',
    file: './audits/new/CreateAuditPage.tsx',
  },
  { path: '/audit/:id', access: 'signedIn', title: 'Audit', file: './audits/AuditDetailPage.tsx' },
];

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
