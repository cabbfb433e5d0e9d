import { expect, test } from 'vitest';
import type { ScheduleRule } from './expand-schedule.ts';
import { type CheckAgain, getReadiness, type JudgedSubmission, type OpeningSchedule } from './readiness.ts';

// Every day from 06:00 to 10:00 in the parks, in summer time.
const rule: ScheduleRule = {
  repeat: 'daily',
  windows: [{ opensAt: '06:00', closesAt: '10:00' }],
  startsOn: '2026-01-01',
};
const on = (time: string, day = '2026-06-01') => `${day}T${time}:00.000Z`;
const opened = { opensAt: on('05:00'), closesAt: on('09:00') };

let arrival = 0;
const sent = (receivedAt: string, rest: Partial<JudgedSubmission> = {}): JudgedSubmission => ({
  ...{ id: receivedAt, arrival: ++arrival, receivedAt, filledInAt: receivedAt, hasPassed: true, failures: 0 },
  ...rest,
});
const failed = { hasPassed: false, failures: 1 };
const again = (rest: Partial<CheckAgain> = {}): CheckAgain => ({
  ...{ checklistId: 'pool', arrival, at: on('07:30'), what: 'CHK-1 was deleted' },
  ...rest,
});

type Facts = {
  submissions?: JudgedSubmission[];
  schedule?: Partial<OpeningSchedule>;
  others?: OpeningSchedule[];
  again?: CheckAgain[];
  closed?: string[];
};
const judge = (now: string, { submissions = [], schedule = {}, others = [], again = [], closed = [] }: Facts = {}) => {
  const first = { checklistId: 'pool', rule, opened, submissions, ...schedule };
  return getReadiness({ schedules: [first, ...others], again, closedDays: new Set(closed) }, now);
};

const nothing = {
  ...{ is_ready: false, not_in_use: null, not_in_use_until: null, check_again: null, checked_at: null },
  ...{ valid_until: null, first_check: null, due_since: null, failures: 0, failing: [] },
};
const summer = { from: '04-01', to: '05-31' };
const closedDays = ['2026-06-02', '2026-06-03'];
const passed = [sent(on('06:00'))];
const tomorrow = on('05:00', '2026-06-02');

