// The buttons that lead from one report to the next.
import { ActionIcon, Text, VisuallyHidden } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useRef } from 'react';
import { api } from '#shared/api.ts';
import type { Report, ReportType } from '#shared/reports/reports.ts';
import { queryFor } from '../client/api.ts';
import type { ReportListQuery } from './list/ReportPages.tsx';
import styles from './ReportDetails.module.css';

type ReportStepsProps = {
  /** The open report; undefined while it loads. */
  report: Report | undefined;
  /** The lists of the screen, in their order. */
  kinds: readonly ReportType[];
  getListQuery: (reportType: ReportType) => ReportListQuery & { reportType: ReportType };
  onStep: (id: string) => void;
};

const steps = [
  { name: 'previous', label: 'Previous', key: 'K', Icon: ChevronLeft },
  { name: 'next', label: 'Next', key: 'J', Icon: ChevronRight },
] as const;

/**
 * Opens the reports around this one, through one list and on into the other, also with the keys J and K. None is loaded
 * before it is opened.
 */
export function ReportSteps({ report, kinds, getListQuery, onStep }: ReportStepsProps) {
  const queryIn = (reportType: ReportType = 'accident') =>
    queryFor(api.findReportNeighbours, { params: { id: report?.id ?? '' }, query: getListQuery(reportType) });
  const own = useQuery({ ...queryIn(report?.reportType), enabled: report !== undefined });
  const isInFirst = report?.reportType === kinds[0];
  const otherKind = report && kinds.includes(report.reportType) && kinds.find((kind) => kind !== report.reportType);
  // Of a report that is not in it, a list tells its ends.
  const isAtEnd = own.isSuccess && !own.data[isInFirst ? 'next' : 'previous'];
  const other = useQuery({ ...queryIn(otherKind || undefined), enabled: isAtEnd && Boolean(otherKind) });
  const neighbours = {
    previous: own.data?.previous ?? (isInFirst ? undefined : other.data?.previous),
    next: own.data?.next ?? (isInFirst ? other.data?.next : undefined),
  };
  const isLast = own.isSuccess && !neighbours.next && (!isInFirst || !otherKind || other.isSuccess);
  const buttons = useRef<HTMLDivElement>(null);

  const step = (name: 'previous' | 'next') => {
    const id = neighbours[name];
    const dialog = buttons.current?.closest('[role="dialog"]');
    if (!id || !dialog?.contains(document.activeElement)) return;
    onStep(id);
    dialog.scrollTop = 0;
  };
  useHotkeys(steps.map(({ name, key }) => [key, () => step(name)]));

  return (
    // biome-ignore lint/a11y/useSemanticElements: two buttons, not a set of fields
    <div role="group" aria-label="Other reports" ref={buttons} className={styles.steps}>
      <VisuallyHidden role="status">{report?.number}</VisuallyHidden>
      {isLast && (
        <Text size="sm" c="dimmed">
          Last
        </Text>
      )}
      {steps.map(({ name, label, key, Icon }) => (
        // RIDDOR has a 'Next' of its own in the same dialog. Not disabled, because a disabled button would lose the
        // focus.
        <ActionIcon
          key={name}
          size={44}
          variant="subtle"
          color="gray"
          title={`${label} Report (${key})`}
          aria-label={`${label} Report`}
          aria-keyshortcuts={key}
          aria-disabled={!neighbours[name]}
          data-disabled={!neighbours[name] || undefined}
          onClick={() => step(name)}
        >
          <Icon aria-hidden size={22} />
        </ActionIcon>
      ))}
    </div>
  );
}
