import { createHash, randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { fixture, newReport, upload, uploadPhoto } from '../testing/factories.ts';
import { engines } from '../testing/server.ts';
import { createTestServer } from '../testing/test-server.ts';
import { createReportPdf } from './pdf.ts';

describe.each(engines)('reports on %s', (engine) => {
  const { server, staff } = createTestServer(engine);
  const reviewer = server.user('Health & Safety Manager');

  test('a submitted report is listed with all its fields', async () => {
    const photos = await Promise.all(
      ['phone-iphone-hdr.jpg', 'orientation-landscape-6.jpg'].map(async (name) => ({
        path: await upload(staff, fixture(`photos/${name}`), name),
        name,
      })),
    );
    const sent = await newReport(staff, { mediaFiles: photos, name: 'Llŷr Ŵyn', reporter: '山田 太郎' });
    const { id, number } = await staff(api.submitAccident, { body: sent });
    expect(number).toMatch(/^ACC-\d{4}-0001$/);
    const [listed] = await reviewer(api.listReports);
    expect(listed).toMatchObject({
      ...sent,
      id,
      number,
      reportType: 'accident',
      created_by: staff.username,
      mediaFiles: photos.map((photo) => ({ ...photo, type: 'image/jpeg', storageType: 'server' })),
    });
    const pdf = await reviewer(api.getReportPdf, { params: { id } });
    expect(Buffer.from(pdf).subarray(0, 5).toString()).toBe('%PDF-');
  });

  test('a report sent twice with one idempotency key is recorded once', async () => {
    const body = await newReport(staff);
    const key = randomUUID();
    const replies = await Promise.all(Array.from({ length: 10 }, () => staff(api.submitIncident, { body, key })));
    expect(new Set(replies.map((reply) => reply.id)).size).toBe(1);
    const listed = await reviewer(api.listReports, { query: { reportType: 'incident' } });
    expect(listed.filter((report) => report.id === replies[0]?.id)).toHaveLength(1);
  });

  test('an idempotency key used again for another report is rejected', async () => {
    const key = randomUUID();
    await staff(api.submitIncident, { body: await newReport(staff), key });
    await expect(staff(api.submitIncident, { body: await newReport(staff), key })).rejects.toMatchObject({
      status: 422,
    });
  });

  test("a report with another user's photo is rejected", async () => {
    const other = await server.as('None');
    const body = await newReport(staff, { mediaFiles: [{ path: await uploadPhoto(other), name: 'x' }] });
    await expect(staff(api.submitAccident, { body })).rejects.toMatchObject({ status: 409, code: 'FILE_USED' });
  });

  test('a report search finds any part of a name, ignoring case and accents', async () => {
    const { id } = await staff(api.submitAccident, { body: await newReport(staff, { name: 'Gwenllïan ap Rhŷs' }) });
    for (const q of ['GWENLLIAN', 'nlli', 'rhys gwen', 'ap'])
      expect((await reviewer(api.listReports, { query: { q, limit: 500 } })).map((report) => report.id)).toContain(id);
    expect(await reviewer(api.listReports, { query: { q: 'no such person', limit: 500 } })).toEqual([]);
  });

  test("a signature by someone else is shown with the signer's name in the list, the details and the PDF", async () => {
    const affectedUserSignedBy = { name: 'Mary Barker', capacity: 'Parent or guardian' as const, reason: '' };
    const body = { ...(await newReport(staff, { name: 'Ellie Barker' })), affectedUserSignedBy };
    const { id } = await staff(api.submitAccident, { body });
    const report = await reviewer(api.getReport, { params: { id } });
    expect(report.affectedUserSignedBy).toEqual(affectedUserSignedBy);
    expect((await reviewer(api.listReports, { query: { limit: 1 } }))[0]?.affectedUserSignedBy).toEqual(
      affectedUserSignedBy,
    );
    const { document } = createReportPdf(report, new Date(), {
      riddor: { state: 'notAssessed', words: 'Not assessed', isUrgent: false },
      parts: [],
    });
    const signed = document.parts.find((part) => part.kind === 'signatures');
    expect(signed?.signatures[1]).toMatchObject({
      name: 'Mary Barker',
      role: 'Affected party. Signed for Ellie Barker, as parent or guardian',
    });
  });

  test('a signature by someone else without a required reason is rejected with an error at the field', async () => {
    const affectedUserSignedBy = { name: 'Tom', capacity: 'Could not sign' as const };
    const body = { ...(await newReport(staff)), affectedUserSignedBy };
    await expect(staff(api.submitAccident, { body })).rejects.toMatchObject({
      status: 400,
      fields: { 'affectedUserSignedBy.reason': 'Enter why they could not sign' },
    });
  });

  test('staff can neither list nor open reports', async () => {
    await expect(staff(api.listReports)).rejects.toMatchObject({ status: 403 });
  });

  test("the list of a user's own reports contains no personal data", async () => {
    const lidoUser = await server.as('None', 'Lido Beach');
    const { number, photos, signatures } = await lidoUser(api.submitIncident, { body: await newReport(lidoUser) });
    expect([photos, signatures]).toEqual([1, 2]);
    await staff(api.submitAccident, { body: await newReport(staff) });
    const listed = await lidoUser(api.listMyReports);
    expect(listed).toEqual([
      {
        number,
        reportType: 'incident',
        selectedPlace: 'Lido Beach',
        date: '2026-03-14',
        created_at: expect.stringMatching(/Z$/),
        photos: 1,
        signatures: 2,
      },
    ]);
    const [report] = await reviewer(api.listReports, { query: { q: number } });
    await reviewer(api.deleteReport, { params: { id: report?.id ?? '' } });
    expect(await lidoUser(api.listMyReports)).toEqual([]);
  });

  test('the name of the person who completed the last report is remembered for each account', async () => {
    const lidoUser = await server.as('None', 'Lido Beach');
    expect(await lidoUser(api.getLastReporter)).toEqual({ name: '' });
    for (const reporter of ['Huw Parry', 'Siân Hughes'])
      await lidoUser(api.submitAccident, { body: { ...(await newReport(lidoUser)), reporter } });
    expect(await lidoUser(api.getLastReporter)).toEqual({ name: 'Siân Hughes' });
  });

  test("a report whose photo differs from the one the device sent is rejected with the photo's path", async () => {
    const bytes = fixture('photos/phone-jolla.jpg');
    const body = await newReport(staff);
    const path = await upload(staff, bytes, 'pool.jpg');
    const createBodyWithHash = (sha256: string) => ({
      ...body,
      mediaFiles: [...body.mediaFiles, { path, name: 'pool.jpg', sha256 }],
    });
    const wrong = staff(api.submitAccident, { body: createBodyWithHash('0'.repeat(64)) });
    await expect(wrong).rejects.toMatchObject({ status: 409, code: 'FILE_DIFFERENT', body: { file: path } });
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    expect(await staff(api.submitAccident, { body: createBodyWithHash(sha256) })).toMatchObject({
      photos: 2,
      signatures: 2,
    });
  });

  test("a report whose photo is missing is rejected with the photo's path", async () => {
    const missingPath = '/uploads/2026/03/aaaaaaaaaaaaaaaaaaaaaaaaaa.jpg';
    const body = await newReport(staff, { mediaFiles: [{ path: missingPath }] });
    const rejection = staff(api.submitAccident, { body });
    await expect(rejection).rejects.toMatchObject({ status: 409, code: 'FILE_USED', body: { file: missingPath } });
  });

  test("the time when a report was filled in is stored unless the device's clock is ahead", async () => {
    const captured = async (capturedAt: string) => {
      const { id } = await staff(api.submitAccident, { body: await newReport(staff, { capturedAt }) });
      return (await reviewer(api.getReport, { params: { id } })).captured_at;
    };
    expect(await captured('2026-03-14T14:02:00+01:00')).toBe('2026-03-14T13:02:00.000Z');
    expect(await captured('2999-03-14T14:02:00Z')).toBe(null);
    const unexpectedUpload = staff(api.submitAccident, { body: await newReport(staff, { capturedAt: 'yesterday' }) });
    await expect(unexpectedUpload).rejects.toMatchObject({ status: 400, fields: { capturedAt: expect.any(String) } });
  });
});
