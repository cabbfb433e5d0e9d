import { execFileSync } from 'node:child_process';
import { afterAll, expect, test } from 'vitest';
import type { Report } from '#shared/reports/reports.ts';
import { createPdfRenderer } from '../pdf/render.ts';
import { createReportBody, fixture, signaturePng } from '../testing/factories.ts';
import { createReportPdf } from './pdf.ts';

const accessibleRenderer = createPdfRenderer({ operatorName: 'Holiday Parks', standard: 'ua-1' });
const archival = createPdfRenderer({ operatorName: 'Holiday Parks' });
afterAll(() => Promise.all([archival.close(), accessibleRenderer.close()]));

const photo = fixture('photos/gps-DSCN0010.jpg');
const images = { a: photo, b: fixture('photos/orientation-portrait-6.jpg'), s: await signaturePng() };
const report = {
  ...createReportBody('a', 's', 's'),
  mediaFiles: [{ path: 'a' }, { path: 'b' }],
  affectedUserSignedBy: { name: 'Mary Barker', capacity: 'Parent or guardian', reason: '' },
  details: `${'Slipped on the wet step at the shallow end while getting out of the pool. '.repeat(6)}\n\nThe step was dried.`,
  number: 'ACC-2026-0013',
  reportType: 'accident',
  created_at: '2026-03-14T16:31:00Z',
  created_by: 'sian',
  captured_at: '2026-03-14T14:31:00Z',
} as unknown as Report;

test('a report with two photos fits one page, signatures included', async () => {
  const create = (changes: Partial<Report>) =>
    createReportPdf({ ...report, ...changes }, new Date('2026-03-15T09:00:00Z'), {
      riddor: { state: 'notAssessed', words: 'Not assessed. If reportable, due by 24/03/2026', isUrgent: true },
      parts: [],
    }).document;
  const document = create({});
  const { pdf, level } = await archival.render(document, images);
  expect(level).toBe('a-2a');
  const countPages = (pdf: Buffer) =>
    Number(
      /Pages:\s+(\d+)/.exec(
        execFileSync('pdfinfo', ['-'], { input: pdf, encoding: 'utf8', stdio: ['pipe', 'pipe', 'ignore'] }),
      )?.[1],
    );
  expect(countPages(pdf)).toBe(1);
  // Longer details leave less height for photos, down to a minimum.
  const words = 'Slipped on the wet step at the shallow end while getting out of the pool. ';
  const longerReport = create({
    details: `${words.repeat(12)}\n\n${words}`,
    location: 'Plot 12, beside the path to the pool',
  });
  expect(countPages((await archival.render(longerReport, images)).pdf)).toBe(1);
  const longest = create({ details: words.repeat(40) });
  expect(countPages((await archival.render(longest, images)).pdf)).toBe(2);
  // Fields side by side are tagged for screen readers too: PDF/UA-1 fails without the tags.
  expect((await accessibleRenderer.render(document, images)).level).toBe('ua-1');
});

test('each RIDDOR state has its own symbol beside its text', async () => {
  const states = [
    { state: 'overdue', words: 'Overdue by 2 days. Report it now', isUrgent: true },
    { state: 'due', words: 'Report by 24/03/2026, 9 days left', isUrgent: false },
    { state: 'reported', words: 'Reported 15/03/2026, HSE ref 1', isUrgent: false },
    { state: 'notReportable', words: 'Not reportable: a bruise', isUrgent: false },
  ] as const;
  const marks = states.map((riddor) => {
    const [fields] = createReportPdf(report, new Date(), { riddor, parts: [] }).document.parts;
    return fields?.kind === 'fields' ? fields.rows.find(({ label }) => label === 'RIDDOR')?.mark : undefined;
  });
  expect(marks).toEqual(['urgent', 'waiting', 'done', 'none']);
  const rows = states.map(({ words }, index) => ({ label: 'RIDDOR', value: words, mark: marks[index] ?? 'none' }));
  const document = { title: 'Marks', number: '1', madeAt: new Date(), parts: [{ kind: 'fields' as const, rows }] };
  expect((await accessibleRenderer.render(document, {})).level).toBe('ua-1');
});
