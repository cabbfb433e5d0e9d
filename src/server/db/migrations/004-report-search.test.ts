// Search finds reports of the first release by the text in their rows, like new ones.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { startOnFirstRelease } from '../../testing/first-release.ts';
import { changeRows } from '../../testing/rows.ts';
import { engines, type TestClient, type TestServer } from '../../testing/server.ts';

describe.each(engines)('report search on data of the first release on %s', (engine) => {
  let server: TestServer;
  let admin: TestClient;
  beforeAll(async () => {
    server = await startOnFirstRelease(engine);
    admin = await server.signIn('admin');
  });
  afterAll(() => server?.stop());

  const find = async (q: string) =>
    (await admin(api.listReports, { query: { q, limit: 500 } })).map(({ number }) => number).toSorted();

  test.each([
    ['14/03/2026', ['ACC-2026-0001']],
    ['14/3/26', ['ACC-2026-0001']],
    ['2 May 2026', ['ACC-2026-0002']],
    ['march 2026', ['ACC-2026-0001', 'INC-2026-0001']],
    ['14/02/2019', ['ACC-2026-0003']],
    ['last tuesday', ['ACC-2026-0004']],
    ['14:05', ['ACC-2026-0001']],
    ['coast', ['ACC-2026-0002']],
    ['contractor', ['INC-2026-0001']],
    ['climbing frame', ['ACC-2026-0002']],
  ])('a search for %s finds reports of the first release', async (q, numbers) => {
    expect(await find(q)).toEqual(numbers);
  });

  test('a search finds reports created by the first release that were restored or edited since', async () => {
    expect(await find('29/06/2026')).toEqual([]);
    const deleted = (await admin(api.listDeleted)).find(({ thing }) => thing === 'report');
    await admin(api.restoreDeleted, { params: { id: deleted?.id ?? '' } });
    expect(await find('29/06/2026')).toEqual(['INC-2026-0002']);

    await changeRows(server.db, 'reports', { number: 'INC-2026-0002' }, { search_text: 'nothing but seaweed' });
    expect(await find('29/06/2026')).toEqual([]);
    expect(await find('seaweed')).toEqual(['INC-2026-0002']);
  });
});
