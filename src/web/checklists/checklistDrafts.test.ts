import { beforeEach, expect, test, vi } from 'vitest';
import type { Section } from '#shared/checklists.ts';
import {
  deleteChecklistDraft,
  deleteExpiredDrafts,
  deleteSubmittedDrafts,
  findChecklistDraft,
  hasChecklistDraft,
  hasDraftOfUnknownPlace,
  listDraftPlaces,
  listOrphanedDrafts,
  moveChecklistDraft,
  saveChecklistDraft,
} from './checklistDrafts.ts';

const section = (title: string, type: Section['type'] = 'text'): Section => ({ title, type, required: false });
const checklist = (...sections: Section[]) => ({ id: 'pool', title: 'Pool', sections, version: 1 });
const save = (answers: Record<string, string>, ...sections: Section[]) =>
  saveChecklistDraft('huw', checklist(...sections), null, { answers, key: 'key' });

beforeEach(() => {
  const items: Record<string, unknown> = {};
  const methods = {
    getItem: (key: string) => items[key] ?? null,
    setItem: (key: string, value: string) => void Object.assign(items, { [key]: value }),
    removeItem: (key: string) => void delete items[key],
  };
  for (const [name, value] of Object.entries(methods)) Object.defineProperty(items, name, { value });
  vi.stubGlobal('localStorage', items);
});

test('a checklist draft is returned unchanged, and only to its own user', () => {
  save({ 0: '7.4' }, section('pH'));
  expect(findChecklistDraft('huw', checklist(section('pH')), null)).toEqual({ answers: { 0: '7.4' }, key: 'key' });
  expect(findChecklistDraft('nia', checklist(section('pH')), null)).toBeUndefined();
  expect(hasChecklistDraft('huw', 'pool', null)).toBe(true);
  deleteChecklistDraft('huw', 'pool', null);
  expect(hasChecklistDraft('huw', 'pool', null)).toBe(false);
});

test('a submitted draft is deleted, unless another tab has changed it since', () => {
  save({ 0: '7.4' }, section('pH'));
  deleteSubmittedDrafts(new Map([['another key', Date.now()]]));
  deleteSubmittedDrafts(new Map([['key', Date.now() - 1000]]));
  expect(hasChecklistDraft('huw', 'pool', null)).toBe(true);
  deleteSubmittedDrafts(new Map([['key', Date.now()]]));
  expect(hasChecklistDraft('huw', 'pool', null)).toBe(false);
});

test('a checklist draft keeps the park that was chosen', () => {
  saveChecklistDraft('huw', checklist(section('pH')), null, { answers: { 0: '7.4' }, park: 'Winkups', key: 'key' });
  for (const sections of [[section('pH')], [section('New'), section('pH')]])
    expect(findChecklistDraft('huw', checklist(...sections), null)?.park).toBe('Winkups');
});

test('answers in a draft follow their sections to new positions, and answers without a section are counted', () => {
  save({ 0: '7.4', 1: 'clear', 2: 'yes' }, section('pH'), section('Water'), section('Gone'));
  const now = checklist(section('New'), section('Water'), section('pH'));
  expect(findChecklistDraft('huw', now, null)).toEqual({
    answers: { 1: 'clear', 2: '7.4' },
    failures: {},
    key: 'key',
    changed: { lostCount: 1 },
  });
});

test('the note on a failing answer follows its section to a new position', () => {
  const pumpFailure = { note: 'The pump has stopped', mediaFiles: [{ id: 'photo', name: 'pump.jpg' }] };
  const failures = { 0: { note: 'Gone', mediaFiles: [] }, 1: pumpFailure };
  const draft = { answers: { 0: 'No', 1: 'No' }, failures, key: 'key' };
  saveChecklistDraft('huw', checklist(section('Gone', 'na'), section('Pump', 'na')), null, draft);
  const now = checklist(section('Gate', 'na'), section('Fence'), section('Pump', 'na'));
  expect(findChecklistDraft('huw', now, null)).toMatchObject({ answers: { 2: 'No' }, failures: { 2: pumpFailure } });
  expect(Object.keys(findChecklistDraft('huw', now, null)?.failures ?? {})).toEqual(['2']);
});

test('two sections with the same title keep their answers, but a section whose type has changed does not', () => {
  save({ 0: 'first', 1: 'second', 2: '2026-11-03' }, section('Note'), section('Note'), section('Day', 'date'));
  const now = checklist(section('Day', 'text'), section('Note'), section('Note'));
  expect(findChecklistDraft('huw', now, null)).toMatchObject({
    answers: { 1: 'first', 2: 'second' },
    changed: { lostCount: 1 },
  });
});

