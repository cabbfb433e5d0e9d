// Rule sets: those of this release, and those in the database. In earlier versions, operators could put their
// own into DATA_DIR/law; those that assessments use are copied into the database.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { parseRuleSet, pickRuleSet, type RuleSet } from '#shared/law/rule-set.ts';
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

/** Copies the rule sets in the operator's folder that assessments use into the database. */
export async function copyUsedRuleFiles(db: Database, folder: string): Promise<void> {
  if (!existsSync(folder)) return;
  const rows = await db.selectFrom('assessments').select('rule_set').distinct().execute();
  const usedIds = new Set(rows.map((row) => row.rule_set));
  for (const name of readdirSync(folder).filter((name) => name.endsWith('.json'))) {
    const json = JSON.parse(readFileSync(join(folder, name), 'utf8')) as { id?: string; people?: object };
    // Files with cases have no id, and files with only an id and days changed when a set applied.
    if (!json.people || !usedIds.has(json.id ?? '')) continue;
    const set = parseRuleSet(json);
    if (shippedRuleSets.some((shipped) => isDeepStrictEqual(shipped, set))) continue;
    await db
      .insertInto('rule_sets')
      .values({ id: set.id, rules: JSON.stringify(set) })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}
