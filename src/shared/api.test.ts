import { expect, test } from 'vitest';
import type * as z from 'zod/mini';
import { apiContract } from '../../build/api-contract.ts';
import { api, contract } from './api.ts';

test('client code cannot use the schemas that the build leaves out of the contract for browsers', async () => {
  const loadModule = apiContract().load as (id: string) => string;
  const source = loadModule(`${import.meta.dirname}/api.ts`);
  const { api: builtApi } = (await import(`data:text/javascript,${encodeURIComponent(source)}`)) as { api: typeof api };

  // @ts-expect-error: the contract for browsers has no schemas of JSON replies.
  expect(builtApi.getReport.reply).toBeUndefined();
  // @ts-expect-error: the contract for browsers has no schemas of JSON bodies.
  expect(builtApi.submitAccident.body).toBeUndefined();
  expect([builtApi.getReportPdf.reply, builtApi.exportReports.reply, builtApi.uploadImage.body]).toEqual([
    'pdf',
    'file',
    { file: 'image' },
  ]);
  expect(Object.keys(builtApi)).toEqual(Object.keys(api));
});

const pagedLists = Object.entries(contract).flatMap(([name, endpoint]) => {
  const { query } = endpoint as { query?: z.ZodMiniObject };
  return query && 'limit' in query.shape ? [[name, query] as const] : [];
});
test.each(pagedLists)('%s sends at most 500 records at once', (_, query) => {
  const isRefused = (limit: string) =>
    query.safeParse({ limit }).error?.issues.some(({ path }) => path[0] === 'limit') ?? false;
  expect(['1', '100', '501', '0', '-1', '1.5', 'all'].map(isRefused)).toEqual([
    false,
    false,
    true,
    true,
    true,
    true,
    true,
  ]);
});
