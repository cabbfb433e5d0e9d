// A rule set: one version of a law as data. It is read from a file, so this schema checks it before
// it is used.
import * as z from 'zod/mini';
import { parseDay } from '../dates.ts';

const day = z.string().check(z.refine((text) => parseDay(text) === text, 'Write a day as YYYY-MM-DD'));
const name = z.string().check(z.regex(/^[A-Za-z][A-Za-z0-9_-]{0,59}$/));
const text = z.string().check(z.maxLength(4000));

export type Comparison = '>' | '>=';

/** A condition: data in one of these forms, without code. */
export type Tree =
  | { all: Tree[] }
  | { any: Tree[] }
  | { not: Tree }
  | { is: [field: string, ...values: string[]] }
  | { has: [field: string, ...values: string[]] }
  | { num: [field: string, comparison: Comparison, limit: number] }
  | { longestSpell: [comparison: Comparison, days: number] }
  | { withinYears: [field: string, from: string, years: number] }
  | { use: string };

const comparison = z.enum(['>', '>=']);
const fieldAndValues = z.tuple([name, name], name) as unknown as z.ZodMiniType<[string, ...string[]]>;

const Tree: z.ZodMiniType<Tree> = z.lazy(() =>
  z.union([
    z.strictObject({ all: z.array(Tree).check(z.minLength(1)) }),
    z.strictObject({ any: z.array(Tree).check(z.minLength(1)) }),
    z.strictObject({ not: Tree }),
    z.strictObject({ is: fieldAndValues }),
    z.strictObject({ has: fieldAndValues }),
    z.strictObject({ num: z.tuple([name, comparison, z.number()]) }),
    z.strictObject({ longestSpell: z.tuple([comparison, z.int().check(z.minimum(0), z.maximum(366))]) }),
    z.strictObject({ withinYears: z.tuple([name, name, z.int().check(z.minimum(0), z.maximum(100))]) }),
    z.strictObject({ use: name }),
  ]),
);

const Deadline = z.strictObject({
  /** Whether the authority must also be notified immediately. */
  notify: z.nullable(z.literal('withoutDelay')),
  days: z.int().check(z.minimum(0), z.maximum(366)),
  /** `accidentOn`, or a question whose answer is a day. */
  from: name,
});
export type Deadline = z.output<typeof Deadline>;

const Rule = z.strictObject({
  id: name,
  regulation: z.string().check(z.minLength(1), z.maxLength(60)),
  /** A short description. */
  title: z.optional(text),
  /** A description of the rule for the screen and the PDF. */
  text: z.optional(text),
  when: Tree,
  /** The outcome if the condition is true; reportable by default. */
  gives: z.optional(z.enum(['undecided', 'record'])),
  deadline: z.nullable(Deadline),
  /**
   * The deadline for a self-employed person injured on their own premises (the named tree
   * `ownPremisesSelf`).
   */
  deadlineIfSelfAtOwnPremises: z.optional(Deadline),
  /** The ids of rules that add no duty for the same person if this rule applies. */
  covers: z.optional(z.array(name)),
  /** Applies only if no other rule makes the event reportable. */
  unlessReportable: z.optional(z.boolean()),
  /** `us`, or the question whose answer says who must report; derived from the person if omitted. */
  responsible: z.optional(name),
  /** The authority, if every park reports to the same one. */
  authority: z.optional(z.enum(['HSE'])),
});
export type Rule = z.output<typeof Rule>;

const AbsenceSpells = z
  .array(z.strictObject({ from: z.literal('day'), back: z.literal('day or null') }))
  .check(z.length(1));
const AnswerValues = z.union([
  z.literal('day'),
  z.literal('number or unsure'),
  z.array(name).check(z.minLength(2)),
  AbsenceSpells,
]);
export type AnswerValues = z.output<typeof AnswerValues>;

/** The answers of a question that asks back: only `right` confirms the answer it is about. */
export const askBackAnswers = ['change', 'right', 'unsure'] as const;

/**
 * Makes a question ask back: an answer that ends a duty counts as "not sure" until this question
 * confirms it.
 */
const AskBack = z.strictObject({
  /** The question and the answers that end a duty. */
  about: fieldAndValues,
  /**
   * The other answers that contradict it. Of a question about the event, also those about any
   * person. Without it, the answer needs to be confirmed whenever it ends a duty.
   */
  when: z.optional(Tree),
  /** The answer that replaces it with `change`; without it, its question is asked again. */
  instead: z.optional(name),
});
export type AskBack = z.output<typeof AskBack>;

