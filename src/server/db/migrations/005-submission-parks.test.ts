import { expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { startOnFirstRelease } from '../../testing/first-release.ts';
import { engines } from '../../testing/server.ts';

test.each(engines)(
  'submissions of the first release on %s get the park of their first answer about a park, or none',
  async (engine) => {
    const server = await startOnFirstRelease(engine);
    try {
      const rows = await server.db.selectFrom('submissions').select(['number', 'park']).orderBy('number').execute();
      expect(rows).toEqual([
        { number: 'CHK-2026-0001', park: 'Lido Beach' },
        // The second park in the answers, and the park of the user, are different.
        { number: 'CHK-2026-0002', park: 'Sunny Sands' },
        { number: 'CHK-2026-0003', park: '' },
        { number: 'CHK-2026-0004', park: '' },
        { number: 'CHK-2026-0005', park: '' },
        { number: 'CHK-2026-0006', park: 'Robin Hood' },
      ]);
      const huw = await server.signIn('huw');
      const listed = await huw(api.listSubmissions, { query: { park: 'Sunny Sands' } });
      expect(listed.map(({ number, park }) => [number, park])).toEqual([['CHK-2026-0002', 'Sunny Sands']]);
    } finally {
      await server.stop();
    }
  },
);
