import { expect, test } from 'vitest';
import { mapReportFields } from '#shared/reports/report-fields.ts';
import { checkReport, summariseErrors } from './checkReport.ts';
import { variants } from './variants.ts';

const values = {
  ...mapReportFields(() => ''),
  selectedPlace: 'Lido Beach',
  name: 'Siân',
  age: '34',
  contactNumber: '07700 900 123',
  reporter: 'Huw',
  date: '2026-03-14',
  time: '14:05',
  type: 'Slip',
  location: 'Plot 12',
  employmentStatus: 'Guest',
  emergencyService: 'None',
  details: 'Slipped.',
};
const empty = Object.fromEntries(Object.keys(values).map((name) => [name, ''])) as typeof values;
const noFiles = { photos: [], signature: null, affectedUserSignature: null };
const png = { png: new File([], 'signature.png') };
const photo = { id: 'a', name: 'pool.jpg', file: new File([], 'pool.jpg') };
const complete = { values, photos: [photo], signature: png, affectedUserSignature: png };

type CheckedDraft = Parameters<typeof checkReport>[0];
const getSummary = (draft: CheckedDraft, variant = variants.accident) =>
  summariseErrors(checkReport(draft, variant), draft, variant);

test('a complete report has no errors', () => {
  expect(checkReport(complete, variants.accident)).toEqual({});
  expect(getSummary(complete)).toBeUndefined();
});

test("a signature gets an error if the signer's name was changed afterwards", () => {
  const signedAs = (name: string) => ({ ...complete, affectedUserSignature: { ...png, signedAs: name } });
  expect(checkReport(signedAs('Ellie Barker'), variants.accident)).toEqual({
    affectedUserSignature: 'The name was changed after signing',
  });
  for (const name of ['siân ', 'S. I-an', '']) expect(checkReport(signedAs(name), variants.accident)).toEqual({});
});

test('the first error of an empty report is about the first field of the form', () => {
  const draft = { values: empty, ...noFiles };
  expect(Object.keys(checkReport(draft, variants.accident))).toHaveLength(15);
  expect(getSummary(draft)).toEqual({ text: 'Please fill in all required fields', hint: 'Start with “Park”.' });
});

test('the error summary names the first field with an error, which also gets the focus', () => {
  const early = { ...complete, values: { ...values, age: '200', details: '' } };
  expect(getSummary(early)).toEqual({ text: 'Age must be 0 to 120', hint: 'Check “Age”.' });
  const named = { ...complete, values: { ...values, name: ' ' } };
  expect(getSummary(named, variants.incident)).toEqual({
    text: 'Please fill in all required fields',
    hint: 'Start with “Involved person”.',
  });
});

test('the error summary names missing photos before missing signatures', () => {
  expect(getSummary({ values, ...noFiles })).toEqual({ text: 'Please upload at least one media file' });
  const signed = { ...complete, signature: null };
  expect(getSummary(signed)).toEqual({ text: 'Reporter signature is required' });
  expect(getSummary(signed, variants.standaloneAccident)).toEqual({ text: 'Your signature is required' });
});

test('the error summary asks for a real date if the date is incomplete, not missing', () => {
  const draft = { ...complete, values: { ...values, date: 'incomplete' } };
  expect(getSummary(draft)).toEqual({ text: 'Enter a real date: day, month and year', hint: 'Check “Date”.' });
});
