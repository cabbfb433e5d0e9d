import { expect, test } from 'vitest';
import { exposureReason } from '#shared/law/assessment.ts';
import { insertHold } from '../../holds/holds.ts';
import { engines, startTestServer } from '../../testing/server.ts';
import { up } from './023-exposure-holds.ts';

test.each(engines)('a hold for an exposure from an earlier version says on %s how it ends now', async (engine) => {
  await using server = await startTestServer(engine);
  const admin = await server.as('Admin');
  const oldReason =
    'Exposure: review it each year. Empty the field in the assessment, under Accident book, to end this.';
  for (const reason of [oldReason, 'A claim is open'])
    await insertHold(
      server.db,
      { thing: 'park', thing_id: 'Mounds', reason, reviewOn: '2099-01-01' },
      admin,
      new Date(),
    );
  await up(server.db as never);
  const holds = await server.db.selectFrom('holds').select('reason').orderBy('reason').execute();
  expect(holds.map(({ reason }) => reason)).toEqual(['A claim is open', exposureReason]);
});
