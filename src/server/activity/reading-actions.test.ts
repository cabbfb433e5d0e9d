// Which entries of the log are about reading is a list of words, by which the screen leaves them out.
import { expect, test } from 'vitest';
import { readingActions } from '#shared/activity.ts';
import { contract, type EndpointName } from '#shared/api.ts';
import { sendRequest } from '#shared/client.ts';
import type { Endpoint } from '#shared/contract.ts';
import { ownPark } from '../testing/access-records.ts';
import { endpointCases } from '../testing/endpoint-cases.ts';
import { createTestServer } from '../testing/test-server.ts';

const { server, admin } = createTestServer('sqlite');

/** What is read in other ways: photos by their address, and a list that is logged if it has records. */
const others = ['opened a photo', 'signed in', 'signed out', 'listed what may be destroyed'];
/** Shown with the changes, because they say how someone was answered. */
const shown = ['gathered for an access request', 'made the copy for an access request'];

test('every entry of the log about a request that only reads is left out of the list of changes, or there is a reason', async () => {
  const context = { server, admin, client: admin, park: ownPark };
  const readers = Object.entries<Endpoint>(contract).filter(([, { method }]) => method === 'GET');
  const logged = new Set<string>();
  for (const [name, endpoint] of readers) {
    const { record, input } = endpointCases[name as EndpointName];
    const id = (await record?.make(context, ownPark)) ?? '';
    const request = await input?.({ ...context, id });
    const { seq } = await server.db
      .selectFrom('activity')
      .select((eb) => eb.fn.max('seq').as('seq'))
      .executeTakeFirstOrThrow();
    await sendRequest(admin.fetch, endpoint, (request ?? {}) as never).catch(() => undefined);
    const entries = await server.db.selectFrom('activity').select('action').where('seq', '>', seq).execute();
    for (const { action } of entries) logged.add(action);
  }
  expect([...logged, ...others].toSorted()).toEqual([...readingActions, ...shown].toSorted());
});
