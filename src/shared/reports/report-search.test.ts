import { expect, test } from 'vitest';
import { normaliseReportSearch } from './report-search.ts';

test.each([
  ['22-11-2026', '22/11/2026'],
  ['04.11.2026', '04/11/2026'],
  ['4.11.26 pool', '4/11/26 pool'],
  ['2026-11-04', '04/11/2026'],
  ['+44 7700 900 123', '07700900123'],
  ['+44 (0)7700 900123', '07700900123'],
  ['0044 7700-900-123 slip', '07700900123 slip'],
  ['+44 7700', '07700'],
  ['07700-900-123', '07700900123'],
  ['ACC-2026-0013', 'ACC-2026-0013'],
  ['plot 22-11', 'plot 22-11'],
  ['1.2.3.4', '1.2.3.4'],
  ['22/11 slip', '22/11 slip'],
])('a search for %s looks for %s', (typed, normalised) => {
  expect(normaliseReportSearch(typed)).toBe(normalised);
});
