import { Button, Tabs, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ChevronDown } from 'lucide-react';
import { useEffect, useState } from 'react';
import { api } from '#shared/api.ts';
import { endpointUrl } from '#shared/client.ts';
import type { Report, ReportType } from '#shared/reports/reports.ts';
import { ReportHistory } from '../activity/ReportHistory.tsx';
import { queryClient, queryFor, refreshScreen } from '../client/api.ts';
import { isNotFound } from '../client/errors.ts';
import { dangerous, useConfirmed } from '../client/useConfirmed.tsx';
import { StartInvestigation } from '../investigations/StartInvestigation.tsx';
import { RiddorStateLine } from '../law/lazy.ts';
import { useRiddorStates } from '../law/riddorStates.ts';
import { DetailsActions, DetailsDialog } from '../ui/dialogs/DetailsDialog.tsx';
import { ErrorBox } from '../ui/feedback/ErrorBox.tsx';
import { DeleteButton } from '../ui/forms/DeleteButton.tsx';
import { Loading } from '../ui/loading/Loading.tsx';
import { lazyComponent } from '../ui/loading/lazyComponent.ts';
import { PdfButton } from '../ui/navigation/PdfButton.tsx';
import tabStyles from '../ui/navigation/tabs.module.css';
import type { ReportListQuery } from './list/ReportPages.tsx';
import styles from './ReportDetails.module.css';
import { ReportFacts } from './ReportFacts.tsx';
import { ReportSteps } from './ReportSteps.tsx';
import { useLogError } from './useLogError.ts';

const ReportAudits = lazyComponent(() => import('./ReportAudits.tsx'), 'ReportAudits', <Loading shape="rows" />);
const RiddorTab = lazyComponent(
  () => import('../law/RiddorTab.tsx'),
  'RiddorTab',
  <Loading text="Loading the assessment..." />,
);

type ReportDetailsProps = {
  id: string;
  /** The report from the list, shown while it loads. */
  known: Report | undefined;
  /** Returns the query of the list that has reports of a kind. */
  kinds: readonly ReportType[];
  getListQuery: (reportType: ReportType) => ReportListQuery & { reportType: ReportType };
  onStep: (id: string) => void;
  onClose: () => void;
  onDeleted: () => void;
};

export function ReportDetails({ id, known, kinds, getListQuery, onStep, onClose, onDeleted }: ReportDetailsProps) {
  const query = useQuery({
    ...queryFor(api.getReport, { params: { id } }),
    placeholderData: known,
    // Opening a report is logged, so refocusing the window must not open it again.
    refetchOnWindowFocus: false,
  });
  const deletion = useConfirmed<Report>({
    ...dangerous(api.deleteReport, { asksWhy: true }),
    title: 'Delete this report?',
    text: ({ number, name }) => `${number} (${name}) will be deleted.`,
    isRestorable: true,
    failed: 'The report could not be deleted. Please try again.',
    onDone() {
      onClose();
      onDeleted();
    },
  });
  const [isViewing, setViewing] = useState(false);
  const [isHistoryOpen, setHistoryOpen] = useState(false);
  const [tab, setTab] = useState('details');
  const riddorState = useRiddorStates([[id]]).get(id);
  useLogError(query.error);
  useLogError(deletion.error);

  const report = query.data;
  // Lists then know it as opened, and the bell that its notification was read.
  const isOpened = query.isFetchedAfterMount && report?.id;
  const isFirstOpening = report?.first_opened_at === null;
  useEffect(() => {
    if (isOpened) void (isFirstOpening ? refreshScreen() : refreshBell());
  }, [isOpened, isFirstOpening]);
  return (
    <DetailsDialog
      opened
      onClose={onClose}
      title={
        <>
          Report Details <span className={styles.number}>{report?.number}</span>
        </>
      }
      size="wide"
      headerButtons={
        <ReportSteps
          // One that is being deleted has no neighbours.
          report={deletion.asked || deletion.confirmed?.id === id ? undefined : report}
          kinds={kinds}
          getListQuery={getListQuery}
          onStep={(nextId) => {
            setHistoryOpen(false);
            onStep(nextId);
          }}
        />
      }
      // Esc closes the topmost dialog.
      closeOnEscape={!deletion.asked && !isViewing}
    >
      {query.isPending && <Loading />}
      <ErrorBox
        message={getLoadError(query.error)}
        onRetry={isNotFound(query.error) ? undefined : () => query.refetch()}
      />
      {report && !isNotFound(query.error) && (
        <Tabs key={id} value={tab} onChange={(value) => setTab(value ?? 'details')} keepMounted={false}>
          <Tabs.List className={tabStyles.tabs} aria-label="Report" mb="md">
            <Tabs.Tab value="details" className={tabStyles.tab}>
              Details
            </Tabs.Tab>
            <Tabs.Tab value="audits" className={tabStyles.tab}>
              Audits
            </Tabs.Tab>
            <Tabs.Tab value="riddor" className={tabStyles.tab}>
              RIDDOR
            </Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="details">
            <div className={styles.state}>
              {riddorState && (
                <>
                  <RiddorStateLine riddorState={riddorState} />
                  <Text size="sm" c="dimmed">
                    Advice under RIDDOR: a manager decides.
                  </Text>
                </>
              )}
            </div>
            <ReportFacts report={report} onViewing={setViewing} />
            <section className={styles.investigation}>
              <StartInvestigation thing="report" id={id} />
            </section>
            <section className={styles.history}>
              <Button
                variant="default"
                rightSection={<ChevronDown aria-hidden size={18} className="chevron" />}
                aria-expanded={isHistoryOpen}
                onClick={() => setHistoryOpen(!isHistoryOpen)}
              >
                History
              </Button>
              {isHistoryOpen && <ReportHistory id={id} />}
            </section>
          </Tabs.Panel>
          <Tabs.Panel value="audits">
            <ReportAudits report={report} />
          </Tabs.Panel>
          <Tabs.Panel value="riddor">
            <RiddorTab report={report} />
          </Tabs.Panel>
        </Tabs>
      )}

      <DetailsActions onClose={onClose}>
        {report && !isNotFound(query.error) && (
          <>
            <PdfButton href={endpointUrl(api.getReportPdf, { params: { id } })} />
            <DeleteButton onClick={() => deletion.ask(report)} />
          </>
        )}
      </DetailsActions>

      {deletion.dialog}
    </DetailsDialog>
  );
}

const refreshBell = () => queryClient.invalidateQueries({ queryKey: [api.countNotifications.path] });

const getLoadError = (error: Error | null) => (error ? error.message || 'The report could not be loaded.' : '');
