import { expect, test } from 'vitest';
import { NewChecklist } from '#shared/checklists.ts';
import { canFail } from '#shared/failing-answers.ts';
import { templates, toNewChecklist } from './templates.ts';

test('there are templates for what is checked most', () => {
  expect(templates.length).toBeGreaterThanOrEqual(14);
  expect(new Set(templates.map(({ title }) => title)).size).toBe(templates.length);
});

test.each(templates.map((template) => [template.title, template] as const))(
  'the template “%s” is a checklist, and says what it is for',
  (_, template) => {
    const { for: purpose, guidance, often, adapt, ...written } = template;
    expect(NewChecklist.safeParse(written).error?.issues).toBeUndefined();
    const checklist = toNewChecklist(template);
    // The schema adds only defaults, and requires nothing that the template does not; nothing that it does not know is written.
    expect(checklist).toMatchObject(written);
    for (const text of [purpose, guidance, often, adapt]) expect(text).toMatch(/^\S.{5,}\.$/);
    // One that opens a place, and one that creates audits, needs a park and a question that can fail.
    expect(checklist.sections.filter(({ type }) => type === 'site')).toHaveLength(1);
    expect(checklist.sections.some(canFail)).toBe(true);
    const titles = checklist.sections.map(({ title }) => title);
    expect(new Set(titles).size).toBe(titles.length);
  },
);
