import { expect, test } from 'vitest';
import type { Readiness } from '#shared/schedules/schedules.ts';
import { getReceiptLines } from './receiptLines.ts';

const checked_at = '2026-06-01T07:05:00.000Z';
const ready = {
  ...{ park: 'Lido Beach', place_id: 'indoor', place: 'Indoor pool', gate: 'Indoor pool', is_ready: true },
  ...{ not_in_use: null, not_in_use_until: null, check_again: null, checked_at, valid_until: null },
  ...{ due_since: null, failures: 0, audits: [], checklists: [] },
} satisfies Readiness;
const notReady = { ...ready, is_ready: false, checked_at: null, failures: 2 };
const pool = { id: 'pool', title: 'Pool' };
const water = { id: 'water', title: 'Water' };
const facts = { failing: 0, place: 'Indoor pool', park: 'Lido Beach', mayOpen: true, received: undefined };
const passes = 'This check has no failing answer.';
const closed = 'Keep Indoor pool closed';

test.each([
  ['a fail offline', { failing: 2 }, closed, ['2 answers fail.']],
  ['a pass offline', {}, undefined, [passes, 'Whether Indoor pool may open shows when it has arrived.']],
  ['a check with gaps', { unanswered: 2, mayOpen: false }, undefined, [passes, '2 questions have no answer.']],
  ['a pass offline where nothing opens', { mayOpen: false }, undefined, [passes]],
  ['a fail offline where nothing opens', { mayOpen: false, failing: 1 }, undefined, ['1 answer fails.']],
  ['a fail of the park as a whole', { failing: 1, place: undefined }, undefined, ['1 answer fails.']],
  [
    'a fail that has arrived',
    { failing: 2, received: { failing: 2, ready: notReady, told: true } },
    closed,
    ['2 answers fail; the reviewers of Lido Beach were told.', 'Indoor pool: Not ready: 2 failing answers.'],
  ],
  [
    'a pass that has arrived',
    { received: { failing: 0, ready, told: false } },
    undefined,
    [passes, 'Indoor pool: Checked 01/06/2026, 08:05.'],
  ],
  [
    'a pass after which another check keeps the place closed',
    { received: { failing: 0, ready: notReady, told: false } },
    closed,
    [passes, 'Indoor pool: Not ready: 2 failing answers.'],
  ],
  [
    'a pass of one of two checks',
    { received: { failing: 0, ready: { ...notReady, checklists: [pool, water] }, told: false } },
    closed,
    [passes, 'Indoor pool: Not ready: 2 failing answers.', 'It may open once all of these have passed: Pool; Water.'],
  ],
  [
    'a pass while the park is closed',
    { received: { failing: 0, ready: { ...ready, is_ready: false, not_in_use: 'closed' as const }, told: false } },
    undefined,
    [passes, 'Indoor pool: Not in use: closed.'],
  ],
  [
    'a fail at a place that nothing opens',
    { failing: 1, received: { failing: 1, ready: null, told: true }, park: '' },
    undefined,
    ['1 answer fails; the reviewers were told.'],
  ],
  ['a receipt of an earlier version', { failing: undefined }, undefined, []],
])('the receipt of %s says what is known', (_, more, warning, sentences) => {
  expect(getReceiptLines({ ...facts, ...more })).toEqual({ warning, sentences });
});
