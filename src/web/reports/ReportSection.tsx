import { Paper, Title } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { FileSearch } from 'lucide-react';
import { useId } from 'react';
import { api } from '#shared/api.ts';
import type { Report, ReportFilters, ReportType } from '#shared/reports/reports.ts';
import { queryFor } from '../client/api.ts';
import { ExportButtons } from '../exports/ExportButtons.tsx';
import { SearchBox } from '../ui/forms/SearchBox.tsx';
import { RecordList } from '../ui/navigation/RecordList.tsx';
import { FormattedCount } from './list/FormattedCount.tsx';
import { MonthGroups } from './list/MonthGroups.tsx';
import { ReportPages } from './list/ReportPages.tsx';
import styles from './list/reports.module.css';
import type { View } from './list/useReportsUrl.ts';
import { useLogError } from './useLogError.ts';

type ReportSectionProps = {
  reportType: ReportType;
  view: View;
  searchText: string;
  filters: ReportFilters;
  hasExport: boolean;
  onSearch: (searchText: string) => void;
  onOpen: (report: Report) => void;
};

export const reportListTitles: Record<ReportType, string> = {
  accident: 'Accident Reports',
  incident: 'Incident Reports',
};

export function ReportSection({
  reportType,
  view,
  searchText,
  filters,
  hasExport,
  onSearch,
  onOpen,
}: ReportSectionProps) {
  const query = { reportType, q: searchText, ...filters };
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  const months = useQuery({ ...queryFor(api.listReportMonths, { query }), placeholderData: keepPreviousData });
  const heading = useId();
  useLogError(months.error);

  const total = months.data?.reduce((sum, { count }) => sum + count, 0);
  return (
    <Paper
      component="section"
      aria-labelledby={heading}
      aria-busy={months.isPending || undefined}
      className={styles.section}
    >
      <div className="wrap between">
        <Title order={2} size="h4" id={heading}>
          {reportListTitles[reportType]}
        </Title>
        {total !== undefined && <FormattedCount count={total} />}
      </div>
      <SearchBox
        label={`Search ${reportType} reports`}
        placeholder={`Search ${reportType} reports...`}
        value={searchText}
        onSearch={onSearch}
      />
      {hasExport && Boolean(total) && (
        <ExportButtons list="reports" name={reportListTitles[reportType]} filters={query} />
      )}
      <RecordList
        // If there are months, their reports say that they could not be loaded.
        query={{ ...months, error: months.data ? null : months.error }}
        failed="The reports could not be loaded."
        isNotStored
        // Short, so that a filter's results in the other list are in view.
        empty={
          searchText
            ? 'No reports found. Try another word, or clear the search.'
            : isFiltered
              ? 'No reports found. Clear the filters to see all reports.'
              : { icon: FileSearch, text: 'No reports found.', hint: 'Reports submitted under Reporting appear here.' }
        }
      >
        {(months) =>
          view === 'list' ? (
            <ReportPages query={query} onOpen={onOpen} />
          ) : (
            <MonthGroups key={JSON.stringify(query)} query={query} months={months} onOpen={onOpen} />
          )
        }
      </RecordList>
    </Paper>
  );
}
