// Random schedules, submissions and changes. A small model says which places may be ready; whatever is sent in whichever
// order, no place becomes ready without a submission there that passes.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { countDays } from '#shared/calendar.ts';
import { defaultParks as parks } from '#shared/choices.ts';
import { getToday } from '#shared/dates.ts';
import { getParkInstant } from '#shared/schedules/park-time.ts';
import { startCheckServer } from '../testing/checks.ts';
import { engines } from '../testing/server.ts';
import { setUp } from '../testing/test-server.ts';
import { insertComingChecks } from './due-checks.ts';

const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 86_400_000];

const startsOn = '2026-12-01';

type Submission = {
  id: string;
  checklist: string;
  /** Undefined without a place, '' for the park as a whole. */
  sent: string | undefined;
  receivedAt: number;
  filledInAt: number;
  verdict: 'pass' | 'fail' | 'unanswered';
  isDeleted: boolean;
};
type Rule = {
  /** Every how many days. */
  every: number;
  windows: [string, string][];
  season: [string, string] | null;
  endsOn: string | null;
};
type Schedule = { id: string; checklist: string; places: string[]; opens: boolean; isEnded: boolean; rule: Rule };
type Place = { id: string; name: string; joinedInto: string | undefined; isRetired: boolean };

const kinds = [
  ...['submit', 'submit', 'submit', 'submit', 'submit', 'wait', 'wait', 'wait', 'round', 'delete', 'restore'],
  ...['addSchedule', 'changeSchedule', 'endSchedule', 'retire', 'join', 'close', 'open', 'changeChecklist'],
  ...['deleteChecklist', 'restoreChecklist'],
] as const;
const number = fc.nat({ max: 9999 });
const commands = fc.array(fc.record({ kind: fc.constantFrom(...kinds), a: number, b: number, c: number }), {
  minLength: 5,
  maxLength: 40,
  size: 'max',
});

const windows: [string, string][][] = [
  [['06:00', '10:00']],
  [
    ['06:00', '10:00'],
    ['14:00', '18:00'],
  ],
  [['22:00', '02:00']],
  [['08:30', '08:30']],
];

