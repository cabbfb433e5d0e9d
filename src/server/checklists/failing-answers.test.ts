// Failing answers: notes, photos, audits and notifications.
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import type { Section } from '#shared/checklists.ts';
import { getNextDay, getToday } from '#shared/dates.ts';
import { uploadPhoto } from '../testing/factories.ts';
import { engines, type TestClient } from '../testing/server.ts';
import { createTestServer } from '../testing/test-server.ts';

describe.each(engines)('failing answers on %s', (engine) => {
  const { server, admin } = createTestServer(engine);
  const lidoUser = server.user('None', 'Lido Beach');
  const robin = server.user('None', 'Robin Hood');
  const headOfficeUser = server.user('None');

  const pool = (changes: Partial<NonNullable<Section['onFail']>> = {}): Section[] => [
    {
      title: 'Is the gate locked?',
      type: 'na',
      required: true,
      onFail: { when: 'No', photo: 'optional', audit: { urgent: true, days: 1, assignees: {} }, ...changes },
    },
    { title: 'Water', type: 'text', required: false, number: { unit: 'pH', min: 7.2, max: 7.6 } },
    { title: 'Ring in place', type: 'checkbox', required: true, onFail: { when: 'notTicked', photo: 'required' } },
    { title: 'Remarks', type: 'text', required: false },
  ];
  const createChecklist = async (sections = pool(), title = `Pool ${randomUUID()}`) =>
    (await admin(api.createChecklist, { body: { title, sections } as never })).id;
  const passingAnswers = { 0: 'Yes', 1: '7,4', 2: true };
  const submit = (client: TestClient, checklistId: string, body: object) =>
    client(api.submitChecklist, { body: { checklistId, ...body } as never });
  const get = (id: string) => admin(api.getSubmission, { params: { id } });
  const getFieldErrors = (promise: Promise<unknown>) =>
    promise.then(
      () => ({}),
      (error) => error.fields,
    );
  const listMyAudits = (client: TestClient) => client(api.listOpenAudits, { query: { mine: 'yes' } });

  test('a submission without failing answers, and a checklist that cannot have any, have no fields about them', async () => {
    const { id } = await submit(lidoUser, await createChecklist(), { data: passingAnswers });
    const submission = await get(id);
    expect(submission).not.toHaveProperty('failing');
    expect(submission).not.toHaveProperty('failures');
    const plainSection = { title: 'Gate', type: 'na' as const, required: false };
    const checklistId = await createChecklist([plainSection]);
    const createdChecklist = (await admin(api.listChecklists)).find(({ id }) => id === checklistId);
    expect(createdChecklist?.sections).toEqual([plainSection]);
  });

  test('a failing answer without its note or required photo, and an answer that is not a number, are rejected', async () => {
    const id = await createChecklist();
    expect(await getFieldErrors(submit(lidoUser, id, { data: { 0: 'No', 1: '8.1' } }))).toEqual({
      'failures.0.note': 'Say what is wrong',
      'failures.1.note': 'Say what is wrong',
      'failures.2.note': 'Say what is wrong',
      'failures.2.mediaFiles': 'Add a photo',
    });
    expect(await getFieldErrors(submit(lidoUser, id, { data: { ...passingAnswers, 1: 'seven' } }))).toEqual({
      'data.1': 'Enter a number',
    });
    expect(
      await getFieldErrors(submit(lidoUser, id, { data: passingAnswers, failures: { 0: { note: 'x' } } })),
    ).toEqual({
      'failures.0': 'This answer is not failing',
    });
    expect(
      await getFieldErrors(
        submit(headOfficeUser, id, { data: { ...passingAnswers, 0: 'No' }, failures: { 0: { note: 'Open' } } }),
      ),
    ).toEqual({
      park: 'Choose the park',
    });
    await submit(headOfficeUser, id, {
      data: { ...passingAnswers, 0: 'No' },
      failures: { 0: { note: 'Open' } },
      park: 'Mounds',
    });
  });

  test('a failing answer creates an audit in the park’s folder, for its assignee, with copies of the photos', async () => {
    const manager = await server.as('Health & Safety Manager', 'Lido Beach');
    const otherParkManager = await server.as('Health & Safety Manager', 'Robin Hood');
    const assigneeUser = await server.as('None', 'Lido Beach');
    const audit = {
      urgent: true,
      days: 1,
      assignees: { 'Lido Beach': assigneeUser.username, 'Robin Hood': assigneeUser.username },
    };
    const checklist = await createChecklist(pool({ audit }));
    const [photo, secondPhoto] = [await uploadPhoto(lidoUser), await uploadPhoto(lidoUser)];
    const { id, number } = await submit(lidoUser, checklist, {
      data: { 0: 'No', 1: '8.1' },
      failures: {
        0: { note: 'The latch is broken', mediaFiles: [{ path: photo, name: 'latch.jpg' }] },
        1: { note: 'Dosed, test again at noon' },
        2: { note: 'Taken', mediaFiles: [{ path: secondPhoto, name: 'ring.jpg' }] },
      },
    });
    const [createdAudit] = await listMyAudits(assigneeUser);
    expect(createdAudit).toMatchObject({
      title: 'Is the gate locked?',
      description: 'Answer: No\nThe latch is broken',
      folder_name: 'From checks',
      park: 'Lido Beach',
      assignee: assigneeUser.username,
      is_urgent: true,
      date: getNextDay(getToday()),
    });
    expect(createdAudit).not.toHaveProperty('source');
    const copy = createdAudit?.media_files[0]?.path ?? '';
    expect((await assigneeUser.fetch(copy)).status).toBe(200);
    for (const path of [photo, secondPhoto]) {
      expect((await assigneeUser.fetch(path)).status).toBe(404);
      expect((await manager.fetch(path)).status).toBe(200);
    }
    expect((await assigneeUser(api.listNotifications)).map(({ text }) => text)).toEqual([
      'Urgent audit assigned to you: Is the gate locked?',
    ]);
    expect((await manager(api.listNotifications)).map(({ text }) => text)).toEqual(
      expect.arrayContaining([`Checklist ${number} at Lido Beach has 3 failing answers`]),
    );
    expect(JSON.stringify(await otherParkManager(api.listNotifications))).not.toContain(number);
    expect(await robin(api.listNotifications)).toEqual([]);

    const submission = await get(id);
    expect(submission).toMatchObject({
      failing: 3,
      failures: {
        0: { note: 'The latch is broken', media_files: [{ path: photo, name: 'latch.jpg' }] },
        1: { note: 'Dosed, test again at noon', media_files: [] },
        2: { note: 'Taken', media_files: [{ path: secondPhoto }] },
      },
    });
    const listAuditsOfSubmission = () => manager(api.listSubmissionAudits, { params: { id } });
    expect(await listAuditsOfSubmission()).toMatchObject([{ id: createdAudit?.id, section: 0, completed: false }]);
    const plainPdf = await admin(api.getSubmissionPdf, {
      params: { id: (await submit(lidoUser, checklist, { data: passingAnswers })).id },
    });
    expect((await admin(api.getSubmissionPdf, { params: { id } })).length).toBeGreaterThan(plainPdf.length);
    await assigneeUser(api.updateAudit, {
      params: { id: createdAudit?.id ?? '' },
      body: { data: { completed: true } },
    });
    expect(await listAuditsOfSubmission()).toMatchObject([{ completed: true, completed_by: assigneeUser.username }]);
    expect((await manager(api.getAudit, { params: { id: createdAudit?.id ?? '' } })).data.source).toEqual({
      ...{ thing: 'submission', id, label: number, section: 0 },
    });

    // The audit at Robin Hood gets no assignee, because the chosen one may not see that park. The
    // second audit at Lido Beach goes into the folder of the first.
    await submit(robin, checklist, { data: { ...passingAnswers, 0: 'No' }, failures: { 0: { note: 'Open' } } });
    await submit(lidoUser, checklist, {
      data: { ...passingAnswers, 0: 'No' },
      failures: { 0: { note: 'Open again' } },
    });
    const folders = (await admin(api.listFolders)).filter(({ name }) => name === 'From checks');
    expect(folders.map(({ park, audit_count }) => [park, audit_count])).toEqual(
      expect.arrayContaining([
        ['Lido Beach', 2],
        ['Robin Hood', 1],
      ]),
    );
    expect((await listMyAudits(assigneeUser)).map(({ park }) => park)).toEqual(['Lido Beach']);
    expect((await otherParkManager(api.listNotifications)).map(({ text }) => text)).toContain(
      `Audit at Robin Hood has no assignee, because ${assigneeUser.username} may not see that park: Is the gate locked?`,
    );
    expect(
      (await admin(api.listSubmissions, { query: { failing: 'yes', limit: 50 } })).map(({ failing }) => failing),
    ).toEqual(expect.arrayContaining([3, 1]));
    expect((await admin(api.listSubmissions, { query: { failing: 'yes', q: 'latch' } })).map((row) => row.id)).toEqual([
      id,
    ]);
  });

  test('the audit of a failing answer at a place is one of the audits there', async () => {
    const name = `Pool ${randomUUID().slice(0, 8)}`;
    await admin(api.addPlaces, { body: { park: 'Lido Beach', names: [name] } });
    const placeId = (await admin(api.listPlaces)).find((place) => place.name === name)?.id ?? '';
    const failures = { 0: { note: 'Broken lock' } };
    const checklistId = await createChecklist();
    await submit(lidoUser, checklistId, { data: { ...passingAnswers, 0: 'No' }, failures, placeId });
    await submit(lidoUser, checklistId, { data: { ...passingAnswers, 0: 'No' }, failures });
    const audits = await lidoUser(api.listOpenAudits, { query: { place: placeId } });
    expect(audits).toMatchObject([{ title: 'Is the gate locked?', location: name }]);
  });

  test('a rejected submission creates no audit, and a repeated one creates only one', async () => {
    const checklist = await createChecklist();
    const body = { data: { ...passingAnswers, 0: 'No' }, failures: { 0: { note: 'Open' } } };
    const count = async () => (await admin(api.listOpenAudits, { query: { park: 'Winkups' } })).length;
    const winkupsStaff = await server.as('None', 'Winkups');
    const otherUsersPhoto = await uploadPhoto(lidoUser);
    await expect(
      submit(winkupsStaff, checklist, {
        ...body,
        failures: { 0: { note: 'Open', mediaFiles: [{ path: otherUsersPhoto }] } },
      }),
    ).rejects.toMatchObject({ status: 409, code: 'FILE_USED' });
    expect(await count()).toBe(0);
    const key = randomUUID();
    const send = () => winkupsStaff(api.submitChecklist, { body: { checklistId: checklist, ...body } as never, key });
    expect(await send()).toEqual(await send());
    expect(await count()).toBe(1);
  });

  test.each([
    [
      'number limits for a park',
      { type: 'site', number: { unit: '', min: 1, max: 2 } },
      'Only a text section can take a number',
    ],
    [
      'number limits in the wrong order',
      { type: 'text', number: { unit: '', min: 3, max: 2 } },
      'The lowest number is above the highest',
    ],
    [
      'a failing answer for a date',
      { type: 'date', onFail: { when: 'No' } },
      'A section of this type cannot have this failing answer',
    ],
    [
      'a failing answer for text without number limits',
      { type: 'text', onFail: { when: 'outOfRange' } },
      'A section of this type cannot have this failing answer',
    ],
    [
      'too many days until an audit is due',
      { type: 'na', onFail: { when: 'No', audit: { days: 400 } } },
      'Enter 0 to 365 days',
    ],
  ])('a checklist with %s is rejected', async (_, section, message) => {
    const sections = [{ title: 'x', required: false, ...section }];
    await expect(createChecklist(sections as never)).rejects.toMatchObject({ status: 400, message });
  });
});
