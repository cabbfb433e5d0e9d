import { beforeEach, expect, test, vi } from 'vitest';
import type { Section } from '#shared/checklists.ts';
import {
  deleteChecklistDraft,
  deleteExpiredDrafts,
  deleteSubmittedDrafts,
  findChecklistDraft,
  hasChecklistDraft,
  listOrphanedDrafts,
  saveChecklistDraft,
} from './checklistDrafts.ts';

const section = (title: string, type: Section['type'] = 'text'): Section => ({ title, type, required: false });
const checklist = (...sections: Section[]) => ({ id: 'pool', title: 'Pool', sections, version: 1 });
const save = (answers: Record<string, string>, ...sections: Section[]) =>
  saveChecklistDraft('huw', checklist(...sections), { answers, key: 'key' });

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
  expect(findChecklistDraft('huw', checklist(section('pH')))).toEqual({ answers: { 0: '7.4' }, key: 'key' });
  expect(findChecklistDraft('nia', checklist(section('pH')))).toBeUndefined();
  expect(hasChecklistDraft('huw', 'pool')).toBe(true);
  deleteChecklistDraft('huw', 'pool');
  expect(hasChecklistDraft('huw', 'pool')).toBe(false);
});

test('a submitted draft is deleted, unless another tab has changed it since', () => {
  save({ 0: '7.4' }, section('pH'));
  deleteSubmittedDrafts(new Map([['another key', Date.now()]]));
  deleteSubmittedDrafts(new Map([['key', Date.now() - 1000]]));
  expect(hasChecklistDraft('huw', 'pool')).toBe(true);
  deleteSubmittedDrafts(new Map([['key', Date.now()]]));
  expect(hasChecklistDraft('huw', 'pool')).toBe(false);
});

test('a checklist draft keeps the park that was chosen', () => {
  saveChecklistDraft('huw', checklist(section('pH')), { answers: { 0: '7.4' }, park: 'Winkups', key: 'key' });
  for (const sections of [[section('pH')], [section('New'), section('pH')]])
    expect(findChecklistDraft('huw', checklist(...sections))?.park).toBe('Winkups');
});

test('answers in a draft follow their sections to new positions, and answers without a section are counted', () => {
  save({ 0: '7.4', 1: 'clear', 2: 'yes' }, section('pH'), section('Water'), section('Gone'));
  const now = checklist(section('New'), section('Water'), section('pH'));
  expect(findChecklistDraft('huw', now)).toEqual({
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
  saveChecklistDraft('huw', checklist(section('Gone', 'na'), section('Pump', 'na')), draft);
  const now = checklist(section('Gate', 'na'), section('Fence'), section('Pump', 'na'));
  expect(findChecklistDraft('huw', now)).toMatchObject({ answers: { 2: 'No' }, failures: { 2: pumpFailure } });
  expect(Object.keys(findChecklistDraft('huw', now)?.failures ?? {})).toEqual(['2']);
});

test('two sections with the same title keep their answers, but a section whose type has changed does not', () => {
  save({ 0: 'first', 1: 'second', 2: '2026-11-03' }, section('Note'), section('Note'), section('Day', 'date'));
  const now = checklist(section('Day', 'text'), section('Note'), section('Note'));
  expect(findChecklistDraft('huw', now)).toMatchObject({
    answers: { 1: 'first', 2: 'second' },
    changed: { lostCount: 1 },
  });
});

test('a draft of a deleted checklist is listed for its user, with or without a title', () => {
  save({ 0: '7.4' }, section('pH'));
  localStorage.setItem(
    'checklist-progress-huw-old',
    JSON.stringify({ sections: [section('Boat')], answers: { 0: 'dry' }, key: 'key', keptAt: Date.now() }),
  );
  expect(listOrphanedDrafts('huw', [{ id: 'pool' }])).toEqual([
    {
      checklistId: 'old',
      title: 'Deleted checklist',
      sections: [section('Boat')],
      answers: { 0: 'dry' },
      failures: {},
    },
  ]);
  expect(listOrphanedDrafts('huw', []).map(({ title }) => title)).toEqual(['Pool', 'Deleted checklist']);
  expect(listOrphanedDrafts('nia', [])).toEqual([]);
});

test('a draft of a deleted checklist contains the notes on failing answers', () => {
  const failures = { 0: { note: 'The tank leaks', mediaFiles: [] } };
  saveChecklistDraft('huw', checklist(section('Fuel')), { answers: { 0: '2' }, failures, key: 'key' });
  expect(listOrphanedDrafts('huw', [])).toMatchObject([{ answers: { 0: '2' }, failures }]);
});

test('checklist drafts expire after 14 days', () => {
  vi.useFakeTimers({ now: Date.now(), toFake: ['Date'] });
  save({ 0: '7.4' }, section('pH'));
  vi.advanceTimersByTime(14 * 24 * 60 * 60_000 + 1);
  expect(hasChecklistDraft('huw', 'pool')).toBe(false);
  deleteExpiredDrafts();
  expect(Object.keys(localStorage)).toEqual([]);
  vi.useRealTimers();
});

test('a draft remembers the question that was used last, until the checklist changes', () => {
  saveChecklistDraft('huw', checklist(section('pH'), section('Water')), { answers: { 1: 'clear' }, key: 'key', at: 1 });
  expect(findChecklistDraft('huw', checklist(section('pH'), section('Water')))?.at).toBe(1);
  expect(findChecklistDraft('huw', checklist(section('Water')))?.at).toBeUndefined();
});