describe.each(engines)('places on %s', (engine) => {
  let now = Date.parse('2027-01-04T04:00:00.000Z');
  let runs = 0;
  const server = setUp(() => startCheckServer(engine, 'Lido Beach', new Date(now).toISOString()));

  const toIso = (ms: number) => new Date(ms).toISOString();
  const setClock = (ms: number) => {
    now = ms;
    server.setClock(ms);
  };

  async function run(list: { kind: (typeof kinds)[number]; a: number; b: number; c: number }[]) {
    runs += 1;
    const park = parks[runs % parks.length] ?? parks[0];
    const { admin } = server;
    const db = server.server.db;
    const staff = await server.server.as('None', park);
    setClock(now + dayMs);
    const names = ['A', 'B', 'C'].map((name) => `${name} ${runs}`);
    const places: Place[] = (await server.addPlaces(names, park)).map((id, index) => ({
      ...{ id, name: names[index] ?? '', joinedInto: undefined, isRetired: false },
    }));
    const elsewhere =
      (await server.addPlaces([`Elsewhere ${runs}`], park === 'Mounds' ? 'Kingsley' : 'Mounds'))[0] ?? '';
    const checklists = [await server.createChecklist(`One ${runs}`), await server.createChecklist(`Two ${runs}`)];
    const deletedChecklists = new Set<string>();
    const schedules: Schedule[] = [];
    const submissions: Submission[] = [];
    let closure: string | undefined;

    const pick = <T>(list: readonly T[], index: number) => list[index % list.length] as T;
    const follow = (id: string) => places.find((place) => place.id === id)?.joinedInto ?? id;
    const listRoots = () => places.filter(({ joinedInto }) => joinedInto === undefined);
    const findFree = () => listRoots().filter(({ isRetired }) => !isRetired);

    /** Returns the place of each submission, by the rules: without a place, as the server has linked it. */
    async function readPlaces(): Promise<Map<string, string>> {
      const links = await db.selectFrom('place_links').select(['thing_id', 'place_id']).execute();
      const linked = new Map(links.map((link) => [link.thing_id, link.place_id]));
      return new Map(
        submissions.flatMap(({ id, sent }) => {
          const place = sent === undefined ? linked.get(id) : places.some((one) => one.id === sent) ? sent : undefined;
          return place ? [[id, follow(place)]] : [];
        }),
      );
    }

    /** When the last window of the rule opened, whatever is closed, out of season or over. */
    function getLastOpening({ every, windows }: Rule): number {
      const days = [-4, -3, -2, -1, 0, 1]
        .map((days) => getToday(new Date(now + days * dayMs)))
        .filter((day) => countDays(startsOn, day) % every === 0);
      const openings = days.flatMap((day) => windows.map(([opensAt]) => getParkInstant(day, opensAt, 'first')));
      return Math.max(...openings.filter((opensAt) => opensAt <= now));
    }

    const countAt = ({ verdict, filledInAt, receivedAt }: Submission) =>
      verdict === 'pass' || receivedAt - filledInAt <= dayMs ? filledInAt : receivedAt;

    /** Whether the last submission at the place passed and holds, for each schedule in force that opens it. */
    function mayBeReady(place: string, placeOf: Map<string, string>): boolean {
      const opening = schedules.filter(
        (one) =>
          one.opens &&
          !one.isEnded &&
          !deletedChecklists.has(one.checklist) &&
          one.places.some((id) => follow(id) === place),
      );
      const isPassed = ({ checklist, rule }: Schedule) => {
        const here = submissions.filter(
          (one) => one.checklist === checklist && !one.isDeleted && placeOf.get(one.id) === place,
        );
        const [last] = here.sort(
          (a, b) => countAt(b) - countAt(a) || Number(a.verdict === 'pass') - Number(b.verdict === 'pass'),
        );
        return last?.verdict === 'pass' && countAt(last) >= getLastOpening(rule);
      };
      return opening.length > 0 && opening.every(isPassed);
    }

    async function readReady(): Promise<Set<string>> {
      const rows = (await admin(api.listDueChecks, { query: { park } })).ready;
      const own = rows.filter(({ place_id }) => places.some(({ id }) => id === place_id));
      expect(own.filter((row) => row.is_ready && (row.not_in_use ?? row.check_again ?? row.due_since))).toEqual([]);
      return new Set(own.filter(({ is_ready }) => is_ready).map(({ place_id }) => place_id));
    }

    async function submit(
      checklist: string,
      sent: string | null | undefined,
      verdict: Submission['verdict'],
      at: number,
    ) {
      const answer = verdict === 'pass' ? 'Yes' : verdict === 'fail' ? 'No' : undefined;
      const rest = { capturedAt: toIso(at), ...(sent !== undefined && { placeId: sent }) };
      const id = await server.submit(checklist, answer, rest, staff);
      const filledInAt = at <= now ? at : now;
      const row = { receivedAt: now, filledInAt, verdict, isDeleted: false };
      submissions.push({ id, checklist, sent: sent === null ? '' : sent, ...row });
      return id;
    }

    const createRule = (a: number, b: number, c: number): Rule => ({
      every: pick([1, 1, 3], a + c),
      windows: pick(windows, a),
      season: b % 5 === 0 ? ['01-01', toIso(now + (b % 3) * dayMs).slice(5, 10)] : null,
      endsOn: c % 5 === 0 ? toIso(now + (c % 3) * dayMs).slice(0, 10) : null,
    });
    const toBody = ({ every, windows, season, endsOn }: Rule, chosen: string[], opens: boolean) => {
      const [[opens_at, closes_at] = ['', ''], ...more] = windows;
      return {
        ...{ parks: [park], repeat: 'daily' as const, every, opens_at, closes_at, starts_on: startsOn },
        more_windows: more.map(([opens_at, closes_at]) => ({ opens_at, closes_at })),
        ...{ season_from: season?.[0] ?? null, season_to: season?.[1] ?? null, ends_on: endsOn },
        ...{ places: chosen, opens },
      };
    };
    /** Some of the places; at least one. */
    const choosePlaces = (a: number) => {
      const free = findFree();
      const chosen = free.filter((_, index) => (a >> index) % 2 === 1);
      return (chosen.length > 0 ? chosen : free.slice(0, 1)).map(({ id }) => id);
    };

    const actions: Record<(typeof kinds)[number], (a: number, b: number, c: number) => Promise<unknown>> = {
      async submit(a, b, c) {
        const offsets = [
          0,
          0,
          0,
          -minuteMs,
          -2 * hourMs,
          -10 * hourMs,
          -23 * hourMs,
          -25 * hourMs,
          -49 * hourMs,
          hourMs,
        ];
        const before = submissions.at(-1);
        const offset = pick(offsets, c);
        const at = c % 7 === 0 && before ? before.filledInAt : now + offset;
        const checklist = pick(checklists, a);
        if (deletedChecklists.has(checklist)) return;
        const sent = pick([...places.map(({ id }) => id), ...places.map(({ id }) => id), undefined, null], b);
        await submit(checklist, sent, pick(['pass', 'pass', 'fail', 'unanswered'], a >> 1), at);
        // A place that is unknown, or of another park, is kept and opens nothing.
        if (b % 11 === 0) await submit(checklist, pick(['unknown', elsewhere], c), 'pass', now);
      },
      async wait(a, b) {
        setClock(now + pick([5 * minuteMs, hourMs, 4 * hourMs, 11 * hourMs, dayMs], a) + (b % 60) * minuteMs);
        await insertComingChecks(db, new Date(now));
      },
      /** After a round of a place, it is ready. */
      async round(a) {
        setClock(now + minuteMs);
        const place = pick(findFree(), a);
        if (!place) return;
        const used = schedules.filter(
          (one) =>
            one.opens &&
            !one.isEnded &&
            !deletedChecklists.has(one.checklist) &&
            one.places.map(follow).includes(place.id),
        );
        for (const checklist of new Set(used.map((one) => one.checklist)))
          await submit(checklist, place.id, 'pass', now);
        const row = (await admin(api.listDueChecks, { query: { park } })).ready.find(
          (one) => one.place_id === place.id,
        );
        const opened = await db
          .selectFrom('due_checks')
          .select(['schedule_id'])
          .where('opens_at', '<=', toIso(now))
          .where(
            'place_id',
            'in',
            places.map(({ id }) => id).filter((id) => follow(id) === place.id),
          )
          .execute();
        const haveOpened = used.every(({ id }) => opened.some((check) => check.schedule_id === id));
        if (used.length > 0 && haveOpened) expect(row).toMatchObject({ is_ready: true });
      },
      async delete(a) {
        const one = pick(submissions, a);
        if (!one || one.isDeleted) return;
        await admin(api.deleteSubmission, { params: { id: one.id }, body: {} });
        one.isDeleted = true;
      },
      async restore(a) {
        const one = pick(
          submissions.filter(({ isDeleted }) => isDeleted),
          a,
        );
        if (!one) return;
        await restore('submission', one.id);
        one.isDeleted = false;
      },
      async addSchedule(a, b, c) {
        const checklist = pick(checklists, a);
        const chosen = c % 4 === 0 ? [] : choosePlaces(b);
        if (deletedChecklists.has(checklist)) return;
        const [rule, opens] = [createRule(a >> 1, b, c), chosen.length > 0 && a % 5 > 0];
        const body = { checklist_id: checklist, ...toBody(rule, chosen, opens) };
        const { id } = await admin(api.createSchedule, { body });
        schedules.push({ id, checklist, places: chosen, opens, isEnded: false, rule });
      },
      async changeSchedule(a, b, c) {
        const one = pick(
          schedules.filter(({ isEnded, checklist }) => !isEnded && !deletedChecklists.has(checklist)),
          a,
        );
        if (!one) return;
        const chosen = c % 4 === 0 ? [] : choosePlaces(b);
        const [rule, opens] = [createRule(b >> 2, b, c), chosen.length > 0 && a % 5 > 0];
        await admin(api.updateSchedule, { params: { id: one.id }, body: toBody(rule, chosen, opens) });
        Object.assign(one, { places: chosen, opens, rule });
      },
      async endSchedule(a) {
        const one = pick(
          schedules.filter(({ isEnded, checklist }) => !isEnded && !deletedChecklists.has(checklist)),
          a,
        );
        if (!one) return;
        await admin(api.endSchedule, { params: { id: one.id } });
        one.isEnded = true;
      },
      async retire(a) {
        const place = pick(listRoots(), a);
        if (!place || (findFree().length === 1 && !place.isRetired)) return;
        const change = { name: place.name, isRetired: !place.isRetired };
        await admin(api.updatePlace, { params: { id: place.id }, body: change });
        place.isRetired = change.isRetired;
      },
      async join(a, b) {
        if (a % 3 > 0) return;
        const [place, into] = [pick(listRoots(), a), pick(listRoots(), b)];
        if (!place || !into || place === into || into.isRetired) return;
        await admin(api.joinPlaces, { params: { id: place.id }, body: { into: into.id } });
        for (const one of places) if (follow(one.id) === place.id) one.joinedInto = into.id;
      },
      async close(a) {
        if (closure) return;
        const [starts_on, ends_on] = [a % 2, (a % 2) + (a % 4)].map((days) => getToday(new Date(now + days * dayMs)));
        const body = { park, starts_on: starts_on ?? '', ends_on: ends_on ?? '' };
        closure = (await admin(api.createClosure, { body })).id;
      },
      async open() {
        if (closure) await admin(api.deleteClosure, { params: { id: closure } });
        closure = undefined;
      },
      async changeChecklist(a) {
        const id = pick(checklists, a);
        if (deletedChecklists.has(id)) return;
        const section = {
          title: `Is it clear? ${a}`,
          type: 'na' as const,
          required: false,
          onFail: { when: 'No' as const },
        };
        await admin(api.updateChecklist, { params: { id }, body: { title: `Pool ${a}`, sections: [section] } });
      },
      async deleteChecklist(a) {
        const id = pick(checklists, a);
        if (a % 3 > 0 || deletedChecklists.has(id)) return;
        await admin(api.deleteChecklist, { params: { id } });
        deletedChecklists.add(id);
      },
      async restoreChecklist() {
        for (const id of deletedChecklists) await restore('checklist', id);
        deletedChecklists.clear();
      },
    };

    async function restore(thing: string, id: string): Promise<void> {
      const row = db.selectFrom('deletions').select('id').where('thing', '=', thing).where('thing_id', '=', id);
      await admin(api.restoreDeleted, { params: { id: (await row.executeTakeFirstOrThrow()).id } });
    }

    await actions.addSchedule(1, 7, 1);
    await actions.addSchedule(4, 5, 2);
    let before = await readReady();
    for (const { kind, a, b, c } of list) {
      const sentBefore = submissions.length;
      const joinedBefore = new Map(places.map(({ id }) => [id, follow(id)]));
      await actions[kind](a, b, c);
      const [ready, placeOf] = [await readReady(), await readPlaces()];
      const sent = submissions.slice(sentBefore);
      for (const id of ready) {
        expect(mayBeReady(id, placeOf), `${kind}: ready without a pass that holds`).toBe(true);
        const isNew = sent.some((one) => one.verdict === 'pass' && placeOf.get(one.id) === id);
        // Of places that were joined, each that was in use was ready.
        const wasReady = [...joinedBefore.values()].some((root) => follow(root) === id && before.has(root));
        if (!isNew) expect(wasReady, `${kind}: ready without a new pass`).toBe(true);
      }
      before = ready;
      const checks = await db
        .selectFrom('due_checks')
        .select(['id', 'place_id', 'submission_id', 'checklist_id'])
        .where('checklist_id', 'in', checklists)
        .where('submission_id', 'is not', null)
        .execute();
      for (const check of checks) {
        const answer = submissions.find(({ id }) => id === check.submission_id);
        expect(answer).toMatchObject({ checklist: check.checklist_id, isDeleted: false });
        if (check.place_id !== '') expect(placeOf.get(answer?.id ?? '')).toBe(follow(check.place_id));
      }
      expect(new Set(checks.map((check) => check.submission_id)).size).toBe(checks.length);
    }
    await actions.open(0, 0, 0);
  }

  test('are ready only after a pass there that holds, and no change makes one ready', async () => {
    const numRuns = Number(process.env.PROPERTY_RUNS ?? (engine === 'sqlite' ? 10 : 3));
    await fc.assert(fc.asyncProperty(commands, run), { numRuns });
  }, 1_800_000);
});
