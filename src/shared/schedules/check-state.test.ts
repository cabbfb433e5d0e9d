import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type CheckSubmission, getCheckState, getFilledInAt } from './check-state.ts';

const check = { day: '2026-06-01', opensAt: '2026-06-01T05:00:00.000Z', closesAt: '2026-06-01T09:00:00.000Z' };
const nextOpensAt = '2026-06-02T05:00:00.000Z';
const later = '2026-06-05T00:00:00.000Z';

const on = (time: string, day = '2026-06-01') => `${day}T${time}:00.000Z`;
const sent = (receivedAt: string, rest: Partial<CheckSubmission> = {}): CheckSubmission => ({
  id: 'a',
  receivedAt,
  failures: 0,
  ...rest,
});
const getState = (filledIn: CheckSubmission[], now = later) => getCheckState(check, nextOpensAt, filledIn, now).state;

describe('a scheduled check', () => {
  test('a check is upcoming, due and then missed when nothing is submitted', () => {
    expect(getState([], on('04:59'))).toBe('upcoming');
    expect(getState([], on('05:00'))).toBe('due');
    expect(getState([], on('08:59'))).toBe('due');
    expect(getState([], on('09:00'))).toBe('missed');
  });

  test('a check is done if it is submitted from the moment its window opens until just before it closes', () => {
    expect(getState([sent(on('04:59'))])).toBe('missed');
    expect(getState([sent(on('05:00'))])).toBe('done');
    expect(getState([sent(on('08:59'))])).toBe('done');
    expect(getState([sent(on('09:00'))])).toBe('late');
  });

  test('a check is done with failures when an answer is failing', () => {
    expect(getState([sent(on('06:00'), { failures: 2 })])).toBe('doneWithFailures');
  });

  test('the first submission received decides the state of a check, even if one received later was filled in on time', () => {
    const failing = sent(on('06:00'), { id: 'first', failures: 1 });
    const passingSubmission = sent(on('07:00'), { id: 'second' });
    expect(getCheckState(check, nextOpensAt, [passingSubmission, failing], later)).toMatchObject({
      state: 'doneWithFailures',
      submissionId: 'first',
    });
  });

  test('a check is not fulfilled by a submission in the next window', () => {
    expect(getState([sent(nextOpensAt)])).toBe('missed');
  });

  test('a check was on time when it was filled in within the window and received within a day', () => {
    const offline = sent(on('16:00'), { capturedAt: on('08:00') });
    expect(getCheckState(check, nextOpensAt, [offline], later)).toEqual({
      state: 'done',
      submissionId: 'a',
      isTimeFromDevice: true,
    });
    expect(getState([offline], on('10:00'))).toBe('missed');
  });

  test("a check counts by its time of receipt if the device's clock is a day behind or ahead", () => {
    expect(getFilledInAt({ receivedAt: on('08:00', '2026-06-02'), capturedAt: on('08:00') })).toBe(on('08:00'));
    expect(getFilledInAt({ receivedAt: on('08:01', '2026-06-02'), capturedAt: on('08:00') })).toBe(
      on('08:01', '2026-06-02'),
    );
    expect(getFilledInAt({ receivedAt: on('08:00'), capturedAt: on('08:01') })).toBe(on('08:00'));
  });

  test('a check has one state, and once done on time never becomes missed', () => {
    const instant = fc
      .integer({ min: Date.parse(on('00:00')), max: Date.parse(later) })
      .map((ms) => new Date(ms).toISOString());
    const submission = fc.record({
      id: fc.string(),
      receivedAt: instant,
      capturedAt: fc.option(instant),
      failures: fc.nat(3),
    });
    fc.assert(
      fc.property(fc.array(submission), instant, instant, (filledIn, a, b) => {
        const [earlier, after] = a < b ? [a, b] : [b, a];
        const before = getCheckState(check, nextOpensAt, filledIn, earlier).state;
        const then = getCheckState(check, nextOpensAt, filledIn, after).state;
        if (['done', 'doneWithFailures', 'late'].includes(before))
          expect(['upcoming', 'due', 'missed']).not.toContain(then);
        if (before === 'missed') expect(['upcoming', 'due']).not.toContain(then);
      }),
    );
  });
});
