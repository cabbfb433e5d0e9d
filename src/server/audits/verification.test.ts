// Verification of completed audits by someone who did not do the work.
import { beforeAll, describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { addDays as addDaysTo } from '#shared/calendar.ts';
import type { ApiError } from '#shared/client.ts';
import { getToday } from '#shared/dates.ts';
import { createRandom } from '#shared/law/testing/random.ts';
import { sendAuditReminders } from '../audits/reminders.ts';
import { newAudit, newFolder, uploadPhoto } from '../testing/factories.ts';
import { engines, type TestClient } from '../testing/server.ts';
import { createTestServer } from '../testing/test-server.ts';

const addDays = (days: number) => addDaysTo(getToday(), days);

describe.each(engines)('verification of audits on %s', (engine) => {
  let folder: string;
  const { server } = createTestServer(engine);
  const worker = server.user('None', 'Lido Beach');
  const colleague = server.user('None', 'Lido Beach');
  const elsewhere = server.user('None', 'Robin Hood');
  const manager = server.user('Health & Safety Manager', 'Lido Beach');
  beforeAll(async () => {
    folder = await newFolder(worker, { name: 'Repairs' });
  });

  const get = (id: string, client = manager) => client(api.getAudit, { params: { id } });
  const complete = (client: TestClient, id: string) =>
    client(api.updateAudit, { params: { id }, body: { data: { completed: true } } });
  const create = async (client: TestClient, changes: object = {}) =>
    (await client(api.createAudit, { body: newAudit(folder, { verification: {}, ...changes }) })).id;
  const createCompleted = async (changes: object = {}) => {
    const id = await create(manager, changes);
    await complete(worker, id);
    return id;
  };
  const verify = (client: TestClient, id: string, changes: object = {}) =>
    client(api.verifyAudit, { params: { id }, body: { outcome: 'works', text: 'It holds', ...changes } }).then(
      (body): { status: number; body: object } => ({ status: 201, body }),
      ({ status, body }: ApiError) => ({ status, body }),
    );
  const titles = async (client: TestClient, query: object) =>
    (await client(api.listOpenAudits, { query: { limit: 200, ...query } })).map(({ title }) => title);

  test('a completed audit waits for its verification until someone verifies it, once', async () => {
    const id = await create(manager, { title: 'Step', verification: { days: 5, verifier: colleague.username } });
    expect((await get(id)).data.verification).toEqual({
      days: 5,
      verifier: colleague.username,
      verifier_id: colleague.id,
      by: null,
      outcome: null,
    });
    expect((await verify(colleague, id)).status).toBe(409);
    await complete(worker, id);
    expect((await get(id)).data.verification).toMatchObject({ by: addDays(5), outcome: null });
    expect((await colleague(api.listNotifications))[0]?.text).toMatch(/^To verify by .+: Step$/);
    expect(await titles(colleague, { mine: 'yes' })).toContain('Step');
    expect(await titles(worker, { mine: 'yes' })).not.toContain('Step');
    expect(await titles(manager, {})).toContain('Step');
    expect(await titles(manager, { verify: 'yes' })).toContain('Step');
    const { toVerify } = await manager(api.countOpenAudits);

    const media_files = [{ path: await uploadPhoto(colleague), name: 'step.jpg' }];
    expect((await verify(colleague, id, { media_files })).status).toBe(201);
    const audit = await get(id);
    expect(audit.data).toMatchObject({ completed: true, completed_by: worker.username });
    expect(audit.data.verification).toMatchObject({ by: null, outcome: 'works' });
    expect(await manager(api.listAuditNotes, { params: { id } })).toEqual([
      expect.objectContaining({ text: 'It holds', outcome: 'works', created_by: colleague.username }),
    ]);
    for (const query of [{}, { verify: 'yes' }]) expect(await titles(manager, query)).not.toContain('Step');
    expect((await manager(api.countOpenAudits)).toVerify).toBe(toVerify - 1);
    expect((await verify(colleague, id)).body).toMatchObject({ code: 'VERIFIED' });
    expect((await verify(manager, id)).status).toBe(409);
  });

  test('nobody can verify an audit that they completed or were assigned, even if only by name', async () => {
    const own = await createCompleted();
    expect((await verify(worker, own)).status).toBe(403);
    expect((await verify(elsewhere, own)).status).toBe(404);
    const assigned = await create(manager, { assignee: colleague.username });
    await complete(worker, assigned);
    expect((await verify(colleague, assigned)).status).toBe(403);
    // A name that no user at the park had when the audit was assigned.
    const admin = await server.as('Admin');
    const newcomer = await server.as('None', 'Robin Hood');
    await admin(api.updateUserDetails, { params: { id: newcomer.id }, body: { full_name: 'Siân Prys', email: '' } });
    const named = await createCompleted({ assignee: ' sian  pr\u200bys' });
    await admin(api.assignRole, { body: { username: newcomer.username, role: 'None', park: 'Lido Beach' } });
    expect((await verify(await server.signIn(newcomer.username, newcomer.id), named)).status).toBe(403);
    // The person asked to verify may be the one who did it after all.
    const asked = await createCompleted({ verification: { verifier: worker.username } });
    expect((await verify(worker, asked)).status).toBe(403);
    for (const id of [own, assigned, named, asked]) expect((await verify(manager, id)).status).toBe(201);
  });

  test('an assignee cannot verify an audit, even if the step that completed it assigned it to someone else', async () => {
    const id = await create(manager, { assignee: colleague.username });
    const data = { completed: true, assignee: manager.username };
    await worker(api.updateAudit, { params: { id }, body: { data } });
    for (const client of [colleague, manager]) expect((await verify(client, id)).status).toBe(403);
    expect((await verify(await server.as('None', 'Lido Beach'), id)).status).toBe(201);
  });

  test('a verifier who did the work after all is no longer asked to verify it', async () => {
    const verification = { verifier: worker.username };
    const completed = await createCompleted({ title: 'Own gate', verification });
    const assigned = await create(manager, { title: 'Own fence', verification });
    await manager(api.updateAudit, { params: { id: assigned }, body: { data: { assignee: worker.username } } });
    await complete(colleague, assigned);
    for (const id of [completed, assigned]) expect((await get(id)).data.verification?.verifier).toBe('');
    expect((await titles(worker, { mine: 'yes' })).filter((title) => title.startsWith('Own'))).toEqual([]);
    expect(
      (await worker(api.listNotifications)).map(({ text }) => text).filter((text) => /verify.+Own/.test(text)),
    ).toEqual([]);
  });

  test('a verification that something does not work creates a follow-up audit, which is verified too', async () => {
    const changes = { title: 'Handrail', assignee: worker.username, location: 'Chalet 229', description: 'Loose' };
    const id = await createCompleted({ ...changes, verification: { days: 10, verifier: colleague.username } });
    const { body } = await verify(colleague, id, { outcome: 'doesNotWork', text: 'It moves again' });
    const { follow_up_id } = body as { follow_up_id: string };
    expect((await get(id)).data.verification).toMatchObject({ outcome: 'doesNotWork', follow_up_id });
    const { title, date, data } = await get(follow_up_id);
    expect({ title, date }).toEqual({ title: 'Handrail', date: addDays(7) });
    expect(data).toMatchObject({
      completed: false,
      location: 'Chalet 229',
      assignee_id: worker.id,
      description: expect.stringMatching(/^Found not to work on .+\. It moves again\n\nLoose$/),
      source: { thing: 'audit', id },
      verification: { days: 10, verifier: colleague.username, by: null, outcome: null },
    });
    expect((await worker(api.listNotifications))[0]?.text).toBe('Audit assigned to you: Handrail');
  });

  test('a verifier who may not see the park, or is assigned the audit, is not stored', async () => {
    for (const changes of [
      { verification: { verifier: elsewhere.username } },
      { verification: { verifier: 'No such person' } },
      { assignee: worker.username, verification: { verifier: worker.username } },
    ]) {
      const { verification } = (await get(await create(manager, changes))).data;
      expect(verification).toEqual({ days: 30, verifier: '', by: null, outcome: null });
    }
  });

  test('a verification needs an outcome, and a note or photo', async () => {
    const id = await createCompleted();
    expect((await verify(manager, id, { outcome: 'perhaps' })).body).toMatchObject({
      fields: { outcome: 'Choose Works or Does Not Work' },
    });
    expect((await verify(manager, id, { text: ' ' })).body).toMatchObject({
      fields: { text: 'Write a note or add a photo' },
    });
    expect((await get(id)).data.verification?.outcome).toBeNull();
  });

  test('an audit that needs no verification has no verification data and cannot be verified', async () => {
    const { id } = await manager(api.createAudit, { body: newAudit(folder, { completed: true }) });
    expect((await get(id)).data).not.toHaveProperty('verification');
    expect((await verify(colleague, id)).status).toBe(409);
  });

  test('the verifier is reminded of a due and an overdue verification, and reviewers are told three days later', async () => {
    await createCompleted({ title: 'Ladder', verification: { days: 1, verifier: colleague.username } });
    const countTexts = async (client: TestClient) =>
      (await client(api.listNotifications))
        .map(({ text }) => text)
        .filter((text) => /^Verification .+: Ladder$/.test(text));
    const remindOn = (days: number) => sendAuditReminders(server.db, new Date(`${addDays(days)}T12:00:00Z`));
    await remindOn(0);
    expect(await countTexts(colleague)).toEqual(['Verification due tomorrow: Ladder']);
    await remindOn(2);
    await remindOn(4);
    expect(await countTexts(colleague)).toHaveLength(2);
    expect(await countTexts(manager)).toEqual(['Verification overdue by 3 days: Ladder']);
  });

  test('after any order of completions and verifications, each failure has its follow-up and nobody verified their own work', async () => {
    const random = createRandom(engine === 'sqlite' ? 1 : 2);
    const people = [worker, colleague, manager];
    const pick = <T>(list: T[]) => list[random(list.length)] as T;
    const ids: string[] = [];
    for (let step = 0; step < 60; step++) {
      const person = pick(people);
      if (ids.length === 0 || random(4) === 0)
        ids.push(await create(person, { assignee: pick(['', ...people.map(({ username }) => username)]) }));
      else if (random(2) === 0) await complete(person, pick(ids)).catch(() => undefined);
      else {
        const id = pick(ids);
        const outcome = pick(['works', 'doesNotWork']);
        // Two at once: at most one of them counts.
        const replies = await Promise.all([verify(person, id, { outcome }), verify(pick(people), id, { outcome })]);
        expect(replies.filter(({ status }) => status === 201).length).toBeLessThanOrEqual(1);
        const { follow_up_id } = (await get(id)).data.verification ?? {};
        if (follow_up_id && !ids.includes(follow_up_id)) ids.push(follow_up_id);
      }
    }
    for (const id of ids) {
      const { data } = await get(id);
      const verifications = (await manager(api.listAuditNotes, { params: { id } })).filter(({ outcome }) => outcome);
      expect(verifications).toHaveLength(data.verification?.outcome ? 1 : 0);
      for (const { created_by, outcome } of verifications) {
        expect(outcome).toBe(data.verification?.outcome);
        expect([data.completed_by, data.assignee]).not.toContain(created_by);
      }
      const followUps = await server.db.selectFrom('audits').select('id').where('source_id', '=', id).execute();
      expect(followUps).toHaveLength(data.verification?.outcome === 'doesNotWork' ? 1 : 0);
    }
  });
});
