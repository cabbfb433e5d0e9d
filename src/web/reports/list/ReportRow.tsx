import { UnstyledButton, VisuallyHidden } from '@mantine/core';
import { ChevronRight, Siren } from 'lucide-react';
import { formatDay } from '#shared/dates.ts';
import type { ReportRiddorState } from '#shared/law/assessment.ts';
import type { Report } from '#shared/reports/reports.ts';
import { RiddorStateLine } from '../../law/lazy.ts';
import styles from './reports.module.css';

type ReportRowProps = {
  report: Report;
  /** Undefined while it loads after the row, which reserves a line for it. */
  riddorState: ReportRiddorState | undefined;
  onOpen: () => void;
};

export function ReportRow({ report, riddorState, onOpen }: ReportRowProps) {
  const { number, name, date, time, selectedPlace, type, employmentStatus, emergencyService } = report;
  const dateAndTime = [formatDay(date), time].filter(Boolean).join(', ');
  const hasEmergency = emergencyService !== '' && emergencyService !== 'None';
  return (
    <UnstyledButton aria-haspopup="dialog" onClick={onOpen} className={styles.row}>
      <span className={styles.rowName}>
        {name || 'No name'}
        {report.first_opened_at === null && (
          <span className={styles.unopened} title="Not yet opened">
            <VisuallyHidden>Not yet opened</VisuallyHidden>
          </span>
        )}
      </span>
      <span className={styles.rowNumber}>{number}</span>
      <span className={styles.rowFacts}>
        {[dateAndTime, selectedPlace, type, employmentStatus].filter((fact) => fact !== '').join(' · ')}
      </span>
      {hasEmergency && (
        <span className={styles.emergency}>
          <Siren aria-hidden size={14} />
          {emergencyService}
        </span>
      )}
      <span className={styles.rowRiddorState}>{riddorState && <RiddorStateLine riddorState={riddorState} />}</span>
      <ChevronRight aria-hidden size={18} className={styles.rowArrow} />
    </UnstyledButton>
  );
}
