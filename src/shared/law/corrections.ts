// A corrected rule set: an earlier one, whose file never changes, with what differs from it.
import type { RuleSet } from './rule-set.ts';

/**
 * Returns an earlier rule set with corrections. Values and named conditions are replaced by name,
 * and questions by field; new questions come after those with the same number of the step.
 */
export function applyCorrections(earlier: object, corrections: object): object {
  const [before, changes] = [earlier as RuleSet, corrections as Partial<RuleSet>];
  const changedQuestions = new Map(changes.questions?.map((question) => [question.field, question]));
  const questions = (before.questions ?? []).map((question) => {
    const changed = changedQuestions.get(question.field);
    changedQuestions.delete(question.field);
    return changed ?? question;
  });
  return {
    ...before,
    ...changes,
    values: { ...before.values, ...changes.values },
    named: { ...before.named, ...changes.named },
    questions: [...questions, ...changedQuestions.values()],
  };
}

/** Returns the cases of an earlier rule set with those that differ, replaced by their id, and new ones. */
export function applyCaseCorrections<T extends { ruleSet: string; vectors: { id: string }[] }>(
  earlier: T,
  corrections: T,
): T {
  const ids = new Set(corrections.vectors.map(({ id }) => id));
  return {
    ...corrections,
    vectors: [...earlier.vectors.filter(({ id }) => !ids.has(id)), ...corrections.vectors],
  };
}
