// Random steps in any order: an investigation is closed only if everything was put right.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { getToday } from '#shared/dates.ts';
import { createRandom } from '#shared/law/testing/random.ts';
import type { Tables } from '../db/schema.ts';
import { newAudit, newFolder, newReport } from '../testing/factories.ts';
import { type ServerProcess, startProcess } from '../testing/process.ts';
import { engines, password, type TestClient } from '../testing/server.ts';
import { createTestServer } from '../testing/test-server.ts';

const causes = [11, 12];
const levels = ['minimal', 'low', 'high'] as const;

const setups = engines.map((engine) => ({
  engine,
  name: engine === 'postgres' ? 'two instances with PostgreSQL' : 'one instance with SQLite',
}));

describe.each(setups)('after any order of steps with retries at $name', { timeout: 300_000 }, ({ engine }) => {
  let second: ServerProcess | undefined;
  let people: TestClient[];
  let folder: string;
  const settings = { RATE_SCALE: '100', SECRETS_KEY: randomBytes(32).toString('base64') };
  const { server, admin } = createTestServer(engine, settings);
  beforeAll(async () => {
    if (engine === 'postgres')
      second = await startProcess({
        ...settings,
        DATABASE_URL: server.config.databaseUrl,
        DATA_DIR: join(server.folder, 'second'),
        ADMIN_PASSWORD: password,
      });
    people = [
      ...(await Promise.all(['', ''].map((park) => server.as('Health & Safety Manager', park)))),
      await server.as('None', 'Lido Beach'),
    ];
    folder = await newFolder(admin);
  });
  afterAll(async () => {
    await second?.end('SIGKILL');
  });
  /** Returns a user's clients for the two instances, or the same client twice. */
  const atBoth = (client: TestClient) => [client, second ? client.at(second.url) : client];

  async function start(level: (typeof levels)[number]): Promise<string> {
    const report = await admin(api.submitAccident, { body: await newReport(admin) });
    const { id } = await admin(api.createInvestigation, { body: { thing: 'report', id: report.id } });
    const { sections } = await admin(api.getInvestigation, { params: { id } });
    const contents = {
      madeSafe: { text: 'Closed' },
      depth: { level },
      facts: { text: 'It fell', learnt: 'Look above' },
      causes: { list: causes.map((id) => ({ id, text: `Cause ${id}` })) },
      risk: { outcome: 'holds' },
    };
    for (const [section, content] of Object.entries(contents))
      await admin(api.saveInvestigationSection, {
        params: { id: sections[section as keyof typeof contents].id },
        body: { section, version: 0, content } as never,
      });
    return id;
  }

  /** Sends a request twice at once with one key, as after a lost response, to both instances if there are two. */
  const retry = (client: TestClient, send: (client: TestClient, key: string) => Promise<unknown>) => {
    const key = crypto.randomUUID();
    return Promise.allSettled(atBoth(client).map((one) => send(one, key)));
  };

  const listAudits = (id: string) =>
    server.db.selectFrom('audits').selectAll().where('investigation_id', '=', id).execute();
  const listNotes = (id: string) =>
    server.db.selectFrom('investigation_notes').selectAll().where('investigation_id', '=', id).execute();

  /** Whether the rows say that an action was put right, or waived by someone who did not do it. */
  function isDone(
    first: Tables['audits'],
    audits: Tables['audits'][],
    notes: Tables['investigation_notes'][],
  ): boolean {
    const doers: (string | null)[] = [];
    for (let audit: Tables['audits'] | undefined = first; audit; ) {
      const { id, verified, assignee_id, completed_by_id }: Tables['audits'] = audit;
      doers.push(assignee_id, completed_by_id);
      if (verified === 'works') return true;
      if (verified === null)
        return notes.some(
          ({ kind, about, words, created_by }) =>
            kind === 'waived' && about === first.id && words !== '' && !doers.includes(created_by),
        );
      audit = audits.find(({ source_id, deletion_id }) => source_id === id && deletion_id === null);
    }
    return false;
  }

  /** Compares the server's reply with a recount of the rows. */
  async function check(id: string) {
    const params = { id };
    const [found, again] = await Promise.all(atBoth(admin).map((client) => client(api.getInvestigation, { params })));
    if (!found) throw new Error('There is no such investigation');
    expect(again).toEqual(found);
    const [audits, notes] = [await listAudits(id), await listNotes(id)];
    const actions = audits.filter(({ source_thing, deletion_id }) => source_thing === 'investigation' && !deletion_id);
    if (found.state === 'closed') {
      const by = notes.find(({ kind }) => kind === 'complete')?.created_by;
      expect(by).toBeDefined();
      if (found.level === 'high')
        expect(notes.some(({ kind, created_by }) => kind === 'confirmed' && created_by !== by)).toBe(true);
      for (const cause of found.level === 'minimal' ? [null] : causes)
        expect(
          actions.some(({ source_section }) => source_section === cause) ||
            notes.some(({ kind, about }) => kind === 'noAction' && about === String(cause ?? '')),
        ).toBe(true);
    }
    // An action whose current audit was deleted no longer answers a cause.
    const left = found.actions.filter(({ state }) => state === 'open' || state === 'toVerify');
    for (const action of actions) {
      const { state } = found.actions.find(({ id }) => id === action.id) ?? {};
      if (state !== 'deleted') expect(state === 'works' || state === 'waived').toBe(isDone(action, audits, notes));
    }
    expect(found.actions_left).toBe(left.length);
    if (found.state === 'closed') expect(left).toEqual([]);
    const [listed] = await admin(api.listInvestigations, { query: { of: found.records[0]?.id ?? '' } });
    expect(listed).toMatchObject({ state: found.state, actions_left: found.actions_left });
    // Findings are completed at most once, and an audit has at most one follow-up, despite retries.
    expect(notes.filter(({ kind }) => kind === 'complete').length).toBeLessThanOrEqual(1);
    for (const { id, verified } of audits) {
      const followUps = audits.filter(({ source_id }) => source_id === id);
      expect(followUps).toHaveLength(verified === 'doesNotWork' ? 1 : 0);
    }
    return found;
  }

  test('an investigation is closed only if every cause is answered and every action verified or waived by someone else', async () => {
    const random = createRandom(engine === 'sqlite' ? 7 : 8);
    const pick = <T>(list: readonly T[]): T => list[random(list.length)] as T;
    const ids = await Promise.all(levels.map(start));
    for (let step = 0; step < 60; step++) {
      const id = pick(ids);
      const params = { id };
      const person = pick(atBoth(pick(people)));
      const kept = (await listAudits(id)).filter(({ deletion_id }) => deletion_id === null);
      const audit = pick(kept);
      const note = (body: object) =>
        retry(person, (client, key) => client(api.addInvestigationNote, { params, body: body as never, key }));
      const steps = [
        () => {
          const assignee = pick(['', ...people.map(({ username }) => username)]);
          const cause = pick([...causes, undefined]);
          const source = { thing: 'investigation' as const, id, cause };
          const body = newAudit(folder, { assignee, source });
          return kept.length < 4 && retry(person, (client, key) => client(api.createAudit, { body, key }));
        },
        ...[1, 2].map(
          () => () => audit && person(api.updateAudit, { params: audit, body: { data: { completed: true } } }),
        ),
        () => audit && person(api.updateAudit, { params: audit, body: { data: { assignee: pick(people).username } } }),
        ...[1, 2].map(() => () => {
          const body = { outcome: pick(['works', 'works', 'doesNotWork'] as const), text: 'I looked' };
          return audit && retry(person, (client, key) => client(api.verifyAudit, { params: audit, body, key }));
        }),
        () => audit && note({ kind: 'waived', about: audit.id, text: 'It is gone' }),
        () => note({ kind: 'noAction', about: pick(['', ...causes.map(String)]), text: 'Nothing can be done' }),
        () => note({ kind: pick(['complete', 'confirmed']) }),
        () => audit && random(3) === 0 && admin(api.deleteAudit, { params: audit }),
      ];
      await Promise.resolve(pick(steps)()).catch(() => undefined);

      await check(id);
    }
    // An Admin who did none of the work answers and waives what is left.
    for (const id of ids) {
      const params = { id };
      const add = (body: object, client = admin) =>
        client(api.addInvestigationNote, { params, body: body as never }).catch(() => undefined);
      await add({ kind: 'complete' }, people[0]);
      for (const client of people) await add({ kind: 'confirmed' }, client);
      for (const { cause } of (await check(id)).questions)
        await add({ kind: 'noAction', about: String(cause ?? ''), text: 'Nothing can be done' });
      for (const action of (await check(id)).actions)
        await add({ kind: 'waived', about: action.id, text: 'It is gone' });
      expect((await check(id)).state).toBe('closed');
      const listed = await admin(api.listInvestigations, { query: {} });
      const { attention } = await admin(api.getOverview, { query: { from: '2026-01-01', to: getToday() } });
      expect(attention.openInvestigations).toBe(listed.filter(({ state }) => state !== 'closed').length);
    }
    const verifications = await server.db
      .selectFrom('audit_notes')
      .innerJoin('audits', 'audits.id', 'audit_notes.audit_id')
      .select(['audit_notes.created_by', 'audits.assignee_id', 'audits.completed_by_id'])
      .where('audit_notes.outcome', 'is not', null)
      .execute();
    expect(verifications.length).toBeGreaterThan(0);
    for (const { created_by, assignee_id, completed_by_id } of verifications)
      expect([assignee_id, completed_by_id]).not.toContain(created_by);
  });
});
