// What the browser needs of the table of calls: addresses and shapes of bodies. The schemas stay with the server, and with the
// forms that import one: building them all would hold up every start.
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { api } from '#shared/api.ts';
import { type Endpoint, isMultipart } from '#shared/contract.ts';

const table = join(import.meta.dirname, '../src/shared/api.ts');

const withoutSchemas = ({ method, path, body, reply }: Endpoint) => ({
  method,
  path,
  ...(isMultipart(body) && { body: { file: body.file } }),
  ...(reply === 'pdf' && { reply }),
});

/** Vite plugin: `shared/api.ts` as the browser gets it. */
export function callTable(): Plugin {
  const rows = Object.entries(api).map(([name, row]) => [name, withoutSchemas(row)]);
  return {
    name: 'call-table',
    load: (id) => (id === table ? `export const api = ${JSON.stringify(Object.fromEntries(rows))};` : undefined),
  };
}
