import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { answers, newChecklist, sections, signature } from '../testing/checklists.ts';
import { readRow, readRows } from '../testing/rows.ts';
import { engines, startTestServer, type TestClient } from '../testing/server.ts';
import { createTestServer } from '../testing/test-server.ts';
import { createSubmissionPdf } from './pdf.ts';
import { readSubmissionsAsJson } from './submissions.ts';

describe.each(engines)('submissions on %s', (engine) => {
  let staff: TestClient;
  let checklistId: string;
  const { server } = createTestServer(engine);
  const reviewer = server.user('Health & Safety Manager');
  beforeEach(async () => {
    // A new user each time, because of the limit of 30 submissions a minute.
    staff = await server.as('None', 'Lido Beach');
    checklistId = (await reviewer(api.createChecklist, { body: newChecklist })).id;
  });

  const submit = (data: Record<string, string | boolean | null>, more = {}) =>
    staff(api.submitChecklist, { body: { checklistId, data, ...more } });
  const get = (id: string) => reviewer(api.getSubmission, { params: { id } });

  test('submissions are searched by title, user, answer, checklist and day', async () => {
    const title = `Hot tub ${randomUUID()}`;
    await reviewer(api.updateChecklist, { params: { id: checklistId }, body: { ...newChecklist, title } });
    const other = await server.as('None');
    const body = { checklistId, data: { ...answers, 0: 'Chlorine at Tŷ Gwyn was 3.5 ppm' } };
    const { id } = await other(api.submitChecklist, { body });
    const { id: second } = await submit(answers);
    const find = async (query: Record<string, string | number>) =>
      (await reviewer(api.listSubmissions, { query: { title, ...query } })).map((submission) => submission.id);
    expect(await find({})).toEqual([second, id]);
    for (const q of ['ty gwyn', 'CHLORINE 3.5', other.username, 'hot TUB ty', '3.'])
      expect([q, ...(await find({ q }))]).toEqual([q, id]);
    expect(await find({ q: 'no such thing' })).toEqual([]);
    expect(await find({ q: '100%' })).toEqual([]);
    expect(await reviewer(api.listSubmissions, { query: { title: 'Hot tub' } })).toEqual([]);
    expect(await find({ limit: 1 })).toEqual([second]);
    expect(await find({ limit: 1, after: second })).toEqual([id]);
    expect(await reviewer(api.listSubmissionTitles)).toContain(title);
    const [listed] = await reviewer(api.listSubmissions, { query: { title, limit: 1 } });
    expect(listed).toMatchObject({ data: {}, submitted_by: staff.username, sections });
  });

  test('submissions are found by the full name shown with them, together with other words', async () => {
    const title = `Name ${randomUUID()}`;
    await reviewer(api.updateChecklist, { params: { id: checklistId }, body: { ...newChecklist, title } });
    const admin = await server.as('Admin');
    const body = { full_name: 'Siân Hughes-Pryce', email: '' };
    const { id: first } = await submit({ ...answers, 0: 'Chlorine 3.5' });
    const { id: second } = await submit({ ...answers, 0: 'Chlorine 4.5, said Hughes' });
    const other = await server.as('None');
    const { id: third } = await other(api.submitChecklist, {
      body: { checklistId, data: { ...answers, 0: 'Sian Hughes saw it' } },
    });
    const find = async (q: string, query = {}) =>
      (await reviewer(api.listSubmissions, { query: { title, q, ...query } })).map(({ id }) => id);
    expect(await find('sian hughes')).toEqual([third]);
    await admin(api.updateUserDetails, { params: { id: staff.id }, body });
    expect(await find('sian hughes')).toEqual([third, second, first]);
    expect(await find('sian hughes', { limit: 1, after: third })).toEqual([second]);
    expect(await find('Hughes chlorine 3.5')).toEqual([first]);
    expect(await find('hughes 9.9')).toEqual([]);
    expect(await find('hughes', { park: 'Winkups' })).toEqual([]);
  });

  test("a submission belongs to the park chosen in it, otherwise to its author's park, and can be filtered by park", async () => {
    const title = `Parks ${randomUUID()}`;
    const sections = ['text', 'site', 'site'].map((type) => ({
      title: type,
      type: type as 'text' | 'site',
      required: false,
    }));
    await reviewer(api.updateChecklist, { params: { id: checklistId }, body: { title, sections } });
    const { id: named } = await submit({ 1: 'Sunny Sands', 2: 'Winkups' });
    const { id: own } = await submit({ 0: 'x' });
    const otherStaff = await server.as('None');
    const { id: none } = await otherStaff(api.submitChecklist, { body: { checklistId, data: { 0: 'x' } } });
    const listed = await reviewer(api.listSubmissions, { query: { title } });
    expect(listed.map(({ id, park }) => [id, park])).toEqual([
      [none, ''],
      [own, 'Lido Beach'],
      [named, 'Sunny Sands'],
    ]);
    expect((await get(named)).park).toBe('Sunny Sands');
    for (const [park, ids] of [
      ['Lido Beach', [own]],
      ['Sunny Sands', [named]],
      ['Winkups', []],
    ] as const) {
      const filtered = await reviewer(api.listSubmissions, { query: { title, park } });
      expect(filtered.map(({ id }) => id)).toEqual(ids);
    }
    expect((await reviewer(api.listSubmissions, { query: { title, q: 'lido' } })).map(({ id }) => id)).toEqual([own]);
    expect(createSubmissionPdf(await get(own), [], new Date()).document.subtitle).toMatch(
      /^Lido Beach\. Submitted on /,
    );
    await expect(reviewer(api.listSubmissions, { query: { park: 'Nowhere' as 'Winkups' } })).rejects.toMatchObject({
      status: 400,
    });
  });

  test("the end date of the submissions filter is inclusive in the parks' time zone", async () => {
    const title = `Night round ${randomUUID()}`;
    await reviewer(api.updateChecklist, { params: { id: checklistId }, body: { ...newChecklist, title } });
    let now = new Date('2026-07-01T22:59:30Z'); // 23:59 in the parks, in summer
    await using nightServer = await startTestServer(engine, {}, () => now);
    let nightGuard = await nightServer.as('Admin');
    const { id } = await nightGuard(api.createChecklist, { body: newChecklist });
    const submitted: string[] = [];
    for (const at of ['2026-07-01T22:59:30Z', '2026-07-01T23:00:00Z', '2026-07-02T22:59:59Z', '2026-07-02T23:00:00Z']) {
      now = new Date(at);
      nightGuard = await nightServer.signIn(nightGuard.username); // the session has ended in the meantime
      submitted.push((await nightGuard(api.submitChecklist, { body: { checklistId: id, data: answers } })).id);
    }
    const find = async (query: Record<string, string>) =>
      (await nightGuard(api.listSubmissions, { query })).map((submission) => submitted.indexOf(submission.id));
    expect(await find({ from: '2026-07-02', to: '2026-07-02' })).toEqual([2, 1]);
    expect(await find({ from: '02/07/2026' })).toEqual([3, 2, 1]);
    expect(await find({ to: '2026-07-01' })).toEqual([0]);
    await expect(find({ from: '2026-02-31' })).rejects.toMatchObject({ status: 400 });
  });

  test('a request without filters lists all submissions and their answers, newest first', async () => {
    const { id: first } = await submit(answers);
    const { id: second } = await submit({ ...answers, 8: signature });
    const all = await reviewer(api.listSubmissions);
    expect(all.slice(0, 2).map(({ id }) => id)).toEqual([second, first]);
    expect(all[0]).toEqual(await get(second));
    expect(all[1]).toEqual(await get(first));
  });

  test('a list of long submissions is sent in chunks of limited size', async () => {
    await using longListServer = await startTestServer(engine);
    const [guard, admin] = [await longListServer.as('None'), await longListServer.as('Admin')];
    const sections = Array.from({ length: 60 }, (_, at) => ({
      title: `${at}`,
      type: 'text' as const,
      required: false,
    }));
    const { id: checklistId } = await admin(api.createChecklist, { body: { title: 'Long', sections } });
    const ids: string[] = [];
    for (const characters of [5000, 5000, 2, 5000, 2, 2, 5000]) {
      const data = Object.fromEntries(sections.map((_, at) => [at, 'ŵ'.repeat(characters)]));
      ids.unshift((await guard(api.submitChecklist, { body: { checklistId, data } })).id);
    }
    const chunks: Buffer[] = [];
    const viewer = { user: { parks: null }, knowsNewTypes: true };
    for await (const chunk of readSubmissionsAsJson(longListServer.db, viewer)) chunks.push(chunk);
    // Each long submission is a chunk of its own, and the short ones between two of them share a
    // chunk.
    expect(chunks).toHaveLength(6);
    expect(chunks.flatMap((chunk) => JSON.parse(String(chunk))).map(({ id }) => id)).toEqual(ids);
    expect((await admin(api.listSubmissions)).map(({ id }) => id)).toEqual(ids);
  });

  test('long answers are stored completely, and only their first part is searched', async () => {
    const sections = Array.from({ length: 20 }, (_, at) => ({
      title: `${at}`,
      type: 'text' as const,
      required: false,
    }));
    const title = `Endless ${randomUUID()}`;
    const { id: checklistId } = await reviewer(api.createChecklist, { body: { title, sections } });
    const data = Object.fromEntries(sections.map((_, at) => [at, `${'😀'.repeat(2490)}word${at}`]));
    const { id } = await staff(api.submitChecklist, { body: { checklistId, data } });
    expect((await get(id)).data).toEqual(data);
    const { search_text } = await readRow(server.db, 'submissions', { id });
    expect(search_text.length).toBeLessThan(51_000);
    expect(search_text.isWellFormed()).toBe(true);
    const find = async (q: string) =>
      (await reviewer(api.listSubmissions, { query: { title, q } })).map((submission) => submission.id);
    expect([await find('word0'), await find('word8'), await find('word19')]).toEqual([[id], [id], []]);
  });

  test('a deleted submission cannot be listed, opened, printed or deleted again', async () => {
    const { id } = await submit(answers);
    await reviewer(api.deleteSubmission, { params: { id } });
    expect((await reviewer(api.listSubmissions)).map((submission) => submission.id)).not.toContain(id);
    expect(
      (await reviewer(api.listSubmissions, { query: { limit: 500 } })).map((submission) => submission.id),
    ).not.toContain(id);
    for (const row of [api.getSubmission, api.deleteSubmission, api.getSubmissionPdf])
      await expect(reviewer(row as typeof api.getSubmission, { params: { id } })).rejects.toMatchObject({
        status: 404,
        message: 'Submitted checklist not found',
      });
  });

  test('printing a submission is logged', async () => {
    const { id } = await submit(answers);
    const pdf = await reviewer(api.getSubmissionPdf, { params: { id } });
    expect(Buffer.from(pdf).subarray(0, 5).toString()).toBe('%PDF-');
    const lines = await readRows(server.db, 'activity', { thing_id: id }, 'seq');
    expect(lines.map(({ actor, action }) => [actor, action])).toEqual([
      [staff.username, 'submitted'],
      [reviewer.username, 'opened as PDF'],
    ]);
  });
});
