import { expect, test } from 'vitest';
import type { Section } from '#shared/checklists.ts';
import { describeSectionChanges } from './section-changes.ts';

const section = (title: string, type: Section['type'] = 'text', required = false): Section => ({
  title,
  type,
  required,
});
const before = [section('Gate'), section('Water', 'checkbox'), section('Signed', 'signature', true)];

test("a change of only the checklist's title lists no changed sections", () => {
  expect(describeSectionChanges(before, structuredClone(before))).toEqual({});
});

test('added, removed and changed sections of a checklist are listed separately', () => {
  const after = [section('Depth'), section('Gate'), section('Water', 'checkbox', true)];
  expect(describeSectionChanges(before, after)).toEqual({
    'sections added': ['“Depth” (text)'],
    'sections removed': ['“Signed” (signature, required)'],
    'sections changed': ['“Water” (checkbox) → “Water” (checkbox, required)'],
  });
});

test('a section with a new title at the same position counts as changed', () => {
  expect(describeSectionChanges(before, before.with(0, section('Gates')))).toEqual({
    'sections changed': ['“Gate” (text) → “Gates” (text)'],
  });
});

test('reordered sections count as moved, and removing one of two equal sections lists it once', () => {
  expect(describeSectionChanges(before, before.toReversed())).toEqual({ 'sections moved': true });
  expect(describeSectionChanges([...before, section('Gate')], before)).toEqual({
    'sections removed': ['“Gate” (text)'],
  });
});
