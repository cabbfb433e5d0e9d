// Which questions are shown, and what that means for the answers: required, failing, stored.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkAnswers, findMissingAnswers, requiredMessage } from './answers.ts';
import { type Answer, listPossibleAnswers, NewChecklist, type Section } from './checklists.ts';
import { listFailingIndexes } from './failing-answers.ts';
import { listSectionChanges } from './section-changes.ts';
import { isShown } from './shown-questions.ts';

const section = (changes: Partial<Section>): Section => ({ title: 'x', type: 'na', required: false, ...changes });
const list = ['Chlorine', 'Bromine', 'None'].map((text) => ({ text, fails: text === 'None' }));

type Wanted = Omit<Partial<Section>, 'onFail'> & { onFail?: NonNullable<Section['onFail']>['when'] };
const arbitrarySection: fc.Arbitrary<Section> = fc
  .oneof(
    fc.record({
      type: fc.constantFrom('na' as const),
      onFail: fc.constantFrom('No' as const, 'Yes' as const, undefined),
    }),
    fc.record({ type: fc.constantFrom('checkbox' as const), onFail: fc.constantFrom('notTicked' as const, undefined) }),
    fc.record({ type: fc.constantFrom('choice' as const, 'choices' as const), choices: fc.constant(list) }),
    fc.record({
      type: fc.constant('text' as const),
      number: fc.record({
        unit: fc.constant('pH'),
        min: fc.constantFrom(7, null),
        max: fc.constant(8),
        allowNA: fc.boolean(),
        onNA: fc.constantFrom('passes' as const, undefined),
      }),
    }),
    fc.record({ type: fc.constantFrom('text', 'site', 'date', 'photo', 'info', 'person') }),
  )
  .map((wanted) => {
    const { onFail, ...rest } = wanted as Wanted;
    return section({ ...rest, ...(onFail && { onFail: { when: onFail, photo: 'optional' } }) });
  });

/** Answers as pages send them, and others: to questions that are not shown, in other spellings, wrong ones. */
const arbitraryAnswer: fc.Arbitrary<Answer | null> = fc.constantFrom<Answer | null>(
  ...['Yes', 'No', 'N/A', ' N/A ', 'Chlorine', 'Bromine\nChlorine', 'None\r\n Chlorine', 'None', '7.5', '9', ' 7,1 '],
  ...['', ' ', 'Mounds', '2026-03-01', 'nonsense'],
  ...[true, false, null],
);

/** A valid checklist, with questions that depend on earlier ones, and answers to it. */
const arbitraryForm = fc
  .array(
    fc.record({
      one: arbitrarySection,
      required: fc.boolean(),
      source: fc.nat(),
      dependsOften: fc.nat(3),
      wanted: fc.nat(),
    }),
    { minLength: 1, maxLength: 12 },
  )
  .map((rows) => {
    const sections: Section[] = [];
    for (const [index, { one, required, source, dependsOften, wanted }] of rows.entries()) {
      const at = index === 0 ? 0 : source % index;
      const possible = sections[at] ? listPossibleAnswers(sections[at]) : [];
      const answer = possible[wanted % Math.max(possible.length, 1)];
      const showIf = answer !== undefined && dependsOften > 0 && { showIf: { section: at, answers: [answer] } };
      sections.push({ ...one, title: `Question ${index}`, required, ...showIf });
    }
    return NewChecklist.parse({ title: 'Form', sections }).sections;
  })
  .chain((sections) =>
    fc.record({
      sections: fc.constant(sections),
      data: fc.dictionary(fc.nat(sections.length - 1).map(String), arbitraryAnswer),
      photos: fc.dictionary(
        fc.nat(sections.length - 1).map(String),
        fc.constant<{ mediaFiles: unknown[] }>({ mediaFiles: [{}] }),
      ),
    }),
  );