test('a draft of a deleted checklist is listed for its user, and for nobody else', () => {
  save({ 0: '7.4' }, section('pH'));
  localStorage.setItem(
    'checklist-progress-huw-old',
    JSON.stringify({
      title: 'Boat',
      sections: [section('Boat')],
      answers: { 0: 'dry' },
      key: 'key',
      keptAt: Date.now(),
    }),
  );
  expect(listOrphanedDrafts('huw', [{ id: 'pool' }])).toEqual([
    {
      checklistId: 'old',
      placeId: null,
      place: undefined,
      title: 'Boat',
      sections: [section('Boat')],
      answers: { 0: 'dry' },
      failures: {},
    },
  ]);
  expect(listOrphanedDrafts('huw', []).map(({ title }) => title)).toEqual(['Pool', 'Boat']);
  expect(listOrphanedDrafts('nia', [])).toEqual([]);
});

test('a draft of a deleted checklist contains the notes on failing answers', () => {
  const failures = { 0: { note: 'The tank leaks', mediaFiles: [] } };
  saveChecklistDraft('huw', checklist(section('Fuel')), null, { answers: { 0: '2' }, failures, key: 'key' });
  expect(listOrphanedDrafts('huw', [])).toMatchObject([{ answers: { 0: '2' }, failures }]);
});

test('checklist drafts expire after 14 days', () => {
  vi.useFakeTimers({ now: Date.now(), toFake: ['Date'] });
  save({ 0: '7.4' }, section('pH'));
  vi.advanceTimersByTime(14 * 24 * 60 * 60_000 + 1);
  expect(hasChecklistDraft('huw', 'pool', null)).toBe(false);
  deleteExpiredDrafts();
  expect(Object.keys(localStorage)).toEqual([]);
  vi.useRealTimers();
});

test('a draft remembers the question that was used last, until the checklist changes', () => {
  saveChecklistDraft('huw', checklist(section('pH'), section('Water')), null, {
    answers: { 1: 'clear' },
    key: 'key',
    at: 1,
  });
  expect(findChecklistDraft('huw', checklist(section('pH'), section('Water')), null)?.at).toBe(1);
  expect(findChecklistDraft('huw', checklist(section('Water')), null)?.at).toBeUndefined();
});

const pool = checklist(section('pH'));
const indoor = { id: 'indoor', name: 'Indoor pool' };
const outdoor = { id: 'outdoor', name: 'Outdoor pool' };

test('each place has its own draft, beside that of the park as a whole', () => {
  saveChecklistDraft('huw', pool, indoor, { answers: { 0: '7.4' }, key: 'a' });
  saveChecklistDraft('huw', pool, null, { answers: { 0: '7.0' }, key: 'b' });
  expect(findChecklistDraft('huw', pool, 'indoor')?.answers).toEqual({ 0: '7.4' });
  expect(findChecklistDraft('huw', pool, 'outdoor')).toBeUndefined();
  expect(listDraftPlaces('huw', 'pool').sort()).toEqual(['indoor', null]);
  expect(Object.keys(localStorage).sort()).toEqual([
    'checklist-progress-huw-pool',
    'checklist-progress-huw-pool-indoor',
  ]);
  expect(listOrphanedDrafts('huw', [])).toMatchObject([
    { checklistId: 'pool', placeId: 'indoor', place: 'Indoor pool' },
    { checklistId: 'pool', placeId: null, place: undefined },
  ]);
  expect(listOrphanedDrafts('huw', [pool])).toEqual([]);
});

test('a draft that is moved to another place gets a new key, and leaves the first place empty', () => {
  saveChecklistDraft('huw', pool, indoor, { answers: { 0: '7.4' }, key: 'a' });
  moveChecklistDraft('huw', pool, 'indoor', outdoor);
  expect(findChecklistDraft('huw', pool, 'indoor')).toBeUndefined();
  const moved = findChecklistDraft('huw', pool, 'outdoor');
  expect(moved?.answers).toEqual({ 0: '7.4' });
  expect(moved?.key).not.toBe('a');
});

test('only a draft of an earlier version has no known place', () => {
  saveChecklistDraft('huw', pool, null, { answers: { 0: '7.4' }, key: 'a' });
  expect(hasDraftOfUnknownPlace('huw', 'pool')).toBe(false);
  const earlier = { sections: pool.sections, answers: { 0: '7.4' }, key: 'a', keptAt: Date.now() };
  localStorage.setItem('checklist-progress-huw-pool', JSON.stringify(earlier));
  expect(hasDraftOfUnknownPlace('huw', 'pool')).toBe(true);
  expect(hasDraftOfUnknownPlace('huw', 'other')).toBe(false);
});
