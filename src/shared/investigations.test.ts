import { expect, test } from 'vitest';
import { createCopyText, type Investigation, proposeLevel } from './investigations.ts';

test('the proposed level follows from how bad it could have been and how likely it is to happen again', () => {
  expect(proposeLevel('minor', 'rare')).toBe('minimal');
  expect(proposeLevel('serious', 'possible')).toBe('low');
  expect(proposeLevel('fatal', 'rare')).toBe('medium');
  expect(proposeLevel('major', 'likely')).toBe('high');
  expect(proposeLevel('fatal', null)).toBeNull();
});

test('the text proposed for safety representatives has the corrections, without who made them', () => {
  const sections = {
    facts: { content: { text: 'The first step gave way', learnt: 'Look below' } },
    causes: { content: { list: [{ text: 'Nobody looks below' }] } },
  };
  const actions = [{ title: 'Repair the step', park: 'Lido Beach', state: 'works' }];
  const note = (kind: string, text: string) => ({ kind, text, created_by: 'mair' });
  const notes = [
    note('complete', ''),
    note('correction', 'It was the second step'),
    note('waived', 'The steps are gone'),
    note('correction', 'It was on Monday'),
  ];
  const createText = (notes: object[]) => createCopyText({ sections, actions, notes } as unknown as Investigation);
  const start =
    'What happened\nThe first step gave way\n\nWhat was learnt\nLook below\n\nWhy\n1. Nobody looks below\n\n';
  const corrections = 'Corrections\n1. It was the second step\n2. It was on Monday\n\n';
  const end = 'Actions\n1. Repair the step (works)';
  expect(createText(notes)).toBe(start + corrections + end);
  expect(createText([])).toBe(start + end);
});
