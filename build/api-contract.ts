// What the browser needs of the table of calls: addresses and shapes of bodies. The schemas stay with the server, and with the
// forms that import one: building them all would hold up every start.
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { api } from '#shared/api.ts';
import { type Endpoint, isMultipart } from '#shared/contract.ts';

const contractFile = join(import.meta.dirname, '../src/shared/api.ts');

const withoutSchemas = ({ method, path, body, reply }: Endpoint) => ({
  method,
  path,
  ...(isMultipart(body) && { body: { file: body.file } }),
  ...(typeof reply === 'string' && { reply }),
});

/** Vite plugin: `shared/api.ts` as the browser gets it. */
export function apiContract(): Plugin {
  const endpoints = Object.entries(api).map(([name, endpoint]) => [name, withoutSchemas(endpoint)]);
  return {
    name: 'api-contract',
    load: (id) =>
      id === contractFile ? `export const api = ${JSON.stringify(Object.fromEntries(endpoints))};` : undefined,
  };
}
