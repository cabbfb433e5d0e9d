// A change of a record that is repeated with its idempotency key has one effect, and nothing of its reply is kept once a
// name was erased or a record removed.
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { api, contract, type EndpointName } from '#shared/api.ts';
import { endpointUrl } from '#shared/client.ts';
import type { Endpoint } from '#shared/contract.ts';
import { clearOldReplies } from '../db/idempotency.ts';
import { removeRecords } from '../records/remove.ts';
import { ownPark } from '../testing/access-records.ts';
import { endpointCases } from '../testing/endpoint-cases.ts';
import { newAudit, newFolder } from '../testing/factories.ts';
import { engines } from '../testing/server.ts';
import { createTestServer } from '../testing/test-server.ts';

/** The endpoints whose requests name the version that they change. */
const changes = Object.entries<Endpoint>(contract).filter(
  ([, { body }]) =>
    body && '_zod' in body && JSON.stringify(z.toJSONSchema(body, { io: 'input' })).includes('"version":{'),
) as [EndpointName, Endpoint][];
/** It changes several audits, each with its version, and leaves those that have its values. */
const repeatable: EndpointName[] = ['changeAudits'];

describe.each(engines)('a repeated change on %s', (engine) => {
  const { server, admin } = createTestServer(engine);
  const context = { server, admin };

  const listReplies = (key: string) => server.db.selectFrom('replies').selectAll().where('key', '=', key).execute();

  /** Sends a valid change of a new record with its first version; returns the record's id and a function to repeat it. */
  async function prepareChange(name: EndpointName) {
    const { record, input } = endpointCases[name];
    const id = (await record?.make(context, ownPark)) ?? '';
    const request = (await input?.({ ...context, client: admin, park: ownPark, id })) as {
      params: { id: string };
      body: object;
    };
    const send = async (key?: string, version?: number) => {
      const { method, path } = contract[name];
      const response = await admin.fetch(endpointUrl({ method, path } as never, request as never), {
        method,
        headers: { 'content-type': 'application/json', ...(key && { 'idempotency-key': key }) },
        body: JSON.stringify({ version: 1, ...request.body, ...(version !== undefined && { version }) }),
      });
      const replayed = response.headers.get('idempotency-replayed');
      return { status: response.status, replayed, text: await response.text() };
    };
    return { id, send };
  }

  test('every endpoint that names a version accepts an idempotency key', () => {
    const names = changes.map(([name]) => name);
    expect(names).toEqual(expect.arrayContaining(['updateAudit', 'saveAssessment', 'saveInvestigationSection']));
    expect(changes.filter(([, { idempotent }]) => idempotent !== 'path.id').map(([name]) => name)).toEqual(repeatable);
  });

  test.each(changes.map(([name]) => name).filter((name) => !repeatable.includes(name)))(
    '%s stores a repeated change once, and rejects one without its key that names an older version',
    async (name) => {
      const { id, send } = await prepareChange(name);
      const key = randomUUID();
      const first = await send(key);
      expect(first).toMatchObject({ status: 200, replayed: null });
      expect(await send(key)).toEqual({ ...first, replayed: 'true' });
      expect(await listReplies(key)).toMatchObject([{ record: id, status: 200 }]);
      for (const other of [undefined, randomUUID()]) expect(await send(other)).toMatchObject({ status: 409 });
      expect((await send(key, 100)).status).toBe(422);
      // Tabs of an earlier version send no key.
      expect(await (await prepareChange(name)).send()).toMatchObject({ status: 200, replayed: null });
    },
  );

  test('the stored reply to a change is deleted after a day', async () => {
    const { send } = await prepareChange('updateFolder');
    const key = randomUUID();
    await send(key);
    const clear = (hours: number) => clearOldReplies(server.db, new Date(Date.now() + hours * 3_600_000));
    await clear(23);
    expect(await send(key)).toMatchObject({ status: 200, replayed: 'true' });
    await clear(25);
    expect(await send(key)).toMatchObject({ status: 422, text: expect.stringContaining('"isSame":true') });
  });

  test('the stored reply to a change is deleted when a record is removed, with the fingerprints of that record', async () => {
    const changed = await prepareChange('updateAudit');
    const [removedKey, otherKey] = [randomUUID(), randomUUID()];
    const other = await prepareChange('saveInvestigationSection');
    await changed.send(removedKey);
    await other.send(otherKey);
    await server.db.transaction().execute((db) => removeRecords(db, 'audit', [changed.id]));
    expect(await listReplies(removedKey)).toMatchObject([{ body: null, fingerprint: '' }]);
    expect(await listReplies(otherKey)).toMatchObject([{ body: null, fingerprint: expect.stringMatching(/^2 /) }]);
    expect((await other.send(otherKey)).text).toContain('"isSame":true');
  });

  test('the stored replies to changes are deleted when a name is erased', async () => {
    const { admin } = context;
    const person = `Hilda ${randomUUID().replaceAll('-', '')}`;
    const folder = await newFolder(admin, { name: `Accident of ${person}`, park: ownPark });
    const { id } = await admin(api.createAudit, { body: newAudit(folder) });
    const [auditKey, folderKey] = [randomUUID(), randomUUID()];
    const data = { description: `${person} fell here` };
    await admin(api.updateAudit, { params: { id }, body: { version: 1, data } as never, key: auditKey });
    const body = { version: 1, name: `Accident of ${person}`, description: 'Closed', park: ownPark } as never;
    await admin(api.updateFolder, { params: { id: folder }, body, key: folderKey });
    expect((await listReplies(auditKey))[0]?.body).toContain(person);
    const request = await admin(api.createAccessRequest, {
      body: { name: person, spellings: [], receivedOn: '2026-01-01' },
    });
    const { hits } = await admin(api.getAccessRequest, { params: request });
    const choices = hits.map(({ id }) => ({ id, choice: 'send' as const }));
    await admin(api.saveAccessChoices, { params: request, body: { version: 1, choices } });
    expect((await admin.fetch(`/api/admin/access-requests/${request.id}/zip`)).status).toBe(200);
    const outcome = await admin(api.blankNames, {
      params: request,
      body: { ids: [`audit:${id}`], count: 1, reason: 'asked' },
    });
    expect(outcome.blanked).toEqual([`audit:${id}`]);
    expect(await listReplies(auditKey)).toMatchObject([{ body: null, fingerprint: '' }]);
    // The reply to a change of another record may show texts of this one.
    expect(await listReplies(folderKey)).toMatchObject([{ body: null }]);
    const replies = await server.db.selectFrom('replies').select('body').execute();
    expect(JSON.stringify(replies)).not.toContain(person);
  });
});
