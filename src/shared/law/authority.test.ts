import { expect, test } from 'vitest';
import { describeAuthority, describeResponsible } from './authority.ts';

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
  expect(describeResponsible(['us', 'unsure'])).toEqual(['It is not yet clear who reports it.']);
  expect(describeResponsible(['us', 'employer'])).toHaveLength(2);
});