/** Which questions are shown, worked out from the first to the last. */
function listShown(sections: Section[], answers: Record<string, Answer | null>): boolean[] {
  const shown: boolean[] = [];
  for (const [index, { showIf }] of sections.entries()) {
    const source = showIf && sections[showIf.section];
    const answer = showIf && answers[showIf.section];
    const given = source?.type === 'checkbox' ? [answer === true ? 'Yes' : 'No'] : String(answer ?? '').split('\n');
    shown[index] = !showIf || (shown[showIf.section] === true && given.some((text) => showIf.answers.includes(text)));
  }
  return shown;
}

const runs = { numRuns: 1000, seed: 48 };

test('nothing hidden is stored, required or failing, whatever was answered (1,000 forms)', () => {
  let hidden = 0;
  fc.assert(
    fc.property(arbitraryForm, ({ sections, data, photos }) => {
      const { answers, errors, passed } = checkAnswers(sections, data, photos);
      const shown = listShown(sections, answers);
      expect([...sections.keys()].map((index) => isShown(sections, answers, index))).toEqual(shown);
      const named = [...Object.keys(answers), ...Object.keys(errors), ...listFailingIndexes(sections, answers)];
      expect(named.filter((index) => !shown[Number(index)])).toEqual([]);
      hidden += Object.keys(data).filter((index) => !shown[Number(index)]).length;
      // A question that is required is missing, unless it is answered, has its photo, or fails because it is not ticked.
      for (const [index, { required, type }] of sections.entries()) {
        if (errors[index] !== undefined && errors[index] !== requiredMessage) continue;
        const isGiven = type === 'photo' ? photos[index] !== undefined : Boolean(answers[index]);
        const isFailing = listFailingIndexes(sections, answers).includes(index);
        expect(errors[index] === requiredMessage).toBe(required && shown[index] === true && !isGiven && !isFailing);
      }
      if (passed) expect(listFailingIndexes(sections, answers)).toEqual([]);
    }),
    runs,
  );
  expect(hidden).toBeGreaterThan(500);
});

test('the form, which has all that was typed, and the server, which gets it, find the same (1,000 forms)', () => {
  let valid = 0;
  fc.assert(
    fc.property(arbitraryForm, ({ sections, data, photos }) => {
      const { answers, errors } = checkAnswers(sections, data, photos);
      if (Object.values(errors).some((message) => message !== requiredMessage)) return;
      valid += 1;
      // Sent again as they are stored, they are the same; the form judges what was typed.
      expect(checkAnswers(sections, answers, photos)).toMatchObject({ answers, errors });
      expect(findMissingAnswers(sections, data, photos)).toEqual(findMissingAnswers(sections, answers, photos));
      expect(listFailingIndexes(sections, data)).toEqual(listFailingIndexes(sections, answers));
    }),
    runs,
  );
  expect(valid).toBeGreaterThan(200);
});

describe('whether answers pass', () => {
  const pool = [
    section({ title: 'What is used?', type: 'choice', choices: list }),
    section({ type: 'text', number: { unit: '', min: 1, max: 3 }, showIf: { section: 0, answers: ['Chlorine'] } }),
    section({ type: 'text', number: { unit: '', min: 2, max: 4 }, showIf: { section: 0, answers: ['Bromine'] } }),
  ];
  const limits = { unit: '', min: 1, max: 3, allowNA: true };
  const shut = [
    section({}),
    section({ onFail: { when: 'No', photo: 'optional' }, showIf: { section: 0, answers: ['Yes'] } }),
  ];
  test.each<[string, Section[], Record<string, Answer>, boolean]>([
    ['a question that can fail is hidden', pool, { 0: 'Chlorine', 1: '2' }, true],
    ['a question that can fail is shown and unanswered', pool, { 0: 'Chlorine' }, false],
    ['an answer to a hidden question would have failed', pool, { 0: 'Chlorine', 1: '2', 2: '9' }, false],
    ['an answer to a hidden question would not have failed', pool, { 0: 'Chlorine', 1: '2', 2: '3' }, true],
    ['a choice fails', pool, { 0: 'None' }, false],
    [
      'several choices have one that fails',
      [section({ type: 'choices', choices: list })],
      { 0: 'Chlorine\nNone' },
      false,
    ],
    ['a number with limits has N/A', [section({ type: 'text', number: limits })], { 0: 'N/A' }, false],
    [
      'its rule passes with N/A',
      [section({ type: 'text', number: { ...limits, onNA: 'passes' } })],
      { 0: 'N/A' },
      true,
    ],
    ['no question that can fail is shown', shut, { 0: 'No' }, false],
  ])('if %s: %#', (_, sections, data, passed) => expect(checkAnswers(sections, data).passed).toBe(passed));
});

