import { expect, test } from 'vitest';
import type { Section } from '#shared/checklists.ts';
import { describeSectionChanges } from './section-changes.ts';

const section = (title: string, type: Section['type'] = 'text', required = false): Section => ({
  title,
  type,
  required,
});
const before = [section('Gate'), section('Water', 'checkbox'), section('Signed', 'signature', true)];

test('a change that is only about the title lists no sections', () => {
  expect(describeSectionChanges(before, structuredClone(before))).toEqual({});
});

test('added, removed and changed sections are listed separately', () => {
  const after = [section('Depth'), section('Gate'), section('Water', 'checkbox', true)];
  expect(describeSectionChanges(before, after)).toEqual({
    'sections added': ['“Depth” (text)'],
    'sections removed': ['“Signed” (signature, required)'],
    'sections changed': ['“Water” (checkbox) → “Water” (checkbox, required)'],
  });
});

test('a section with another title in the same place is a changed one', () => {
  expect(describeSectionChanges(before, before.with(0, section('Gates')))).toEqual({
    'sections changed': ['“Gate” (text) → “Gates” (text)'],
  });
});

test('sections in another order have moved; one of two equal ones is removed once', () => {
  expect(describeSectionChanges(before, before.toReversed())).toEqual({ 'sections moved': true });
  expect(describeSectionChanges([...before, section('Gate')], before)).toEqual({
    'sections removed': ['“Gate” (text)'],
  });
});
