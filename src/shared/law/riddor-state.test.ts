import { describe, expect, test } from 'vitest';
import { addDays } from '../calendar.ts';
import { getToday } from '../dates.ts';
import type { Duty, Result } from './evaluate.ts';
import { type Assessed, getDuty, getRiddorState, type Notice } from './riddor-state.ts';

const duty = (change: Partial<Duty> = {}): Duty => ({
  id: 'SPECIFIED#1',
  rule: 'SPECIFIED',
  regulation: '4(1)',
  person: 1,
  notify: 'withoutDelay',
  dueOn: '2026-03-11',
  responsible: 'us',
  authority: 'park',
  ...change,
});
const createResult = (change: Partial<Result> = {}): Result => {
  const { duties = [duty()], openDuties = [] } = change;
  return {
    outcome: duties.length > 0 ? 'reportable' : openDuties.length > 0 ? 'undecided' : 'notReportable',
    regulation: ['4(1)'],
    open: openDuties.map(({ regulation }) => regulation),
    deadline: null,
    responsible: ['us'],
    record: false,
    duties,
    openDuties,
    records: [],
    settled: [],
    watchFrom: null,
    ...change,
  };
};
const getStateOn = (day: string, assessed: Partial<Assessed> | null) =>
  getRiddorState({
    accidentOn: '2026-03-01',
    filedOn: '2026-03-01',
    today: day,
    assessed: assessed && {
      result: createResult(),
      decision: null,
      reason: null,
      notices: [],
      openQuestions: [],
      firm: null,
      ...assessed,
    },
  });
const notice = (change: Partial<Notice>): Notice => ({
  duties: ['SPECIFIED#1'],
  how: 'telephone',
  on: '2026-03-02',
  hseReference: null,
  ...change,
});

