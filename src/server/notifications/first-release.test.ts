import { expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { newReport } from '../testing/factories.ts';
import { firstReleaseUserId, startOnFirstRelease } from '../testing/first-release.ts';
import { engines } from '../testing/server.ts';

test.each(engines)('users of the first release are notified in the app, on %s', async (engine) => {
  const server = await startOnFirstRelease(engine);
  try {
    const sian = await server.signIn('sian', firstReleaseUserId('sian'));
    const huw = await server.signIn('huw', firstReleaseUserId('huw'));
    await sian(api.submitAccident, { body: await newReport(sian) });
    expect((await huw(api.listNotifications)).map(({ kind }) => kind)).toEqual(['reportFiled']);
  } finally {
    await server.stop();
  }
});
