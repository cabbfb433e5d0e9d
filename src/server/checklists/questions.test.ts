// Types of questions beside the first ones, questions that are shown only if, and notes at any answer.
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { addDays } from '#shared/calendar.ts';
import type { Checklist, Submission } from '#shared/checklists.ts';
import { getToday } from '#shared/dates.ts';
import { uploadPhoto } from '../testing/factories.ts';
import { readRow } from '../testing/rows.ts';
import { engines, type TestClient } from '../testing/server.ts';
import { createTestServer } from '../testing/test-server.ts';
import { createSubmissionPdf } from './pdf.ts';

describe.each(engines)('questions on %s', (engine) => {
  const { server, admin, staff } = createTestServer(engine);

  const choices = ['Clear', 'Cloudy'].map((text) => ({ text, fails: text === 'Cloudy' }));
  const audit = { urgent: false, days: 10, assignees: {} };
  const sections = [
    { title: 'Before you start', type: 'info', required: true, help: 'Wear gloves.\nClose the pool.' },
    { title: 'Water', type: 'choice', required: false, choices, onFail: { when: 'chosen', audit } },
    { title: 'Seen', type: 'choices', required: false, choices: ['Algae', 'Leaves', 'Sand'].map((text) => ({ text })) },
    { title: 'Pool', type: 'photo', required: true },
    { title: 'Lifeguard', type: 'person', required: false },
    { title: 'pH', type: 'text', required: false, number: { unit: 'pH', min: 7, max: 8, allowNA: true } },
    { title: 'Slide open?', type: 'na', required: false },
    { title: 'Slide', type: 'na', required: true, onFail: { when: 'No' }, showIf: { section: 6, answers: ['Yes'] } },
  ];
  const create = async (more: object = {}, questions: object[] = sections) =>
    (
      await admin(api.createChecklist, {
        body: { title: `Pool ${randomUUID()}`, sections: questions, ...more } as never,
      })
    ).id;
  const submit = (checklistId: string, body: object) =>
    staff(api.submitChecklist, { body: { checklistId, ...body } as never });
  const get = (id: string) => admin(api.getSubmission, { params: { id } });
  const getFields = (promise: Promise<unknown>) =>
    promise.then(
      () => ({}),
      (error) => error.fields,
    );
  const findListed = async (client: TestClient, id: string) =>
    (await client(api.listChecklists)).find((checklist) => checklist.id === id);
  const photo = async () => [{ path: await uploadPhoto(staff), name: 'pool.jpg' }];
  const isPassed = async (id: string) => {
    const row = await readRow(server.db, 'submissions', { id });
    return row.passed === 1;
  };
  /** Reads or sends JSON as a page that was loaded before there were new types. */
  const asEarlierPage = async <T>(path: string, init: RequestInit = {}): Promise<T> => {
    const response = await admin.fetch(path, { ...init, headers: { 'content-type': 'application/json' } });
    return (await response.json()) as T;
  };

  test('what a question that can fail depends on is required, and a text to read is not', async () => {
    const listed = await findListed(staff, await create());
    expect(listed).not.toHaveProperty('notes');
    expect(listed?.sections.map(({ required }) => required)).toEqual([
      ...[false, false, false, true, false, false],
      ...[true, true],
    ]);
    expect(listed?.sections[0]?.help).toBe('Wear gloves.\nClose the pool.');
    expect(listed?.sections[1]?.choices).toEqual(choices);
  });

  test('answers of every type are stored, with the photos, people and notes; replies have them', async () => {
    const id = await create({ notes: 'any' });
    const { id: userId, username } = await admin(api.listUsers, { query: {} } as never).then((users) => {
      const [user] = users as { id: string; username: string }[];
      if (!user) throw new Error('There is no user.');
      return user;
    });
    const submitted = await submit(id, {
      data: { 1: 'Cloudy', 2: 'Sand\r\n Algae', 4: username, 5: 'N/A', 6: 'No' },
      failures: { 1: { note: 'The bottom cannot be seen' }, 5: { note: 'The probe is away' } },
      notes: { 3: { mediaFiles: await photo() }, 6: { note: 'Closed until May' } },
      people: { 4: userId, 2: userId },
    });
    const found = await get(submitted.id);
    expect(found.data).toEqual({ 1: 'Cloudy', 2: 'Algae\nSand', 4: username, 5: 'N/A', 6: 'No' });
    expect(found.people).toEqual({ 4: userId });
    expect([found.failing, Object.keys(found.failures ?? {}), Object.keys(found.notes ?? {})]).toEqual([
      1,
      ['1'],
      ['3', '5', '6'],
    ]);
    expect(found.notes?.[3]?.media_files).toMatchObject([{ name: 'pool.jpg' }]);
    expect(found.notes?.[5]).toEqual({ note: 'The probe is away', media_files: [] });
    const listed = (await admin(api.listSubmissions)).find((one) => one.id === submitted.id);
    expect(listed).toEqual(found);
    for (const q of ['Algae', 'probe', 'Closed until'])
      expect(await admin(api.listSubmissions, { query: { q } })).toMatchObject([{ id: submitted.id }]);
    const audits = await admin(api.listSubmissionAudits, { params: { id: submitted.id } });
    expect(audits).toMatchObject([{ title: 'Water', section: 1, date: addDays(getToday(), 10) }]);
  });

  test('a person is a user only if the user has that name', async () => {
    const id = await create();
    const data = { 4: 'Someone else', 6: 'No' };
    const [user] = (await admin(api.listUsers, { query: {} } as never)) as { id: string }[];
    const notes = { 3: { mediaFiles: await photo() } };
    const submitted = await submit(id, { data, notes, people: { 4: user?.id } });
    expect(await get(submitted.id)).not.toHaveProperty('people');
  });

  test('wrong, missing and unwanted answers and notes are refused', async () => {
    const id = await create();
    expect(
      await getFields(submit(id, { data: { 0: 'Read', 1: 'Green', 2: 'Algae\nGold', 3: 'x', 5: 'n/a' } })),
    ).toEqual({
      'data.0': 'This question has no answer',
      'data.1': 'Choose from the list',
      'data.2': 'Choose from the list',
      'data.3': 'This question has no answer',
      'data.5': 'Enter a number',
      'data.6': 'Required',
    });
    const mediaFiles = await photo();
    const refused = (body: object) => getFields(submit(id, { data: { 6: 'Yes', 7: 'Yes' }, ...body }));
    expect(await refused({})).toEqual({ 'data.3': 'Required' });
    expect(await refused({ notes: { 3: { mediaFiles }, 6: { note: 'x' } } })).toEqual({
      'notes.6': 'This answer is not failing',
    });
    expect(await refused({ notes: { 3: { mediaFiles } }, failures: { 3: { note: 'x' } } })).toEqual({
      'notes.3': 'The notes of this answer were sent twice',
    });
    expect(await refused({ data: { 1: 'Cloudy', 6: 'No' }, notes: { 1: {}, 3: { mediaFiles } } })).toEqual({
      'notes.1.note': 'Say what is wrong',
    });
    expect(await refused({ data: { 6: 'No', 99: 'x' }, notes: { 3: { mediaFiles } } })).toHaveProperty('data');
  });

  test.each<[string, object, boolean]>([
    ['a hidden question is not answered', { 1: 'Clear', 5: '7.4', 6: 'No' }, true],
    ['an answer to it would have passed', { 1: 'Clear', 5: '7.4', 6: 'No', 7: 'Yes' }, true],
    ['an answer to it would have failed', { 1: 'Clear', 5: '7.4', 6: 'No', 7: 'No' }, false],
    ['an answer to it is of another type', { 1: 'Clear', 5: '7.4', 6: 'No', 7: 'Perhaps' }, true],
    ['a number with limits has N/A', { 1: 'Clear', 5: 'N/A', 6: 'No' }, false],
  ])('nothing hidden is stored if %s', async (_, data, passed) => {
    const notes = { 3: { mediaFiles: await photo() }, 7: { note: 'Dropped', mediaFiles: await photo() } };
    const submitted = await submit(await create(), { data, notes });
    const found = await get(submitted.id);
    expect(Object.keys(found.data)).toEqual(['1', '5', '6']);
    expect(Object.keys(found.notes ?? {})).toEqual(['3']);
    expect(found).not.toHaveProperty('failing');
    expect(await isPassed(submitted.id)).toBe(passed);
  });

  test('who fills in chooses assignee and due day of the audit; what is no longer possible is ignored', async () => {
    const id = await create();
    const { id: lidoId } = staff;
    const outsider = await server.as('None', 'Robin Hood');
    const today = getToday();
    const createAudit = async (chosen: object) => {
      const notes = { 1: { note: 'Cloudy', audit: chosen }, 3: { mediaFiles: await photo() } };
      const submitted = await submit(id, { data: { 1: 'Cloudy', 6: 'No' }, notes });
      const [created] = await admin(api.listSubmissionAudits, { params: { id: submitted.id } });
      const row = await readRow(server.db, 'audits', { id: created?.id ?? '' });
      return [row.assignee_id, row.date];
    };
    expect(await createAudit({ assigneeId: lidoId, date: addDays(today, 3) })).toEqual([lidoId, addDays(today, 3)]);
    const byRule = [null, addDays(today, 10)];
    expect(await createAudit({})).toEqual(byRule);
    expect(await createAudit({ assigneeId: null, date: null })).toEqual(byRule);
    expect(await createAudit({ assigneeId: outsider.id, date: addDays(today, 11) })).toEqual(byRule);
    expect(await createAudit({ assigneeId: 'gone', date: addDays(today, -1) })).toEqual(byRule);
  });

  test('a page that knows the first types only gets a checklist with others without questions, and cannot change it', async () => {
    const plain = await create({}, [{ title: 'Gate', type: 'na', required: false, help: 'At the back' }]);
    const id = await create();
    const title = (await findListed(staff, id))?.title ?? '';
    const listed = await asEarlierPage<Checklist[]>('/api/checklists');
    expect(listed.find((one) => one.id === id)).toMatchObject({ title: `${title} (Reload this page)`, sections: [] });
    expect(listed.find((one) => one.id === plain)).toEqual(await findListed(admin, plain));
    const body = JSON.stringify({ title, sections: [{ title: 'Gate', type: 'na', required: false }], version: 1 });
    const change = await asEarlierPage(`/api/admin/update-checklist/${id}`, { method: 'PUT', body });
    expect(change).toMatchObject({ success: false, code: 'STALE' });
    expect((await findListed(admin, id))?.sections).toHaveLength(sections.length);
  });

  test('such a page gets the answers of the first types of a submission', async () => {
    const data = { 1: 'Cloudy', 5: '9', 6: 'Yes', 7: 'No' };
    const failures = Object.fromEntries([1, 5, 7].map((index) => [index, { note: `Note ${index}` }]));
    const { id } = await submit(await create(), { data, failures, notes: { 3: { mediaFiles: await photo() } } });
    const expected = {
      sections: [{ title: 'pH' }, { title: 'Slide open?' }, { title: 'Slide' }],
      data: { 0: '9', 1: 'Yes', 2: 'No' },
      failing: 3,
      failures: { 0: { note: 'Note 5' }, 2: { note: 'Note 7' } },
      notes: {},
    };
    const path = '/api/admin/submitted-checklists';
    const one = await asEarlierPage<Submission>(`${path}/${id}`);
    expect(one).toMatchObject(expected);
    expect(one.sections).toHaveLength(3);
    expect((await asEarlierPage<Submission[]>(path)).find((listed) => listed.id === id)).toEqual(one);
    const found = (await asEarlierPage<Submission[]>(`${path}?limit=100`)).find((listed) => listed.id === id);
    expect(found).toEqual({ ...one, data: {} });
    expect(await asEarlierPage(`${path}/${id}/audits`)).toMatchObject([{ title: 'Water', section: null }]);
  });

  test('which answers take notes stays when a page changes a checklist without saying so', async () => {
    const id = await create({ notes: 'any' });
    const change = (body: object) =>
      admin(api.updateChecklist, { params: { id }, body: { title: 'Pool', sections, ...body } as never });
    await change({});
    expect(await findListed(staff, id)).toMatchObject({ version: 2, notes: 'any' });
    await change({ notes: 'failing' });
    expect(await findListed(staff, id)).not.toHaveProperty('notes');
    const notes = { 3: { mediaFiles: await photo() }, 6: { note: 'Closed' } };
    // The version that was filled in says it.
    await submit(id, { checklistVersion: 2, data: { 6: 'No' }, notes });
    expect(await getFields(submit(id, { checklistVersion: 3, data: { 6: 'No' }, notes }))).toHaveProperty('notes.6');
  });

  test('exports have a column for each question with an answer, and its note; the PDF leaves out what was hidden', async () => {
    const id = await create({ notes: 'any' });
    const title = (await findListed(staff, id))?.title ?? '';
    const notes = { 3: { note: 'From the door', mediaFiles: await photo() }, 6: { note: 'Closed' } };
    const submitted = await submit(id, { data: { 1: 'Clear', 2: 'Algae\nSand', 6: 'No' }, notes });
    const read = async (query: object) =>
      String(Buffer.from(await admin(api.exportSubmissions, { query: { format: 'csv', ...query } as never })));
    const [heading = '', row = ''] = (await read({ title })).replace('Algae\nSand', 'Algae+Sand').split('\r\n');
    expect(heading).not.toContain('Before you start');
    expect(heading).toContain('Water,Water: failing,Water: what is wrong,Water: note,Seen,Seen: note,Pool,Pool: note,');
    expect(row).toContain('Clear,');
    expect(row).toContain('1,From the door');
    const all = await read({});
    expect(all.split('\r\n', 1)[0]).toMatch(/What is wrong,Note$/);
    expect(all.split('\r\n').filter((line) => line.includes(title) && line.includes(',Slide,'))).toEqual([]);
    const found = await get(submitted.id);
    const { document, photos } = createSubmissionPdf(found, [], new Date());
    const rows = document.parts.flatMap((part) => (part.kind === 'answers' ? part.rows : []));
    expect(rows.map(({ question, answer }) => [question, answer])).toEqual([
      ['Water', 'Clear'],
      ['Seen', 'Algae\nSand'],
      ['Pool', '1 photo'],
      ['Lifeguard', ''],
      ['pH', ''],
      ['Slide open?', 'No'],
    ]);
    expect(photos).toHaveLength(1);
    expect(document.parts).toContainEqual({ kind: 'text', text: 'Pool\nFrom the door', isCaption: true });
    const failed = { ...found, failures: { 6: { note: 'Loose', media_files: [] } } };
    expect(createSubmissionPdf(failed, [], new Date()).document.parts).toContainEqual({
      kind: 'answers',
      rows: expect.arrayContaining([{ question: 'Slide open?', answer: 'No (failing)', isFailing: true }]),
    });
    expect(await admin(api.getSubmissionPdf, { params: { id: submitted.id } })).toHaveProperty('length');
  });
});
