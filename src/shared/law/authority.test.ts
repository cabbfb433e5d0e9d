import { expect, test } from 'vitest';
import { describeAction, describeAuthority, describeResponsible } from './authority.ts';
import type { Duty, Outcome, Responsible } from './evaluate.ts';

const injury = { authority: 'park', regulation: '4(1)' } as const;
const gas = { authority: 'HSE', regulation: '11(1)' } as const;

test("duties are reported to the park's authority, gas and building work to HSE", () => {
  expect(describeAuthority('council', [])).toBe('');
  expect(describeAuthority('council', [injury])).toMatch(/^The council, or HSE for building work/);
  expect(describeAuthority('council', [injury, gas])).toContain('residential homes; HSE for regulation 11(1). Either');
  expect(describeAuthority('council', [gas])).toMatch(/^HSE\. /);
  expect(describeAuthority('HSE', [injury, gas])).toMatch(/^HSE\. /);
  expect(describeAuthority('ask', [injury])).toContain('ask the council');
});

test('who must report is not clear while the answer for one duty is "unsure"', () => {
  const describe = (outcome: Outcome, ...responsible: Responsible[]) => describeResponsible({ outcome, responsible });
  expect(describe('reportable', 'us', 'unsure')).toEqual(['It is not yet clear who reports it.']);
  expect(describe('reportable', 'us', 'employer')).toHaveLength(2);
  expect(describe('undecided', 'us')).toEqual(['If it is reportable: We report it.']);
});

test('no one has to report an event that only needs a record or is not reportable', () => {
  for (const outcome of ['record', 'notReportable'] as const)
    expect(describeResponsible({ outcome, responsible: ['us', 'employer'] })).toEqual([]);
});

test('a result says to tell HSE only about our own duty, and otherwise whom to tell', () => {
  const describe = (responsible: Responsible[], notify: 'withoutDelay' | null = 'withoutDelay') =>
    describeAction(
      {
        outcome: 'reportable',
        deadline: { notify, dueOn: '2026-03-11' },
        duties: responsible.map((one) => ({ responsible: one, notify }) as Duty),
      },
      '2026-03-11',
    );
  expect(describe(['us'])).toBe('Tell HSE now; report by 11/03/2026');
  expect(describe(['us'], null)).toBe('Report by 11/03/2026');
  expect(describe(['employer', 'unsure'])).toBe('Tell HSE now; report by 11/03/2026');
  expect(describe(['employer', 'employer'])).toBe('Tell their employer today; they report by 11/03/2026');
  expect(describe(['self'])).toMatch(/^Tell the self-employed person today; they/);
  const deadline = { notify: 'withoutDelay' as const, dueOn: '2026-03-11' };
  const undecided = { outcome: 'undecided' as const, deadline, duties: [] };
  expect(describeAction(undecided, '2026-03-11')).toBe('If reportable, due by 11/03/2026');
  expect(describeAction(undecided, '2026-03-13')).toBe('If reportable, due by 11/03/2026, overdue by 2 days');
  expect(describeAction({ outcome: 'record', deadline: null, duties: [] }, '2026-03-13')).toBe('');
});