describe('the RIDDOR state of a report', () => {
  test('an unassessed report is urgent from the day after submission', () => {
    expect(getStateOn('2026-03-01', null)).toMatchObject({
      state: 'notAssessed',
      words: 'Not assessed. If reportable, due by 11/03/2026',
      isUrgent: false,
    });
    expect(getStateOn('2026-03-02', null).isUrgent).toBe(true);
  });

  test('the state of a report goes from telling HSE at once to due, overdue and reported', () => {
    expect(getStateOn('2026-03-02', {})).toMatchObject({
      state: 'tellNow',
      words: 'Tell HSE now; report by 11/03/2026',
    });
    const toldNotices = [notice({})];
    expect(getStateOn('2026-03-07', { notices: toldNotices })).toMatchObject({
      words: 'Report by 11/03/2026, 4 days left',
    });
    expect(getStateOn('2026-03-10', { notices: toldNotices })).toMatchObject({
      words: 'Report by 11/03/2026, 1 day left',
    });
    expect(getStateOn('2026-03-11', { notices: toldNotices })).toMatchObject({ words: 'Report by 11/03/2026, today' });
    expect(getStateOn('2026-03-13', { notices: toldNotices })).toMatchObject({
      state: 'overdue',
      words: 'Overdue by 2 days. Report it now',
      daysOver: 2,
    });
    const reportedNotices = [...toldNotices, notice({ how: 'online', on: '2026-03-04', hseReference: 'ABC123' })];
    expect(getStateOn('2026-03-13', { notices: reportedNotices })).toMatchObject({
      state: 'reported',
      words: 'Reported 04/03/2026, HSE ref ABC123',
      dueOn: null,
    });
  });

  test('the due day of a report is the earliest of all unfulfilled duties and open rules', () => {
    const lateDuty = duty({ id: 'OVER_7#1', regulation: '4(2)', notify: null, dueOn: '2026-03-16' });
    const result = createResult({ duties: [lateDuty], openDuties: [duty()] });
    expect(getStateOn('2026-03-02', { result })).toMatchObject({ state: 'due', dueOn: '2026-03-11' });
    const both = createResult({ duties: [duty(), lateDuty] });
    const first = [notice({ how: 'online' })];
    expect(getStateOn('2026-03-12', { result: both, notices: first })).toMatchObject({
      state: 'due',
      dueOn: '2026-03-16',
    });
  });

  test('an undecided result names its open questions and is never shown as complete', () => {
    const result = createResult({ duties: [], openDuties: [duty()] });
    expect(getStateOn('2026-03-02', { result, openQuestions: ['X-ray', 'road', 'gas'] }).words).toBe(
      'To decide: X-ray, road and 1 more; due by 11/03/2026 if reportable',
    );
    expect(getStateOn('2026-03-12', { result, openQuestions: ['road'] })).toMatchObject({
      ...{ state: 'overdue', isUrgent: true, daysOver: 1 },
      words: 'Overdue by 1 day if reportable. To decide: road',
    });
  });

  test('the manager is asked about an ongoing absence from day 6', () => {
    const result = createResult({ duties: [], openDuties: [duty({ dueOn: '2026-03-16' })], watchFrom: '2026-03-09' });
    expect(getStateOn('2026-03-06', { result }).words).toBe('Reportable on 09/03 if still off');
    expect(getStateOn('2026-03-07', { result }).words).toBe('Reportable on 09/03 if still off. Still off today?');
    expect(getStateOn('2026-03-10', { result }).words).toBe('Reportable since 09/03 if still off. Still off today?');
    expect(getStateOn('2026-03-18', { result })).toMatchObject({
      ...{ state: 'overdue', words: 'Overdue by 2 days if still off. Still off today?' },
    });
  });

  test('a duty of another firm is shown as another firm’s', () => {
    const result = createResult({ duties: [duty({ responsible: 'employer' })] });
    expect(getStateOn('2026-03-02', { result, firm: 'Bryn Roofing' }).words).toBe(
      'For Bryn Roofing to report. Tell them today',
    );
    expect(getStateOn('2026-03-13', { result })).toMatchObject({
      ...{ state: 'overdue', words: 'Overdue by 2 days. For another firm to report. Tell them today' },
    });
    const notices = [notice({ how: 'toldThem' })];
    expect(getStateOn('2026-04-02', { result, firm: 'Bryn Roofing', notices })).toMatchObject({
      state: 'theirs',
      words: 'For Bryn Roofing to report. Told 02/03',
      dueOn: null,
    });
  });

  test('telling another firm does not fulfil our own duty', () => {
    expect(getStateOn('2026-03-02', { notices: [notice({ how: 'toldThem' })] }).state).not.toBe('theirs');
  });

  test('telling another firm leaves our own deadline running', () => {
    const notices = [notice({ how: 'toldThem' })];
    expect(getStateOn('2026-03-12', { notices })).toMatchObject({ state: 'overdue', dueOn: '2026-03-11', daysOver: 1 });
  });

  test('the notice to HSE recorded last corrects those before it, even if it has an earlier day', () => {
    const wrong = notice({ how: 'online', on: '2026-03-05', hseReference: 'WRONG' });
    for (const on of ['2026-03-04', '2026-03-05', '2026-03-06']) {
      const notices = [wrong, notice({ how: 'online', on, hseReference: 'RIGHT' })];
      expect(getStateOn('2026-03-07', { notices }).words).toMatch(/^Reported 0[456].03.2026, HSE ref RIGHT$/);
    }
  });

  test('a report is counted as overdue if and only if its text says so', () => {
    const open = createResult({ duties: [], openDuties: [duty()] });
    const results = [
      ...[createResult(), open, { ...open, watchFrom: '2026-03-09' }, createResult({ duties: [] })],
      createResult({ duties: [duty({ responsible: 'employer' })] }),
    ];
    for (const result of results)
      for (const day of ['2026-03-02', '2026-03-10', '2026-03-11', '2026-03-12', '2026-03-20']) {
        const state = getStateOn(day, { result });
        expect([state, getDuty(state) === 'overdue']).toEqual([state, /^Overdue/.test(state.words)]);
        expect([state, (state.daysOver ?? 0) > 0]).toEqual([state, state.state === 'overdue']);
      }
  });

  test("the state of a report shows the manager's decision and reason", () => {
    expect(getStateOn('2026-03-20', { decision: 'notReportable', reason: 'No fracture on the X-ray' })).toMatchObject({
      state: 'notReportable',
      words: 'Not reportable: No fracture on the X-ray',
    });
    const result = createResult({ duties: [], openDuties: [] });
    expect(getStateOn('2026-03-02', { result, decision: 'reportable', reason: 'To be safe' })).toMatchObject({
      state: 'due',
      dueOn: '2026-03-11',
    });
  });

  /** The last Sunday of March and of October. */
  const clockChangeNights = [2026, 2027, 2028, 2029, 2030, 2031, 2032].flatMap((year) =>
    [3, 10].map((month) => {
      const last = new Date(Date.UTC(year, month - 1, 31));
      const day = addDays(last.toISOString().slice(0, 10), -last.getUTCDay());
      const isSummerTimeAtMidnight = month === 10;
      const midnight = Date.parse(`${day}T00:00:00Z`) - (isSummerTimeAtMidnight ? 3_600_000 : 0);
      const at = (minutes: number) => new Date(midnight + minutes * 60_000).toISOString();
      return [day, at(-1), at(1)] as const;
    }),
  );
  test.each(clockChangeNights)(
    'a report becomes overdue at midnight in the parks, on the clock change of %s',
    (day, before, after) => {
      const due = createResult({ duties: [duty({ dueOn: addDays(day, -1) })] });
      const state = (instant: string) =>
        getStateOn(getToday(new Date(instant)), { result: due, notices: [notice({})] }).state;
      expect([state(before), state(after)]).toEqual(['due', 'overdue']);
    },
  );
});
