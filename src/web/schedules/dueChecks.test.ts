import { expect, test } from 'vitest';
import { findNextPlace, isAnsweredHere } from '#shared/schedules/next-place.ts';
import type { Check, Readiness } from '#shared/schedules/schedules.ts';
import { asOf, sortReady } from './dueChecks.ts';
import { describeReadiness } from './text.ts';

const opens_at = '2026-06-01T07:00:00.000Z';
const check = (place: string, changes: Partial<Check> = {}) =>
  ({
    ...{ id: place, schedule_id: 'weekly', checklist_id: 'play', park: 'Mounds', state: 'due', opens_at },
    ...{ place_id: place, place },
    ...changes,
  }) as Check;
const at = '2026-06-01T08:00:00.000Z';
const submitted = (placeId: string | null, changes = {}) => ({
  checklistId: 'play',
  placeId,
  park: 'Mounds',
  at,
  ...changes,
});
const areas = ['Area 1', 'Area 2', 'Area 10', 'Area 3'].map((place) => check(place));

test('a round goes on to the next place that is open, and starts again at the first', () => {
  const last = submitted('Area 2');
  expect(findNextPlace(areas, last, [last])).toMatchObject({ place: { id: 'Area 3' }, number: 2, total: 4 });
  const done = [submitted('Area 3'), last, submitted('Area 10')];
  expect(findNextPlace(areas, submitted('Area 10'), done)).toMatchObject({ place: { id: 'Area 1' }, number: 4 });
  expect(findNextPlace(areas, submitted('Area 1'), [...done, submitted('Area 1')])).toBeUndefined();
});

test('a round has no checks of another schedule, window or park, and ends for a submission from before', () => {
  const others = [
    check('Area 4', { schedule_id: 'monthly' }),
    check('Area 5', { opens_at: '2026-06-01T12:00:00.000Z' }),
    check('Area 6', { park: 'Winkups' }),
    check('Area 7', { state: 'done' }),
  ];
  expect(findNextPlace([check('Area 1'), ...others], submitted('Area 1'), [])).toBeUndefined();
  expect(findNextPlace(areas, submitted('Area 1', { at: '2026-05-31T08:00:00.000Z' }), [])).toBeUndefined();
  expect(findNextPlace(areas, submitted(null), [])).toBeUndefined();
});

test('a submission on this device answers a check of its own place only', () => {
  expect(isAnsweredHere(check('Area 1'), [submitted('Area 1')])).toBe(true);
  expect(isAnsweredHere(check('Area 1'), [submitted('Area 1', { park: '' })])).toBe(true);
  for (const other of [
    submitted('Area 2'),
    submitted(null),
    submitted('Area 1', { park: 'Winkups' }),
    submitted('Area 1', { checklistId: 'pool' }),
    submitted('Area 1', { at: '2026-06-01T06:00:00.000Z' }),
  ])
    expect(isAnsweredHere(check('Area 1'), [other])).toBe(false);
});

test('a check of a copy that has opened since is due', () => {
  const upcoming = check('Area 1', { state: 'upcoming' });
  expect(asOf(upcoming, at).state).toBe('due');
  expect(asOf(upcoming, '2026-06-01T06:00:00.000Z').state).toBe('upcoming');
});

const readiness = (changes: Partial<Readiness>) =>
  ({ is_ready: false, not_in_use: null, not_in_use_until: null, failures: 0, audits: [], ...changes }) as Readiness;

test.each<[string, Partial<Readiness>]>([
  ['Not in use: closed until 03/12/2026', { not_in_use: 'closed', not_in_use_until: '2026-12-03' }],
  ['Not in use: season from 01/04/2027', { not_in_use: 'season', not_in_use_until: '2027-04-01' }],
  ['Not in use: the schedule has ended', { not_in_use: 'ended' }],
  ['Check again: CHK-1 was deleted', { check_again: 'CHK-1 was deleted' }],
  ['Not ready: 1 failing answer', { failures: 1 }],
  [
    'Not ready: first check of “Slide” is due 03/06/2020, 06:00',
    {
      valid_until: '2020-06-02T05:00:00.000Z',
      first_check: { checklist_id: 'slide', opens_at: '2020-06-03T05:00:00.000Z' },
      checklists: [
        { id: 'pool', title: 'Pool' },
        { id: 'slide', title: 'Slide' },
      ],
    },
  ],
  [
    'Not ready: 1 failing answer (Clean the spa). Check again: CHK-1 was deleted',
    { failures: 1, audits: ['Clean the spa'], check_again: 'CHK-1 was deleted' },
  ],
])('a place that is not ready says: %s', (text, changes) => expect(describeReadiness(readiness(changes))).toBe(text));

test('a copy never says that a place is ready, nor until when its check is valid', () => {
  const ready = readiness({ is_ready: true, checked_at: at, valid_until: '2026-06-02T08:00:00.000Z' });
  const copy = describeReadiness(ready, Date.parse(at));
  expect(copy).toContain('copy from 01/06/2026, 09:00');
  expect(copy).not.toMatch(/ready|valid until/i);
});

test('places are listed by number, and of a long list those that are not ready first', () => {
  const rows = ['Area 10', 'Area 2', 'Area 1'].map((place) => readiness({ park: 'Mounds', place }));
  const ready = [readiness({ park: 'Mounds', place: 'Area 0', is_ready: true }), ...rows];
  const names = (shownAtFirst: number) => sortReady(ready, shownAtFirst).map(({ place }) => place);
  expect(names(10)).toEqual(['Area 0', 'Area 1', 'Area 2', 'Area 10']);
  expect(names(3)).toEqual(['Area 1', 'Area 2', 'Area 10', 'Area 0']);
});
