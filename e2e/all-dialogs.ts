// The dialogs in which tests check what must hold in each.
import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expect } from './server.ts';

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first().click();

type OpenedDialog = {
  /** In src/web. */
  file: string;
  path: string;
  title: string | RegExp;
  open?: (page: Page) => Promise<void>;
};

/** Each opens a dialog; `title` is that of the topmost one. `:report`, `:folder` and `:audit` are ids. */
export const dialogs: OpenedDialog[] = [
  {
    file: 'search/SearchDialog.tsx',
    path: '/reporting',
    title: 'Search',
    open: async (page) => {
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await page.keyboard.press('Control+k');
    },
  },
  {
    file: 'signature/SignatureDialog.tsx',
    path: '/reporting',
    title: 'Sign Here',
    open: (page) => press(page, /^Sign Reporter/),
  },
  { file: 'reports/ReportDetails.tsx', path: '/get-reports?report=:report', title: 'Report Details' },
  {
    file: 'reports/ReportDetails.tsx',
    path: '/get-reports?report=:report',
    title: 'Delete this report?',
    open: (page) => press(page, 'Delete'),
  },
  {
    file: 'photos/viewer/PhotoViewer.tsx',
    path: '/get-reports?report=:report',
    title: /^Photo 1 of/,
    open: (page) => press(page, /^View photo/),
  },
  {
    file: 'auth/SignInDialog.tsx',
    path: '/get-reports?report=:report',
    title: 'Please sign in again',
    open: async (page) => {
      await expect(page.getByRole('button', { name: 'Delete' })).toBeVisible();
      await page.context().clearCookies();
      // Any request opens the dialog, so another may have done so already, and it covers the button.
      await page.locator('button', { hasText: 'History' }).dispatchEvent('click');
    },
  },
  {
    file: 'parks/ParksTableDialog.tsx',
    path: '/admin/parks',
    title: 'Fill In All Parks',
    open: (page) => press(page, 'Fill In All Parks'),
  },
  {
    file: 'audits/folders/FolderDialog.tsx',
    path: '/audits',
    title: 'New Folder',
    open: (page) => press(page, 'New Folder'),
  },
  {
    file: 'audits/folders/FoldersPage.tsx',
    path: '/audits',
    title: 'Delete this folder?',
    open: (page) => press(page, /^Delete Fire safety/),
  },
  {
    file: 'users/ImportUsersDialog.tsx',
    path: '/admin',
    title: 'Import users',
    open: (page) => press(page, 'Import from CSV'),
  },
  {
    file: 'checklists/templates/TemplatesDialog.tsx',
    path: '/admin?tab=checklists',
    title: 'Start from a Template',
    open: (page) => press(page, 'Start from a Template'),
  },
  {
    file: 'schedules/ClosedDaysDialog.tsx',
    path: '/admin?tab=checklists',
    title: 'Closed Days',
    open: (page) => press(page, 'Closed Days'),
  },
  {
    file: 'users/SharedDevicesPage.tsx',
    path: '/admin/devices',
    title: 'Use This Device at One Park',
    open: (page) => press(page, 'Use This Device at One Park'),
  },
];

/** How many further dialogs files have, which need a conflict, a deadline, a second user or records to open. */
const others: Record<string, number> = {
  'audits/AuditEditor.tsx': 3,
  'audits/folders/FolderAuditsPage.tsx': 1,
  'audits/folders/FolderDialog.tsx': 1,
  'audits/open/AuditSelection.tsx': 1,
  'audits/open/OpenAudits.tsx': 1,
  'auth/ChangePasswordDialog.tsx': 1,
  'auth/ChoosePinDialog.tsx': 1,
  'auth/ConfirmIdentityDialog.tsx': 1,
  'auth/EndSessionsDialog.tsx': 1,
  'auth/FactorDialogs.tsx': 3,
  'auth/IdleDialogs.tsx': 2,
  'auth/SecondFactorsPage.tsx': 1,
  'checklists/ChecklistsTab.tsx': 1,
  'checklists/OtherPlaceDialog.tsx': 1,
  'checklists/builder/ChecklistEditor.tsx': 1,
  'checklists/builder/ChecklistPreview.tsx': 1,
  'checklists/submissions/DeletedChecklist.tsx': 1,
  'checklists/submissions/SubmissionDialog.tsx': 1,
  'checklists/submissions/SubmissionsTab.tsx': 1,
  'deletions/ReleaseReportDialog.tsx': 1,
  'investigations/Findings.tsx': 1,
  'investigations/InvestigationPage.tsx': 1,
  'messages/CloseMessageDialog.tsx': 1,
  'messages/CloseMessagesDialog.tsx': 1,
  'messages/MessagePage.tsx': 1,
  'messages/MessageSelection.tsx': 1,
  'notifications/ChangeEmailDialog.tsx': 1,
  'outbox/OutboxPage.tsx': 1,
  'packs/PackDialog.tsx': 1,
  'packs/PacksPage.tsx': 1,
  'parks/PlacesPage.tsx': 2,
  'records/HoldsPanel.tsx': 1,
  'schedules/ChecksPage.tsx': 1,
  'schedules/ClosedDaysDialog.tsx': 1,
  'schedules/ScheduleDialog.tsx': 2,
  'schedules/ScheduleForm.tsx': 1,
  'shell/NavigationBar.tsx': 1,
  'users/OneTimePasswordsDialog.tsx': 2,
  'users/ResetPasswordDialog.tsx': 2,
  'users/SharedDevicesPage.tsx': 1,
  'users/UserDetailsDialog.tsx': 1,
  'users/UsersTab.tsx': 2,
  'users/WaitingIdentities.tsx': 2,
};

/** The components that all dialogs consist of. */
const components = /^(ui\/dialogs\/|forms\/(Form|Request)Dialog|client\/useConfirmed)/;

/** The files in which the number of dialogs is not that of the lists above. */
export async function findUnlistedDialogs(): Promise<string[]> {
  const counts: Record<string, number> = {};
  for await (const file of glob('**/*.tsx', { cwd: 'src/web' })) {
    const source = readFileSync(`src/web/${file}`, 'utf8');
    const count =
      source.match(/<(Modal|(Confirm|Form|Request|Details|Conflict)?Dialog)\b(?!>)|useConfirmed</g)?.length ?? 0;
    if (count > 0 && !components.test(file)) counts[file] = count;
  }
  const listed = { ...others };
  for (const { file } of dialogs) listed[file] = (listed[file] ?? 0) + 1;
  return [...new Set([...Object.keys(counts), ...Object.keys(listed)])].filter((file) => counts[file] !== listed[file]);
}
