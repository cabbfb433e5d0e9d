// Facilities, checks and submissions of an earlier version, which knew facilities by name, after the upgrade.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { parks } from '#shared/choices.ts';
import type { Readiness } from '#shared/schedules/schedules.ts';
import { getNameKey } from '#shared/text.ts';
import { restoreBackup } from '../../backup/restore.ts';
import { createClock } from '../../clock.ts';
import type { Config } from '../../config.ts';
import { engines, startTestServer, type TestServer } from '../../testing/server.ts';
import { connect } from '../connect.ts';
import { migrate, migrations } from '../migrate.ts';
import type { Database } from '../schema.ts';

const [yesterday, today, tomorrow] = ['2026-06-09', '2026-06-10', '2026-06-11'];
const now = `${today}T08:00:00.000Z`;
const at = (time: string) => `${today}T${time}:00.000Z`;

type Submitted = {
  checklist: string;
  at: string;
  answer?: 'Yes' | 'No' | undefined;
  place?: string;
  capturedAt?: string;
  isDeleted?: true;
};
type State = 'ready' | 'failing' | 'due' | 'again';
type Case = {
  title: string;
  submitted: Submitted[];
  expected: { indoor?: State; north?: State; south?: State; terrace?: State };
  hasSlide?: true;
  hasTerrace?: true;
};
const pool = (time: string, rest: Partial<Submitted> = {}): Submitted => ({
  ...{ checklist: 'pool', at: at(time), answer: 'Yes' },
  ...rest,
});
const field = (time: string, rest: Partial<Submitted> = {}) => pool(time, { checklist: 'field', ...rest });
const slide = (time: string) => pool(time, { checklist: 'slide' });

/**
 * What was submitted at a park, and what its facilities are afterwards; those left out are due. The first three parks have a
 * place for the indoor pool, a retired one, and one that was joined into another.
 */
const cases: Case[] = [
  { title: 'nothing', submitted: [], expected: {} },
  { title: 'a pass', submitted: [pool('06:00')], expected: { indoor: 'ready' } },
  { title: 'a fail', submitted: [pool('06:00', { answer: 'No' })], expected: { indoor: 'failing' } },
  {
    title: 'a fail and then a pass',
    submitted: [pool('06:00', { answer: 'No' }), pool('06:30')],
    expected: { indoor: 'ready' },
  },
  {
    title: 'a pass and then a fail',
    submitted: [pool('06:00'), pool('06:30', { answer: 'No' })],
    expected: { indoor: 'failing' },
  },
  {
    title: 'a pass of yesterday',
    submitted: [pool('06:00', { at: `${yesterday}T06:00:00.000Z` })],
    expected: { indoor: 'due' },
  },
  { title: 'a deleted pass', submitted: [pool('06:00', { isDeleted: true })], expected: { indoor: 'due' } },
  {
    title: 'a pass that was sent later',
    submitted: [pool('07:30', { capturedAt: at('06:30') })],
    expected: { indoor: 'ready' },
  },
  {
    title: 'a pass that arrived two days later',
    submitted: [pool('07:30', { capturedAt: `2026-06-08T06:30:00.000Z` })],
    expected: { indoor: 'again' },
  },
  {
    title: 'a pass of one checklist of two facilities',
    submitted: [field('06:00')],
    expected: { north: 'again', south: 'again' },
  },
  {
    title: 'a pass that names one of two facilities',
    submitted: [field('06:00', { place: 'North field' })],
    expected: { north: 'ready', south: 'again' },
  },
  {
    title: 'a fail that names one of two facilities',
    submitted: [field('06:00', { place: 'North field', answer: 'No' })],
    expected: { north: 'failing', south: 'due' },
  },
  {
    title: 'a pass of one facility after a fail of the other',
    submitted: [field('06:00', { place: 'North field', answer: 'No' }), field('06:30', { place: 'South field' })],
    expected: { north: 'failing', south: 'ready' },
  },
  {
    title: 'a fail of one facility after a pass of the other',
    submitted: [field('06:00', { place: 'North field' }), field('06:30', { place: 'South field', answer: 'No' })],
    expected: { north: 'again', south: 'failing' },
  },
  {
    title: 'a pass without an answer to the question that can fail',
    submitted: [pool('06:00', { answer: undefined })],
    expected: { indoor: 'again' },
  },
  {
    title: 'a pass that names another place',
    submitted: [pool('06:00', { place: 'North field' })],
    expected: { indoor: 'again' },
  },
  // Here a second schedule writes the name of the indoor pool in another way.
  {
    title: 'passes of both facilities that become one place',
    submitted: [pool('06:00'), slide('06:30')],
    expected: { indoor: 'ready' },
    hasSlide: true,
  },
  {
    title: 'a pass of one of two facilities that become one place',
    submitted: [pool('06:00')],
    expected: { indoor: 'due' },
    hasSlide: true,
  },
  {
    title: 'a fail and a pass of two facilities that become one place',
    submitted: [pool('06:00', { answer: 'No' }), slide('06:30')],
    expected: { indoor: 'failing' },
    hasSlide: true,
  },
  {
    title: 'a pass of a checklist without a question that can fail',
    submitted: [pool('06:00', { checklist: 'terrace' })],
    expected: { terrace: 'again' },
    hasTerrace: true,
  },
];

