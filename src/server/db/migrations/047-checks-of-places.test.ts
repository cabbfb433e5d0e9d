// Facilities, checks and submissions of an earlier version, which knew facilities by name, after the upgrade.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { defaultParks as parks } from '#shared/choices.ts';
import { getNameKey } from '#shared/text.ts';
import { restoreBackup } from '../../backup/restore.ts';
import type { Config } from '../../config.ts';
import {
  at,
  cases,
  expectedStates,
  fillWithFacilities,
  readStates,
  today,
  tomorrow,
  upgradedAt,
  withPlace,
  withRetired,
  withSlide,
  withTerrace,
} from '../../testing/named-facilities.ts';
import { engines, startTestServer, type TestServer } from '../../testing/server.ts';

describe.each(engines)('facilities of an earlier version on %s', { timeout: 120_000 }, (engine) => {
  let server: TestServer;
  const start = (fill: (config: Config) => Promise<void>) =>
    startTestServer(engine, { BACKUP_BEFORE_UPGRADE: '1' }, () => upgradedAt, undefined, fill);
  beforeAll(async () => {
    server = await start(fillWithFacilities);
  });
  afterAll(() => server.stop());

  test('are places: only those that were ready are, unless it is not known which one was checked', async () => {
    expect(await readStates(server)).toEqual(expectedStates);
  });

  test('are the same after a backup from before is restored', async () => {
    const folder = join(server.config.dataDir, 'before-upgrade');
    const [backup = ''] = readdirSync(folder);
    const restored = await start(async (config) => {
      await restoreBackup(config, join(folder, backup), { force: true });
    });
    try {
      expect(await readStates(restored)).toEqual(expectedStates);
    } finally {
      await restored.stop();
    }
  });

  test('have the places of their folded names, retired ones again, and so have all their checks', async () => {
    const admin = await server.as('Admin');
    const places = await admin(api.listPlaces);
    const named = (name: string) => places.filter((place) => getNameKey(place.name) === getNameKey(name));
    expect(named('Indoor pool').map(({ park, name, isRetired }) => [park, name, isRetired])).toEqual(
      parks.map((park) => [park, park === withPlace || park === withRetired ? 'INDOOR Pool' : 'Indoor pool', false]),
    );
    expect(named('Sauna').map(({ park }) => park)).toEqual([withPlace]);
    expect(named('Old pool')).toEqual([]);
    const log = await admin(api.listActivity, { query: { thing: 'place' } });
    expect(log.filter(({ action }) => action === 'changed')).toMatchObject([
      { label: 'INDOOR Pool', changes: { isRetired: { from: true, to: false } } },
    ]);
    expect(log.filter(({ action }) => action === 'added')).toHaveLength(parks.length - 2 + withTerrace.length + 1);
    const checks = await server.db
      .selectFrom('due_checks')
      .leftJoin('places', 'places.id', 'due_checks.place_id')
      .select(['due_checks.id', 'due_checks.gate', 'due_checks.park', 'places.park as placePark', 'name_key'])
      .where('day', '<=', tomorrow)
      .execute();
    const wrong = checks.filter(({ id, gate, park, placePark, name_key }) =>
      gate === '' || id.startsWith('old') ? name_key !== null : name_key !== getNameKey(gate) || park !== placePark,
    );
    expect(wrong).toEqual([]);
    expect(checks.length).toBe(3 * (3 * parks.length + withSlide.length + withTerrace.length + 3));
    expect(new Set(checks.map(({ gate }) => gate))).toEqual(
      new Set(['Indoor pool', 'North field', 'south  FIELD', 'INDOOR  pool', 'Terrace', 'Sauna', 'Old pool', '']),
    );
  });

  test('have checks that only their own submissions answer, while the window is open', async () => {
    const rows = await server.db
      .selectFrom('due_checks')
      .leftJoin('place_links', 'place_links.thing_id', 'due_checks.submission_id')
      .innerJoin('places', 'places.id', 'due_checks.place_id')
      .select(['due_checks.id', 'due_checks.park', 'submission_id', 'failures', 'filled_in_at'])
      .select(['due_checks.place_id', 'place_links.place_id as answered'])
      .where('day', '=', today)
      .execute();
    expect(rows.filter(({ answered, place_id, submission_id }) => submission_id && answered !== place_id)).toEqual([]);
    const schedules = {
      pool: 'pool',
      slide: 'slide',
      terrace: 'terrace',
      'North field': 'north',
      'South field': 'south',
    };
    const expected = parks.flatMap((park, index) =>
      (cases[index]?.submitted ?? [])
        .filter((one) => !one.isDeleted && (one.capturedAt ?? one.at) >= at('05:00'))
        // In the other cases the submission names none of two places, or one that the checklist does not open.
        .filter(({ checklist, place }) => (checklist === 'field') === (place !== undefined))
        .map(
          ({ checklist, place }) => `${schedules[(place ?? checklist) as keyof typeof schedules]}, ${park}, ${today}`,
        ),
    );
    const answered = rows.filter(({ submission_id }) => submission_id).map(({ id }) => id);
    expect(answered.sort()).toEqual([...new Set(expected)].sort());
    expect(rows.filter((row) => !row.submission_id && (row.filled_in_at ?? row.failures))).toEqual([]);
  });

  test('are not changed by a page of the earlier version that knows no places', async () => {
    const admin = await server.as('Admin');
    const schedule = (await admin(api.listSchedules)).find(({ id }) => id === 'pool');
    expect(schedule).toMatchObject({ opens: true, gate: '', places: expect.any(Array) });
    expect(schedule?.places).toHaveLength(parks.length);
    const body = { parks: [...parks], repeat: 'daily', opens_at: '07:00', closes_at: '11:00', starts_on: '2026-01-01' };
    const update = admin(api.updateSchedule, {
      params: { id: 'pool' },
      body: { ...body, gate: 'Indoor pool' } as never,
    });
    await expect(update).rejects.toMatchObject({
      status: 409,
      code: 'STALE',
      body: expect.not.objectContaining({ current: expect.anything() }),
    });
  });

  test('open after what waited on a device without a place only where it can be for one place', async () => {
    const park = withPlace;
    const staff = await server.as('None', park);
    const submit = (checklistId: string, capturedAt: string, rest = {}) =>
      staff(api.submitChecklist, { body: { checklistId, data: { 0: 'Yes' }, capturedAt, ...rest } });
    await submit('pool', at('06:10'));
    const reviewer = await server.as('Health & Safety Manager', park);
    await submit('field', at('06:15'));
    const readState = async () => (await readStates(server))[park];
    expect(await readState()).toEqual({ ...expectedStates[park], indoor: 'ready' });
    expect((await reviewer(api.listNotifications)).map(({ kind, text }) => [kind, text])).toEqual([
      ['placeMissing', expect.stringContaining(`at ${park} does not say for which place`)],
    ]);
    await submit('field', at('07:00'), { placeId: `North field, ${park}` });
    expect(await readState()).toEqual({ ...expectedStates[park], indoor: 'ready', north: 'ready' });
  });

  test('open after a pass that arrives after the upgrade, where they must be checked again', async () => {
    const index = cases.findIndex(({ title }) => title === 'a pass of one checklist of two facilities');
    const park = parks[index] ?? parks[0];
    const staff = await server.as('None', park);
    const body = { checklistId: 'field', data: { 0: 'Yes' as const }, placeId: `South field, ${park}` };
    await staff(api.submitChecklist, { body });
    expect((await readStates(server))[park]).toEqual({ indoor: 'due', north: 'again', south: 'ready' });
  });
});
