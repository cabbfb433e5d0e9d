import { execFileSync } from 'node:child_process';
import { afterAll, expect, test } from 'vitest';
import type { Report } from '#shared/reports.ts';
import { createPdfRenderer } from '../pdf/render.ts';
import { fixture, reportWith, signaturePng } from '../testing/factories.ts';
import { createReportPdf } from './pdf.ts';

const accessible = createPdfRenderer({ operatorName: 'Holiday Parks', standard: 'ua-1' });
const archival = createPdfRenderer({ operatorName: 'Holiday Parks' });
afterAll(() => Promise.all([archival.close(), accessible.close()]));

const photo = fixture('photos/gps-DSCN0010.jpg');
const images = { a: photo, b: fixture('photos/orientation-portrait-6.jpg'), s: await signaturePng() };
const report = {
  ...reportWith('a', 's', 's'),
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
      riddor: 'Not assessed. If reportable, due by 24/03/2026',
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
  // Longer details make the photos lower, as long as they can still be made out.
  const words = 'Slipped on the wet step at the shallow end while getting out of the pool. ';
  const longer = create({
    details: `${words.repeat(12)}\n\n${words}`,
    location: 'Plot 12, beside the path to the pool',
  });
  expect(countPages((await archival.render(longer, images)).pdf)).toBe(1);
  const longest = create({ details: words.repeat(40) });
  expect(countPages((await archival.render(longest, images)).pdf)).toBe(2);
  // A screen reader reads the fields that stand side by side, too.
  expect((await accessible.render(document, images)).level).toBe('ua-1');
});
