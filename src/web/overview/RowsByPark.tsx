// The records behind a number of the overview, one compact row each, under the name of their park.
import { Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import styles from './overview.module.css';

type Row = { id: string; park: string; to: string; title: ReactNode; facts: ReactNode[] };

export function RowsByPark({ rows }: { rows: Row[] }) {
  return [...Map.groupBy(rows, ({ park }) => park)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([park, ofPark]) => (
      <section key={park} aria-label={park} className={styles.park}>
        <Title order={2} size="h5">
          {park} <span className={styles.before}>{ofPark.length}</span>
        </Title>
        <ul className="list">
          {ofPark.map(({ id, to, title, facts }) => (
            <li key={id}>
              <Link to={to} className={styles.row}>
                <b>{title}</b>
                {facts.map((fact, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: the columns of the rows
                  <span key={index}>{fact}</span>
                ))}
              </Link>
            </li>
          ))}
        </ul>
      </section>
    ));
}
