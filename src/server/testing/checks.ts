// A server with a clock, checklists and places, for tests of scheduled checks.
import { api } from '#shared/api.ts';
import { type engines, startTestServer, type TestClient } from './server.ts';
import { longSessions } from './settings.ts';

type Answer = 'Yes' | 'No' | 'N/A' | undefined;

/** Starts a server with an Admin and staff of a park. `at` sets its clock. */
export async function startCheckServer(engine: (typeof engines)[number], park: string, startedAt: string) {
  let now = startedAt;
  const server = await startTestServer(engine, longSessions, () => now);
  const [admin, staff] = [await server.as('Admin'), await server.as('None', park)];
  const listReady = async (client: TestClient = staff) => (await client(api.listDueChecks, { query: { park } })).ready;
  return {
    ...{ server, admin, staff, park },
    /** The time of the server's clock. */
    now: () => now,
    at(time: string, day = now.slice(0, 10)) {
      now = `${day}T${time}:00.000Z`;
      return now;
    },
    /** Sets the clock to a time in milliseconds since 1970; seconds are left out. */
    setClock(ms: number): void {
      now = `${new Date(ms).toISOString().slice(0, 16)}:00.000Z`;
    },
    /** Adds places; returns their ids. */
    async addPlaces(names: string[], of: string = park): Promise<string[]> {
      await admin(api.addPlaces, { body: { park: of, names } });
      const places = (await admin(api.listPlaces)).filter((place) => place.park === of);
      return names.map((name) => places.find((place) => place.name === name)?.id ?? '');
    },
    /** Creates a checklist with one question, whose answer No is failing. */
    async createChecklist(title = 'Pool check'): Promise<string> {
      const section = { title: 'Is it clear?', type: 'na' as const, required: false, onFail: { when: 'No' as const } };
      return (await admin(api.createChecklist, { body: { title, sections: [section] } })).id;
    },
    /** Schedules a checklist every day from 06:00 to 10:00. */
    async schedule(checklist_id: string, places: string[], rest: object = {}): Promise<string> {
      const fields = { parks: [park], repeat: 'daily' as const, opens_at: '06:00', closes_at: '10:00' };
      const body = { checklist_id, ...fields, starts_on: now.slice(0, 10), places, opens: places.length > 0, ...rest };
      return (await admin(api.createSchedule, { body: body as never })).id;
    },
    /** Fills in a checklist; returns the id of the submission. */
    async submit(checklistId: string, answer: Answer, rest: object = {}, client: TestClient = staff): Promise<string> {
      const data = { ...(answer && { 0: answer }) };
      const failures = answer === 'No' ? { failures: { 0: { note: 'Cloudy' } } } : {};
      return (await client(api.submitChecklist, { body: { checklistId, data, ...failures, ...rest } })).id;
    },
    listReady,
    /** Whether each of these places is ready. */
    async readiness(...places: string[]): Promise<boolean[]> {
      const ready = await listReady();
      return places.map((place) => ready.find(({ place_id }) => place_id === place)?.is_ready ?? false);
    },
    /** What the server says about a place. */
    getReady: async (place: string) => (await listReady()).find(({ place_id }) => place_id === place),
    /** The states of the checks of today, by place. */
    async states(scheduleId?: string): Promise<Record<string, string>> {
      const { checks } = await staff(api.listDueChecks, { query: { park } });
      const shown = checks.filter(({ schedule_id }) => scheduleId === undefined || schedule_id === scheduleId);
      return Object.fromEntries(shown.map((check) => [check.place, check.state]));
    },
    stop: () => server.stop(),
    [Symbol.asyncDispose]: () => server.stop(),
  };
}

export type CheckServer = Awaited<ReturnType<typeof startCheckServer>>;
