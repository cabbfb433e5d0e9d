// Six realistic checklists for the demo data. They can be edited like any other.
import type { NewChecklist, Section, SectionType } from '#shared/checklists.ts';
import type { Database } from '../db/schema.ts';
import { insertChecklist } from './store.ts';

const createSectionBuilder =
  (type: SectionType) =>
  (title: string, required = true): Section => ({ title, type, required });
const text = createSectionBuilder('text');
const site = createSectionBuilder('site');
const checkbox = createSectionBuilder('checkbox');
const signature = createSectionBuilder('signature');
const time = createSectionBuilder('time');
const date = createSectionBuilder('date');
const choice = createSectionBuilder('na');

/** A question whose answer should be Yes: a No needs a note. */
const mustBeYes = (title: string): Section => ({ ...choice(title), onFail: { when: 'No', photo: 'optional' } });
/** A question whose answer should be Yes: a No creates an urgent audit, because nobody may use the place. */
const urgentIfNo = (title: string): Section => ({
  ...choice(title),
  onFail: { when: 'No', photo: 'optional', audit: { urgent: true, days: 0, assignees: {} } },
});
const number = (title: string, unit: string, min: number | null, max: number | null): Section => ({
  ...text(title),
  number: { unit, min, max },
});

const commonSections = [site('Park'), date('Date of the check'), time('Time of the check')];
const findingsSections = [
  text('Faults found and action taken', false),
  choice('Area closed or equipment taken out of use?'),
  signature('Signature of the person checking'),
];

export const starterChecklists: NewChecklist[] = [
  {
    title: 'Swimming pool plant room: daily check',
    sections: [
      ...commonSections,
      number('Free chlorine', 'mg/l', 1, 3),
      number('Combined chlorine', 'mg/l', null, 1),
      number('pH', '', 7.2, 7.6),
      number('Pool water temperature', '°C', null, null),
      urgentIfNo('Water clear: the deepest point of the bottom can be seen?'),
      mustBeYes('Circulation pumps running, no leaks or unusual noise?'),
      mustBeYes('Filter pressures within limits?'),
      text('Filter pressure before and after (bar)', false),
      choice('Backwash done today?'),
      mustBeYes('Dosing pumps working and day tanks filled?'),
      mustBeYes('Acid and hypochlorite stored apart, bunds dry, labels readable?'),
      mustBeYes('Goggles, gloves, apron and eyewash in place?'),
      urgentIfNo('Rescue equipment and emergency alarm in place and working?'),
      checkbox('Plant room locked on leaving'),
      ...findingsSections,
    ],
  },
  {
    title: 'Play area: weekly inspection',
    sections: [
      ...commonSections,
      text('Play area or plot'),
      mustBeYes('Surfacing level, firm and free of glass, litter and animal fouling?'),
      urgentIfNo('Swings: chains, shackles, seats and bearings sound?'),
      mustBeYes('Slides: no cracks, sharp edges or loose bolts?'),
      mustBeYes('Climbing frames and timber: no rot, splinters or missing caps?'),
      mustBeYes('Moving parts guarded, no finger or head traps?'),
      mustBeYes('Fence, gates and self-closers working?'),
      mustBeYes('Trees overhead without dead or hanging branches?'),
      mustBeYes('Signs with ages, rules and the park telephone number readable?'),
      checkbox('Litter and loose items removed'),
      ...findingsSections,
    ],
  },
  {
    title: 'LPG bulk compound: weekly check',
    sections: [
      ...commonSections,
      text('Compound'),
      number('Tank contents', '%', null, null),
      mustBeYes('Fence undamaged, gates locked, both exits clear?'),
      urgentIfNo('No smell or sound of leaking gas?'),
      mustBeYes('Separation distances kept: nothing stored or parked within the marked line?'),
      mustBeYes('Weeds, leaves and rubbish cleared inside and around the compound?'),
      mustBeYes('Pipework, valves and regulators free of damage and corrosion?'),
      mustBeYes('Valve protection and pressure relief caps in place?'),
      mustBeYes('"Highly flammable LPG" and "No smoking" signs readable?'),
      mustBeYes('Emergency telephone numbers displayed?'),
      mustBeYes('Fire extinguishers in place, sealed and in date?'),
      mustBeYes('Emergency shut-off reachable and marked?'),
      ...findingsSections,
    ],
  },
  {
    title: 'Fire points: weekly check',
    sections: [
      ...commonSections,
      text('Fire points checked (numbers)'),
      mustBeYes('Every fire point can be seen and reached, nothing parked in front?'),
      mustBeYes('Extinguishers or hose reels present, sealed and in date?'),
      mustBeYes('Hoses run out and water pressure tested?'),
      urgentIfNo('Gong, bell or sounder tested and heard?'),
      mustBeYes('Instructions, plan and "Call 999" notice readable?'),
      mustBeYes('Roads and spacing between units clear for a fire engine?'),
      mustBeYes('Hydrants marked and not obstructed?'),
      mustBeYes('Night lighting at the fire points working?'),
      text('Fire points needing repair, and their fault', false),
      text('Action taken, and by whom', false),
      signature('Signature of the person checking'),
    ],
  },
  {
    title: 'Legionella: weekly flush of little-used outlets',
    sections: [
      ...commonSections,
      text('Building or unit numbers flushed'),
      checkbox('Every little-used tap and shower flushed for 5 minutes, without making spray'),
      checkbox('Toilets flushed'),
      number('Hot water after 1 minute', '°C', 50, null),
      number('Cold water after 2 minutes', '°C', null, 20),
      mustBeYes('Hot water stored at 60 °C or more?'),
      mustBeYes('Shower heads and hoses free of scale and slime?'),
      date('Shower heads last cleaned and descaled', false),
      choice('Outlets found that are no longer needed and should be removed?'),
      text('Outlets outside the temperature limits, and action taken', false),
      signature('Signature of the person flushing'),
    ],
  },
  {
    title: 'Hot tub: changeover and daily check',
    sections: [
      ...commonSections,
      text('Unit or lodge number'),
      mustBeYes('Drained, cleaned and refilled between guests?'),
      mustBeYes('Filter cleaned or replaced?'),
      text('Free chlorine 3 to 5 mg/l, or bromine 4 to 6 mg/l: reading'),
      number('pH', '', 7.2, 7.6),
      number('Water temperature', '°C', null, 40),
      mustBeYes('Water clear, without foam or smell?'),
      mustBeYes('Cover, locks, steps and handrail sound?'),
      urgentIfNo('RCD tested and tripping?'),
      mustBeYes('Guest safety instructions in the unit?'),
      checkbox('Chemicals taken away or locked up'),
      ...findingsSections,
    ],
  },
];

/** Inserts the checklists as created by this user; returns their ids. */
export async function insertStarterChecklists(db: Database, by: string, now: Date): Promise<string[]> {
  const ids: string[] = [];
  for (const checklist of starterChecklists) ids.push(await insertChecklist(db, checklist, by, now));
  return ids;
}
