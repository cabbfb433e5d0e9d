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
  getListQuery: (reportType: ReportType) => ReportListQuery & { reportType: ReportType };
  onStep: (id: string) => void;
};

const steps = [
  { name: 'previous', label: 'Previous', key: 'K', Icon: ChevronLeft },
  { name: 'next', label: 'Next', key: 'J', Icon: ChevronRight },
] as const;

/** Opens the reports around this one in its list, also with the keys J and K. None is loaded before it is opened. */
export function ReportSteps({ report, getListQuery, onStep }: ReportStepsProps) {
  const { data: neighbours } = useQuery({
    ...queryFor(api.findReportNeighbours, {
      params: { id: report?.id ?? '' },
      query: getListQuery(report?.reportType ?? 'accident'),
    }),
    enabled: report !== undefined,
  });
  const buttons = useRef<HTMLDivElement>(null);

  const step = (name: 'previous' | 'next') => {
    const id = report && neighbours?.[name];
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
      {neighbours && !neighbours.next && (
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
          aria-disabled={!neighbours?.[name]}
          data-disabled={!neighbours?.[name] || undefined}
          onClick={() => step(name)}
        >
          <Icon aria-hidden size={22} />
        </ActionIcon>
      ))}
    </div>
  );
}
