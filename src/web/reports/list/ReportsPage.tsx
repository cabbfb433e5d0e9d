import { Button } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { ArrowDownUp, ChartColumn, Mail, PackagePlus, Search } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import type { Report, ReportType } from '#shared/reports/reports.ts';
import { ExportButtons } from '../../exports/ExportButtons.tsx';
import { DutyStrip } from '../../law/DutyStrip.tsx';
import { getGuestUrl } from '../../operator.ts';
import { Toast } from '../../ui/feedback/Toast.tsx';
import { useFeedback } from '../../ui/feedback/useFeedback.ts';
import { DeferredContent } from '../../ui/loading/DeferredContent.tsx';
import { lazyComponent } from '../../ui/loading/lazyComponent.ts';
import { PageHeading } from '../../ui/navigation/PageHeading.tsx';
import { PopupMenu } from '../../ui/navigation/PopupMenu.tsx';
import { useIsPhone } from '../../ui/theme/useIsPhone.ts';
import { ReportSection, reportListTitles } from '../ReportSection.tsx';
import { FilterButton, ReportFilterPanel } from './ReportFilterPanel.tsx';
import styles from './reports.module.css';
import { useReportsUrl, type View } from './useReportsUrl.ts';

const ReportDetails = lazyComponent(() => import('../ReportDetails.tsx'), 'ReportDetails');
const PackDialog = lazyComponent(() => import('../../packs/PackDialog.tsx'), 'PackDialog');

/** The kind of report that is listed first on a phone, as last chosen on this device. */
const firstKindOptions = { key: 'reports-first', defaultValue: 'incident', getInitialValueInEffect: false } as const;

const views: Record<View, string> = { month: 'Group by Month', list: 'List View' };

const renderLinks = () => (
  <>
    <Button component={Link} to="/overview" variant="default" leftSection={<ChartColumn aria-hidden size={18} />}>
      Overview
    </Button>
    <Button component={Link} to="/investigations" variant="default" leftSection={<Search aria-hidden size={18} />}>
      Investigations
    </Button>
    {getGuestUrl() && (
      <Button component={Link} to="/messages" variant="default" leftSection={<Mail aria-hidden size={18} />}>
        Messages
      </Button>
    )}
  </>
);

export function ReportsPage() {
  const urlState = useReportsUrl();
  // A clicked report is in the list already; one from the URL must be loaded.
  const [clickedReport, setClickedReport] = useState<Report>();

  const deleted = useFeedback();
  const [isMakingPack, setMakingPack] = useState(false);
  const [areFiltersOpen, setFiltersOpen] = useState(false);
  const isPhone = useIsPhone();
  const [firstKind, setFirstKind] = useLocalStorage<ReportType>(firstKindOptions);
  const accidentsFirst = isPhone && firstKind === 'accident';
  const kinds = (accidentsFirst ? (['accident', 'incident'] as const) : (['incident', 'accident'] as const)).filter(
    (kind) => urlState.kind === undefined || urlState.kind === kind,
  );

  // After the list and what it needs, and before a report is opened.
  useEffect(() => {
    const timer = setTimeout(() => ReportDetails.load().catch(() => undefined), 1000);
    return () => clearTimeout(timer);
  }, []);

  const { duty: _, ...otherFilters } = urlState.filters;

  const open = (report: Report) => {
    setClickedReport(report);
    urlState.open(report.id);
  };

  const makePackButton = (onClick: () => void) => (
    <Button
      variant="default"
      leftSection={<PackagePlus aria-hidden size={18} />}
      aria-haspopup="dialog"
      onClick={onClick}
    >
      Make Pack
    </Button>
  );
  const filterButton = (onClick: () => void) => (
    <FilterButton urlFilters={urlState} isOpen={areFiltersOpen} onClick={onClick} />
  );
  const getListQuery = (reportType: ReportType) => ({
    reportType,
    q: urlState.getSearch(reportType),
    ...urlState.filters,
  });

  return (
    <>
      <PageHeading title="Reports">
        {isPhone ? (
          <PopupMenu>
            {(andClose) => (
              <>
                {renderLinks()}
                {filterButton(andClose(() => setFiltersOpen(!areFiltersOpen)))}
                {makePackButton(andClose(() => setMakingPack(true)))}
                {kinds.length > 1 && (
                  <Button
                    variant="default"
                    leftSection={<ArrowDownUp aria-hidden size={18} />}
                    onClick={andClose(() => setFirstKind(accidentsFirst ? 'incident' : 'accident'))}
                  >
                    {accidentsFirst ? 'Incidents First' : 'Accidents First'}
                  </Button>
                )}
                {kinds.map((kind) => (
                  <ExportButtons
                    key={kind}
                    list="reports"
                    name={reportListTitles[kind]}
                    filters={getListQuery(kind)}
                    label={`Export ${kind}s`}
                  />
                ))}
              </>
            )}
          </PopupMenu>
        ) : (
          renderLinks()
        )}
      </PageHeading>
      <div className={styles.tools}>
        <div className={`${styles.views} ${styles.toggle}`}>
          <Button.Group aria-label="View">
            {(Object.keys(views) as View[]).map((view) => (
              <Button
                key={view}
                className="long"
                variant="default"
                aria-pressed={urlState.view === view}
                onClick={() => urlState.setView(view)}
              >
                {views[view]}
              </Button>
            ))}
          </Button.Group>
          <Button variant="default" aria-pressed={urlState.isThisWeek} onClick={urlState.toggleWeek}>
            This Week
          </Button>
        </div>
        {!isPhone && filterButton(() => setFiltersOpen(!areFiltersOpen))}
        <ReportFilterPanel
          urlFilters={urlState}
          isOpen={areFiltersOpen}
          onHide={isPhone ? () => setFiltersOpen(false) : undefined}
        />
        {!isPhone && makePackButton(() => setMakingPack(true))}
      </div>
      <DutyStrip
        lists={kinds.map((reportType) => ({ reportType, q: urlState.getSearch(reportType), ...otherFilters }))}
      />
      <div className={styles.sections}>
        {kinds.map((kind, index) => {
          const section = (
            <ReportSection
              key={kind}
              reportType={kind}
              view={urlState.view}
              searchText={urlState.getSearch(kind)}
              filters={urlState.filters}
              hasExport={!isPhone}
              onSearch={(searchText) => urlState.setSearch(kind, searchText)}
              onOpen={open}
            />
          );
          return index === 0 ? section : <DeferredContent key={kind}>{section}</DeferredContent>;
        })}
      </div>
      {urlState.openId && (
        <ReportDetails
          id={urlState.openId}
          known={clickedReport?.id === urlState.openId ? clickedReport : undefined}
          kinds={kinds}
          getListQuery={getListQuery}
          onStep={urlState.change}
          onClose={urlState.close}
          onDeleted={() => deleted.showSuccess('Report deleted successfully')}
        />
      )}
      {isMakingPack && <PackDialog lists={kinds.map(getListQuery)} onClose={() => setMakingPack(false)} />}
      <Toast feedback={deleted} />
    </>
  );
}
