// Checks of places that are retired while a check there is open.
import { describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { startCheckServer } from '../testing/checks.ts';
import { engines } from '../testing/server.ts';
import { setUp } from '../testing/test-server.ts';
import { insertComingChecks } from './due-checks.ts';
import { notifyOfMissedChecks } from './missed.ts';

describe.each(engines)('checks of retired places on %s', (engine) => {
  const server = setUp(() => startCheckServer(engine, 'Lido Beach', '2026-06-01T04:00:00.000Z'));

  test('were not missed, can be answered while they are open, and make no check of the whole park', async () => {
    const { admin, park } = server;
    const { db } = server.server;
    const names = ['Closed pool', 'Answered pool', 'Missed pool'];
    const [closed = '', answered = '', missed = ''] = await server.addPlaces(names);
    const checklist = await server.createChecklist();
    const schedule = await server.schedule(checklist, [closed, answered, missed]);
    await notifyOfMissedChecks(db, new Date(server.now()));
    const retire = (id: string, isRetired: boolean) =>
      admin(api.updatePlace, {
        params: { id },
        body: { name: names[[closed, answered, missed].indexOf(id)] ?? '', isRetired },
      });
    server.at('06:00');
    await retire(closed, true);
    await retire(answered, true);
    server.at('07:00');
    await server.submit(checklist, 'Yes', { placeId: answered });
    server.at('11:00');
    const day = server.now().slice(0, 10);
    await notifyOfMissedChecks(db, new Date(server.now()));

    const expectCounts = async () => {
      const query = { from: day, to: day, park };
      const counted = await admin(api.countChecks, { query: { ...query, state: 'missed' } });
      expect(counted.map(({ checks }) => checks)).toEqual([1]);
      expect(await admin(api.countChecks, { query: { ...query, settled: '1' } })).toMatchObject([{ checks: 2 }]);
      expect((await admin(api.getOverview, { query })).attention.missedChecks).toBe(1);
      const rows = await admin(api.listChecks, { query });
      expect(Object.fromEntries(rows.map((row) => [row.place, [row.state, row.reason]]))).toEqual({
        'Closed pool': ['missed', 'Place retired'],
        'Answered pool': ['done', null],
        'Missed pool': ['missed', null],
      });
    };
    await expectCounts();
    const told = (await admin(api.listNotifications)).filter(({ kind }) => kind === 'checkMissed');
    expect(told.map(({ text }) => text)).toEqual([expect.stringMatching(/1 of 3 places: Missed pool$/)]);
    await retire(closed, false);
    await expectCounts();

    for (const id of [closed, missed]) await retire(id, true);
    await db.deleteFrom('due_checks').where('opens_at', '>', server.now()).execute();
    server.at('04:00', '2026-06-02');
    await insertComingChecks(db, new Date(server.now()));
    const coming = db.selectFrom('due_checks').select('id').where('schedule_id', '=', schedule).where('day', '>', day);
    expect(await coming.execute()).toEqual([]);
  });

  test('that a page of an earlier version names are brought back as by a reviewer', async () => {
    const { admin } = server;
    server.at('04:00', '2026-07-01');
    const [pool = ''] = await server.addPlaces(['Old pool']);
    const first = await server.createChecklist('First');
    const schedule = await server.schedule(first, [pool]);
    server.at('06:00');
    await server.submit(first, 'Yes', { placeId: pool });
    expect(await server.readiness(pool)).toEqual([true]);
    await admin(api.updatePlace, { params: { id: pool }, body: { name: 'Old pool', isRetired: true } });
    server.at('07:00');
    const second = await server.createChecklist('Second');
    await server.schedule(second, [], { places: undefined, opens: undefined, gate: 'Old Pool' });
    const rows = server.server.db.selectFrom('due_checks').select('id').where('schedule_id', '=', schedule);
    expect((await rows.where('opens_at', '>', server.now()).execute()).length).toBeGreaterThan(0);
    const log = await admin(api.listActivity, { query: { thing: 'place' } });
    expect(log[0]).toMatchObject({ label: 'Old pool', changes: { isRetired: { from: true, to: false } } });
    await server.submit(second, 'Yes', { placeId: pool });
    const expected = { is_ready: false, check_again: 'The place was retired and brought back' };
    expect(await server.getReady(pool)).toMatchObject(expected);
  });

  test('and joined ones, and parks that are taken out, are no reason to refuse a form that was opened before', async () => {
    const { admin, park } = server;
    server.at('04:00', '2026-08-01');
    const [one = '', other = '', elsewhere = ''] = [
      ...(await server.addPlaces(['One pool', 'Other pool'])),
      ...(await server.addPlaces(['Pool elsewhere'], 'Mounds')),
    ];
    const rule = { parks: [park, 'Mounds' as const], repeat: 'daily' as const, opens_at: '06:00', closes_at: '10:00' };
    const body = { ...rule, starts_on: '2026-08-01', opens: true };
    const places = [one, other, elsewhere];
    const id = await server.schedule(await server.createChecklist(), places, body);
    const second = await server.schedule(await server.createChecklist(), places, body);
    await admin(api.joinPlaces, { params: { id: one }, body: { into: other } });
    const update = (rest: object) => admin(api.updateSchedule, { params: { id }, body: { ...body, places, ...rest } });
    const readPlaces = async (of = id) => (await admin(api.listSchedules)).find((one) => one.id === of)?.places;
    await update({ closes_at: '11:00' });
    expect((await readPlaces())?.sort()).toEqual([other, elsewhere].sort());
    await update({ parks: [park] });
    expect(await readPlaces()).toEqual([other]);
    expect(await readPlaces(second)).toHaveLength(2);
    await expect(update({ parks: [park] })).rejects.toMatchObject({ fields: { places: expect.any(String) } });
  });

  test('of a park that a reviewer does not see stay in the schedule, whose park they cannot take out', async () => {
    const {
      server: { as },
      park,
    } = server;
    const [pool = ''] = await server.addPlaces(['Own pool']);
    const [other = ''] = await server.addPlaces(['Pool of the Mounds'], 'Mounds');
    const checklist = await server.createChecklist();
    const id = await server.schedule(checklist, [pool, other], { parks: [park, 'Mounds'] });
    const reviewer = await as('Admin', park);
    const [schedule] = (await server.admin(api.listSchedules)).filter((row) => row.id === id);
    const change = (parks: string[], places: string[]) =>
      reviewer(api.updateSchedule, { params: { id }, body: { ...schedule, parks, places } as never });
    await expect(change([park], [pool])).rejects.toMatchObject({
      status: 400,
      fields: { parks: 'You cannot take out Mounds, because its places are checked' },
    });
  });
});
