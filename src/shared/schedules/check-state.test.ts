import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { assignSubmissions, type CheckSubmission, getFilledInAt } from './check-state.ts';

// Checks from 06:00 to 10:00, 12:00 to 14:00 and 22:00 to 02:00 in the parks, in summer time.
const on = (time: string, day = '2026-06-01') => `${day}T${time}:00.000Z`;
const morning = { id: 'morning', opensAt: on('05:00'), closesAt: on('09:00') };
const noon = { id: 'noon', opensAt: on('11:00'), closesAt: on('13:00') };
const night = { id: 'night', opensAt: on('21:00'), closesAt: on('01:00', '2026-06-02') };
const checks = [night, noon, morning];

const sent = (receivedAt: string, rest: Partial<CheckSubmission> = {}): CheckSubmission => ({
  id: receivedAt,
  receivedAt,
  ...rest,
});
/** Returns the id of the check that each of these submissions answers. */
const listAnswered = (submissions: CheckSubmission[], of = checks) => {
  const answers = assignSubmissions(of, submissions);
  return submissions.map(({ id }) => [...answers].find(([, answer]) => answer.id === id)?.[0]);
};

describe('a submission', () => {
  test('a submission answers the check whose window it falls into, and no other', () => {
    expect(listAnswered([sent(on('05:00'))])).toEqual(['morning']);
    expect(listAnswered([sent(on('08:59'))])).toEqual(['morning']);
    expect(listAnswered([sent(on('11:30'))])).toEqual(['noon']);
    expect(listAnswered([sent(on('00:30', '2026-06-02'))])).toEqual(['night']);
  });

  test('a second submission in a window answers nothing', () => {
    expect(listAnswered([sent(on('11:30')), sent(on('11:31'))])).toEqual(['noon', undefined]);
  });

  test('a submission between windows answers the last check before it that nobody answered', () => {
    expect(listAnswered([sent(on('10:00'))])).toEqual(['morning']);
    expect(listAnswered([sent(on('14:00')), sent(on('14:01')), sent(on('14:02'))])).toEqual([
      'noon',
      'morning',
      undefined,
    ]);
    expect(listAnswered([sent(on('04:59'))])).toEqual([undefined]);
  });

  test('a late submission counts until the end of the day on which the window closed', () => {
    expect(listAnswered([sent(on('20:59'))], [noon])).toEqual(['noon']);
    expect(listAnswered([sent(on('22:59'))], [noon])).toEqual(['noon']);
    expect(listAnswered([sent(on('23:00'))], [noon])).toEqual([undefined]);
    expect(listAnswered([sent(on('22:59', '2026-06-02'))])).toEqual(['night']);
    expect(listAnswered([sent(on('23:00', '2026-06-02'))])).toEqual([undefined]);
    const untilMidnight = { id: 'day', opensAt: on('05:00'), closesAt: on('23:00') };
    expect(listAnswered([sent(on('23:30'))], [untilMidnight])).toEqual([undefined]);
  });

  test('the first submission answers the one of two overlapping windows that closes first', () => {
    const day = { id: 'day', opensAt: on('05:00'), closesAt: on('20:00') };
    expect(listAnswered([sent(on('06:00')), sent(on('07:00'))], [day, morning])).toEqual(['morning', 'day']);
  });

  test('a check that was answered before is not answered again', () => {
    const answered = { ...noon, isAnswered: true };
    expect(listAnswered([sent(on('11:30'))], [morning, answered])).toEqual([undefined]);
    expect(listAnswered([sent(on('14:00'))], [morning, answered])).toEqual(['morning']);
  });

  test('the first submission filled in answers a check, even if it was received last', () => {
    const offline = sent(on('16:00'), { capturedAt: on('08:00') });
    expect(listAnswered([sent(on('08:30')), offline], [morning])).toEqual([undefined, 'morning']);
  });

  test("a submission counts by its time of receipt if the device's clock is a day behind or ahead", () => {
    expect(getFilledInAt({ receivedAt: on('08:00', '2026-06-02'), capturedAt: on('08:00') })).toBe(on('08:00'));
    expect(getFilledInAt({ receivedAt: on('08:01', '2026-06-02'), capturedAt: on('08:00') })).toBe(
      on('08:01', '2026-06-02'),
    );
    expect(getFilledInAt({ receivedAt: on('08:00'), capturedAt: on('08:01') })).toBe(on('08:00'));
  });

  test('a submission answers at most one check, never before its window opens, and changes no earlier answer', () => {
    const instant = fc
      .integer({ min: Date.parse(on('00:00')), max: Date.parse(on('00:00', '2026-06-04')) })
      .map((ms) => new Date(ms).toISOString());
    fc.assert(
      fc.property(fc.uniqueArray(instant, { maxLength: 12 }), (instants) => {
        const submissions = instants.toSorted().map((at) => sent(at));
        const answers = assignSubmissions(checks, submissions);
        expect(new Set([...answers.values()].map(({ id }) => id)).size).toBe(answers.size);
        for (const { id, opensAt } of checks) expect((answers.get(id)?.id ?? opensAt) >= opensAt).toBe(true);
        for (const [check, { id }] of assignSubmissions(checks, submissions.slice(0, -1)))
          expect(answers.get(check)?.id).toBe(id);
      }),
    );
  });
});