const [withPlace, withRetired, withJoined] = parks;
const withSlide = parks.filter((_, index) => cases[index]?.hasSlide);
const withTerrace = parks.filter((_, index) => cases[index]?.hasTerrace);

const questions = [
  { title: 'Is it clear?', type: 'na', required: false, onFail: { when: 'No' } },
  { title: 'Note', type: 'text', required: false },
];

const harmlessQuestions = [{ title: 'Is it clear?', type: 'na', required: false }];

async function insert(db: Database, table: string, ...rows: Record<string, string | number | null>[]) {
  for (const row of rows)
    await sql`insert into ${sql.table(table)} (${sql.join(Object.keys(row).map((name) => sql.ref(name)))})
      values (${sql.join(Object.values(row))})`.execute(db);
}

/** Fills a database of the earlier version with the cases. */
async function fill(config: Config): Promise<void> {
  const db = await connect(config);
  await migrate(db, Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '047')));
  const user = { must_change_password: 0, created_at: yesterday, full_name: '', email: '', password_hash: 'x' };
  await insert(db, 'users', { id: 'u', username: 'u', username_key: 'u', role: 'Admin', parks: 'null', ...user });
  for (const id of ['pool', 'field', 'slide', 'terrace', 'sauna', 'old']) {
    const version = { version: 1, title: id, created_at: yesterday };
    const deletion = {
      thing: 'checklist',
      thing_id: id,
      label: id,
      deleted_at: yesterday,
      deleted_by: 'u',
      deleted_by_name: 'u',
    };
    if (id === 'sauna') await insert(db, 'deletions', { id: 'deletion of sauna', ...deletion });
    const { created_at, ...checklist } = version;
    const deletion_id = id === 'sauna' ? 'deletion of sauna' : null;
    await insert(db, 'checklists', { id, ...checklist, created_at, updated_at: yesterday, deletion_id });
    const sections = JSON.stringify(id === 'terrace' ? harmlessQuestions : questions);
    await insert(db, 'checklist_versions', { checklist_id: id, ...version, sections, created_by: 'u' });
  }
  const addPlace = (park: string, name: string, rest = {}) =>
    insert(db, 'places', { id: `${name}, ${park}`, park, name, name_key: getNameKey(name), ...rest });
  for (const park of parks) for (const name of ['North field', 'South field']) await addPlace(park, name);
  await addPlace(withPlace, 'INDOOR Pool');
  await addPlace(withRetired, 'INDOOR Pool', { retired_at: yesterday });
  await addPlace(withJoined, 'INDOOR Pool', { joined_into: `North field, ${withJoined}` });
  const addSchedule = async (id: string, checklist_id: string, gate: string, of: readonly string[], rest = {}) => {
    const times = { repeat: 'daily', opens_at: '06:00', closes_at: '10:00', starts_on: '2026-01-01' };
    const created = { version: 1, written_until: tomorrow, created_at: yesterday, created_by: 'u' };
    await insert(db, 'schedules', { id, checklist_id, parks: JSON.stringify(of), gate, ...times, ...created, ...rest });
    for (const park of of)
      for (const day of [yesterday, today, tomorrow])
        await insert(db, 'due_checks', {
          ...{ id: `${id}, ${park}, ${day}`, schedule_id: id, checklist_id, park, day, gate, failures: 0 },
          ...{ opens_at: `${day}T05:00:00.000Z`, closes_at: `${day}T09:00:00.000Z` },
        });
  };
  await addSchedule('pool', 'pool', 'Indoor pool', parks);
  await addSchedule('north', 'field', 'North field', parks);
  await addSchedule('south', 'field', 'south  FIELD', parks);
  await addSchedule('slide', 'slide', 'INDOOR  pool', withSlide);
  await addSchedule('terrace', 'terrace', 'Terrace', withTerrace);
  await addSchedule('sauna', 'sauna', 'Sauna', [withPlace]);
  await addSchedule('old', 'old', 'Old pool', [withPlace], { ended_at: yesterday });
  await addSchedule('whole', 'old', '', [withPlace]);
  let count = 0;
  for (const [index, { submitted }] of cases.entries())
    for (const one of submitted) {
      count += 1;
      const [id, park] = [`submission ${count}`, parks[index] ?? ''];
      const deletion = {
        thing: 'submission',
        thing_id: id,
        label: id,
        deleted_at: yesterday,
        deleted_by: 'u',
        deleted_by_name: 'u',
      };
      if (one.isDeleted) await insert(db, 'deletions', { id: `deletion of ${id}`, ...deletion });
      await insert(db, 'submissions', {
        ...{ id, position: 2 ** 30 + count, number: `CHK-2026-${count}`, checklist_id: one.checklist },
        ...{ checklist_version: 1, checklist_title: one.checklist, data: JSON.stringify({ 0: one.answer }) },
        ...{ search_text: '', submitted_at: one.at, submitted_by: 'u', submitted_by_name: 'u', park },
        ...{ captured_at: one.capturedAt ?? null, failures: one.answer === 'No' ? 1 : 0 },
        deletion_id: one.isDeleted ? `deletion of ${id}` : null,
      });
      const link = { thing_id: id, thing: 'submission', linked_by: 'u', linked_at: one.at, is_later: 0 };
      if (one.place) await insert(db, 'place_links', { ...link, place_id: `${one.place}, ${park}` });
    }
  await insert(db, 'counters', { name: 'submissions', value: count });
  await db.destroy();
}

