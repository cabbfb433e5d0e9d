// Rule sets: those of this release, and those of an operator in the database, which assessments still use.
import { pickRuleSet, type RuleSet } from '#shared/law/rule-set.ts';
import { riddor2013v1, riddor2013v2 } from '#shared/law/rules/shipped.ts';
import type { Database } from '../db/schema.ts';

export const shippedRuleSets: RuleSet[] = [riddor2013v1, riddor2013v2];

/** Returns the rule set in force on a day; the latest version of the first one for earlier days. */
export const getRuleSetInForce = (on: string): RuleSet => pickRuleSet(shippedRuleSets, on) ?? riddor2013v2;

export async function findRuleSet(db: Database, id: string): Promise<RuleSet | undefined> {
  const row = await db.selectFrom('rule_sets').select('rules').where('id', '=', id).executeTakeFirst();
  return row ? (JSON.parse(row.rules) as RuleSet) : shippedRuleSets.find((set) => set.id === id);
}

/**
 * Returns the id of the latest corrected version of a rule set: the same name with a higher number after `-v`.
 * Returns null if there is none.
 */
export function findCorrection(id: string): string | null {
  const split = (id: string) => /^(.*)-v(\d+)$/.exec(id) ?? [];
  const [, name, version] = split(id);
  const versions = shippedRuleSets.filter((set) => split(set.id)[1] === name).map((set) => Number(split(set.id)[2]));
  const latest = Math.max(...versions);
  return name && latest > Number(version) ? `${name}-v${latest}` : null;
}
