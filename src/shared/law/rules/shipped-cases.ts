// The test cases of this release's rule sets.
import { parseCases } from '../check.ts';
import { applyCaseCorrections } from '../corrections.ts';
import cases from './riddor-2013-v1.cases.json' with { type: 'json' };
import corrections from './riddor-2013-v2.cases.json' with { type: 'json' };

export const riddor2013v1Cases = parseCases(cases);
export const riddor2013v2Cases = applyCaseCorrections(riddor2013v1Cases, parseCases(corrections));
