import { Avatar, Text, UnstyledButton } from '@mantine/core';
import { Bell, ChevronDown, Grid3x3, KeyRound, MonitorSmartphone, Package, ShieldCheck } from 'lucide-react';
import { Link } from 'wouter';
import { isAllowed, nameParks } from '#shared/access.ts';
import type { SessionUser } from '#shared/users.ts';
import { useNames } from '../client/names.ts';
import { getSharedDevice } from '../client/sharedDevice.ts';
import { useHasPassword } from '../forms/CurrentPassword.tsx';
import { IconButton } from '../ui/forms/IconButton.tsx';
import { usePopup } from '../ui/navigation/usePopup.ts';
import styles from './UserMenu.module.css';

const settingsLinks = [
  { to: '/second-factors', label: 'Two-Factor Sign-In', Icon: ShieldCheck },
  { to: '/notification-settings', label: 'Notification Settings', Icon: Bell },
  { to: '/sessions', label: 'Where You Are Signed In', Icon: MonitorSmartphone },
];

const item = { fullWidth: true, mt: 'sm', className: 'long' } as const;

/** The name of the signed-in user, with a menu: their role and parks, and links to what they can set. */
export function UserMenu({ user, onChange }: { user: SessionUser; onChange: (what: 'password' | 'PIN') => void }) {
  const showName = useNames();
  // Users without a password choose their PIN on another device: shared devices do not offer the provider.
  const hasPassword = useHasPassword();
  const { isOpen, id, hide, close, container, button } = usePopup();
  const change = (what: 'password' | 'PIN') => () => {
    close();
    onChange(what);
  };

  return (
    <div {...container} className={styles.anchor}>
      <UnstyledButton className={styles.user} {...button}>
        <Avatar name={showName(user.username)} color="sea" size={32} aria-hidden />
        <span className={styles.name} translate="no">
          {showName(user.username)}
        </span>
        <ChevronDown aria-hidden size={16} />
      </UnstyledButton>
      {isOpen && (
        <div id={id} className={styles.menu}>
          <Text fw={600} translate="no">
            {showName(user.username)}
          </Text>
          <Text size="sm" c="dimmed">
            {user.role === 'None' ? 'Park staff' : user.role}, {nameParks(user.parks)}
          </Text>
          {isAllowed('reviewer', user) && (
            <IconButton icon={Package} component={Link} to="/packs" {...item} onClick={hide}>
              Packs
            </IconButton>
          )}
          {hasPassword && (
            <IconButton icon={KeyRound} {...item} onClick={change('password')}>
              Change Password
            </IconButton>
          )}
          {(getSharedDevice() || !hasPassword) && user.role === 'None' && (
            <IconButton icon={Grid3x3} {...item} onClick={change('PIN')}>
              Choose a PIN
            </IconButton>
          )}
          {settingsLinks.map(({ to, label, Icon }) => (
            <IconButton icon={Icon} key={to} {...item} component={Link} to={to} onClick={hide}>
              {label}
            </IconButton>
          ))}
        </div>
      )}
    </div>
  );
}
