import { UnstyledButton } from '@mantine/core';
import { useClickOutside, useHotkeys } from '@mantine/hooks';
import {
  ChartColumn,
  ClipboardCheck,
  FilePen,
  ListChecks,
  LogOut,
  type LucideIcon,
  Menu as MenuIcon,
  Search,
  Users,
  X,
} from 'lucide-react';
import { useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { isAllowed } from '#shared/access.ts';
import type { AccessLevel } from '#shared/contract.ts';
import type { SessionUser } from '#shared/users.ts';
import { waitingItems } from '../client/outboxPresence.ts';
import { signOut, switchUser } from '../client/session.ts';
import { getSharedDevice } from '../client/sharedDevice.ts';
import { NotificationBell } from '../notifications/NotificationBell.tsx';
import { getOperatorName } from '../operator.ts';
import { ConfirmDialog } from '../ui/dialogs/ConfirmDialog.tsx';
import { Toast } from '../ui/feedback/Toast.tsx';
import { useToast } from '../ui/feedback/useFeedback.ts';
import { lazyComponent } from '../ui/loading/lazyComponent.ts';
import { useStore } from '../useStore.ts';
import styles from './NavigationBar.module.css';
import '../ui/theme/shared.css';
import { IconButton } from '../ui/forms/IconButton.tsx';
import { UserMenu } from './UserMenu.tsx';

/** If its file cannot be fetched, waiting items are sent anyway. */
const OutboxChip = lazyComponent(
  () => import('../outbox/OutboxChip.tsx').catch(() => ({ OutboxChip: () => null })),
  'OutboxChip',
);

const OutboxWarning = lazyComponent(
  () => import('../outbox/OutboxChip.tsx').catch(() => ({ OutboxWarning: () => null })),
  'OutboxWarning',
);

const FactorNotice = lazyComponent(() => import('../auth/FactorNotice.tsx'), 'FactorNotice');

const SearchDialog = lazyComponent(() => import('../search/SearchDialog.tsx'), 'SearchDialog');

const ChangePasswordDialog = lazyComponent(() => import('../auth/ChangePasswordDialog.tsx'), 'ChangePasswordDialog');

const ChoosePinDialog = lazyComponent(() => import('../auth/ChoosePinDialog.tsx'), 'ChoosePinDialog');

/**
 * `also` lists the first segments of other paths that belong to a link. Those with an icon are also in the bar at the
 * bottom of a phone.
 */
const links: { to: string; label: string; access: AccessLevel; also?: string[]; icon?: LucideIcon }[] = [
  {
    to: '/reporting',
    label: 'Reporting',
    access: 'signedIn',
    also: ['accidentreporting', 'incidentreporting'],
    icon: FilePen,
  },
  {
    to: '/get-reports',
    label: 'Reports',
    access: 'reviewer',
    also: ['packs', 'investigations', 'lessons', 'messages'],
  },
  { to: '/checklists', label: 'Checklists', access: 'signedIn', also: ['checks'], icon: ListChecks },
  {
    to: '/audits',
    label: 'Audits',
    access: 'signedIn',
    also: ['audit-folders', 'create-audit', 'audit'],
    icon: ClipboardCheck,
  },
  { to: '/admin', label: 'Admin', access: 'reviewer' },
];

// Outside the component, because the React Compiler cannot compile an import.
const countOwnItems = async (userId: string) => {
  const { listItems } = await import('../outbox/items.ts');
  return (await listItems()).filter((item) => item.userId === userId).length;
};

export function NavigationBar({ user }: { user: SessionUser }) {
  const [menuOpenPath, setMenuOpenPath] = useState<string>();
  const [changing, setChanging] = useState<'password' | 'PIN'>();
  const [isSearching, setSearching] = useState(false);
  const [isSigningOut, setSigningOut] = useState(false);
  /** The number of waiting items, for the user who is about to sign out. */
  const [unsentCount, setUnsentCount] = useState(0);
  const hasWaitingItems = useStore(waitingItems);
  const menuButton = useRef<HTMLButtonElement>(null);
  const toast = useToast();
  const header = useClickOutside<HTMLElement>(() => setMenuOpenPath(undefined));
  const [path] = useLocation();
  const area = path.split('/')[1] ?? '';
  const getAriaCurrent = (to: string, also: string[] = []) => {
    if (path === to) return 'page';
    return `/${area}` === to || also.includes(area) ? true : undefined;
  };
  // Opening another page closes the menu.
  const isOpen = menuOpenPath === path;
  const isReviewer = isAllowed('reviewer', user);

  const closeMenu = () => {
    if (!isOpen) return;
    setMenuOpenPath(undefined);
    menuButton.current?.focus();
  };

  /** Opens a dialog once its file is there. It returns the focus later, which must not be to a closing menu. */
  const openDialog = (dialog: { load: () => Promise<unknown> }, open: () => void) => {
    closeMenu();
    dialog.load().then(open, () => toast.showError('This works only with a connection.'));
  };
  const change = (what: 'password' | 'PIN') =>
    openDialog(what === 'PIN' ? ChoosePinDialog : ChangePasswordDialog, () => setChanging(what));
  const stopChanging = () => setChanging(undefined);
  const endChange = (message: string) => {
    stopChanging();
    toast.showSuccess(message);
  };
  const search = () => openDialog(SearchDialog, () => setSearching(true));
  // Also while a field has the focus, which is not in the menu. Leaving from a dialog would lose what is in it.
  useHotkeys(
    [
      ['mod+K', () => document.querySelector('[aria-modal="true"]') === null && search()],
      ['Escape', closeMenu, { preventDefault: false }],
    ],
    [],
  );
  const startSignOut = () => {
    setUnsentCount(0);
    setSigningOut(true);
    void signOut();
  };
  const askToSignOut = async () => {
    const ownItemCount = await countOwnItems(user.id);
    if (ownItemCount > 0) setUnsentCount(ownItemCount);
    else startSignOut();
  };

  return (
    <header ref={header} className={styles.header}>
      <div className={styles.bar}>
        <Link to="/reporting" className={styles.brand} aria-label={getOperatorName()}>
          <img src="/operator-logo" alt="" width="40" height="40" className={styles.logo} />
          <span className={styles.name}>{getOperatorName()}</span>
        </Link>

        <div role="status" className={styles.waiting}>
          {hasWaitingItems && <OutboxChip />}
        </div>

        {isReviewer && (
          <Link
            to="/overview"
            className={styles.overview}
            aria-label="Overview"
            aria-current={getAriaCurrent('/overview')}
          >
            <ChartColumn aria-hidden size={22} />
            <span className={styles.word}>Overview</span>
          </Link>
        )}
        <UnstyledButton
          className={styles.search}
          aria-label="Search"
          title="Search (Ctrl+K)"
          aria-keyshortcuts="Control+K"
          onClick={search}
        >
          <Search aria-hidden size={22} />
        </UnstyledButton>
        <div className={styles.bell}>
          <NotificationBell />
        </div>

        <div className={styles.foot}>
          {/* The open menu has the same links. */}
          {!isOpen && (
            <nav aria-label="Shortcuts" className={styles.shortcuts}>
              {links.map(
                ({ to, label, also, icon: Icon }) =>
                  Icon && (
                    <Link key={to} to={to} className={styles.footLink} aria-current={getAriaCurrent(to, also)}>
                      <Icon aria-hidden size={22} />
                      {label}
                    </Link>
                  ),
              )}
            </nav>
          )}
          <UnstyledButton
            ref={menuButton}
            className={`${styles.footLink} ${styles.menuButton}`}
            aria-label="Menu"
            aria-expanded={isOpen}
            aria-controls="navigation"
            onClick={() => setMenuOpenPath(isOpen ? undefined : path)}
          >
            {isOpen ? <X aria-hidden /> : <MenuIcon aria-hidden />}
            <span className={styles.menuWord}>Menu</span>
          </UnstyledButton>
        </div>

        <div id="navigation" className={styles.panel} data-open={isOpen || undefined}>
          <nav aria-label="Main" className={styles.links}>
            {links
              .filter(({ access }) => isAllowed(access, user))
              .map(({ to, label, also }) => (
                <Link
                  key={to}
                  to={to}
                  className={styles.link}
                  aria-current={getAriaCurrent(to, also)}
                  // Returning to this page must not reopen its menu.
                  onClick={() => setMenuOpenPath(undefined)}
                >
                  {label}
                </Link>
              ))}
          </nav>
          <Link
            to="/report-hazard"
            className={`${styles.link} ${styles.hazard}`}
            aria-current={path === '/report-hazard' ? 'page' : undefined}
            onClick={() => setMenuOpenPath(undefined)}
          >
            Report a Hazard
          </Link>

          {isReviewer && (
            <Link
              to="/overview"
              className={`${styles.link} ${styles.menuOverview}`}
              aria-current={getAriaCurrent('/overview')}
              onClick={() => setMenuOpenPath(undefined)}
            >
              Overview
            </Link>
          )}
          <UnstyledButton className={`${styles.link} ${styles.menuSearch}`} onClick={search}>
            Search
          </UnstyledButton>
          <div className={styles.user}>
            <UserMenu user={user} onChange={change} />
            {getSharedDevice() && (
              <IconButton icon={Users} onClick={switchUser}>
                Switch User
              </IconButton>
            )}
            <IconButton
              icon={LogOut}
              color="red"
              variant="outline"
              loading={isSigningOut}
              onClick={hasWaitingItems ? askToSignOut : startSignOut}
            >
              Logout
            </IconButton>
          </div>
        </div>
      </div>

      {hasWaitingItems && <OutboxWarning />}
      {user.factorNeed && !user.mustChangePassword && (
        <FactorNotice userId={user.id} username={user.username} need={user.factorNeed} />
      )}

      <ConfirmDialog
        isOpen={unsentCount > 0}
        title="Sign out?"
        confirm="Sign Out"
        onConfirm={startSignOut}
        onCancel={() => setUnsentCount(0)}
      >
        {unsentCount === 1 ? '1 item has' : `${unsentCount} items have`} not been sent yet.{' '}
        {unsentCount === 1 ? 'It' : 'They'} will be sent{' '}
        {getSharedDevice() ? 'from this device' : 'when you next sign in on this device'}.
      </ConfirmDialog>
      {isSearching && <SearchDialog user={user} onClose={() => setSearching(false)} />}
      {changing === 'PIN' && <ChoosePinDialog onClose={stopChanging} onChosen={() => endChange('PIN saved')} />}
      {changing === 'password' && (
        <ChangePasswordDialog onClose={stopChanging} onChanged={() => endChange('Password changed')} />
      )}
      <Toast feedback={toast} />
    </header>
  );
}
