import { expect, test } from 'vitest';
import type { Check, DueChecks, Readiness } from '#shared/schedules/schedules.ts';
import { findOnlyPlace, listPlaceChoices } from './placeChoices.ts';

const check = (place: string, changes: Partial<Check> = {}) =>
  ({ checklist_id: 'pool', park: 'Mounds', place_id: place || null, place, state: 'due', ...changes }) as Check;
const due = (checks: Check[], ready: Partial<Readiness>[] = [], counts = {}): DueChecks => ({
  checks,
  ready: ready as Readiness[],
  counts: { checks: checks.length, due: 0, missed: 0, ready: ready.length, notReady: 0, ...counts },
});
const list = (data: DueChecks | undefined, more = {}) =>
  listPlaceChoices('pool', { due: data, places: [], park: 'Mounds', begun: [], ...more });
const findOnly = (data: DueChecks | undefined, more = {}) => {
  const choices = list(data, more);
  return choices && findOnlyPlace(choices);
};
const names = (places: { name: string }[] | undefined) => places?.map(({ name }) => name);

test('a checklist that is due at several places asks which one, those that are due first', () => {
  const data = due([check('Pool 10'), check('Pool 2'), check('Pool 1', { state: 'done' })]);
  expect(findOnly(data)).toBeUndefined();
  expect(names(list(data)?.due)).toEqual(['Pool 2', 'Pool 10']);
  expect(names(list(data)?.others)).toEqual(['Pool 1']);
  expect(list(data)).toMatchObject({ hasPark: false, isKnown: true });
});

test('a checklist that is due at one place is for that place, and otherwise for the park as a whole', () => {
  expect(findOnly(due([check('Pool')]))).toMatchObject({ id: 'Pool', park: 'Mounds' });
  expect(findOnly(due([check('')]))).toBeNull();
  expect(findOnly(due([]))).toBeNull();
  expect(findOnly(due([check('Pool', { checklist_id: 'other' })]))).toBeNull();
  // The park as a whole and a place
  expect(findOnly(due([check('Pool'), check('')]))).toBeUndefined();
});

test('a place that a checklist opens can be chosen on a day without checks, unless its schedule has ended', () => {
  const ready = { place_id: 'spa', place: 'Spa', park: 'Mounds', checklists: [{ id: 'pool', title: 'Pool' }] };
  expect(findOnly(due([], [{ ...ready, not_in_use: null }]))).toMatchObject({ id: 'spa' });
  expect(findOnly(due([], [{ ...ready, not_in_use: 'ended' }]))).toBeNull();
});

test('a user of several parks chooses the park first if the checklist has places, or may have', () => {
  expect(list(due([check('Pool')]), { park: '' })).toBeUndefined();
  expect(list(due([], [], { checks: 60 }), { park: '' })).toBeUndefined();
  expect(findOnly(due([check('')]), { park: '' })).toBeNull();
});

test('without any copy of the checks, each place of the park and the park as a whole can be chosen', () => {
  const places = [
    { id: 'a', name: 'Spa', park: 'Mounds', isRetired: false },
    { id: 'b', name: 'Old spa', park: 'Mounds', isRetired: true },
    { id: 'c', name: 'Spa', park: 'Winkups', isRetired: false },
  ];
  expect(list(undefined, { places })).toMatchObject({ others: [{ id: 'a' }], hasPark: true, isKnown: false });
  expect(findOnly(undefined, { places })).toBeUndefined();
  expect(findOnly(undefined)).toBeNull();
});
