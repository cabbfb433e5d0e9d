// Lessons: what is created at each park, what the parks answer, and what a lesson must not say.

import { execFileSync } from 'node:child_process';
import { beforeAll, describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { defaultParks as parks } from '#shared/choices.ts';
import { createRandom } from '#shared/law/testing/random.ts';
import { type LessonAnswer, lessonAnswers } from '#shared/lessons.ts';
import { reportFieldNames, reportFields } from '#shared/reports/report-fields.ts';
import { describeError, getError } from '../testing/errors.ts';
import { newAudit, newFolder, newLesson, newReport, photo, upload, uploadPhoto } from '../testing/factories.ts';
import { engines } from '../testing/server.ts';
import { createTestServer } from '../testing/test-server.ts';

describe.each(engines)('lessons on %s', { timeout: 120_000 }, (engine) => {
  const { server, admin, manager } = createTestServer(engine, { RATE_SCALE: '100' });
  const worker = server.user('None', 'Robin Hood');
  beforeAll(async () => {
    await admin(api.saveParkSettings, { body: { park: 'Robin Hood', assignee: worker.username } });
  });

  const create = async (changes: object = {}, client = manager) =>
    (await client(api.createLesson, { body: newLesson({ parks: [...parks], ...changes }) })).id;
  const get = (id: string, client = manager) => client(api.getLesson, { params: { id } });
  const listAudits = (id: string) =>
    server.db
      .selectFrom('audits')
      .innerJoin('folders', 'folders.id', 'audits.folder_id')
      .selectAll('audits')
      .select(['folders.park', 'folders.name as folder'])
      .where('source_id', '=', id)
      .orderBy('folders.park')
      .execute();
  const complete = (id: string, data: object = {}, client = admin) =>
    client(api.updateAudit, { params: { id }, body: { data: { completed: true, ...data } } });

  test('a lesson creates one audit in the folder Lessons of each park, for the person named for the park', async () => {
    const path = await uploadPhoto(manager);
    const id = await create({ photos: [{ path, name: 'socket.jpg' }], isPhotoChecked: true });
    const audits = await listAudits(id);
    expect(audits.map(({ park }) => park)).toEqual([...parks].sort());
    expect(new Set(audits.map(({ folder, date }) => `${folder} ${date}`))).toEqual(new Set(['Lessons 2099-01-01']));
    expect(audits.filter(({ assignee_id }) => assignee_id).map(({ park }) => park)).toEqual(['Robin Hood']);
    const photos = audits.flatMap(({ data }) =>
      JSON.parse(data).media_files.map((file: { path: string }) => file.path),
    );
    expect(new Set([...photos, path]).size).toBe(parks.length + 1);
    await create();
    const folders = await server.db.selectFrom('folders').select('park').where('name', '=', 'Lessons').execute();
    expect(folders).toHaveLength(parks.length);

    const own = audits.find(({ park }) => park === 'Robin Hood');
    const seen = await worker(api.getAudit, { params: { id: own?.id ?? '' } });
    expect(seen.data).toMatchObject({ assignee: worker.username, source: { thing: 'lesson', id } });
    expect(seen.data.description).toBe(`${newLesson().happened}\n\nWhat to look at:\n${newLesson().look_at}`);
    expect((await worker.fetch(`${seen.data.media_files[0]?.path}`)).status).toBe(200);
    expect((await worker.fetch(path)).status).toBe(404);
    expect((await manager.fetch(path)).status).toBe(200);
    const told = await worker(api.listNotifications);
    expect(told.some(({ text }) => text === 'Audit assigned to you: Sockets outside')).toBe(true);
  });

  test('the photo of a lesson loses the name of its file, which may name someone', async () => {
    const path = await upload(manager, await photo(), 'Mrs Tudor.jpg');
    const id = await create({ photos: [{ path, name: 'Mrs Tudor.jpg' }], isPhotoChecked: true });
    expect((await get(id)).photos).toMatchObject([{ path, name: 'photo-1.jpg' }]);
    const [audit] = await listAudits(id);
    expect(JSON.parse(audit?.data ?? '').media_files).toMatchObject([{ name: 'photo-1.jpg' }]);
    expect((await manager.fetch(path)).status).toBe(200);
    for (const table of ['uploads', 'lessons', 'audits', 'activity'] as const)
      expect(JSON.stringify(await server.db.selectFrom(table).selectAll().execute())).not.toContain('Tudor');
  });

  test('reviewers are notified that a lesson has no assignee because the chosen user was deleted', async () => {
    const chosen = await server.as('None', 'Kingsley');
    await admin(api.saveParkSettings, { body: { park: 'Kingsley', assignee: chosen.username } });
    await admin(api.deleteUser, { params: { id: chosen.id } });
    await create({ parks: ['Kingsley'] });
    const [latest] = (await manager(api.listNotifications)).filter(({ park }) => park === 'Kingsley');
    await admin(api.saveParkSettings, { body: { park: 'Kingsley', assignee: '' } });
    expect(latest).toMatchObject({ kind: 'lessonUnassigned', text: expect.stringContaining('has no assignee') });
  });

  test('the longest lesson with a photo is printed on one page, and a longer one is rejected', async () => {
    const photos = [{ path: await uploadPhoto(manager), name: 'socket.jpg' }];
    const longest = {
      title: 'Sockets outside that let water in and a shock '.repeat(9).slice(0, 120),
      ...{ happened: 'Rain ran into a socket. '.repeat(50), look_at: Array(15).fill('Every cover').join('\n') },
      ...{ photos, isPhotoChecked: true, parks: ['Mounds'] },
    };
    const id = await create(longest);
    const pdf = Buffer.from(await (await manager.fetch(`/api/lesson-pdf/${id}`)).arrayBuffer());
    const info = execFileSync('pdfinfo', ['-'], { input: pdf, encoding: 'utf8', stdio: ['pipe', 'pipe', 'ignore'] });
    expect(info).toMatch(/Pages: +1\n/);
    expect(await describeError(create({ look_at: `${longest.look_at}\nEvery cover` }))).toBe(
      '400 Shorten it to 15 lines: a lesson fits on one page',
    );
  });

  test('a park that is named twice in a lesson gets one audit', async () => {
    const id = await create({ parks: ['Mounds', 'Mounds'] });
    expect(await get(id)).toMatchObject({ parks: 1, missing: ['Mounds'] });
  });

  test('a lesson with a photo is rejected until the user has looked at the photo again', async () => {
    const path = await uploadPhoto(manager);
    expect(await describeError(create({ photos: [{ path, name: 'socket.jpg' }] }))).toBe('400 Look at the photo again');
  });

  test('18 of 20 parks answer; the lesson says which two did not, and a completion without an answer does not count', async () => {
    const id = await create();
    const audits = await listAudits(id);
    for (const { id, park } of audits)
      if (park !== 'Robin Hood' && park !== 'Mounds') await complete(id, { answer: 'inOrder', answer_note: 'Looked' });
    const mounds = audits.find(({ park }) => park === 'Mounds');
    await complete(mounds?.id ?? '');
    const found = await get(id);
    expect(found).toMatchObject({ parks: 20, answered: 18, missing: ['Mounds', 'Robin Hood'] });
    expect(found.answers.find(({ park }) => park === 'Mounds')).toMatchObject({ answer: null, completed: true });
    expect((await manager(api.listLessons)).find((lesson) => lesson.id === id)).toMatchObject({
      ...{ parks: 20, answered: 18, missing: ['Mounds', 'Robin Hood'] },
    });
    expect(await describeError(complete(mounds?.id ?? '', { answer: 'inOrder', answer_note: 'Looked' }))).toMatch(
      /^409/,
    );
  });

  test('each answer to a lesson needs a reason, note or photo, and Needs Work creates a follow-up audit', async () => {
    const id = await create({ parks: ['Robin Hood'] });
    const [audit] = await listAudits(id);
    const answer = (answer: string, data: object = {}) =>
      describeError(complete(audit?.id ?? '', { answer, ...data }, worker));
    expect(await answer('doesNotApply')).toBe('400 Say why it does not apply');
    expect(await answer('inOrder')).toBe('400 Write what you saw, or add a photo');
    expect(await answer('needsWork')).toBe('400 Write what has to be done');
    expect(await answer('broken', { answer_note: 'x' })).toBe('400 Choose what you found');
    expect((await get(id)).answers).toMatchObject([{ answer: null, completed: false }]);
    await complete(audit?.id ?? '', { answer: 'needsWork', answer_note: 'Two covers are cracked' }, worker);
    const [found] = (await get(id)).answers;
    expect(found).toMatchObject({ answer: 'needsWork', audit: { note: 'Two covers are cracked' } });
    const followUp = await worker(api.getAudit, { params: { id: found?.audit?.follow_up?.id ?? '' } });
    expect(followUp).toMatchObject({ title: 'Sockets outside', folder_name: 'Lessons' });
    expect(followUp.data).toMatchObject({ assignee: worker.username, completed: false, source: { id: audit?.id } });
    expect(followUp.data.description).toMatch(/^Needs work: found on .+\. Two covers are cracked/);
    await complete(followUp.id, {}, worker);
    expect((await get(id)).answers[0]?.audit?.follow_up?.completed).toBe(true);
    const pdf = await worker.fetch(`/api/audit-pdf/${audit?.id}`);
    expect(pdf.status).toBe(200);

    const other = await create({ parks: ['Robin Hood'] });
    const [withPhoto] = await listAudits(other);
    const media_files = [{ path: await uploadPhoto(worker), name: 'cover.jpg' }];
    await complete(withPhoto?.id ?? '', { answer: 'inOrder', media_files }, worker);
    expect(await get(other)).toMatchObject({ answered: 1, answers: [{ answer: 'inOrder' }] });
    const plain = await admin(api.createAudit, { body: newAudit(await newFolder(admin)) });
    expect(await describeError(complete(plain.id, { answer: 'inOrder', answer_note: 'x' }))).toBe(
      '400 Only audits of a lesson are answered',
    );
  });

  test('the product warns of a name, a number and a plot of the linked records, until the user decides about each', async () => {
    // A name of its own in each field for the name of a person.
    const people: Record<string, string> = Object.fromEntries(
      reportFieldNames
        .filter((name) => reportFields[name].kind === 'person')
        .map((name) => [name, `Hilda Quick${name.toLowerCase()}`]),
    );
    const report = await manager(api.submitAccident, {
      body: await newReport(manager, { ...people, location: 'Plot 4711', contactNumber: '07700 900471' }),
    });
    const start = { body: { thing: 'report' as const, id: report.id } };
    const { id: investigation_id } = await manager(api.createInvestigation, start);
    const { number } = await manager(api.getInvestigation, { params: { id: investigation_id } });
    const planted = [
      ...[...Object.values(people), report.number, number, 'Plot 4711', '07700 900471', 'Lido Beach'],
      // The same in other spellings.
      ...['HILDA  QUICKNAME', 'plot 4711', '+44 7700 900471'],
    ];
    for (const text of planted)
      for (const field of ['title', 'happened', 'look_at'])
        expect([text, field, await describeError(create({ investigation_id, [field]: `At ${text}, again.` }))]).toEqual(
          [...[text, field, expect.stringMatching(/^409 The text says: /)]],
        );
    await expect(create({ investigation_id })).resolves.toBeDefined();
    await expect(create({ happened: 'At plot 4711, again.' })).resolves.toBeDefined();
    await expect(create({ investigation_id, happened: 'Plot 47110' })).resolves.toBeDefined();
    // A name that is said otherwise than in the records, and users of the park.
    for (const text of ['Quickname fell', 'Mrs Other fell', 'H. Quickname', '01745 123456', 'x@example.com'])
      expect(await describeError(create({ investigation_id, happened: text, title: 'Sockets' }))).toMatch(
        /^409 The text says: /,
      );
    const texts = { happened: 'At Plot 4711, again. Quickname fell.', look_at: 'Ask Hilda' };
    const { hash } = (await getError(create({ investigation_id, ...texts }))).body;
    const decisions = { hash, choices: ['leave', 'replace', 'replace'] };
    expect(await describeError(create({ investigation_id, ...texts, title: 'Other', decisions }))).toMatch(/^409/);
    const id = await create({ investigation_id, ...texts, decisions });
    const [audit] = await listAudits(id);
    expect(JSON.parse(audit?.data ?? '').description).toBe(
      'At Plot 4711, again. [name] fell.\n\nWhat to look at:\nAsk [name]',
    );
    expect(await get(id)).toMatchObject({ investigation: { id: investigation_id, number } });
    expect(await describeError(create({ investigation_id: 'nowhere' }))).toBe('404 Investigation not found');
  });

  test('a reviewer of one park sees which parks answered, and of the other parks nothing else', async () => {
    const local = await server.as('Health & Safety Manager', 'Robin Hood');
    const id = await create({}, local);
    for (const { id: auditId } of await listAudits(id))
      await complete(auditId, { answer: 'doesNotApply', answer_note: 'We have no sockets' });
    const { answers, answered } = await get(id, local);
    expect(answered).toBe(20);
    expect(answers.filter(({ audit }) => audit).map(({ park }) => park)).toEqual(['Robin Hood']);
    const staff = await server.as('None', 'Robin Hood');
    for (const path of ['/api/lessons', `/api/lessons/${id}`, `/api/lesson-pdf/${id}`])
      expect((await staff.fetch(path)).status).toBe(403);
  });

  test('reviewers are notified when an audit of a lesson, or its folder, is deleted', async () => {
    const id = await create({ title: 'Ladders' });
    const [first, second] = await listAudits(id);
    const listTold = async () =>
      (await manager(api.listNotifications)).map(({ text }) => text).filter((text) => text.endsWith('Ladders'));
    await admin(api.deleteAudit, { params: { id: first?.id ?? '' } });
    expect(await listTold()).toEqual([`Audit from a lesson at ${first?.park} deleted: Ladders`]);
    await admin(api.deleteFolder, { params: { id: second?.folder_id ?? '' } });
    expect(await listTold()).toContain(`Audit from a lesson at ${second?.park} deleted: Ladders`);
    expect(await get(id)).toMatchObject({ parks: 18 });
    expect((await get(id)).missing).not.toContain(first?.park);
  });

  test('after random answers, the counts of each lesson equal a recount of its answers', async () => {
    const random = createRandom(37);
    const ids = [await create(), await create({ parks: parks.slice(0, 7) })];
    const given = new Map<string, Map<string, LessonAnswer | null>>(ids.map((id) => [id, new Map()]));
    for (const id of ids)
      for (const { id: auditId, park } of await listAudits(id)) {
        const step = random(5);
        if (step === 4) await admin(api.deleteAudit, { params: { id: auditId } });
        else given.get(id)?.set(park, lessonAnswers[step] ?? null);
        const answer = lessonAnswers[step];
        // Sent twice at once, as after a lost response.
        const send = () => complete(auditId, { answer, answer_note: 'Looked' });
        if (answer) await Promise.allSettled([send(), send()]);
      }
    for (const id of ids) {
      const { parks, answered, missing, answers } = await get(id);
      const expected = [...(given.get(id) ?? [])].sort();
      expect(answers.map(({ park, answer }) => [park, answer])).toEqual(expected);
      expect([parks, answered]).toEqual([expected.length, expected.filter(([, answer]) => answer).length]);
      expect(missing).toEqual(expected.filter(([, answer]) => !answer).map(([park]) => park));
      for (const { answer, audit } of answers) expect(audit?.follow_up !== null).toBe(answer === 'needsWork');
      const notes = await server.db
        .selectFrom('audit_notes')
        .innerJoin('audits', 'audits.id', 'audit_notes.audit_id')
        .select('audit_notes.id')
        .where('source_id', '=', id)
        .where('audits.deletion_id', 'is', null)
        .execute();
      expect(notes).toHaveLength(answered);
    }
  });
});
