// The screens of administration, at the left of each of them; on a narrow screen behind a button.
import { UnstyledButton } from '@mantine/core';
import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { isAllowed } from '#shared/access.ts';
import { useUser } from '../client/session.ts';
import { administration, screens } from '../screens.ts';
import styles from './AdminNav.module.css';

const screenByPath = new Map(screens.map((screen) => [screen.path, screen]));

export function AdminNav() {
  const user = useUser();
  const [path] = useLocation();
  const [openPath, setOpenPath] = useState<string>();
  // Opening another screen closes the list.
  const isOpen = openPath === path;
  const groups = administration
    .map(({ heading, paths }) => ({
      heading,
      links: paths.flatMap((path) => screenByPath.get(path) ?? []).filter(({ access }) => isAllowed(access, user)),
    }))
    .filter(({ links }) => links.length > 0);

  return (
    <nav aria-label="Administration" className={styles.nav}>
      <UnstyledButton
        className={styles.button}
        aria-expanded={isOpen}
        aria-controls="administration"
        onClick={() => setOpenPath(isOpen ? undefined : path)}
      >
        Admin: {screenByPath.get(path)?.title}
        <ChevronDown aria-hidden size={18} className="chevron" />
      </UnstyledButton>
      <div id="administration" className={styles.list} data-open={isOpen || undefined}>
        {groups.map(({ heading, links }) => (
          <div key={heading}>
            {heading && <p className={styles.heading}>{heading}</p>}
            <ul>
              {links.map(({ path: to, title }) => (
                <li key={to}>
                  <Link
                    to={to}
                    className={styles.link}
                    aria-current={to === path ? 'page' : undefined}
                    onClick={() => setOpenPath(undefined)}
                  >
                    {title}
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </div>
    </nav>
  );
}
