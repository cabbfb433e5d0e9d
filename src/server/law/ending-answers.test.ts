import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { runCases } from '#shared/law/check.ts';
import { listRules, type Question, type Tree } from '#shared/law/rule-set.ts';
import { riddor2013v1, riddor2013v2 } from '#shared/law/rules/shipped.ts';
import { riddor2013v1Cases } from '#shared/law/rules/shipped-cases.ts';
import { listLeafFields, listOpenAnswers } from '#shared/law/tree.ts';

const set = riddor2013v2;
const questions = set.questions as Question[];
const findQuestion = (field: string) => questions.find((question) => question.field === field) as Question;
const hasValues = (field: string): boolean =>
  Array.isArray(set.values[field]) && typeof set.values[field][0] === 'string';

/** The leaves of a condition, and whether the condition is more true if they are less. */
function* listLeaves(tree: Tree, isNegated = false): Generator<{ leaf: Tree; isNegated: boolean }> {
  const parts = 'all' in tree ? tree.all : 'any' in tree ? tree.any : [];
  for (const part of parts) yield* listLeaves(part, isNegated);
  if ('not' in tree) yield* listLeaves(tree.not, !isNegated);
  if ('use' in tree) yield* listLeaves(set.named[tree.use] as Tree, isNegated);
  if (listLeafFields(tree).length > 0) yield { leaf: tree, isNegated };
}

/** Returns the answers that can make the condition of a duty false, by question. */
function listEndingAnswers(): Map<string, string[]> {
  const endings = new Map<string, Set<string>>();
  for (const { rule } of listRules(set))
    if (rule.gives !== 'record')
      for (const { leaf, isNegated } of listLeaves(rule.when)) {
        const [field = ''] = listLeafFields(leaf);
        if (!hasValues(field)) continue;
        const wanted: string[] = 'is' in leaf ? leaf.is.slice(1) : 'has' in leaf ? leaf.has.slice(1) : [];
        const values = (set.values[field] as string[]).filter((value) => !listOpenAnswers(set, field).includes(value));
        const ending = values.filter((value) =>
          'longestSpell' in leaf ? value === 'none' : wanted.includes(value) === isNegated,
        );
        const known = endings.get(field) ?? new Set();
        for (const value of ending) known.add(value);
        endings.set(field, known);
      }
  return new Map(
    [...endings].map(([field, values]) => [
      field,
      (set.values[field] as string[]).filter((value) => values.has(value)),
    ]),
  );
}

const listAskBacksAbout = (field: string, value: string) =>
  questions.filter(({ askBack }) => askBack?.about[0] === field && askBack.about.slice(1).includes(value));

/** The table in the documentation. */
function describeEndingAnswers(): string[] {
  const endings = listEndingAnswers();
  return questions.flatMap(({ field }) => {
    const rows = Map.groupBy(endings.get(field) ?? [], (value) =>
      listAskBacksAbout(field, value)
        .map(({ label, askBack }) => `“${label}” ${describeContradiction(field, askBack?.when)}`)
        .join('; '),
    );
    return [...rows].map(([askBacks, values]) => `| \`${field}\` | ${values.join(', ')} | ${askBacks || '–'} |`);
  });
}

function describeContradiction(field: string, when: Tree | undefined): string {
  if (!when) return '(always)';
  const fields = new Set([...listLeaves(when)].flatMap(({ leaf }) => listLeafFields(leaf)));
  const others = [...fields].filter((other) => other !== field && other !== 'spells');
  return `(${others.map((other) => `\`${other}\``).join(', ')})`;
}

test('the documentation lists every answer that ends a duty, and what asks back about it', () => {
  const docs = readFileSync('docs/law.md', 'utf8');
  const [, table = ''] = docs.split(
    '| Question | Answers that end a duty | Asks back (contradicted by) |\n|---|---|---|\n',
  );
  expect(table.split('\n\n')[0]?.split('\n')).toEqual(describeEndingAnswers());
});

test('the exemptions of the law always have to be confirmed, and every question that asks back is about an answer that ends a duty', () => {
  const always = questions.filter(({ askBack }) => askBack && !askBack.when).map(({ askBack }) => askBack?.about);
  expect(always).toEqual([
    ['road', 'publicRoad'],
    ['exclusions', 'medical'],
    ['exclusions', 'ship'],
    ['forces', 'yes'],
  ]);
  const endings = listEndingAnswers();
  for (const { askBack } of questions)
    for (const value of askBack?.about.slice(1) ?? []) expect(endings.get(askBack?.about[0] ?? '')).toContain(value);
});

test('version 1 of the rules of 2013 never changes', () => {
  const file = readFileSync('src/shared/law/rules/riddor-2013-v1.json');
  expect(createHash('sha256').update(file).digest('hex')).toBe(
    '08f1466a051756f111f369ccc45141c458632260e0c9a1b0df0299518ac1a24d',
  );
  expect(runCases(riddor2013v1, riddor2013v1Cases.vectors).failures).toEqual([]);
});

test('version 2 names the questions of version 1 whose words changed, and has all others as they were', () => {
  const changed = riddor2013v1.questions?.filter(
    (question) => JSON.stringify(question) !== JSON.stringify(findQuestion(question.field)),
  );
  expect(changed?.map(({ field }) => field)).toEqual(set.corrects?.askAgain);
  expect(findQuestion('exclusions').label).toMatch(/^Was the harm caused by treatment/);
  expect((set.values.exclusions as string[]).map((value) => findQuestion('exclusions').options?.[value])[0]).toBe('No');
});
