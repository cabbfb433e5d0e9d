import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import type { ApiError } from '#shared/client.ts';
import type { AccessRequestHits, Choice } from '#shared/people/access-requests.ts';
import { parseConfig } from '../config.ts';
import { sha256 } from '../hash.ts';
import { readPdfText, unzip } from '../testing/documents.ts';
import { newAudit, newFolder, newReport, upload } from '../testing/factories.ts';
import { createTestFolder } from '../testing/folder.ts';
import { runProgram } from '../testing/process.ts';
import { readUtf16 } from '../testing/read-utf16.ts';
import { insertRow, readRow } from '../testing/rows.ts';
import { engines } from '../testing/server.ts';
import { shareDevice } from '../testing/shared-devices.ts';
import { createTestServer } from '../testing/test-server.ts';
import { createRecordSearch } from './record-search.ts';

const name = 'Eluned Prydderch';
const number = '07700900555';

describe.each(engines)('access requests on %s', (engine) => {
  const folder = createTestFolder();
  const { server, admin } = createTestServer(engine, { RATE_SCALE: '100' });

  const submit = async (changes: Record<string, unknown>) =>
    (await admin(api.submitAccident, { body: await newReport(admin, { contactNumber: '07700900111', ...changes }) }))
      .id;
  const request = async (changes: Record<string, unknown> = {}) => {
    const body = { name, spellings: ['Lyn Prydderch'], number, receivedOn: '2026-01-31', ...changes };
    const { id } = await admin(api.createAccessRequest, { body });
    return { params: { id } };
  };
  const saveChoices = (params: { id: string }, version: number, choices: Choice[], more: object = {}) =>
    admin(api.saveAccessChoices, { params, body: { version, choices, ...more } });
  const newSchedule = (checklist_id: string) =>
    admin(api.createSchedule, {
      body: {
        ...{ checklist_id, parks: ['Mounds'], repeat: 'daily' as const, starts_on: '2026-01-01' },
        ...{ opens_at: '00:00', closes_at: '00:00' },
      },
    });
  const createSendAllChoices = ({ hits }: AccessRequestHits): Choice[] =>
    hits.filter(({ isPossible }) => !isPossible).map(({ id }) => ({ id, choice: 'send' }));

  async function unpackZip(params: { id: string }) {
    const { target, names, read } = unzip(await admin(api.getAccessZip, { params }), folder);
    return {
      target,
      names,
      readPdf: (name: string) => readPdfText(read(name), '-layout'),
      data: `${read('data.json')}`,
    };
  }

  test('an access request finds a person in every kind of record, and lists a namesake as a possible match', async () => {
    const template = await submit({});
    const row = await server.db.selectFrom('reports').selectAll().where('id', '=', template).executeTakeFirstOrThrow();
    let copies = 0;
    /** Inserts another report directly, because submitting it would take most of a minute. */
    const copy = async ({ affectedUserSignedBy, ...changes }: Record<string, unknown>) => {
      copies += 1;
      const id = `copy-${copies}`;
      await insertRow(server.db, 'reports', {
        ...row,
        ...changes,
        id,
        number: `ACC-2027-${copies}`,
        position: row.position - copies,
        affectedUserSignedBy: affectedUserSignedBy ? JSON.stringify(affectedUserSignedBy) : null,
      });
      return id;
    };
    const createdRecords: string[] = [];
    const add = async (id: Promise<string> | string, thing = 'report') =>
      void createdRecords.push(`${thing}:${await id}`);
    const person = { name, contactNumber: number };
    // The same name in 9 spellings, alone and inside longer texts.
    const spellings = [name, name.toUpperCase(), name.toLowerCase(), 'Éluned  Prydderch', 'Lyn Prydderch'];
    for (const spelling of spellings) await add(copy({ ...person, name: spelling }));
    for (const spelling of spellings) await add(copy({ details: `She fell. ${spelling}, aged 9, saw it.` }));
    for (const spelling of spellings) await add(copy({ reporter: spelling }));
    for (const spelling of spellings) await add(copy({ location: `Plot of ${spelling}.` }));
    await add(copy({ contactNumber: number }));
    await add(copy({ details: `Call 07700 900 555 (${'x'.repeat(20)})` }));
    const signedBy = { name, capacity: 'Parent or guardian', reason: 'A child' };
    await add(copy({ affectedUserSignedBy: signedBy, age: 7 }));
    const body = await newReport(admin, { contactNumber: '07700900111' });
    body.mediaFiles = body.mediaFiles.map((file) => ({ ...file, name: `${name}.jpg` }));
    await add((await admin(api.submitIncident, { body })).id);
    const deletedReport = await copy({ ...person });
    await admin(api.deleteReport, { params: { id: deletedReport } });
    await add(deletedReport);
    const assessedReport = await copy({});
    const particulars = { witnesses: `The cook and ${name}` };
    await admin(api.saveAssessment, {
      params: { id: assessedReport },
      body: { version: 0, answers: {}, people: [{}], particulars },
    });
    await add(assessedReport);
    const folderId = await newFolder(admin, { description: `For ${name}` });
    await add(folderId, 'folder');
    for (const field of ['title', 'location', 'assignee', 'description'])
      await add(
        (await admin(api.createAudit, { body: newAudit(folderId, { [field]: `Ask ${name} first` }) })).id,
        'audit',
      );
    const sections = [{ title: 'Who?', type: 'text' as const, required: false }];
    const { id: checklistId } = await admin(api.createChecklist, { body: { title: 'Round', sections } });
    for (const spelling of spellings) {
      await admin(api.submitChecklist, { body: { checklistId, data: { '0': `Done with ${spelling}` } } });
      const row = await server.db
        .selectFrom('submissions')
        .select('id')
        .orderBy('position', 'desc')
        .executeTakeFirstOrThrow();
      await add(row.id, 'submission');
    }
    const auditWithNote = createdRecords.findLast((id) => id.startsWith('audit'))?.slice('audit:'.length) ?? '';
    const withoutName = await admin(api.createAudit, { body: newAudit(folderId) });
    expect(auditWithNote).not.toBe(withoutName.id);
    await admin(api.addAuditNote, { params: { id: withoutName.id }, body: { text: `${name} has the key` } });
    await add(withoutName.id, 'audit');
    const deleted = await copy({});
    await admin(api.deleteReport, { params: { id: deleted }, body: { reason: `The same as that of ${name}` } });
    await add(deleted);
    const hold = { thing: 'person' as const, thing_id: name, reason: 'A claim', reviewOn: '2099-01-01' };
    await add((await admin(api.setHold, { body: hold })).id, 'hold');
    await add((await request({ number: '' })).params.id, 'accessRequest');
    const check = { schedule_id: (await newSchedule(checklistId)).id, checklist_id: checklistId, park: 'Mounds' };
    await insertRow(server.db, 'due_checks', {
      id: 'missed',
      ...check,
      day: '2026-03-01',
      reason: `${name} was ill`,
      reason_by_name: 'sian',
      reason_at: '2026-03-02',
    });
    await add('missed', 'check');
    expect(createdRecords.length).toBeGreaterThanOrEqual(40);

    const namesake = `report:${await copy({ name })}`;
    const nearSpellings = [
      `report:${await copy({ name: 'Eluned Prydderc' })}`,
      `report:${await copy({ name: 'Prydderch, Eluned' })}`,
      `report:${await copy({ details: 'Elunid Prydderch was there.' })}`,
    ];
    const otherPerson = `report:${await copy({ name: 'Eluned Jones', details: 'Mr Prydderch' })}`;

    const { params } = await request();
    const { hits } = await admin(api.getAccessRequest, { params });
    const certainIds = hits.filter(({ isPossible }) => !isPossible).map(({ id }) => id);
    const possibleIds = hits.filter(({ isPossible }) => isPossible).map(({ id }) => id);
    expect(certainIds.filter((id) => !id.startsWith('activity')).toSorted()).toEqual(createdRecords.toSorted());
    expect(possibleIds.toSorted()).toEqual([namesake, ...nearSpellings].toSorted());
    expect([...certainIds, ...possibleIds]).not.toContain(otherPerson);
    expect(hits.find(({ id }) => id === createdRecords[10])?.others).toContain('Siân Ŵyn Jones');

    const listed = await runProgram([join(import.meta.dirname, '../cli/access.ts'), name, '--number', number], {
      DATA_DIR: server.config.dataDir,
      DATABASE_URL: server.config.databaseUrl,
    });
    expect(listed.output).toContain('May be someone else: ');
    expect(listed.output).toContain('ACC-2027-1 (name, contactNumber)');
  });

  test("blacked-out words and parts of photos are missing from the person's copy, and the stored record does not change", async () => {
    const other = 'Mererid Hiraethog';
    // A white image with a red square.
    const redactedBox =
      '<rect width="200" height="100" fill="white"/><rect x="20" y="20" width="40" height="40" fill="red"/>';
    const image = await sharp(
      Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="200" height="100">${redactedBox}</svg>`),
    )
      .png()
      .toBuffer();
    const path = await upload(admin, image, 'red.png');
    const body = await newReport(admin, {
      name: 'Gwladys Unigryw',
      details: `She argued with MERERID\nhiraethog.`,
      reporter: other,
    });
    body.mediaFiles = [{ path, name: `${other}.jpg`, storageType: 'server' }];
    const { id } = await admin(api.submitAccident, { body });
    const leftOutReport = await submit({ name: 'Gwladys Unigryw' });
    const { params } = await request({ name: 'Gwladys Unigryw', spellings: [], number: '' });
    const accessRequest = await admin(api.getAccessRequest, { params });
    await expect(admin(api.getAccessZip, { params })).rejects.toMatchObject({
      status: 409,
      message: expect.stringMatching(/^Decide about every record first/),
    });
    const [, signature = '', affected = ''] = accessRequest.hits.find((hit) => hit.id === `report:${id}`)?.images ?? [];
    const box = { x: 0.05, y: 0.1, width: 0.35, height: 0.6 };
    const corner = { x: 0.9, y: 0.9, width: 0.1, height: 0.1 };
    const choices: Choice[] = [
      ...createSendAllChoices(accessRequest).filter(
        (choice) => !choice.id.endsWith(id) && !choice.id.endsWith(leftOutReport),
      ),
      {
        id: `report:${id}`,
        choice: 'redact',
        texts: [other],
        images: [
          { path, isLeftOut: false, boxes: [box, corner] },
          { path: signature, isLeftOut: true, boxes: [] },
        ],
      },
      { id: `report:${leftOutReport}`, choice: 'leave' },
    ];
    await expect(saveChoices(params, 1, choices)).rejects.toMatchObject({ status: 400 });
    const explainedChoices = choices.map((one) =>
      one.choice === 'leave' ? { ...one, because: 'It is about her neighbour' } : one,
    );
    await saveChoices(params, 1, explainedChoices);
    const conflict = await saveChoices(params, 1, explainedChoices).catch((error: ApiError) => error);
    expect(conflict).toMatchObject({ status: 409, body: { current: { version: 2, choices: explainedChoices } } });
    expect((conflict as ApiError).body.current).not.toHaveProperty('salt');

    const { names, target, readPdf, data } = await unpackZip(params);
    expect(names).toEqual(expect.arrayContaining(['data.json', 'index.pdf', 'sha256.txt']));
    const record = names.find((file) => /^records\/.*ACC/.test(file)) ?? '';
    const photo = names.find((file) => file.startsWith('photos/')) ?? '';
    const text = readPdf(record);
    expect(text).toContain('Gwladys Unigryw');
    expect(text).toContain('She argued with ████');
    for (const one of [text, data, readPdf('index.pdf'), names.join()]) expect(one).not.toMatch(/mererid|hiraethog/i);
    // Searches every byte of every file, compressed or not, in both ways in which a PDF encodes
    // text.
    for (const file of names) {
      const bytes = readFileSync(join(target, file));
      for (const content of [bytes, ...unpackStreams(bytes)])
        for (const decodedText of [content.toString('latin1'), readUtf16(content), readUtf16(content.subarray(1))])
          expect([file, /mererid|hiraethog/i.exec(decodedText)]).toEqual([file, null]);
    }
    expect(readPdf('index.pdf')).toContain('It is about her neighbour');
    // The photo and the signature that is not left out.
    const printedImages = execFileSync('pdfimages', ['-list', join(target, record)], { encoding: 'utf8' });
    expect(printedImages.match(/\d image /g)).toHaveLength(2);
    // The red square is now black; the pixels beside it are unchanged.
    const { data: pixels, info } = await sharp(join(target, photo)).raw().toBuffer({ resolveWithObject: true });
    const at = (x: number, y: number) =>
      pixels.subarray((y * info.width + x) * info.channels, (y * info.width + x) * info.channels + 3);
    expect(Math.max(...at(40, 40))).toBeLessThan(30);
    expect(Math.min(...at(150, 50))).toBeGreaterThan(225);
    expect(Math.max(...at(info.width - 1, info.height - 1))).toBeLessThan(30);
    expect(Math.min(...at(0, info.height - 1))).toBeGreaterThan(225);
    let maxRed = 0;
    for (let index = 0; index < pixels.length; index += info.channels)
      maxRed = Math.max(maxRed, (pixels[index] ?? 0) - (pixels[index + 1] ?? 0));
    expect(maxRed).toBeLessThan(60);
    for (const line of readFileSync(join(target, 'sha256.txt'), 'utf8').trim().split('\n'))
      expect(spawnSync('sha256sum', ['-c'], { cwd: target, input: `${line}\n` }).status).toBe(0);
    expect(affected).toMatch(/^\/uploads/);
    const stored = await admin(api.getReport, { params: { id } });
    expect(stored).toMatchObject({ reporter: other, details: expect.stringContaining('MERERID') });
    const log = JSON.stringify(await admin(api.listActivity, { query: { thing: 'user', limit: 200 } }));
    expect(log).not.toMatch(/Gwladys|neighbour/);
  });

  test("the person's copy shows full names of users, and blacking out a full name or a username blacks out both", async () => {
    const [author, other] = [await server.as('None', 'Mounds'), await server.as('None', 'Mounds')];
    for (const [{ id }, full_name] of [[author, 'Heledd Wyn'] as const, [other, 'Ianto Puw'] as const])
      await admin(api.updateUserDetails, { params: { id }, body: { full_name, email: '' } });
    const folder = await newFolder(admin, { park: 'Mounds' });
    const body = newAudit(folder, { title: 'Gutter', assignee: author.username });
    const { id } = await admin(api.createAudit, { body });
    await other(api.addAuditNote, { params: { id }, body: { text: 'The ladder is too short' } });
    await other(api.updateAudit, { params: { id }, body: { data: { completed: true } } });
    const { params } = await request({ name: 'Heledd Wyn', spellings: [], number: '' });
    const accessRequest = await admin(api.getAccessRequest, { params });
    // The audit matches by the full name, which is shown instead of the username.
    const hit = accessRequest.hits.find((hit) => hit.id === `audit:${id}`);
    expect(hit).toMatchObject({ isPossible: false, where: ['assignee'], others: ['Ianto Puw'] });
    const rest = createSendAllChoices(accessRequest).filter((choice) => choice.id !== `audit:${id}`);
    const saveRedaction = async (version: number, texts: string[]) => {
      await saveChoices(params, version, [...rest, { id: `audit:${id}`, choice: 'redact', texts, images: [] }]);
      const { names, readPdf, data } = await unpackZip(params);
      return { text: readPdf(names.find((name) => name.includes('Gutter')) ?? ''), data };
    };
    const unredacted = await saveRedaction(1, []);
    for (const name of ['Heledd Wyn', 'Ianto Puw']) expect(unredacted.text).toContain(name);
    expect(unredacted.text).not.toContain(other.username);
    for (const [version, name] of [other.username, 'Ianto Puw'].entries()) {
      const { text, data } = await saveRedaction(version + 2, [name]);
      expect(text).toContain('Heledd Wyn');
      for (const one of [text, data])
        for (const removedName of ['Ianto', other.username]) expect(one).not.toContain(removedName);
    }
  });

  test('an Admin can save choices for 1,200 records at once', async () => {
    const { params } = await request();
    const choices = Array.from({ length: 1200 }, (_, at): Choice => ({ id: `report:${at}`, choice: 'send' }));
    expect((await saveChoices(params, 1, choices)).choices).toHaveLength(1200);
  });

  test('the deadline of an access request is the same day next month, is postponed by pauses and can be extended once', async () => {
    const { params } = await request();
    const get = async () => (await admin(api.listAccessRequests)).find(({ id }) => id === params.id);
    // One month after receipt is Saturday 28 February 2026, so the due day moves to Monday.
    expect(await get()).toMatchObject({ due_on: '2026-03-02', isUrgent: true });
    await saveChoices(params, 1, [], { extendedBecause: 'There is much of it' });
    expect(await get()).toMatchObject({ due_on: '2026-04-30', extended_because: 'There is much of it' });
    await saveChoices(params, 2, [], { extendedBecause: 'Again', pausedOn: '2026-02-01' });
    expect(await get()).toMatchObject({
      extended_because: 'There is much of it',
      words: expect.stringContaining('Paused'),
    });
    await saveChoices(params, 3, [], { isClosed: true });
    expect((await get())?.words).toMatch(/^Answered/);
    // The hash in the log matches the stored text. Once the row and its salt are deleted, the hash
    // reveals nothing.
    const { salt, ...stored } = await readRow(server.db, 'access_requests', { id: params.id });
    const [line] = await admin(api.listActivity, { query: { q: 'chose for an access request', limit: 1 } });
    expect(line?.changes).toEqual({ request: params.id, texts: sha256(salt + JSON.stringify(stored)) });
    await expect(request({ receivedOn: '2999-01-01' })).rejects.toMatchObject({ status: 400 });
  });

  test('searching a very long text for a name does not delay other requests', async () => {
    // Each word begins like a part of the name, so that every word has to be compared with it.
    const description = 'zo qu ja '.repeat(300_000);
    await insertRow(server.db, 'folders', {
      id: 'long',
      name: 'Long',
      description,
      park: 'Mounds',
      created_by: admin.id,
    });
    const spellings = Array.from({ length: 20 }, (_, at) => `Zebedee ${'q'.repeat(at + 3)} Jones`);
    const { params } = await request({ name: 'Zebedee Quillfeather', spellings, number: '' });
    const before = process.cpuUsage();
    await admin(api.getAccessRequest, { params });
    const { user } = process.cpuUsage(before);
    // The search takes several seconds, in a child process.
    expect(user / 1000).toBeLessThan(1000);
    await server.db.deleteFrom('folders').where('id', '=', 'long').execute();
  });

  test('a place and a shared device named after a person are found, and say how they get another name', async () => {
    const other = 'Heledd Cadwaladr';
    await shareDevice(await server.as('Admin'), 'Mounds', `Tablet of ${other}`);
    await admin(api.addPlaces, { body: { park: 'Mounds', names: [`Chalet of ${other}`] } });
    const { params } = await request({ name: other, spellings: [], number: '' });
    const { hits } = await admin(api.getAccessRequest, { params });
    const own = hits.filter(({ thing }) => thing === 'device' || thing === 'place');
    expect(own.map(({ label }) => label).sort()).toEqual([`Chalet of ${other}, Mounds`, `Tablet of ${other}, Mounds`]);
    const choices = hits.map(({ id }) => ({ id, choice: 'send' as const }));
    await admin(api.saveAccessChoices, { params, body: { version: 1, choices } });
    expect((await admin.fetch(`/api/admin/access-requests/${params.id}/zip`)).status).toBe(200);
    const erasing = { ids: own.map(({ id }) => id), count: own.length, reason: 'asked' as const };
    const { skipped } = await admin(api.blankNames, { params, body: erasing });
    expect(skipped.map(({ reason }) => reason).sort()).toEqual([
      'A place is renamed under Places',
      'A shared device is removed under Shared Devices, and set up again with another name',
    ]);
  });

  test('an Admin of one park cannot open access requests, because the copy would lack the records of other parks', async () => {
    const { params } = await request({ name: 'Nobody Known', spellings: [], number: '' });
    const adminOfPark = await server.as('Admin', 'Mounds');
    for (const endpoint of [api.getAccessRequest, api.getAccessZip])
      await expect(adminOfPark(endpoint, { params })).rejects.toMatchObject({ status: 403 });
    // With the wrong version, the error would contain the choices.
    for (const version of [1, 9])
      await expect(
        adminOfPark(api.saveAccessChoices, { params, body: { version, choices: [] } }),
      ).rejects.toMatchObject({ status: 403 });
  });
});

/** Returns the content of the compressed streams of a PDF. */
function unpackStreams(pdf: Buffer): Buffer[] {
  const contentStreams: Buffer[] = [];
  for (let start = pdf.indexOf('stream\n'); start >= 0; start = pdf.indexOf('stream\n', start + 1)) {
    const end = pdf.indexOf('endstream', start);
    try {
      contentStreams.push(inflateSync(pdf.subarray(start + 'stream\n'.length, end)));
    } catch {
      // Ignore streams that are not compressed.
    }
  }
  return contentStreams;
}

test('a search is rejected with 503 once the record search service has stopped', async () => {
  const search = createRecordSearch(parseConfig({}));
  await search.close();
  const person = { name, spellings: [], number: '', username: '' };
  await expect(search.gatherHits(person, '', {})).rejects.toMatchObject({ status: 503 });
});
