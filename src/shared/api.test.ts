import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { apiContract } from '../../build/api-contract.ts';
import { api, contract } from './api.ts';
import type { Endpoint } from './contract.ts';

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

/** Lists the arrays without a greatest length in a JSON schema. */
const listEndless = (node: unknown, path: string): string[] =>
  typeof node === 'object' && node !== null
    ? [
        ...('type' in node && node.type === 'array' && !('maxItems' in node) ? [path] : []),
        ...Object.entries(node).flatMap(([name, at]) => listEndless(at, `${path}.${name}`)),
      ]
    : [];
// findAnswerErrors refuses more than 20 people of an accident, and a park that is given twice counts once.
const limitedOtherwise = ['people', 'parks'];

test('every list in the body of a request has a greatest length', () => {
  const endless = Object.entries<Endpoint>(contract).flatMap(([name, { body }]) =>
    body && '_zod' in body ? listEndless(z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' }), name) : [],
  );
  expect(endless.filter((path) => !limitedOtherwise.includes(path.split('.').at(-1) ?? ''))).toEqual([]);
});
