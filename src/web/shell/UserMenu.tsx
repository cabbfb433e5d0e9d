import { Avatar, Button, Text, UnstyledButton } from '@mantine/core';
import { useClickOutside } from '@mantine/hooks';
import { Bell, ChartColumn, ChevronDown, KeyRound, Package } from 'lucide-react';
import { type FocusEvent, type KeyboardEvent, useId, useRef, useState } from 'react';
import { Link } from 'react-router';
import { isAllowed } from '#shared/access.ts';
import { allParks } from '#shared/choices.ts';
import type { SessionUser } from '#shared/users.ts';
import { useNames } from '../client/names.ts';
import styles from './UserMenu.module.css';

const reviewerLinks = [
  { to: '/overview', label: 'Overview', Icon: ChartColumn },
  { to: '/packs', label: 'Packs', Icon: Package },
];

/** The signed-in user, with a menu for role, park and password. */
export function UserMenu({ user, onChangePassword }: { user: SessionUser; onChangePassword: () => void }) {
  const showName = useNames();
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const container = useClickOutside<HTMLDivElement>(() => setOpen(false));
  const id = useId();

  const closeAtEscape = ({ key }: KeyboardEvent) => {
    if (key !== 'Escape' || !isOpen) return;
    setOpen(false);
    button.current?.focus();
  };
  const closeOnBlur = ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (relatedTarget && !currentTarget.contains(relatedTarget)) setOpen(false);
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only watches where the keyboard goes
    <div ref={container} className={styles.anchor} onKeyDown={closeAtEscape} onBlur={closeOnBlur}>
      <UnstyledButton
        ref={button}
        className={styles.user}
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        <Avatar name={showName(user.username)} color="sea" size={32} aria-hidden />
        <span className={styles.name}>{showName(user.username)}</span>
        <ChevronDown aria-hidden size={16} />
      </UnstyledButton>
      {isOpen && (
        <div id={id} className={styles.menu}>
          <Text fw={600}>{showName(user.username)}</Text>
          <Text size="sm" c="dimmed">
            {user.role === 'None' ? 'Park staff' : user.role}, {user.park || allParks}
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
                onClick={() => setOpen(false)}
              >
                {label}
              </Button>
            ))}
          <Button
            variant="default"
            fullWidth
            mt="sm"
            leftSection={<KeyRound aria-hidden size={18} />}
            onClick={() => {
              // The dialog returns the focus later, which must not be to a closing menu.
              button.current?.focus();
              setOpen(false);
              onChangePassword();
            }}
          >
            Change Password
          </Button>
          <Button
            variant="default"
            fullWidth
            mt="sm"
            component={Link}
            to="/notification-settings"
            leftSection={<Bell aria-hidden size={18} />}
            onClick={() => setOpen(false)}
          >
            Notification Settings
          </Button>
        </div>
      )}
    </div>
  );
}