const Question = z.strictObject({
  field: name,
  about: z.enum(['event', 'person']),
  /** The step of the form that asks this question. Questions with the same number share a step. */
  step: z.int().check(z.minimum(1), z.maximum(99)),
  /** Whether several of the values can be chosen. */
  several: z.optional(z.boolean()),
  label: text,
  help: z.optional(text),
  law: z.optional(text),
  onlyWhen: z.optional(Tree),
  /** Not asked if this condition is true, because it answers the question. */
  implied: z.optional(z.strictObject({ when: Tree, answer: name })),
  /** The label of each value. */
  options: z.optional(z.record(name, text)),
  unit: z.optional(text),
  /** Whether the data of the park answer the question, so that users are not asked. */
  ofPark: z.optional(z.boolean()),
  askBack: z.optional(AskBack),
});
export type Question = z.output<typeof Question>;

/** The mistake in an earlier version that a rule set corrects. */
const Corrected = z.strictObject({
  ruleSet: name,
  /** The questions whose words changed: assessments that are not decided are asked them again. */
  askAgain: z.array(name),
  /** The answers that may have been given by mistake: decisions that rest on them are to be checked. */
  doubtful: z.record(name, z.array(name)),
  /** What was wrong, for users. */
  why: text,
});

const AuthorityContacts = z.strictObject({
  formUrl: text,
  telephone: text,
  telephoneHours: text,
  checkedOn: day,
  note: z.optional(text),
});

export const RuleSet = z
  .strictObject({
    id: z.string().check(z.regex(/^[a-z0-9][a-z0-9-]{2,59}$/)),
    title: z.optional(text),
    validFrom: day,
    validTo: z.nullable(day),
    values: z.record(name, AnswerValues),
    /** Answers that leave a question open unless a rule names them. */
    unknownWhen: z.optional(z.record(name, z.array(name))),
    named: z.record(name, Tree),
    people: z.array(Rule),
    event: z.array(Rule),
    questions: z.optional(z.array(Question)),
    contacts: z.optional(AuthorityContacts),
    corrects: z.optional(Corrected),
    sources: z.optional(z.array(text)),
  })
  .check(
    z.refine((set) => findRuleSetErrors(set as RuleSet).length === 0, {
      error: (issue) => findRuleSetErrors(issue.input as RuleSet).join('; '),
    }),
  );
export type RuleSet = {
  id: string;
  title?: string;
  validFrom: string;
  validTo: string | null;
  values: Record<string, AnswerValues>;
  unknownWhen?: Record<string, string[]>;
  named: Record<string, Tree>;
  people: Rule[];
  event: Rule[];
  questions?: Question[];
  contacts?: z.output<typeof AuthorityContacts>;
  corrects?: z.output<typeof Corrected>;
  sources?: string[];
};

export const maxDepth = 12;

/** Returns every rule of a set, and whether it is about the event or a person. */
export const listRules = (set: RuleSet) => [
  ...set.people.map((rule) => ({ rule, about: 'person' as const })),
  ...set.event.map((rule) => ({ rule, about: 'event' as const })),
];

/**
 * Returns the depth of a tree with named trees expanded, or Infinity if a name refers to itself.
 */
function getDepth(set: RuleSet, tree: Tree, within: string[] = []): number {
  if ('all' in tree) return 1 + Math.max(...tree.all.map((part) => getDepth(set, part, within)));
  if ('any' in tree) return 1 + Math.max(...tree.any.map((part) => getDepth(set, part, within)));
  if ('not' in tree) return 1 + getDepth(set, tree.not, within);
  if (!('use' in tree)) return 1;
  const target = set.named[tree.use];
  if (within.includes(tree.use)) return Number.POSITIVE_INFINITY;
  return target ? 1 + getDepth(set, target, [...within, tree.use]) : 1;
}

function* listNodes(tree: Tree): Generator<Tree> {
  yield tree;
  if ('all' in tree) for (const part of tree.all) yield* listNodes(part);
  if ('any' in tree) for (const part of tree.any) yield* listNodes(part);
  if ('not' in tree) yield* listNodes(tree.not);
}

/**
 * Finds errors that the schema cannot: unknown names, values that a question does not have, trees
 * that are too deep.
 */
