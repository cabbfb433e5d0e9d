// The authority that enforces health and safety at a park. It does not change where a report is
// sent: all use HSE's forms.
import * as z from 'zod/mini';
import { parks } from '../choices.ts';
import type { Duty, Responsible } from './evaluate.ts';

export const authorities = ['council', 'HSE', 'ask'] as const;
export type Authority = (typeof authorities)[number];

export const authorityNames: Record<Authority, string> = {
  council: 'The council',
  HSE: 'HSE',
  ask: 'Not known yet',
};

/**
 * Returns the authority of a park without a setting. Councils enforce at holiday caravan sites (SI
 * 1998/494, Schedule 1 paragraph 5). HSE may enforce at a metal works, so there the result is
 * `ask`.
 */
export const getDefaultAuthority = (park: string): Authority => (park === 'Delyn Metals' ? 'ask' : 'council');

export const ParkAuthority = z.object({
  park: z.enum(parks, 'Choose a park'),
  authority: z.enum(authorities, 'Choose the council, HSE or not known yet'),
});
export type ParkAuthority = z.output<typeof ParkAuthority>;

const adviceTexts: Record<Authority, string> = {
  council: 'The council, or HSE for building work and residential homes',
  HSE: 'HSE',
  ask: 'The council or HSE: ask the council which of them it is',
};

/** Returns the authority for these duties in words, or '' if we have no duty to report. */
export function describeAuthority(park: Authority, duties: Pick<Duty, 'authority' | 'regulation'>[]): string {
  if (duties.length === 0) return '';
  const own = [...new Set(duties.filter(({ authority }) => authority === 'HSE').map(({ regulation }) => regulation))];
  const isAllHse = park === 'HSE' || duties.every(({ authority }) => authority === 'HSE');
  const except = own.length > 0 ? `; HSE for regulation ${own.join(' and ')}` : '';
  return `${isAllHse ? adviceTexts.HSE : `${adviceTexts[park]}${except}`}. Either way, report on HSE's form.`;
}

const responsibleTexts: Record<Responsible, string> = {
  us: 'We report it.',
  employer: 'Their employer reports it. Tell them today, and keep our record.',
  controller: 'The firm in control of the premises reports it. Tell them today, and keep our record.',
  self: 'The self-employed person reports it. Tell them today, and keep our record.',
  unsure: 'It is not yet clear who reports it.',
};

/** Returns who must report, in words. */
export const describeResponsible = (responsible: Responsible[]): string[] =>
  (responsible.includes('unsure') ? (['unsure'] as const) : responsible).map((who) => responsibleTexts[who]);
