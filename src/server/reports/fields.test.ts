import { expect, test } from 'vitest';
import { type ReportFieldName, reportFieldNames, reportFields } from '#shared/reports/report-fields.ts';
import type { Report } from '#shared/reports/reports.ts';
import { getReportSearchText } from '../db/report-search-text.ts';
import { reportColumns } from '../exports/lists.ts';
import { createPdfWithoutNames, createReportPdf } from './pdf.ts';

const values = Object.fromEntries(reportFieldNames.map((name) => [name, `the ${name}`])) as Record<
  ReportFieldName,
  string
>;
const report = { ...values, number: 'ACC-2026-0001', reportType: 'accident', mediaFiles: [] } as unknown as Report;
const riddor = { state: 'notAssessed', words: '', isUrgent: false } as const;
const madeAt = new Date('2026-03-15T09:00:00Z');

test.each(reportFieldNames)('the field "%s" of a report is printed, exported and found', (name) => {
  const { label, kind } = reportFields[name];
  const printed = JSON.stringify(createReportPdf(report, madeAt, { riddor, parts: [] }).document);
  expect(printed).toContain(name === 'name' ? 'Person involved' : label);
  expect(printed).toContain(values[name]);
  const cells = reportColumns.filter(({ heading }) => heading === label).map(({ cell }) => cell(report));
  expect(cells).toEqual([kind === 'date' ? { day: values[name] } : values[name]]);
  expect(getReportSearchText(report).includes(values[name].toLowerCase())).toBe(kind !== 'age');
});

test('a copy without names has only what is chosen from a list, and the day and time', () => {
  const printed = JSON.stringify(createPdfWithoutNames(report, madeAt, ''));
  const shown = reportFieldNames.filter((name) => printed.includes(values[name]));
  expect(shown).toEqual(['selectedPlace', 'date', 'time', 'employmentStatus', 'emergencyService']);
});
