import { expect, test } from 'vitest';
import { apiContract } from '../../build/api-contract.ts';
import { api } from './api.ts';

test('clients cannot name what the build leaves out of the contract for browsers', async () => {
  const load = apiContract().load as (id: string) => string;
  const source = load(`${import.meta.dirname}/api.ts`);
  const { api: built } = (await import(`data:text/javascript,${encodeURIComponent(source)}`)) as { api: typeof api };

  // @ts-expect-error: no browser has the schemas of a JSON reply.
  expect(built.getReport.reply).toBeUndefined();
  // @ts-expect-error: nor those of a JSON body.
  expect(built.submitAccident.body).toBeUndefined();
  expect([built.getReportPdf.reply, built.exportReports.reply, built.uploadImage.body]).toEqual([
    'pdf',
    'file',
    { file: 'image' },
  ]);
  expect(Object.keys(built)).toEqual(Object.keys(api));
});
