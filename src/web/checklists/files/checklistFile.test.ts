import { expect, test } from 'vitest';
import type { Checklist, Section } from '#shared/checklists.ts';
import { readChecklistFile, writeChecklistFile } from './checklistFile.ts';

const section = (title: string, more: Partial<Section> = {}): Section => ({
  title,
  type: 'na',
  required: true,
  ...more,
});
const audit = { urgent: true, days: 0, assignees: { 'Lido Beach': 'huw.parry' } };
const checklist: Checklist = {
  id: 'x',
  version: 7,
  title: 'Pool: daily / weekly',
  sections: [
    section('Gate shut?', { heading: 'Outside', onFail: { when: 'No', photo: 'required', audit } }),
    section('pH', { type: 'text', number: { unit: '', min: 7.2, max: 7.6 } }),
  ],
};
const write = (content: unknown) => JSON.stringify(content);
const errorsOf = (text: string) => {
  const read = readChecklistFile(text);
  return 'errors' in read ? read.errors : [];
};

test('a checklist that was saved as a file is read as it was, without the people of its audits', () => {
  const { name, bytes } = writeChecklistFile(checklist);
  expect(name).toBe('Pool  daily   weekly.json');
  const text = new TextDecoder().decode(bytes);
  expect(JSON.parse(text)).toMatchObject({ version: 1, title: checklist.title });
  expect(Object.keys(JSON.parse(text))).not.toContain('id');
  expect(text).not.toContain('huw.parry');
  const { title, sections } = structuredClone(checklist);
  if (sections[0]?.onFail?.audit) sections[0].onFail.audit.assignees = {};
  expect(readChecklistFile(`\uFEFF${text}`)).toEqual({ checklist: { title, sections } });
});

test.each([
  ['no JSON', 'title,type', 'This file is not a checklist: it is not JSON.'],
  ['other JSON', '[]', 'This file is not a checklist that was saved as a file.'],
  [
    'no version',
    write({ title: 'x', sections: [] }),
    'This file has no version. Add "version": 1 if it is a checklist.',
  ],
  [
    'a later version',
    write({ version: 2, title: 'x', sections: [] }),
    'This file was saved by a later version of this application. It can be read after the next update.',
  ],
  ['no title', write({ version: 1, title: '', sections: [section('x')] }), 'Give the checklist a title'],
  ['no questions', write({ version: 1, title: 'x', sections: [] }), 'Add at least one section'],
  [
    'a type that is not known',
    write({ version: 1, title: 'x', sections: [section('x'), { ...section('Gate shut?'), type: 'slider' }] }),
    'Question 2, “Gate shut?”: Choose a type',
  ],
  [
    'a question without a title',
    write({ version: 1, title: 'x', sections: [section('')] }),
    'Question 1: Give the section a title',
  ],
  ['far too much', 'x'.repeat(300_000), 'This file is too large for a checklist.'],
])('a file with %s is refused', (_, text, message) => expect(errorsOf(text)).toEqual([message]));

test('each question with an error is named, but not hundreds', () => {
  const sections = Array.from({ length: 100 }, (_, at) => ({ ...section(`Question ${at}`), required: 'maybe' }));
  const errors = errorsOf(write({ version: 1, title: 'x', sections }));
  expect(errors).toHaveLength(20);
  expect(errors[1]).toBe('Question 2, “Question 1”: Say whether an answer is required');
});
