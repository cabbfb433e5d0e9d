import { expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { startOnFirstRelease } from '../../testing/first-release.ts';
import { engines } from '../../testing/server.ts';

test.each(engines)('users of the first release keep their park, or all parks, on %s', async (engine) => {
  const server = await startOnFirstRelease(engine);
  try {
    const admin = await server.signIn('carys');
    const parks = Object.fromEntries(
      (await admin(api.listUsers)).map(({ username, park, parks }) => [username, { park, parks }]),
    );
    expect(parks).toMatchObject({
      carys: { park: '', parks: null },
      huw: { park: '', parks: null },
      nia: { park: 'Lido Beach', parks: ['Lido Beach'] },
    });
    const nia = await server.signIn('nia');
    expect((await nia(api.listFolders)).filter(({ park }) => park !== 'Lido Beach')).toEqual([]);
    expect((await admin(api.listFolders)).some(({ park }) => park !== 'Lido Beach')).toBe(true);
  } finally {
    await server.stop();
  }
});
