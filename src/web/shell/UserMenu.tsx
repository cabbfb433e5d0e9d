import { Avatar, Button, Text, UnstyledButton } from '@mantine/core';
import { Bell, ChevronDown, Grid3x3, KeyRound, MonitorSmartphone, Package, ShieldCheck } from 'lucide-react';
import { Link } from 'wouter';
import { isAllowed, nameParks } from '#shared/access.ts';
import type { SessionUser } from '#shared/users.ts';
import { useNames } from '../client/names.ts';
import { getSharedDevice } from '../client/sharedDevice.ts';
import { useHasPassword } from '../forms/CurrentPassword.tsx';
import { usePopup } from '../ui/navigation/usePopup.ts';
import styles from './UserMenu.module.css';

const reviewerLinks = [{ to: '/packs', label: 'Packs', Icon: Package }];

type UserMenuProps = { user: SessionUser; onChange: (what: 'password' | 'PIN') => void };

/** The signed-in user, with a menu for role, park and password. */
export function UserMenu({ user, onChange }: UserMenuProps) {
  const showName = useNames();
  // Without a password, a PIN for shared devices is chosen elsewhere: these have no provider.
  const hasPassword = useHasPassword();
  const { isOpen, id, hide, close, container, button } = usePopup();

  return (
    <div {...container} className={styles.anchor}>
      <UnstyledButton className={styles.user} {...button}>
        <Avatar name={showName(user.username)} color="sea" size={32} aria-hidden />
        <span className={styles.name}>{showName(user.username)}</span>
        <ChevronDown aria-hidden size={16} />
      </UnstyledButton>
      {isOpen && (
        <div id={id} className={styles.menu}>
          <Text fw={600}>{showName(user.username)}</Text>
          <Text size="sm" c="dimmed">
            {user.role === 'None' ? 'Park staff' : user.role}, {nameParks(user.parks)}
          </Text>
          {isAllowed('reviewer', user) &&
            reviewerLinks.map(({ to, label, Icon }) => (
              <Button
                key={to}
                component={Link}
                to={to}
                variant="default"
                fullWidth
                mt="sm"
                leftSection={<Icon aria-hidden size={18} />}
                onClick={hide}
              >
                {label}
              </Button>
            ))}
          {hasPassword && (
            <Button
              variant="default"
              fullWidth
              mt="sm"
              leftSection={<KeyRound aria-hidden size={18} />}
              onClick={() => {
                close();
                onChange('password');
              }}
            >
              Change Password
            </Button>
          )}
          {(getSharedDevice() || !hasPassword) && user.role === 'None' && (
            <Button
              variant="default"
              fullWidth
              mt="sm"
              leftSection={<Grid3x3 aria-hidden size={18} />}
              onClick={() => {
                close();
                onChange('PIN');
              }}
            >
              Choose a PIN
            </Button>
          )}
          <Button
            variant="default"
            fullWidth
            mt="sm"
            component={Link}
            to="/second-factors"
            leftSection={<ShieldCheck aria-hidden size={18} />}
            onClick={hide}
          >
            Two-Factor Sign-In
          </Button>
          <Button
            variant="default"
            fullWidth
            mt="sm"
            component={Link}
            to="/notification-settings"
            leftSection={<Bell aria-hidden size={18} />}
            onClick={hide}
          >
            Notification Settings
          </Button>
          <Button
            variant="default"
            fullWidth
            mt="sm"
            component={Link}
            to="/sessions"
            leftSection={<MonitorSmartphone aria-hidden size={18} />}
            onClick={hide}
          >
            Where You Are Signed In
          </Button>
        </div>
      )}
    </div>
  );
}
