import { expect, test } from 'vitest';
import type { Section } from '#shared/checklists.ts';
import { listChecklistDifferences } from './sectionNames.ts';

const section = (title: string, more: Partial<Section> = {}): Section => ({
  title,
  type: 'text',
  required: false,
  ...more,
});

test('the comparison of two versions of a checklist lists changed fields, sections that only one has, and a changed order', () => {
  const onFail = { when: 'outOfRange', photo: 'required' } as const;
  const depth = section('Depth', { number: { unit: 'm', min: 1, max: null } });
  const theirs = { title: 'Pool', sections: [section('Water'), depth, section('Gate')] };
  const mine = {
    title: 'Pools',
    sections: [section('Signed', { type: 'signature' }), section('Water', { required: true }), { ...depth, onFail }],
  };
  expect(listChecklistDifferences(mine, theirs)).toEqual([
    { label: 'Checklist title', mine: 'Pools', theirs: 'Pool' },
    { label: 'Section 2, Water: Required', mine: 'Yes', theirs: 'No' },
    { label: 'Section 3, Depth: Failing answer', mine: 'A number out of range is failing', theirs: '' },
    { label: 'Section 3, Depth: Photo of the failure', mine: 'Required', theirs: '' },
    { label: 'Section 3 of theirs', mine: '', theirs: 'Gate' },
    { label: 'Section 1', mine: 'Signed', theirs: '' },
  ]);
  const moved = { title: 'Pool', sections: [section('Water'), section('Gate'), depth] };
  expect(listChecklistDifferences(moved, theirs)).toEqual([
    { label: 'Order of the sections', mine: 'Water, Gate, Depth', theirs: 'Water, Depth, Gate' },
  ]);
});