function findRuleSetErrors(set: RuleSet): string[] {
  const mistakes: string[] = [];
  const add = (where: string, problem: string) => mistakes.push(`${where}: ${problem}`);
  const isDay = (field: string) => field === 'accidentOn' || set.values[field] === 'day';
  const checkTree = (where: string, tree: Tree) => {
    const depth = getDepth(set, tree);
    if (depth === Number.POSITIVE_INFINITY) add(where, 'a named tree uses itself');
    else if (depth > maxDepth) add(where, `more than ${maxDepth} levels deep`);
    for (const node of listNodes(tree)) {
      if ('use' in node && !set.named[node.use]) add(where, `unknown name ${node.use}`);
      if ('num' in node && set.values[node.num[0]] !== 'number or unsure') add(where, `${node.num[0]} is not a number`);
      if ('withinYears' in node)
        for (const field of node.withinYears.slice(0, 2)) if (!isDay(`${field}`)) add(where, `${field} is not a day`);
      if (!('is' in node || 'has' in node)) continue;
      const [field, ...wantedValues] = 'is' in node ? node.is : node.has;
      const values = set.values[field];
      if (!Array.isArray(values)) add(where, `${field} has no list of values`);
      else
        for (const value of wantedValues)
          if (!values.includes(value as never)) add(where, `${field} cannot be ${value}`);
    }
  };
  for (const [key, tree] of Object.entries(set.named)) checkTree(key, tree);
  const ids = listRules(set).map(({ rule }) => rule.id);
  for (const { rule } of listRules(set)) {
    checkTree(rule.id, rule.when);
    if (ids.filter((id) => id === rule.id).length > 1) add(rule.id, 'two rules have this id');
    for (const id of rule.covers ?? []) if (!ids.includes(id)) add(rule.id, `covers the unknown rule ${id}`);
    for (const deadline of [rule.deadline, rule.deadlineIfSelfAtOwnPremises])
      if (deadline && !isDay(deadline.from)) add(rule.id, `${deadline.from} is not a day`);
    if (rule.deadlineIfSelfAtOwnPremises && !set.named.ownPremisesSelf) add(rule.id, 'ownPremisesSelf is missing');
    if (rule.responsible && rule.responsible !== 'us' && !set.values[rule.responsible])
      add(rule.id, `unknown question ${rule.responsible}`);
    if (!rule.deadline && !rule.gives) add(rule.id, 'a reportable rule needs a deadline');
  }
  for (const field of Object.keys(set.unknownWhen ?? {})) if (!set.values[field]) add('unknownWhen', field);
  if (set.questions)
    for (const field of Object.keys(set.values))
      if (!set.questions.some((question) => question.field === field)) add('questions', `none asks for ${field}`);
  for (const { field, about, onlyWhen, implied, askBack } of set.questions ?? []) {
    if (!set.values[field]) add('questions', `${field} has no values`);
    if (askBack) {
      const where = `question ${field}`;
      const [target, ...answers] = askBack.about;
      if (`${set.values[field]}` !== `${askBackAnswers}`) add(where, `its answers must be ${askBackAnswers}`);
      if (set.questions?.find((other) => other.field === target)?.about !== about)
        add(where, `${target} is not about the same`);
      const replacement = askBack.instead ? [askBack.instead] : [];
      checkTree(where, {
        all: [{ is: [target, ...answers, ...replacement] }, ...(askBack.when ? [askBack.when] : [])],
      });
    }
    if (onlyWhen) checkTree(`question ${field}`, onlyWhen);
    if (implied) checkTree(`question ${field}`, { all: [implied.when, { is: [field, implied.answer] }] });
  }
  if (set.validTo && set.validTo < set.validFrom) add('validTo', 'is before validFrom');
  return mistakes;
}

/**
 * Returns the rule set in force on a day: the latest to start of those that include the day, and of
 * those that start together the highest version.
 */
export function pickRuleSet<T extends Pick<RuleSet, 'id' | 'validFrom' | 'validTo'>>(
  sets: T[],
  on: string,
): T | undefined {
  return sets
    .filter((set) => set.validFrom <= on && (set.validTo === null || on <= set.validTo))
    .toSorted(
      (a, b) => b.validFrom.localeCompare(a.validFrom, 'en') || b.id.localeCompare(a.id, 'en', { numeric: true }),
    )[0];
}

/** Parses a rule set from JSON. Throws an error that says what is wrong and where. */
export function parseRuleSet(json: unknown): RuleSet {
  const parsed = RuleSet.safeParse(json);
  if (parsed.success) return parsed.data as RuleSet;
  const [issue] = parsed.error.issues;
  throw new Error(`${issue?.path.join('.') || 'The rule set'}: ${issue?.message ?? 'is not valid'}`);
}
