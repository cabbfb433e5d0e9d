import { UnstyledButton } from '@mantine/core';
import { ChevronRight } from 'lucide-react';
import { showDay } from '#shared/dates.ts';
import type { Report } from '#shared/reports.ts';
import styles from './reports.module.css';

export function ReportRow({ report, onOpen }: { report: Report; onOpen: () => void }) {
  const { number, name, date, selectedPlace, type } = report;
  return (
    <UnstyledButton aria-haspopup="dialog" onClick={onOpen} className={styles.row}>
      <span className={styles.rowName}>{name || 'No name'}</span>
      <span className={styles.rowNumber}>{number}</span>
      <span className={styles.rowFacts}>
        {[showDay(date), selectedPlace, type].filter((fact) => fact !== '').join(' · ')}
      </span>
      <ChevronRight aria-hidden size={18} className={styles.rowArrow} />
    </UnstyledButton>
  );
}