describe('a checklist', () => {
  const parse = (sections: object[]) => NewChecklist.safeParse({ title: 'x', sections });
  const na = section({ title: 'Gate' });
  test.each<[string, object[], string]>([
    ['no list', [section({ type: 'choice' })], 'Give “x” 2 to 40 choices'],
    ['one choice', [section({ type: 'choice', choices: [{ text: 'a', fails: false }] })], 'Give 2 to 40 choices'],
    [
      'equal choices',
      [{ ...section({ type: 'choice' }), choices: [{ text: 'Café' }, { text: 'CAFE ' }] }],
      'The choices must differ',
    ],
    ['choices of a text', [section({ type: 'text', choices: list })], 'The type of “x” has no choices'],
    [
      'no failing choice',
      [
        {
          ...section({ type: 'choice', onFail: { when: 'chosen', photo: 'optional' } }),
          choices: [{ text: 'a' }, { text: 'b' }],
        },
      ],
      'Say which choice of “x” is failing',
    ],
    [
      'chosen, for Yes or No',
      [section({ onFail: { when: 'chosen', photo: 'optional' } })],
      'A section of this type cannot have this failing answer',
    ],
    [
      'a later question',
      [section({ showIf: { section: 1, answers: ['Yes'] } }), na],
      'Question “x” can depend only on an earlier one',
    ],
    [
      'itself',
      [section({ showIf: { section: 0, answers: ['Yes'] } })],
      'Question “x” can depend only on an earlier one',
    ],
    [
      'an answer that is not there',
      [na, section({ showIf: { section: 0, answers: ['Maybe'] } })],
      'Question “x” depends on an answer that “Gate” does not have',
    ],
    [
      'a text',
      [section({ type: 'text', title: 'Gate' }), section({ showIf: { section: 0, answers: ['Yes'] } })],
      'Question “x” depends on an answer that “Gate” does not have',
    ],
  ])('with %s is refused', (_, sections, message) =>
    expect(parse(sections).error?.issues.map(({ message }) => message)).toContain(message),
  );

  test('requires what one that can fail depends on, directly or not, but no box; a text to read is never required', () => {
    const { data } = parse([
      section({}),
      section({ showIf: { section: 0, answers: ['Yes'] } }),
      section({ type: 'checkbox', showIf: { section: 1, answers: ['Yes'] } }),
      section({ onFail: { when: 'No', photo: 'optional' }, showIf: { section: 2, answers: ['No'] } }),
      section({ type: 'info', required: true }),
      section({ showIf: { section: 0, answers: ['No'] } }),
    ]);
    expect(data?.sections.map(({ required }) => required)).toEqual([true, true, false, false, false, false]);
  });

  test('without anything new is stored as it was', () => {
    const sections = [na, section({ type: 'text', number: { unit: 'pH', min: 7, max: null } })];
    expect(JSON.stringify(parse(sections).data)).toBe(JSON.stringify({ title: 'x', sections }));
  });

  test('does not differ in questions whose earlier question has only moved', () => {
    const [gate, lock] = [na, section({ title: 'Lock', showIf: { section: 0, answers: ['Yes'] } })];
    const added = section({ title: 'Fence' });
    const after = [added, gate, { ...lock, showIf: { section: 1, answers: ['Yes'] } }];
    expect(listSectionChanges([gate, lock], after)).toEqual([{ after: added }]);
    expect(listSectionChanges([added, gate, lock], after)).toHaveLength(1);
  });
});
