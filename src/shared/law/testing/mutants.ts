// Small changes to a rule set, each of which must fail a case.
import type { AskBack, Deadline, Question, Rule, RuleSet, Tree } from '../rule-set.ts';

export type Mutant = { name: string; set: RuleSet };

const always: Tree = { withinYears: ['accidentOn', 'accidentOn', 0] };

/** Returns every small change to one leaf of a tree. */
function createTreeMutants(tree: Tree): { name: string; tree: Tree }[] {
  if ('all' in tree || 'any' in tree) {
    const key = 'all' in tree ? 'all' : 'any';
    const parts = 'all' in tree ? tree.all : tree.any;
    return parts.flatMap((part, index) =>
      createTreeMutants(part).map(({ name, tree: changed }) => ({
        name,
        tree: { [key]: parts.with(index, changed) } as Tree,
      })),
    );
  }
  if ('not' in tree) return createTreeMutants(tree.not).map(({ name, tree: not }) => ({ name, tree: { not } }));
  if ('num' in tree) {
    const [field, comparison, limit] = tree.num;
    const oppositeComparison = comparison === '>' ? '>=' : '>';
    return [
      { name: `${field} ${comparison} ${limit + 1}`, tree: { num: [field, comparison, limit + 1] } },
      { name: `${field} ${comparison} ${limit - 1}`, tree: { num: [field, comparison, limit - 1] } },
      { name: `${field} ${oppositeComparison} ${limit}`, tree: { num: [field, oppositeComparison, limit] } },
    ];
  }
  if ('longestSpell' in tree) {
    const [comparison, days] = tree.longestSpell;
    const oppositeComparison = comparison === '>' ? '>=' : '>';
    return [
      { name: `run ${comparison} ${days + 1}`, tree: { longestSpell: [comparison, days + 1] } },
      { name: `run ${comparison} ${days - 1}`, tree: { longestSpell: [comparison, days - 1] } },
      { name: `run ${oppositeComparison} ${days}`, tree: { longestSpell: [oppositeComparison, days] } },
    ];
  }
  if ('withinYears' in tree) {
    const [field, from, years] = tree.withinYears;
    return [years + 1, years - 1].map((other) => ({
      name: `${field} within ${other} years`,
      tree: { withinYears: [field, from, other] },
    }));
  }
  return [];
}

function createDeadlineMutants(deadline: Deadline | null | undefined): { name: string; deadline: Deadline }[] {
  if (!deadline) return [];
  const days = [deadline.days + 1, ...(deadline.days > 0 ? [deadline.days - 1] : [])];
  return [
    ...days.map((other) => ({ name: `${other} days`, deadline: { ...deadline, days: other } })),
    { name: 'notice flipped', deadline: { ...deadline, notify: deadline.notify ? null : ('withoutDelay' as const) } },
  ];
}

function createRuleMutants(rule: Rule): { name: string; rule: Rule }[] {
  return [
    ...createDeadlineMutants(rule.deadline).map(({ name, deadline }) => ({ name, rule: { ...rule, deadline } })),
    ...createDeadlineMutants(rule.deadlineIfSelfAtOwnPremises).map(({ name, deadline }) => ({
      name: `own premises, ${name}`,
      rule: { ...rule, deadlineIfSelfAtOwnPremises: deadline },
    })),
    ...createTreeMutants(rule.when).map(({ name, tree }) => ({ name, rule: { ...rule, when: tree } })),
  ];
}

export function listMutants(set: RuleSet): Mutant[] {
  const listRuleMutants = (key: 'people' | 'event'): Mutant[] =>
    set[key].flatMap((rule, index) => [
      { name: `${rule.id} gone`, set: { ...set, [key]: set[key].toSpliced(index, 1) } },
      ...createRuleMutants(rule).map((mutant) => ({
        name: `${rule.id}: ${mutant.name}`,
        set: { ...set, [key]: set[key].with(index, mutant.rule) },
      })),
    ]);
  const namedMutants = Object.entries(set.named).flatMap(([key, tree]) =>
    [
      { name: `${key} always`, tree: always },
      { name: `${key} never`, tree: { not: always } as Tree },
      ...createTreeMutants(tree).map((mutant) => ({ ...mutant, name: `${key}: ${mutant.name}` })),
    ].map((mutant) => ({ name: mutant.name, set: { ...set, named: { ...set.named, [key]: mutant.tree } } })),
  );
  const questions = set.questions ?? [];
  const replaceAskBack = (index: number, name: string, askBack: AskBack | undefined): Mutant => {
    const question = questions[index] as Question;
    return {
      name: `${question.field}: ${name}`,
      set: { ...set, questions: questions.with(index, { ...question, askBack }) },
    };
  };
  const askBackMutants = questions.flatMap(({ askBack }, index): Mutant[] => {
    if (!askBack) return [];
    const { about, when } = askBack;
    const [field, ...values] = about;
    const parts = when && 'any' in when ? when.any : [];
    return [
      replaceAskBack(index, 'gone', undefined),
      ...(when ? [replaceAskBack(index, 'whatever was answered', { ...askBack, when: undefined })] : []),
      ...values
        .filter(() => values.length > 1)
        .map((value) =>
          replaceAskBack(index, `not about ${value}`, {
            ...askBack,
            about: [field, ...values.filter((other) => other !== value)],
          }),
        ),
      ...parts.map((_, part) =>
        replaceAskBack(index, `part ${part} gone`, { ...askBack, when: { any: parts.toSpliced(part, 1) } }),
      ),
    ];
  });
  return [...listRuleMutants('people'), ...listRuleMutants('event'), ...namedMutants, ...askBackMutants];
}
