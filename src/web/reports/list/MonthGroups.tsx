// The months that have reports. They are collapsed, and load their reports when opened.
import { UnstyledButton } from '@mantine/core';
import { ChevronRight } from 'lucide-react';
import { useId, useState } from 'react';
import { formatMonth } from '#shared/dates.ts';
import type { Report } from '#shared/reports/reports.ts';
import { FormattedCount } from './FormattedCount.tsx';
import { type ReportListQuery, ReportPages } from './ReportPages.tsx';
import styles from './reports.module.css';

type MonthGroupsProps = {
  query: Omit<ReportListQuery, 'month'>;
  months: { month: string; count: number }[];
  onOpen: (report: Report) => void;
};

/** A search with at most this many results shows them at once. */
const maxExpandedReports = 20;

export function MonthGroups({ query, months, onOpen }: MonthGroupsProps) {
  const isSmallResult = query.q !== '' && months.reduce((sum, { count }) => sum + count, 0) <= maxExpandedReports;
  const [toggledMonths, setToggledMonths] = useState<Record<string, boolean>>({});
  const id = useId();

  return (
    <div className={styles.months}>
      {months.map(({ month, count }, index) => {
        const isOpen = toggledMonths[month] ?? isSmallResult;
        return (
          <div key={month}>
            <h3 className={styles.monthHeading}>
              <UnstyledButton
                aria-expanded={isOpen}
                aria-controls={`${id}-${index}`}
                onClick={() => setToggledMonths({ ...toggledMonths, [month]: !isOpen })}
                className={styles.month}
              >
                <ChevronRight aria-hidden size={20} className={styles.chevron} />
                <span className={styles.monthName}>{formatMonth(month)}</span>
                <FormattedCount count={count} />
              </UnstyledButton>
            </h3>
            <div id={`${id}-${index}`} hidden={!isOpen}>
              {isOpen && <ReportPages query={{ ...query, month }} onOpen={onOpen} />}
            </div>
          </div>
        );
      })}
    </div>
  );
}
