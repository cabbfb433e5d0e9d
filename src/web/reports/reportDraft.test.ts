import 'fake-indexeddb/auto';
import { beforeEach, expect, test, vi } from 'vitest';
import { insertItem } from '../outbox/items.ts';
import {
  completeReportDraft,
  createReportDraft,
  createReportSubmission,
  createSignatureFile,
  readReportSubmission,
} from './reportDraft.ts';
import { variants } from './variants.ts';

beforeEach(() => {
  const stored = new Map([['reporter-sian', 'Siân Owen']]);
  vi.stubGlobal('localStorage', { getItem: (key: string) => stored.get(key) ?? null });
});

const user = { id: 'sian', username: 'sian', park: 'Lido Beach' } as const;
const photo = (id: string) => ({
  id,
  name: `${id}.jpg`,
  file: new File([`bytes of ${id}`], `${id}.jpg`),
});
const signature = (whose: string) => createSignatureFile(whose, { png: new Blob([whose]) });

/** A complete draft with two photos and both signatures. */
function createDraft() {
  const draft = createReportDraft(user);
  const values = {
    ...draft.values,
    name: 'Ellie',
    age: '34',
    type: 'Slip',
    details: `On the\nwet ${'step '.repeat(30)}`,
  };
  const affectedSignature = signature('affected');
  const signedBy = { name: 'Mary', capacity: 'Parent or guardian' as const, reason: '' };
  return {
    ...draft,
    values,
    photos: [photo('one'), photo('two')],
    signature: signature('reporter'),
    affectedUserSignature: affectedSignature && { ...affectedSignature, signedBy },
  };
}

test("a new report draft has the user's park, the last reporter and today's date, but no time", () => {
  const { values } = createReportDraft(user);
  expect(values).toMatchObject({ selectedPlace: 'Lido Beach', reporter: 'Siân Owen', time: '', details: '' });
  expect(values.date).toMatch(/^\d{4}-\d\d-\d\d$/);
});

test('a draft that was stored before a field was added has that field, empty', () => {
  const { values } = createDraft();
  const { details, ...storedValues } = values;
  const completed = completeReportDraft(user, { values: storedValues as typeof values });
  expect(completed.values).toEqual({ ...values, details: '' });
});

test("a submitted report contains its form, the typed values, the files in order and the signer's name", () => {
  const submission = createReportSubmission(variants.standaloneAccident, createDraft(), user, 'one');
  expect(submission).toMatchObject({
    userId: 'sian',
    kind: 'accident',
    form: 'standalone-accident',
    address: '/accidentreporting',
    park: 'Lido Beach',
    body: { name: 'Ellie', age: 34, affectedUserSignedBy: { name: 'Mary' } },
  });
  expect(submission.title).toMatch(/^Slip: On the wet step/);
  expect(submission.title).toHaveLength(80);
  expect(submission.files.map(({ slot }) => slot)).toEqual(['photo', 'photo', 'signature', 'affectedUserSignature']);
});

test('a rejected report opens in its form with the input as typed', async () => {
  const draft = createDraft();
  const submission = createReportSubmission(variants.accident, draft, user, 'one');
  const { item } = await insertItem({ ...submission, createdAt: 1, capturedAt: '2026-03-14T14:05:00Z' });
  const read = await readReportSubmission(item);
  expect(read.values).toEqual(draft.values);
  expect(await Promise.all(read.photos.map(({ file }) => file.text()))).toEqual(['bytes of one', 'bytes of two']);
  expect(await read.signature?.png.text()).toBe('reporter');
  expect(read.affectedUserSignature?.signedBy).toMatchObject({ name: 'Mary' });
});
