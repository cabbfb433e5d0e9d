// The contract as the browser needs it: paths and shapes of bodies. Leaves out the schemas, because
// building them all would delay every start; forms import those they use.
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { contract } from '#shared/api.ts';
import { type Endpoint, isMultipart } from '#shared/contract.ts';

const contractFile = join(import.meta.dirname, '../src/shared/api.ts');

const withoutSchemas = ({ method, path, body, reply }: Endpoint) => ({
  method,
  path,
  ...(isMultipart(body) && { body: { file: body.file } }),
  ...(typeof reply === 'string' && { reply }),
});

/** Vite plugin: replaces `shared/api.ts` for the browser by its `api`. */
export function apiContract(): Plugin {
  const endpoints = Object.entries(contract).map(([name, endpoint]) => [name, withoutSchemas(endpoint)]);
  return {
    name: 'api-contract',
    load: (id) =>
      id === contractFile ? `export const api = ${JSON.stringify(Object.fromEntries(endpoints))};` : undefined,
  };
}
