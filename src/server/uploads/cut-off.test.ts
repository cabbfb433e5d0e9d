import { describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { addCutOffMark } from '#shared/cut-off.ts';
import { readPdfText } from '../testing/documents.ts';
import { fixture, newAudit, newFolder, newReport, photo, upload } from '../testing/factories.ts';
import { engines } from '../testing/server.ts';
import { createTestServer } from '../testing/test-server.ts';

describe.each(engines)('photos that were cut off, on %s', (engine) => {
  const { admin } = createTestServer(engine);

  const readPdf = async (path: string) => readPdfText(Buffer.from(await (await admin.fetch(path)).arrayBuffer()));
  const captions = ['Photo 1 of 3. Cut off while copying', 'Photo 2 of 3. Cut off while copying', 'Photo 3 of 3'];
  /** Uploads a photo without its end, one whose browser says so, and a whole one. */
  const uploadThree = async () => {
    const marked = addCutOffMark(new Blob([new Uint8Array(await photo())]));
    const files = [fixture('copied/cut-off-at-70-percent.jpg'), Buffer.from(await marked.arrayBuffer()), await photo()];
    return Promise.all(files.map(async (bytes) => ({ path: await upload(admin, bytes), name: 'pool.jpg' })));
  };

  test('reports, audits, notes and copies say which photos were cut off, and so do their PDFs', async () => {
    const body = await newReport(admin, { mediaFiles: await uploadThree() });
    const { id } = await admin(api.submitAccident, { body });
    const reports = await admin(api.listReports);
    const media = reports.find((report) => report.id === id)?.mediaFiles ?? [];
    expect(media.map(({ cutOff }) => cutOff)).toEqual([true, true, undefined]);
    expect(Object.keys(media[2] ?? {})).toEqual(['path', 'name', 'type', 'size', 'storageType']);
    for (const caption of captions) expect(await readPdf(`/api/report-pdf/${id}`)).toContain(caption);

    const folder = await newFolder(admin);
    const audit = await admin(api.createAudit, { body: newAudit(folder, { media_files: await uploadThree() }) });
    await admin(api.addAuditNote, { params: audit, body: { text: '', media_files: await uploadThree() } });
    const source = { thing: 'audit', id: audit.id, photos: [] as string[] };
    const stored = (await admin(api.getAudit, { params: audit })).data.media_files;
    expect(stored.map(({ cutOff }) => cutOff)).toEqual([true, true, undefined]);
    const pdf = await readPdf(`/api/audit-pdf/${audit.id}`);
    for (const caption of captions) expect(pdf.split(caption)).toHaveLength(3);

    source.photos = stored.map(({ path }) => path);
    const copy = await admin(api.createAudit, { body: newAudit(folder, { source }) });
    const copied = (await admin(api.getAudit, { params: copy })).data.media_files;
    expect(copied.map(({ cutOff }) => cutOff)).toEqual([true, true, undefined]);
    // What a client sends back is not what decides.
    const changed = { title: 'Tap', data: { media_files: stored.map((file) => ({ ...file, cutOff: true as const })) } };
    const { version } = await admin(api.getAudit, { params: audit });
    await admin(api.updateAudit, { params: audit, body: { ...changed, version } } as never);
    const kept = (await admin(api.getAudit, { params: audit })).data.media_files;
    expect(kept.map(({ cutOff }) => cutOff)).toEqual([true, true, undefined]);
  });

  test('a submitted checklist says which photos of a failing answer were cut off, and so does its PDF', async () => {
    const onFail = { when: 'No' as const };
    const sections = [{ title: 'Is the pool safe?', type: 'na' as const, required: true, onFail }];
    const { id: checklistId } = await admin(api.createChecklist, { body: { title: 'Pool', sections } } as never);
    const failures = { 0: { note: 'Broken tile', mediaFiles: await uploadThree() } };
    const body = { checklistId, park: 'Lido Beach', data: { 0: 'No' }, failures };
    await admin(api.submitChecklist, { body } as never);
    const [submission] = await admin(api.listSubmissions);
    const media = submission?.failures?.[0]?.media_files ?? [];
    expect(media.map(({ cutOff }) => cutOff)).toEqual([true, true, undefined]);
    const pdf = await readPdf(`/api/submission-pdf/${submission?.id}`);
    for (const caption of captions) expect(pdf).toContain(caption);
  });
});
