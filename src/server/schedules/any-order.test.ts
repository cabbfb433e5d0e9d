// What arrives within a day counts the same in whichever order it arrives.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { startCheckServer } from '../testing/checks.ts';
import { engines } from '../testing/server.ts';
import { setUp } from '../testing/test-server.ts';

const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 86_400_000];

describe.each(engines)('places on %s', (engine) => {
  let now = Date.parse('2027-01-04T04:00:00.000Z');
  const server = setUp(() => startCheckServer(engine, 'Lido Beach', new Date(now).toISOString()));

  const toIso = (ms: number) => new Date(ms).toISOString();
  const setClock = (ms: number) => {
    now = ms;
    server.setClock(ms);
  };

  const sending = fc.record({ minutes: fc.nat({ max: 40 }), place: fc.nat({ max: 2 }), verdict: fc.nat({ max: 2 }) });
  const sendings = fc
    .array(sending, { minLength: 2, maxLength: 8 })
    .chain((list) => fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })));

  test('are ready or not in whichever order arrives what is less than a day old, and so are their checks', async () => {
    let count = 0;
    async function send(list: { minutes: number; place: number; verdict: number }[]) {
      count += 1;
      const morning = Math.ceil(now / dayMs) * dayMs + 5 * hourMs;
      setClock(morning);
      const ids = await server.addPlaces(['X', 'Y', 'Z'].map((name) => `${name} ${count}`));
      const checklist = await server.createChecklist(`Round ${count}`);
      const more_windows = [{ opens_at: '14:00', closes_at: '18:00' }];
      const schedule = await server.schedule(checklist, ids, { more_windows });
      setClock(morning + 14 * hourMs);
      for (const { minutes, place, verdict } of list) {
        setClock(now + minuteMs);
        const rest = { placeId: ids[place], capturedAt: toIso(morning + minutes * 20 * minuteMs) };
        await server.submit(checklist, (['Yes', 'No', undefined] as const)[verdict], rest);
      }
      const checks = await server.server.db
        .selectFrom('due_checks')
        .select(['place_id', 'opens_at', 'filled_in_at', 'failures'])
        .where('schedule_id', '=', schedule)
        .where('filled_in_at', 'is not', null)
        .execute();
      const since = (at: string | null) => Date.parse(at ?? '') - morning;
      const ready = await server.readiness(...ids);
      await server.admin(api.endSchedule, { params: { id: schedule } });
      return {
        ready,
        checks: checks
          .map((check) =>
            [ids.indexOf(check.place_id), since(check.opens_at), since(check.filled_in_at), check.failures].join(' '),
          )
          .sort(),
      };
    }
    const compare = async ([list, shuffled]: [Parameters<typeof send>[0], Parameters<typeof send>[0]]) => {
      const [first, second] = [await send(list), await send(shuffled)];
      expect(second.ready).toEqual(first.ready);
      // Of two submissions with one time, either may answer the check.
      const times = list.map(({ place, minutes }) => `${place} ${minutes}`);
      if (new Set(times).size === times.length) expect(second.checks).toEqual(first.checks);
    };
    const numRuns = Number(process.env.PROPERTY_RUNS ?? (engine === 'sqlite' ? 8 : 3));
    await fc.assert(fc.asyncProperty(sendings, compare), { numRuns });
  }, 1_800_000);
});
