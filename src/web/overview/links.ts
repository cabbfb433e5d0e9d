// The URLs of the lists to which the numbers of the overview link.
import type { OverviewList } from '#shared/overview-lists.ts';
import { writeReportFilters } from '#shared/report-url.ts';

/** Returns a URL with the parameters that have a value. */
export function buildUrl(path: string, parameters: Record<string, string | undefined>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value) search.set(name, value);
  return `${path}?${search}`;
}

export function getListUrl(overviewList: OverviewList): string {
  switch (overviewList.list) {
    case 'reports':
      return buildUrl('/get-reports', { view: 'list', ...writeReportFilters(overviewList.query) });
    case 'audits':
      return buildUrl('/overview/audits', overviewList.query);
    case 'checks':
      return buildUrl('/checks', overviewList.query);
    case 'notReady':
      return buildUrl('/overview/not-ready', overviewList.query);
  }
}
