// The authority that enforces health and safety at a park. It does not change where a report is
// sent: all use HSE's forms.
import { countDays } from '../calendar.ts';
import { formatDay } from '../dates.ts';
import { pluralise } from '../pluralise.ts';
import { type Duty, mayBeOwnDuty, type Responsible, type Result } from './evaluate.ts';

export const authorities = ['council', 'HSE', 'ask'] as const;
export type Authority = (typeof authorities)[number];

export const authorityNames: Record<Authority, string> = {
  council: 'The council',
  HSE: 'HSE',
  ask: 'Not known yet',
};

const adviceTexts: Record<Authority, string> = {
  council: 'The council, or HSE for building work and residential homes',
  HSE: 'HSE',
  ask: 'The council or HSE: ask the council which of them it is',
};

/** Returns the authority for these duties in words, or '' if we have no duty to report. */
export function describeAuthority(ofPark: Authority, duties: Pick<Duty, 'authority' | 'regulation'>[]): string {
  if (duties.length === 0) return '';
  const hseDuties = duties.filter(({ authority }) => authority === 'HSE');
  const isAllHse = ofPark === 'HSE' || hseDuties.length === duties.length;
  const regulations = [...new Set(hseDuties.map(({ regulation }) => regulation))];
  const except = regulations.length > 0 ? `; HSE for regulation ${regulations.join(' and ')}` : '';
  return `${isAllHse ? adviceTexts.HSE : `${adviceTexts[ofPark]}${except}`}. Either way, report on HSE's form.`;
}

const responsibleTexts: Record<Responsible, string> = {
  us: 'We report it.',
  employer: 'Their employer reports it. Tell them today, and keep our record.',
  controller: 'The firm in control of the premises reports it. Tell them today, and keep our record.',
  self: 'The self-employed person reports it. Tell them today, and keep our record.',
  unsure: 'It is not yet clear who reports it.',
};

/** Returns who must report, in words; nothing if there is nothing to report. */
export function describeResponsible({ outcome, responsible }: Pick<Result, 'outcome' | 'responsible'>): string[] {
  if (outcome !== 'reportable' && outcome !== 'undecided') return [];
  const texts = (responsible.includes('unsure') ? (['unsure'] as const) : responsible).map(
    (who) => responsibleTexts[who],
  );
  return outcome === 'reportable' ? texts : texts.map((text) => `If it is reportable: ${text}`);
}

const tellTexts: Record<Responsible, string> = {
  us: 'Tell HSE now',
  unsure: 'Tell HSE now',
  employer: 'Tell their employer today',
  controller: 'Tell the firm in control of the premises today',
  self: 'Tell the self-employed person today',
};

/** Returns what a result requires us to do, and by when, and by how much that is over. */
export function describeAction(
  { outcome, deadline, duties }: Pick<Result, 'outcome' | 'deadline' | 'duties'>,
  today: string,
): string {
  const dueOn = deadline?.dueOn;
  const overdue = dueOn && today > dueOn ? `, overdue by ${pluralise(countDays(dueOn, today), 'day')}` : '';
  const by = dueOn ? `by ${formatDay(dueOn)}${overdue}` : '';
  if (outcome !== 'reportable') return by && `If reportable, due ${by}`;
  const ownDuties = duties.filter(mayBeOwnDuty);
  const tell =
    ownDuties.length > 0
      ? ownDuties.filter(({ notify }) => notify).map(() => tellTexts.us)
      : duties.map(({ responsible }) => tellTexts[responsible]);
  const report =
    by && (ownDuties.length === 0 ? `they report ${by}` : tell.length > 0 ? `report ${by}` : `Report ${by}`);
  return [...new Set(tell), report].filter(Boolean).join('; ');
}
