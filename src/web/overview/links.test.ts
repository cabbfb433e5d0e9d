import { expect, test } from 'vitest';
import { attentionLists, createEmploymentList, measureLists, type OverviewList } from '#shared/overview/lists.ts';
import { readReportFilters } from '#shared/reports/report-url.ts';
import { getListUrl } from './links.ts';

const listScope = {
  days: { from: '2026-01-01', to: '2026-02-28' },
  park: 'Mounds,Winkups',
  type: 'Burn & scald',
  today: '2026-02-10',
};
const lists: [string, OverviewList][] = [
  ...Object.entries({ ...measureLists, ...attentionLists }).map(([name, list]) => [name, list(listScope)] as const),
  ['status', createEmploymentList('Guest', listScope)] as const,
].map(([name, list]) => [name, list]);

const removeUndefined = (query: object) =>
  Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined));

test.each(lists)('the link of the number "%s" has the filters of the list that it counts', (_, { list, query }) => {
  const url = new URL(getListUrl({ list, query } as OverviewList), 'http://x');
  const get = (name: string) => url.searchParams.get(name) ?? '';
  if (list === 'reports') {
    const { kind: reportType, filters } = readReportFilters(get);
    expect(removeUndefined({ reportType, ...filters })).toEqual(removeUndefined(query));
  } else expect(Object.fromEntries(url.searchParams)).toEqual(removeUndefined(query));
});
