// What the import of a CSV file would do can be asked before it does it.
import { expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import type { ApiError } from '#shared/client.ts';
import { engines, startTestServer } from '../testing/server.ts';

test.each(engines)('a check of a CSV file says what its import would do, and creates nobody, on %s', async (engine) => {
  await using server = await startTestServer(engine);
  const admin = await server.as('Admin');
  const countUsers = async () => (await admin(api.listUsers)).length;
  const before = await countUsers();
  const csv = 'ceri.j,Health & Safety Manager,All parks\nhuw.p,park staff,Mounds\ndai.p,,Mounds';
  expect(await admin(api.checkUserImport, { body: { csv } })).toEqual({
    counts: [
      { role: 'None', count: 2 },
      { role: 'Health & Safety Manager', count: 1 },
    ],
  });
  const wrong = `x,None,Mounds\n${admin.username},None,Mounds\nmair.r,Admin,All parks`;
  for (const client of [admin, await server.as('Health & Safety Manager', 'Mounds')]) {
    const getLines = async (endpoint: typeof api.checkUserImport | typeof api.importUsers) => {
      const error: ApiError = await client(endpoint as typeof api.importUsers, { body: { csv: wrong } }).then(
        () => expect.fail(),
        (error) => error,
      );
      return [error.status, error.message, (error.body as { lines: object[] }).lines];
    };
    const lines = await getLines(api.checkUserImport);
    expect(lines).toEqual(await getLines(api.importUsers));
    expect(lines[1]).toMatch(/^No users were created\. Correct \d lines/);
  }
  expect(await countUsers()).toBe(before + 1);
});
