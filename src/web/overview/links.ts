// The URLs of the lists to which the numbers of the overview link.
import type { OverviewList } from '#shared/overview/lists.ts';
import { writeReportFilters } from '#shared/reports/report-url.ts';
import { buildUrl } from '../ui/navigation/buildUrl.ts';

export function getListUrl(overviewList: OverviewList): string {
  switch (overviewList.list) {
    case 'reports':
      return buildUrl('/get-reports', { view: 'list', ...writeReportFilters(overviewList.query) });
    case 'audits':
      return buildUrl('/overview/audits', overviewList.query);
    case 'checks':
      return buildUrl('/checks', overviewList.query);
    case 'messages':
      return buildUrl('/messages', overviewList.query);
    case 'investigations':
      return buildUrl('/investigations', overviewList.query);
    case 'notReady':
      return buildUrl('/overview/not-ready', overviewList.query);
  }
}