test.each<[string, string, Facts, object]>([
  ['due without a submission', on('08:00'), {}, { due_since: on('05:00') }],
  ['still due after its window', on('20:00'), {}, { due_since: on('05:00') }],
  [
    'ready after a pass',
    on('08:00'),
    { submissions: passed },
    { is_ready: true, checked_at: on('06:00'), valid_until: on('05:00', '2026-06-02') },
  ],
  [
    'due when its rule opens a window, even if its check is not inserted yet',
    on('05:00', '2026-06-02'),
    { submissions: passed },
    { due_since: on('05:00', '2026-06-02') },
  ],
  [
    'not ready before its first window',
    on('08:00'),
    { schedule: { opened: null, rule: { ...rule, startsOn: '2026-06-02' } }, submissions: passed },
    { valid_until: tomorrow, first_check: { checklist_id: 'pool', opens_at: tomorrow } },
  ],
  [
    'not ready before the first window of a second schedule, which may be after the next one of the first',
    on('08:00'),
    {
      submissions: passed,
      others: [{ checklistId: 'slide', rule: { ...rule, startsOn: '2026-06-03' }, opened: null, submissions: [] }],
    },
    { valid_until: tomorrow, first_check: { checklist_id: 'slide', opens_at: on('05:00', '2026-06-03') } },
  ],
  [
    'due in its first window, even if its check is not inserted yet',
    on('08:00'),
    { schedule: { opened: null } },
    { due_since: on('05:00') },
  ],
  [
    'not ready after a fail',
    on('08:00'),
    { submissions: [sent(on('06:00')), sent(on('07:00'), { ...failed, failures: 2 })] },
    { failures: 2, failing: [on('07:00')] },
  ],
  [
    'not ready if a fail and a pass have the same time',
    on('08:00'),
    { submissions: [sent(on('07:00'), failed), sent(on('07:00'))] },
    { failures: 1, failing: [on('07:00')] },
  ],
  [
    'not ready after a submission without an answer to each question that can fail',
    on('08:00'),
    { submissions: [sent(on('07:00'), { hasPassed: false })] },
    { check_again: 'A question that can fail was not answered, or the checklist has none' },
  ],
  [
    'due although a pass of the day before arrived now',
    on('08:00'),
    { submissions: [sent(on('07:00'), { filledInAt: on('06:00', '2026-05-31') })] },
    { due_since: on('05:00') },
  ],
  [
    'not ready after a fail that arrived more than a day later',
    on('08:00'),
    { submissions: [sent(on('06:00')), sent(on('07:00'), { ...failed, filledInAt: on('06:30', '2026-05-31') })] },
    { failures: 1, failing: [on('07:00')] },
  ],
  [
    'ready after a pass filled in after a fail that arrived within a day',
    on('08:00'),
    { submissions: [sent(on('06:30')), sent(on('07:00'), { ...failed, filledInAt: on('06:00') })] },
    { is_ready: true, checked_at: on('06:30'), valid_until: on('05:00', '2026-06-02') },
  ],
  [
    'not in use while the park is closed',
    on('08:00', '2026-06-02'),
    { submissions: passed, closed: closedDays },
    { not_in_use: 'closed', not_in_use_until: '2026-06-04' },
  ],
  [
    'ready on the first closed day until the rule would open a window',
    on('04:59', '2026-06-02'),
    { submissions: passed, closed: closedDays },
    { is_ready: true, checked_at: on('06:00'), valid_until: on('05:00', '2026-06-02') },
  ],
  [
    'not in use out of season',
    on('08:00', '2026-06-02'),
    { submissions: passed, schedule: { rule: { ...rule, season: summer } } },
    { not_in_use: 'season', not_in_use_until: '2027-04-01' },
  ],
  [
    'not in use after the last day',
    on('08:00', '2026-06-02'),
    { submissions: passed, schedule: { rule: { ...rule, endsOn: '2026-06-01' } } },
    { not_in_use: 'ended' },
  ],
  [
    'to be checked again after a change, until a later submission passes',
    on('08:00'),
    { submissions: passed, again: [again()] },
    { check_again: 'CHK-1 was deleted' },
  ],
  [
    'ready after a pass that arrived after the change',
    on('08:00'),
    { submissions: [...passed, sent(on('07:31'), { arrival: 1e6 })], again: [again()] },
    { is_ready: true, checked_at: on('07:31'), valid_until: on('05:00', '2026-06-02') },
  ],
  [
    'to be checked again after a change without a submission',
    on('08:00'),
    { again: [again()] },
    {
      check_again: 'CHK-1 was deleted',
    },
  ],
  [
    'due in the next window after a change',
    on('08:00', '2026-06-02'),
    {
      schedule: { opened: { opensAt: on('05:00', '2026-06-02'), closesAt: on('09:00', '2026-06-02') } },
      again: [again()],
    },
    { due_since: on('05:00', '2026-06-02') },
  ],
  [
    'to be checked again by any checklist',
    on('08:00'),
    { submissions: passed, again: [again({ checklistId: '' })] },
    { check_again: 'CHK-1 was deleted', valid_until: on('05:00', '2026-06-02') },
  ],
  [
    'not ready as long as another schedule is due',
    on('08:00'),
    { submissions: passed, others: [{ checklistId: 'slide', rule: { ...rule }, opened, submissions: [] }] },
    { due_since: on('05:00'), valid_until: on('05:00', '2026-06-02') },
  ],
])('a place is %s', (_, now, facts, expected) => {
  expect(judge(now, facts)).toEqual({ ...nothing, ...expected });
});

test('a place without a schedule in force is not in use', () => {
  expect(getReadiness({ schedules: [], again: [], closedDays: new Set() }, on('08:00'))).toEqual({
    ...nothing,
    not_in_use: 'ended',
  });
});

test.each([
  // 06:00 is 06:00 UTC before, and 05:00 UTC after the clocks go forward; then the other way round.
  ['2026-03-28', '06:00', '05:00'],
  ['2026-10-24', '05:00', '06:00'],
])('a pass of %s holds until the window opens by the clock of the next day', (day, before, after) => {
  const [year, month, date] = day.split('-').map(Number);
  const next = new Date(Date.UTC(year ?? 0, (month ?? 1) - 1, (date ?? 0) + 1)).toISOString().slice(0, 10);
  const window = { opensAt: on(before, day), closesAt: on('12:00', day) };
  const facts = { schedule: { opened: window }, submissions: [sent(on('07:00', day))] };
  expect(judge(on('20:00', day), facts)).toMatchObject({ is_ready: true, valid_until: on(after, next) });
  expect(judge(on(after, next), facts).is_ready).toBe(false);
});
