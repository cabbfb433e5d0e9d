import { Button } from '@mantine/core';
import { PackagePlus } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import type { Report, ReportType } from '#shared/reports.ts';
import { DutyStrip } from '../law/lazy.tsx';
import { PackDialog } from '../packs/lazy.tsx';
import { Toast } from '../ui/feedback/Toast.tsx';
import { useFeedback } from '../ui/feedback/useFeedback.ts';
import { DeferredContent } from '../ui/loading/DeferredContent.tsx';
import { PageHeading } from '../ui/navigation/PageHeading.tsx';
import { ReportDetails } from './ReportDetails.tsx';
import { ReportFilterPanel } from './ReportFilterPanel.tsx';
import { ReportSection } from './ReportSection.tsx';
import styles from './reports.module.css';
import { useReportsUrl, type View } from './useReportsUrl.ts';

const views: Record<View, string> = { month: 'Group by Month', list: 'List View' };

export function ReportsPage() {
  const urlState = useReportsUrl();
  // A clicked report is in the list already; one from the URL must be loaded.
  const [clickedReport, setClickedReport] = useState<Report>();

  const deleted = useFeedback();
  const [isMakingPack, setMakingPack] = useState(false);
  const kinds = (['incident', 'accident'] as const).filter(
    (kind) => urlState.kind === undefined || urlState.kind === kind,
  );

  const { duty: _, ...otherFilters } = urlState.filters;

  const open = (report: Report) => {
    setClickedReport(report);
    urlState.open(report.id);
  };

  const section = (type: ReportType) => (
    <ReportSection
      reportType={type}
      view={urlState.view}
      searchText={urlState.getSearch(type)}
      filters={urlState.filters}
      onSearch={(searchText) => urlState.setSearch(type, searchText)}
      onOpen={open}
    />
  );

  return (
    <>
      <PageHeading title="Reports">
        <Button component={Link} to="/overview" variant="default">
          Overview
        </Button>
      </PageHeading>
      <div className={styles.tools}>
        {/* biome-ignore lint/a11y/useSemanticElements: two buttons, not a set of fields */}
        <div role="group" aria-label="View" className={`${styles.views} ${styles.toggle}`}>
          {(Object.keys(views) as View[]).map((view) => (
            <Button
              key={view}
              variant={urlState.view === view ? 'filled' : 'default'}
              aria-pressed={urlState.view === view}
              onClick={() => urlState.setView(view)}
            >
              {views[view]}
            </Button>
          ))}
        </div>
        <ReportFilterPanel urlFilters={urlState} />
        <Button
          variant="default"
          leftSection={<PackagePlus aria-hidden size={18} />}
          aria-haspopup="dialog"
          onClick={() => setMakingPack(true)}
        >
          Make Pack
        </Button>
      </div>
      <DutyStrip
        lists={kinds.map((reportType) => ({ reportType, q: urlState.getSearch(reportType), ...otherFilters }))}
      />
      <div className={styles.sections}>
        {urlState.kind !== 'accident' && section('incident')}
        {urlState.kind !== 'incident' && <DeferredContent>{section('accident')}</DeferredContent>}
      </div>
      {urlState.openId && (
        <ReportDetails
          key={urlState.openId}
          id={urlState.openId}
          known={clickedReport?.id === urlState.openId ? clickedReport : undefined}
          onClose={urlState.close}
          onDeleted={() => deleted.showSuccess('Report deleted successfully')}
        />
      )}
      {isMakingPack && (
        <PackDialog
          lists={kinds.map((reportType) => ({ reportType, q: urlState.getSearch(reportType), ...urlState.filters }))}
          onClose={() => setMakingPack(false)}
        />
      )}
      <Toast feedback={deleted} />
    </>
  );
}
