import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { beforeEach, describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { type Section, sectionTypes } from '#shared/checklists.ts';
import type { ApiError } from '#shared/client.ts';
import { answers, newChecklist, sections, toDataUrl } from '../testing/checklists.ts';
import { fixture, signaturePng } from '../testing/factories.ts';
import { readRow, readRows } from '../testing/rows.ts';
import { engines, type TestClient } from '../testing/server.ts';
import { createTestServer } from '../testing/test-server.ts';
import { createSubmissionPdf } from './pdf.ts';

describe.each(engines)('checklists on %s', (engine) => {
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
  const countStored = async () => {
    const rows = await Promise.all([
      server.db.selectFrom('submissions').select('id').execute(),
      server.db.selectFrom('submission_signatures').select('section').execute(),
      server.db.selectFrom('replies').select('key').execute(),
      server.db.selectFrom('activity').select('seq').where('thing', '=', 'submission').execute(),
    ]);
    return rows.map((tableRows) => tableRows.length);
  };

  test('a created checklist is listed for all users', async () => {
    const listed = await staff(api.listChecklists);
    expect(listed).toContainEqual({ ...newChecklist, id: checklistId, version: 1 });
  });

  test('a submission is stored with its number, time and author, and can be opened', async () => {
    // Each type is answered, also a new one.
    expect(new Set(sections.map(({ type }) => type))).toEqual(new Set(sectionTypes));
    const { id } = await submit(answers);
    const submission = await get(id);
    expect(submission).toMatchObject({
      id,
      checklist_id: checklistId,
      checklist_title: 'Play area',
      checklist_version: 1,
      submitted_by: staff.username,
      sections: newChecklist.sections,
    });
    expect(submission.number).toMatch(/^CHK-\d{4}-\d{4,}$/);
    expect(Date.now() - Date.parse(submission.submitted_at)).toBeLessThan(60_000);
    const { 3: drawn, ...rest } = submission.data;
    expect(rest).toEqual({ ...answers, 3: undefined, 4: '09:05', 5: '2026-12-01' });
    expect(drawn).toMatch(/^data:image\/png;base64,/);
    const metadata = await sharp(Buffer.from(String(drawn).split(',')[1] ?? '', 'base64')).metadata();
    expect(metadata).toMatchObject({ format: 'png', width: 300, height: 120 });
  });

  test('a submission keeps the headings it was filled in with, and its PDF shows them above their sections', async () => {
    const sections: Section[] = [{ title: 'Name', type: 'text', required: false }, ...newChecklist.sections];
    const withHeading = sections.map((section, index) => ({
      ...section,
      ...(index === 1 && { heading: 'Gates and fences' }),
    }));
    const params = { id: checklistId };
    await reviewer(api.updateChecklist, { params, body: { title: 'Play area', sections: withHeading } });
    const moved = Object.entries(answers).map(([index, answer]) => [Number(index) + 1, answer]);
    const { id } = await submit(Object.fromEntries(moved));
    await reviewer(api.updateChecklist, { params, body: { title: 'Play area', sections } });
    const submission = await get(id);
    expect(submission.sections.map(({ heading }) => heading).slice(0, 3)).toEqual([
      undefined,
      'Gates and fences',
      undefined,
    ]);
    const { parts } = createSubmissionPdf(submission, [], new Date()).document;
    expect(parts.map((part) => (part.kind === 'answers' ? part.rows.length : part))).toEqual([
      1,
      { kind: 'heading', text: 'Gates and fences' },
      13,
    ]);
  });

  test('a signature in an answer is stored without data appended to the image', async () => {
    const pngWithTail = Buffer.concat([await signaturePng(), Buffer.from('<script>alert(1)</script>')]);
    const { id } = await submit({ ...answers, 3: toDataUrl(pngWithTail) });
    const { data } = await get(id);
    const storedImage = Buffer.from(String(data[3]).split(',')[1] ?? '', 'base64');
    expect(storedImage.includes('<script>')).toBe(false);
  });

  test('a submission with empty answers to optional sections is accepted', async () => {
    const { id } = await submit({ ...answers, 4: '', 5: null, 6: '', 8: '', 9: null, 10: '', 12: '' });
    expect(Object.keys((await get(id)).data)).toEqual(['0', '1', '2', '3', '7']);
  });

  test('an answer in any script is stored as typed', async () => {
    const [text] = JSON.parse(fixture('naughty-strings.json').toString()).filter((s: string) => s.includes('田中さん'));
    for (const typed of [text, '<script>alert(1)</script>', "'; drop table submissions; --", '__proto__ Ŵyn 👩‍🔧']) {
      const { id } = await submit({ ...answers, 0: typed });
      expect((await get(id)).data[0]).toBe(typed.normalize('NFC'));
    }
  });

  test('an invalid submission is rejected with a reason and changes nothing', async () => {
    const noiseImage = await sharp({
      create: {
        width: 700,
        height: 300,
        channels: 3,
        background: 'white',
        noise: { type: 'gaussian', mean: 128, sigma: 60 },
      },
    })
      .png()
      .toBuffer();
    const blank = (alpha: number) =>
      sharp({ create: { width: 300, height: 120, channels: 4, background: { r: 255, g: 255, b: 255, alpha } } })
        .png()
        .toBuffer();
    const invalidInputs: [string, Record<string, unknown>, string?][] = [
      ['an index past the end', { ...answers, [sections.length]: 'x' }, 'data'],
      ['a negative index', { ...answers, '-1': 'x' }, 'data'],
      ['an index with a leading zero', { ...answers, '01': 'x' }, 'data'],
      ['an index that is a word', { ...answers, constructr: 'x' }, 'data'],
      ['an index with an exponent', { ...answers, '1e0': 'x' }, 'data'],
      ['a tick for a text', { ...answers, 0: true }, 'data.0'],
      ['a text that is too long', { ...answers, 0: 'x'.repeat(5001) }, 'data.0'],
      ['a text with a NUL', { ...answers, 0: 'a\0b' }, 'data.0'],
      ['half a surrogate pair', { ...answers, 0: 'a\ud800b' }, 'data.0'],
      ['an unknown park', { ...answers, 1: 'Atlantis' }, 'data.1'],
      ['a text for a tick', { ...answers, 2: 'yes' }, 'data.2'],
      ['a number', { ...answers, 0: 5 }, 'data.0'],
      ['an object', { ...answers, 0: { a: 1 } }, 'data.0'],
      ['a time that does not exist', { ...answers, 4: '24:00' }, 'data.4'],
      ['a day that does not exist', { ...answers, 5: '31/02/2026' }, 'data.5'],
      ['a choice that is not offered', { ...answers, 6: 'Maybe' }, 'data.6'],
      ['a signature that is a path', { ...answers, 3: '/uploads/2026/01/a.png' }, 'data.3'],
      ['a signature that is an address', { ...answers, 3: 'https://example.org/a.png' }, 'data.3'],
      [
        'a signature that is a JPEG',
        { ...answers, 3: toDataUrl(fixture('photos/orientation-landscape-1.jpg').subarray(0, 200_000), 'jpeg') },
        'data.3',
      ],
      [
        'a JPEG that calls itself a PNG',
        {
          ...answers,
          3: toDataUrl(
            await sharp(await signaturePng())
              .jpeg()
              .toBuffer(),
          ),
        },
        'data.3',
      ],
      ['a PNG that is broken', { ...answers, 3: toDataUrl((await signaturePng()).subarray(0, 600)) }, 'data.3'],
      ['HTML that calls itself a PNG', { ...answers, 3: toDataUrl(Buffer.from('<html>')) }, 'data.3'],
      ['invalid base64', { ...answers, 3: 'data:image/png;base64,iVBOR w0KGgo' }, 'data.3'],
      ['a signature that is too large', { ...answers, 3: toDataUrl(noiseImage) }, 'data.3'],
      ['a white signature', { ...answers, 3: toDataUrl(await blank(1)) }, 'data.3'],
      ['a transparent signature', { ...answers, 3: toDataUrl(await blank(0)) }, 'data.3'],
      ['a white signature in an optional section', { ...answers, 8: toDataUrl(await blank(1)) }, 'data.8'],
      ['nothing at all', {}, 'data.0'],
      ['spaces for a required text', { ...answers, 0: ' \n ' }, 'data.0'],
      ['a required tick that is not ticked', { ...answers, 2: false }, 'data.2'],
      ['a list', ['a'] as never],
      ['no object', 'x' as never],
    ];
    const before = await countStored();
    for (const [at, [description, data, field]] of invalidInputs.entries()) {
      if (at % 25 === 24) staff = await server.as('None');
      const error: ApiError = await staff(api.submitChecklist, {
        body: { checklistId, data: data as never },
        key: randomUUID(),
      }).then(
        () => Promise.reject(new Error(`${description} was accepted`)),
        (error) => error,
      );
      expect([description, error.status]).toEqual([description, 400]);
      expect(error.message).toBeTruthy();
      if (field) expect([description, Object.keys(error.fields)[0]]).toEqual([description, field]);
    }
    expect(await countStored()).toEqual(before);
  });

  test('__proto__ is not accepted as an answer', async () => {
    const response = await staff.fetch(api.submitChecklist.path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: `{"checklistId":"${checklistId}","data":{"__proto__":"x"}}`,
    });
    expect(response.status).toBe(400);
  });

  test('a submission without required answers gets an error at each of these sections', async () => {
    await expect(submit({ 0: 'Seen' })).rejects.toMatchObject({
      status: 400,
      message: 'Please fill in all required fields.',
      fields: { 'data.1': 'Required', 'data.2': 'Required', 'data.3': 'Required' },
    });
  });

  test('a checklist has 1 to 200 sections, each with a title and a known type', async () => {
    const create = (body: unknown) => reviewer(api.createChecklist, { body: body as never });
    const section = { title: 'Tick', type: 'checkbox', required: false };
    const before = (await staff(api.listChecklists)).length;
    for (const [body, field] of [
      [{ title: 'None', sections: [] }, 'sections'],
      [{ title: 'Too many', sections: Array(300).fill(section) }, 'sections'],
      [{ title: '  ', sections: [section] }, 'title'],
      [{ title: 'x'.repeat(201), sections: [section] }, 'title'],
      [{ title: 'Untitled', sections: [section, { ...section, title: '' }] }, 'sections.1.title'],
      [{ title: 'Type', sections: [{ ...section, type: 'colour' }] }, 'sections.0.type'],
      [{ title: 'Required', sections: [{ ...section, required: 'yes' }] }, 'sections.0.required'],
      [{ title: 'Signed', sections: Array(21).fill({ ...section, type: 'signature' }) }, 'sections'],
    ] as const)
      await expect(create(body)).rejects.toMatchObject({ status: 400, fields: { [field]: expect.any(String) } });
    expect(await staff(api.listChecklists)).toHaveLength(before);
    const { id } = await create({ title: ' Many ', sections: Array(200).fill(section) });
    expect((await staff(api.listChecklists)).find((listed) => listed.id === id)).toMatchObject({ title: 'Many' });
  });

  test('a request repeated with one idempotency key creates one submission', async () => {
    const key = randomUUID();
    const ids = await Promise.all(
      Array.from({ length: 8 }, () => staff(api.submitChecklist, { body: { checklistId, data: answers }, key })),
    );
    expect(new Set(ids.map(({ id }) => id)).size).toBe(1);
    const submissions = await readRows(server.db, 'submissions', { checklist_id: checklistId });
    expect(submissions).toHaveLength(1);
    await expect(
      staff(api.submitChecklist, { body: { checklistId, data: { ...answers, 0: 'Another' } }, key }),
    ).rejects.toMatchObject({ status: 422, code: 'KEY_REUSED' });
  });

  test('stored answers stay with their sections when the checklist is edited', async () => {
    const reversedSections = [...sections].reverse();
    await reviewer(api.updateChecklist, {
      params: { id: checklistId },
      body: { title: 'Turned', sections: reversedSections },
    });
    const { id } = await submit(answers, { checklistVersion: 1 });
    expect(await get(id)).toMatchObject({ checklist_title: 'Play area', checklist_version: 1, sections });
    await expect(submit(answers)).rejects.toMatchObject({ status: 400 });
    await expect(submit(answers, { checklistVersion: 7 })).rejects.toMatchObject({ status: 400 });
    await reviewer(api.deleteChecklist, { params: { id: checklistId } });
    expect(await get(id)).toMatchObject({ checklist_title: 'Play area', sections });
  });

  test('a checklist saved by two users keeps the first save and rejects the second', async () => {
    const save = (title: string, version?: number) =>
      reviewer(api.updateChecklist, { params: { id: checklistId }, body: { ...newChecklist, title, version } });
    expect(await save('First', 1)).toEqual({ success: true, version: 2 });
    await expect(save('Second', 1)).rejects.toMatchObject({
      status: 409,
      body: { current: { id: checklistId, title: 'First', version: 2, sections } },
    });
    // A client that sends no version overwrites the checklist.
    expect(await save('Third')).toEqual({ success: true, version: 3 });
    const admin = await server.as('Admin');
    const [thirdEntry] = await admin(api.listActivity, { query: { thing: 'checklist', thing_id: checklistId } });
    expect(thirdEntry?.changes).toEqual({ version: { from: 2, to: 3 }, title: { from: 'First', to: 'Third' } });
    const outcomes = await Promise.allSettled(['a', 'b', 'c', 'd', 'e'].map((title) => save(title, 3)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('a deleted checklist is not listed and accepts no submissions', async () => {
    await reviewer(api.deleteChecklist, { params: { id: checklistId } });
    expect((await staff(api.listChecklists)).map(({ id }) => id)).not.toContain(checklistId);
    await expect(submit(answers)).rejects.toMatchObject({ status: 404, message: 'Checklist not found' });
    await expect(submit(answers, { checklistVersion: 1 })).rejects.toMatchObject({ status: 404 });
    for (const row of [api.deleteChecklist, api.updateChecklist])
      await expect(
        reviewer(row as typeof api.updateChecklist, { params: { id: checklistId }, body: newChecklist }),
      ).rejects.toMatchObject({ status: 404 });
    const { deletion_id } = await readRow(server.db, 'checklists', { id: checklistId });
    expect(deletion_id).toBeTruthy();
  });

  test('staff can neither change checklists nor read or delete submissions', async () => {
    const { id } = await submit(answers);
    const params = { id };
    for (const attempt of [
      () => staff(api.createChecklist, { body: newChecklist }),
      () => staff(api.updateChecklist, { params: { id: checklistId }, body: newChecklist }),
      () => staff(api.deleteChecklist, { params: { id: checklistId } }),
      () => staff(api.listSubmissions),
      () => staff(api.listSubmissionTitles),
      () => staff(api.getSubmission, { params }),
      () => staff(api.getSubmissionPdf, { params }),
      () => staff(api.deleteSubmission, { params }),
    ])
      await expect(attempt()).rejects.toMatchObject({ status: 403 });
    await expect(server.anonymous(api.listChecklists)).rejects.toMatchObject({ status: 401 });
  });
});
