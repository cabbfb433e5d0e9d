import { expect, test } from 'vitest';
import { NewChecklist, sectionTypes } from '#shared/checklists.ts';
import { everyTypeChecklist } from './every-type.ts';

test('the demo has a checklist with every type of question', () => {
  const { sections } = NewChecklist.parse(everyTypeChecklist);
  expect(new Set(sections.map(({ type }) => type))).toEqual(new Set(sectionTypes));
});
