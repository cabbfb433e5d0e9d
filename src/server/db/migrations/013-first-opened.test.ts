import { expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { newReport } from '../../testing/factories.ts';
import { startOnFirstRelease } from '../../testing/first-release.ts';
import { engines } from '../../testing/server.ts';

test.each(engines)('reports of the first release on %s count as opened, new ones do not', async (engine) => {
  const server = await startOnFirstRelease(engine);
  try {
    const [huw, sian] = [await server.signIn('huw'), await server.signIn('sian')];
    expect((await huw(api.listReports)).length).toBeGreaterThan(0);
    expect(await huw(api.listReports, { query: { unopened: '1', limit: 100 } })).toEqual([]);
    const { id } = await sian(api.submitAccident, { body: await newReport(sian) });
    expect((await huw(api.listReports, { query: { unopened: '1', limit: 100 } })).map((report) => report.id)).toEqual([
      id,
    ]);
  } finally {
    await server.stop();
  }
});
