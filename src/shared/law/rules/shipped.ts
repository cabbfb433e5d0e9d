// The rule sets of this release. A corrected one is stored as its differences from the earlier one.
import { applyCorrections } from '../corrections.ts';
import { parseRuleSet } from '../rule-set.ts';
import riddor2013 from './riddor-2013-v1.json' with { type: 'json' };
import corrections from './riddor-2013-v2.json' with { type: 'json' };

export const riddor2013v1 = parseRuleSet(riddor2013);
export const riddor2013v2 = parseRuleSet(applyCorrections(riddor2013, corrections));
