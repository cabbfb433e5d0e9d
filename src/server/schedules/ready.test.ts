// Ways in which a place could be said to be ready to open although nobody has checked it.
import { beforeEach, describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { startCheckServer } from '../testing/checks.ts';
import { engines } from '../testing/server.ts';
import { setUp } from '../testing/test-server.ts';
import { listReadiness } from './readiness.ts';

describe.each(engines)('places that are not ready on %s', (engine) => {
  let year = 2025;
  let checklist: string;
  let [indoor, outdoor] = ['', ''];
  const server = setUp(() => startCheckServer(engine, 'Lido Beach', '2026-06-01T04:00:00.000Z'));
  // Each test has a year and two pools of its own. Windows open at 05:00 UTC.
  beforeEach(async () => {
    year += 1;
    server.at('04:00', `${year}-06-01`);
    [indoor = '', outdoor = ''] = await server.addPlaces([`Indoor pool ${year}`, `Outdoor pool ${year}`]);
    checklist = await server.createChecklist();
  });
  const tomorrow = (days = 1) => new Date(Date.parse(server.now()) + days * 86_400_000).toISOString().slice(0, 10);

  test('a pass of one pool makes only that pool ready, whichever schedules they have', async () => {
    await server.schedule(checklist, [indoor]);
    await server.schedule(checklist, [outdoor]);
    server.at('06:30');
    await server.submit(checklist, 'Yes', { placeId: outdoor });
    expect(await server.readiness(indoor, outdoor)).toEqual([false, true]);
    expect(await server.states()).toMatchObject({ [`Indoor pool ${year}`]: 'due', [`Outdoor pool ${year}`]: 'done' });
  });

  test('a fail indoors stays when another pool passes', async () => {
    await server.schedule(checklist, [indoor, outdoor]);
    server.at('06:30');
    await server.submit(checklist, 'No', { placeId: indoor });
    server.at('06:45');
    await server.submit(checklist, 'Yes', { placeId: outdoor });
    expect(await server.readiness(indoor, outdoor)).toEqual([false, true]);
    expect(await server.getReady(indoor)).toMatchObject({ failures: 1, due_since: null });
  });

  test.each([
    ['the season is over', { season_from: '01-01', season_to: 'today' }, { not_in_use: 'season' }],
    ['the last day is over', { ends_on: 'today' }, { not_in_use: 'ended', not_in_use_until: null }],
  ])('a pool is not ready on the day after its pass if %s', async (_, rule, expected) => {
    const today = server.now().slice(0, 10);
    const days = Object.entries(rule).map(([name, value]) => [
      name,
      value !== 'today' ? value : name === 'season_to' ? today.slice(5) : today,
    ]);
    await server.schedule(checklist, [indoor], Object.fromEntries(days));
    server.at('06:30');
    await server.submit(checklist, 'Yes', { placeId: indoor });
    expect(await server.readiness(indoor)).toEqual([true]);
    server.at('05:00', tomorrow());
    expect(await server.getReady(indoor)).toMatchObject({ is_ready: false, due_since: null, ...expected });
  });

  test('a pool is not ready while the park is closed, for a month', async () => {
    await server.schedule(checklist, [indoor]);
    server.at('06:30');
    await server.submit(checklist, 'Yes', { placeId: indoor });
    const closure = { park: server.park, starts_on: tomorrow(), ends_on: tomorrow(30) };
    const { id } = await server.admin(api.createClosure, { body: closure });
    expect(await server.readiness(indoor)).toEqual([true]);
    const opensAgain = tomorrow(31);
    server.at('05:00', tomorrow());
    const expected = { is_ready: false, not_in_use: 'closed', not_in_use_until: opensAgain, due_since: null };
    expect(await server.getReady(indoor)).toMatchObject(expected);
    server.at('12:00', tomorrow(29));
    expect(await server.getReady(indoor)).toMatchObject(expected);
    server.at('05:30', opensAgain);
    await server.server.db.deleteFrom('due_checks').where('opens_at', '>', server.now()).execute();
    expect(await server.getReady(indoor)).toMatchObject({ is_ready: false, not_in_use: null });
    await server.admin(api.deleteClosure, { params: { id } });
  });

  test('deleting a failing submission does not make a pool ready, and a new pass does', async () => {
    await server.schedule(checklist, [indoor]);
    server.at('06:00');
    await server.submit(checklist, 'Yes', { placeId: indoor });
    server.at('06:30');
    const id = await server.submit(checklist, 'No', { placeId: indoor });
    const { number } = await server.admin(api.getSubmission, { params: { id } });
    await server.admin(api.deleteSubmission, { params: { id }, body: { reason: 'The wrong pool' } });
    const expected = { is_ready: false, check_again: `${number} was deleted`, due_since: null, failures: 0 };
    expect(await server.getReady(indoor)).toMatchObject(expected);
    const [deletion] = await server.admin(api.listDeleted);
    expect(deletion).toMatchObject({ label: number, reason: 'The wrong pool' });
    server.at('06:31');
    await server.submit(checklist, 'Yes', { placeId: indoor });
    expect(await server.getReady(indoor)).toMatchObject({ is_ready: true, check_again: null });
  });

  test.each(['No', undefined] as const)(
    'after the answer %s was deleted, a pass from before that arrives later opens nothing, and a new one does',
    async (answer) => {
      await server.schedule(checklist, [indoor]);
      const capturedAt = server.at('06:10');
      server.at('06:30');
      const id = await server.submit(checklist, answer, { placeId: indoor });
      await server.admin(api.deleteSubmission, { params: { id }, body: { reason: 'The wrong pool' } });
      server.at('06:50');
      await server.submit(checklist, 'Yes', { placeId: indoor, capturedAt });
      expect(await server.getReady(indoor)).toMatchObject({ is_ready: false, check_again: expect.any(String) });
      await server.submit(checklist, 'Yes', { placeId: indoor });
      expect(await server.getReady(indoor)).toMatchObject({ is_ready: true, check_again: null });
    },
  );

  test.each([undefined, 'No'] as const)(
    'a pass from before places were joined that arrives later says nothing about the other one: %s',
    async (answer) => {
      await server.schedule(checklist, [indoor, outdoor]);
      server.at('06:10');
      if (answer) await server.submit(checklist, answer, { placeId: indoor });
      const capturedAt = server.at('06:20');
      server.at('06:40');
      await server.admin(api.joinPlaces, { params: { id: indoor }, body: { into: outdoor } });
      server.at('06:50');
      await server.submit(checklist, 'Yes', { placeId: outdoor, capturedAt });
      expect(await server.getReady(outdoor)).toMatchObject({ is_ready: false, check_again: expect.any(String) });
      await server.submit(checklist, 'Yes', { placeId: outdoor });
      expect(await server.readiness(outdoor)).toEqual([true]);
    },
  );

  test('a pass older than a day answers the check of its own day as late, and opens nothing', async () => {
    const schedule = await server.schedule(checklist, [indoor]);
    const filledInAt = server.at('06:30');
    server.at('07:00', tomorrow());
    await server.submit(checklist, 'Yes', { placeId: indoor, capturedAt: filledInAt });
    expect(await server.getReady(indoor)).toMatchObject({ is_ready: false, due_since: server.at('05:00') });
    const rows = await server.server.db
      .selectFrom('due_checks')
      .select(['day', 'submission_id', 'filled_in_at', 'closes_at'])
      .where('schedule_id', '=', schedule)
      .where('submission_id', 'is not', null)
      .execute();
    expect(rows.map((row) => [row.day, (row.filled_in_at ?? '') >= row.closes_at])).toEqual([
      [filledInAt.slice(0, 10), true],
    ]);
  });

  test('a submission that leaves out the question that can fail opens nothing', async () => {
    await server.schedule(checklist, [indoor]);
    server.at('06:30');
    await server.submit(checklist, undefined, { placeId: indoor });
    expect(await server.getReady(indoor)).toMatchObject({ is_ready: false, check_again: expect.any(String) });
    server.at('06:31');
    await server.submit(checklist, 'N/A', { placeId: indoor });
    expect(await server.readiness(indoor)).toEqual([true]);
  });

  test.each([
    ['an Admin of all parks', 'Admin', ''],
    ['staff of all parks', 'None', ''],
    ['staff of several parks', 'None', ['Kingsley', 'Lido Beach']],
  ] as const)('a pass and a fail of %s that name no park are of the park of their place', async (_, role, parks) => {
    const client = await server.server.as(role, typeof parks === 'string' ? parks : [...parks]);
    await server.schedule(checklist, [indoor]);
    server.at('06:30');
    const id = await server.submit(checklist, 'Yes', { placeId: indoor }, client);
    expect(await server.readiness(indoor)).toEqual([true]);
    expect(await server.admin(api.getSubmission, { params: { id } })).toMatchObject({
      ...{ park: server.park, place: { id: indoor }, place_not_known: false },
    });
    server.at('06:31');
    await server.submit(checklist, 'No', { placeId: indoor }, client);
    expect(await server.getReady(indoor)).toMatchObject({ is_ready: false, failures: 1 });
    const [elsewhere = ''] = await server.addPlaces([`Pool ${year} ${role} ${parks}`], 'Mounds');
    const other = await server.submit(checklist, 'Yes', { placeId: elsewhere });
    const expected = { park: server.park, place: null, place_not_known: true };
    expect(await server.admin(api.getSubmission, { params: { id: other } })).toMatchObject(expected);
  });

  test('a version without a question that can fail opens nothing', async () => {
    const question = { title: 'Is it clear?', type: 'na' as const, required: false };
    const { id } = await server.admin(api.createChecklist, { body: { title: 'Pool check', sections: [question] } });
    const sections = [{ ...question, onFail: { when: 'No' as const } }];
    await server.admin(api.updateChecklist, { params: { id }, body: { title: 'Pool check', sections } });
    await server.schedule(id, [indoor]);
    server.at('06:30');
    await server.submit(id, 'Yes', { placeId: indoor, checklistVersion: 1 });
    expect(await server.getReady(indoor)).toMatchObject({ is_ready: false, check_again: expect.any(String) });
    server.at('06:31');
    await server.submit(id, 'Yes', { placeId: indoor, checklistVersion: 2 });
    expect(await server.readiness(indoor)).toEqual([true]);
  });

  test('a schedule that opens places needs a question that can fail, and a place at each park', async () => {
    const body = { title: 'Round', sections: [{ title: 'Seen?', type: 'checkbox' as const, required: false }] };
    const { id: harmless } = await server.admin(api.createChecklist, { body });
    const rejection = (field: string) => ({ status: 400, fields: { [field]: expect.any(String) } });
    await expect(server.schedule(harmless, [indoor])).rejects.toMatchObject(rejection('opens'));
    await expect(
      server.schedule(harmless, [], { opens: undefined, places: undefined, gate: 'Pool' }),
    ).rejects.toMatchObject(rejection('opens'));
    await expect(server.schedule(checklist, [indoor], { parks: [server.park, 'Mounds'] })).rejects.toMatchObject(
      rejection('places'),
    );
    await expect(server.schedule(checklist, ['unknown'])).rejects.toMatchObject(rejection('places'));
    await server.schedule(checklist, [indoor]);
    const update = server.admin(api.updateChecklist, { params: { id: checklist }, body });
    await expect(update).rejects.toMatchObject(rejection('sections'));
  });

  test('a pass from before a check opened does not count, although by new times a window has been open since', async () => {
    const id = await server.schedule(checklist, [indoor], { opens_at: '12:00', closes_at: '18:00' });
    server.at('09:00');
    await server.submit(checklist, 'Yes', { placeId: indoor });
    const due_since = server.at('11:00');
    const body = {
      ...{ parks: [server.park], repeat: 'daily', opens_at: '06:00', closes_at: '20:00' },
      ...{ places: [indoor] },
    };
    await server.admin(api.updateSchedule, {
      params: { id },
      body: { ...body, starts_on: server.now().slice(0, 10) } as never,
    });
    expect(await server.getReady(indoor)).toMatchObject({ is_ready: false, due_since, check_again: null });
  });

  test('of all parks the same places are ready as of each, also where one is closed when the others are checked', async () => {
    const parks = ['Kingsley', server.park];
    const [lake = ''] = await server.addPlaces([`Lake ${year}`], 'Kingsley');
    await server.schedule(checklist, [indoor, outdoor, lake], { parks });
    server.at('06:30', tomorrow());
    const day = server.now().slice(0, 10);
    await server.submit(checklist, 'No', { placeId: outdoor });
    const closed = await server.admin(api.createClosure, {
      body: { park: 'Kingsley', starts_on: tomorrow(), ends_on: tomorrow() },
    });
    server.at('12:00', tomorrow());
    expect(server.now()).not.toContain(day);
    await server.submit(checklist, 'Yes', { placeId: lake, park: 'Kingsley' }, server.admin);
    const list = (parks: string[] | null) =>
      listReadiness(server.server.db, { role: 'Admin', parks: null }, { parks }, new Date(server.now()));
    const all = await list(null);
    const ready = all.flatMap(({ place_id, is_ready }) => (is_ready ? [place_id] : []));
    expect(ready.filter((id) => [indoor, outdoor, lake].includes(id))).toEqual([lake]);
    expect(all).toEqual([...(await list(['Kingsley'])), ...(await list([server.park]))]);
    await server.admin(api.deleteClosure, { params: { id: closed.id } });
  });
});