function getState({ is_ready, failures, check_again, due_since, not_in_use }: Readiness): string | null {
  if (is_ready) return 'ready';
  if (failures > 0) return 'failing';
  return check_again !== null ? 'again' : due_since !== null ? 'due' : not_in_use;
}

/** Returns the state of each facility, by park and name. */
async function readStates(server: TestServer): Promise<Record<string, Record<string, string | null>>> {
  const admin = await server.as('Admin');
  const lists = await Promise.all(
    parks.map(async (park) => (await admin(api.listDueChecks, { query: { park } })).ready),
  );
  return Object.fromEntries(
    parks.map((park, index) => [
      park,
      Object.fromEntries(
        (lists[index] ?? []).map((row) => [row.place.split(' ')[0]?.toLowerCase() ?? '', getState(row)]),
      ),
    ]),
  );
}

/** The sauna's checklist was deleted. */
const expectedStates: Record<string, object> = Object.fromEntries(
  parks.map((park, index) => [
    park,
    {
      ...{ indoor: 'due', north: 'due', south: 'due', ...cases[index]?.expected },
      ...(park === withPlace && { sauna: 'ended' }),
    },
  ]),
);

describe.each(engines)('facilities of an earlier version on %s', { timeout: 120_000 }, (engine) => {
  let server: TestServer;
  const start = (fill: (config: Config) => Promise<void>) =>
    startTestServer(
      engine,
      { BACKUP_BEFORE_UPGRADE: '1' },
      createClock(() => Date.parse(now)),
      undefined,
      fill,
    );
  beforeAll(async () => {
    server = await start(fill);
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
