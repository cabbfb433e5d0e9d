import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import naughty from '../../../fixtures/naughty-strings.json' with { type: 'json' };
import { getToday } from '../dates.ts';
import { isStorable } from '../text.ts';
import { NewReport } from './reports.ts';

const file = (letter: string) => ({ path: `/uploads/2026/01/${letter.repeat(26)}.jpg` });
const png = (letter: string) => ({ path: `/uploads/2026/01/${letter.repeat(26)}.png` });
const report = {
  selectedPlace: 'Lido Beach',
  name: 'Siân',
  age: 34,
  contactNumber: '07700900123',
  reporter: 'Huw',
  date: '2026-03-14',
  time: '14:05',
  type: 'Slip',
  location: 'Plot 12',
  employmentStatus: 'Guest',
  emergencyService: 'None',
  details: 'Slipped.',
  mediaFiles: [file('a')],
  signature: png('b'),
  affectedUserSignature: png('c'),
};
const read = (changes: object) => NewReport.safeParse({ ...report, ...changes });
const messages = (changes: object) =>
  Object.fromEntries((read(changes).error?.issues ?? []).map((issue) => [issue.path.join('.'), issue.message]));

describe('a report', () => {
  test('a valid report is parsed without its unknown fields', () => {
    const extra = { id: 'x', created_by: 'x', number: 'x', role: 'Admin', deletion_id: null };
    expect(Object.keys(NewReport.parse({ ...report, ...extra })).toSorted()).toEqual(Object.keys(report).toSorted());
  });

  test.each(['name', 'reporter', 'type', 'location', 'details'] as const)(
    'a report accepts a naughty string as its %s exactly if it can be stored, is not blank and is not too long',
    (field) => {
      const longest = { name: 120, reporter: 120, type: 120, location: 200, details: 10_000 }[field];
      for (const text of naughty) {
        const { success, data } = read({ [field]: text });
        const kept = (field === 'details' ? text : text.replace(/[\r\n\u2028\u2029]+/g, ' ').trim()).normalize('NFC');
        expect([text, success]).toEqual([text, isStorable(kept) && kept.trim() !== '' && [...kept].length <= longest]);
        if (success) expect(data?.[field]).toBe(kept);
      }
    },
  );

  test.each(Object.keys(report))('a report without its %s is rejected with one message', (field) => {
    expect(Object.keys(messages({ [field]: undefined }))).toEqual([field]);
  });

  test('a report accepts only an age of 0 to 120, as a number or digits', () => {
    for (const age of [0, 120, '0', '007', ' 34 ']) expect(read({ age }).data?.age).toBe(Number(age));
    for (const age of [
      -1,
      121,
      '121',
      '-1',
      1.5,
      '1.5',
      '',
      ' ',
      '1e2',
      '0x1',
      '٣',
      Number.NaN,
      Number.POSITIVE_INFINITY,
      null,
      true,
      [34],
    ])
      expect([age, messages({ age })]).toEqual([age, { age: expect.any(String) }]);
  });

  test('a report accepts only a contact number of exactly 11 digits', () => {
    for (const contactNumber of ['07700900123', ' 07700900123 ', '07700 900 123', '+44 7700 900123'])
      expect(read({ contactNumber }).data?.contactNumber).toBe('07700900123');
    for (const contactNumber of ['0770090012', '077009001234', '+7700900123', '0770 900123', '٠٧٧٠٠٩٠٠١٢٣', 7700900123])
      expect(messages({ contactNumber })).toEqual({ contactNumber: expect.any(String) });
  });

  test('a report rejects a date after today', () => {
    expect(read({ date: getToday(), time: '00:00' }).success).toBe(true);
    const tomorrow = getToday(new Date(Date.now() + 36 * 3_600_000));
    expect(messages({ date: tomorrow })).toEqual({ date: 'The date cannot be in the future' });
    expect(read({ date: '14/03/2026' }).data?.date).toBe('2026-03-14');
  });

  test('a report rejects a time more than 15 minutes ahead, even if another field has an error too', () => {
    vi.useFakeTimers({ now: new Date('2026-07-14T13:00:00Z'), toFake: ['Date'] }); // 14:00 in the parks
    const futureTimeError = { time: 'The time cannot be in the future' };
    expect(messages({ date: '2026-07-14', time: '14:15' })).toEqual({});
    expect(messages({ date: '2026-07-14', time: '14:16' })).toEqual(futureTimeError);
    expect(messages({ date: '2026-07-13', time: '23:59' })).toEqual({});
    expect(messages({ date: '2026-07-14', time: '14:16', name: '' })).toMatchObject(futureTimeError);
    expect(messages({ date: 'incomplete', time: '14:16' })).toEqual({ date: 'Enter a real date: day, month and year' });
    vi.useRealTimers();
  });

  test('a report with a date before 1900 or an invalid signature gets an error that explains it', () => {
    expect(messages({ date: '02/01/1850' })).toEqual({ date: 'Enter a date from 1900 onwards' });
    expect(messages({ affectedUserSignature: {} })).toEqual({
      'affectedUserSignature.path': 'Affected party signature is required',
    });
    expect(messages({ signature: file('b') })).toEqual({ 'signature.path': 'A signature must be a PNG image' });
  });

  test('a report without signatures and photos gets an error for each of them', () => {
    expect(messages({ signature: undefined, affectedUserSignature: null, mediaFiles: [] })).toEqual({
      signature: 'Reporter signature is required',
      affectedUserSignature: 'Affected party signature is required',
      mediaFiles: 'Please upload at least one media file',
    });
  });

  test('any input is parsed as a report without an exception', () => {
    fc.assert(fc.property(fc.anything(), (sent) => void NewReport.safeParse(sent)));
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(report)), fc.anything({ withNullPrototype: true }), (field, sent) => {
        read({ [field]: sent });
      }),
      { numRuns: 500 },
    );
  });
});
