import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { Joined } from '../feedback/Name.tsx';
import rows from '../theme/rows.module.css';

type RecordRowProps = {
  /** The page of the record, unless the user may not open it. */
  to?: string | false | null | undefined;
  title: ReactNode;
  text?: ReactNode;
  /** Shown below, dimmed; what is empty is left out. */
  details?: ReactNode[];
  /** Beside it: its state, and buttons. */
  children?: ReactNode;
};

/** A record in a list with `rows.list`. */
export const RecordRow = ({ to, title, text, details = [], children }: RecordRowProps) => (
  <li className={rows.row}>
    <div className={rows.text}>
      {to ? (
        <Link to={to} className={rows.link}>
          {title}
        </Link>
      ) : (
        <Text fw={600}>{title}</Text>
      )}
      {text && <Text>{text}</Text>}
      {details.some(Boolean) && (
        <Text size="sm" c="dimmed">
          <Joined parts={details} />
        </Text>
      )}
    </div>
    {children}
  </li>
);
