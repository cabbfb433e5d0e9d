// Every object inherits `toString`. As an id, an answer or a name it must be like any other text, so
// that a lookup in an object does not find the inherited function.
import { expect, test } from 'vitest';
import { contract, type EndpointName } from '#shared/api.ts';
import type { Endpoint } from '#shared/contract.ts';
import { newId } from './ids.ts';
import { makeCaller, ownPark } from './testing/access-records.ts';
import { endpointCases } from './testing/endpoint-cases.ts';
import { startTestServer } from './testing/server.ts';

const inherited = 'toString';

/** Yields copies of a value in which one text, or one more member of an object, is the inherited name. */
function* listVariants(value: unknown): Generator<unknown> {
  if (typeof value === 'string') yield inherited;
  if (typeof value !== 'object' || value === null) return;
  const copy = (name: string, member: unknown) =>
    Array.isArray(value) ? value.with(Number(name), member) : { ...value, [name]: member };
  for (const [name, member] of Object.entries(value))
    for (const variant of listVariants(member)) yield copy(name, variant);
  // Last, because a request with an unknown member may succeed and change the record.
  if (!Array.isArray(value)) yield copy(inherited, inherited);
}

test('no request with an inherited name such as toString causes a server error', async () => {
  await using server = await startTestServer('sqlite');
  const admin = await server.as('Admin');
  for (const [name, { input, record }] of Object.entries(endpointCases)) {
    const endpoint: Endpoint = contract[name as EndpointName];
    const context = { server, admin };
    const caller = await makeCaller(server, 'an Admin');
    const id = record ? await record.make(context, ownPark) : newId();
    const { params, query, body } = ((await input?.({ ...context, ...caller, id })) ?? {}) as {
      params?: Record<string, string>;
      query?: Record<string, string>;
      body?: object;
    };
    const send = async (params: Record<string, string> = {}, query: object = {}, body?: unknown) => {
      const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '');
      const response = await caller.fetch(`${path}?${new URLSearchParams({ ...query })}`, {
        method: endpoint.method,
        headers: body ? { 'content-type': 'application/json' } : {},
        body: body ? JSON.stringify(body) : null,
      });
      expect(response.status, `${name} ${JSON.stringify([params, body])}: ${await response.text()}`).toBeLessThan(500);
    };
    for (const other of Object.keys(params ?? {})) await send({ ...params, [other]: inherited }, query, body);
    for (const variant of listVariants(body)) await send(params, query, variant);
  }
});
