import { expect, test } from 'vitest';
import { apiContract } from '../../build/api-contract.ts';
import { api } from './api.ts';

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
