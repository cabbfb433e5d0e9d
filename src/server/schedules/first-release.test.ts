import { expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import type { Check } from '#shared/schedules/schedules.ts';
import { startOnFirstRelease } from '../testing/first-release.ts';
import { engines } from '../testing/server.ts';

test.each(engines)('schedules work with a database of the first release, on %s', async (engine) => {
  const server = await startOnFirstRelease(engine);
  try {
    const huw = await server.signIn('huw');
    const checklist_id = (await huw(api.listChecklists))[0]?.id ?? '';
    const times = { opens_at: '00:00', closes_at: '00:00', starts_on: '2026-11-01' };
    await huw(api.createSchedule, { body: { checklist_id, parks: ['Lido Beach'], repeat: 'daily', ...times } });
    const { checks } = await huw(api.listDueChecks);
    expect(checks.map(({ day, state }: Check) => [day, state])).toEqual([['2026-11-11', 'due']]);
  } finally {
    await server.stop();
  }
});
