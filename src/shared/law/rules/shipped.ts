// The rule sets of this release. A corrected one is stored as its differences from the earlier one. law.test.ts checks
// them, so that no start has to.
import { applyCorrections } from '../corrections.ts';
import type { RuleSet } from '../rule-set.ts';
import riddor2013 from './riddor-2013-v1.json' with { type: 'json' };
import corrections from './riddor-2013-v2.json' with { type: 'json' };

export const riddor2013v1 = riddor2013 as unknown as RuleSet;
export const riddor2013v2 = applyCorrections(riddor2013, corrections) as unknown as RuleSet;
