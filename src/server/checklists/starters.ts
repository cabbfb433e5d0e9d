// Six realistic checklists for the demo data. They can be edited like any other.
import type { NewChecklist, Section, SectionType } from '#shared/checklists.ts';
import type { Database } from '../db/schema.ts';
import { insertChecklist } from './store.ts';

const createSectionBuilder =
  (type: SectionType) =>
  (title: string, required = true): Section => ({ title, type, required });
const text = createSectionBuilder('text');
const site = createSectionBuilder('site');
const createCheckbox = createSectionBuilder('checkbox');
const signature = createSectionBuilder('signature');
const time = createSectionBuilder('time');
const date = createSectionBuilder('date');
const choice = createSectionBuilder('na');

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
      text('Free chlorine (mg/l), expected 1.0 to 3.0'),
      text('Combined chlorine (mg/l), no more than 1.0'),
      text('pH, expected 7.2 to 7.6'),
      text('Pool water temperature (°C)'),
      choice('Water clear: the deepest point of the bottom can be seen?'),
      choice('Circulation pumps running, no leaks or unusual noise?'),
      choice('Filter pressures within limits?'),
      text('Filter pressure before and after (bar)', false),
      choice('Backwash done today?'),
      choice('Dosing pumps working and day tanks filled?'),
      choice('Acid and hypochlorite stored apart, bunds dry, labels readable?'),
      choice('Goggles, gloves, apron and eyewash in place?'),
      choice('Rescue equipment and emergency alarm in place and working?'),
      createCheckbox('Plant room locked on leaving'),
      ...findingsSections,
    ],
  },
  {
    title: 'Play area: weekly inspection',
    sections: [
      ...commonSections,
      text('Play area or plot'),
      choice('Surfacing level, firm and free of glass, litter and animal fouling?'),
      choice('Swings: chains, shackles, seats and bearings sound?'),
      choice('Slides: no cracks, sharp edges or loose bolts?'),
      choice('Climbing frames and timber: no rot, splinters or missing caps?'),
      choice('Moving parts guarded, no finger or head traps?'),
      choice('Fence, gates and self-closers working?'),
      choice('Trees overhead without dead or hanging branches?'),
      choice('Signs with ages, rules and the park telephone number readable?'),
      createCheckbox('Litter and loose items removed'),
      ...findingsSections,
    ],
  },
  {
    title: 'LPG bulk compound: weekly check',
    sections: [
      ...commonSections,
      text('Compound'),
      text('Tank contents (%)'),
      choice('Fence undamaged, gates locked, both exits clear?'),
      choice('No smell or sound of leaking gas?'),
      choice('Separation distances kept: nothing stored or parked within the marked line?'),
      choice('Weeds, leaves and rubbish cleared inside and around the compound?'),
      choice('Pipework, valves and regulators free of damage and corrosion?'),
      choice('Valve protection and pressure relief caps in place?'),
      choice('"Highly flammable LPG" and "No smoking" signs readable?'),
      choice('Emergency telephone numbers displayed?'),
      choice('Fire extinguishers in place, sealed and in date?'),
      choice('Emergency shut-off reachable and marked?'),
      ...findingsSections,
    ],
  },
  {
    title: 'Fire points: weekly check',
    sections: [
      ...commonSections,
      text('Fire points checked (numbers)'),
      choice('Every fire point can be seen and reached, nothing parked in front?'),
      choice('Extinguishers or hose reels present, sealed and in date?'),
      choice('Hoses run out and water pressure tested?'),
      choice('Gong, bell or sounder tested and heard?'),
      choice('Instructions, plan and "Call 999" notice readable?'),
      choice('Roads and spacing between units clear for a fire engine?'),
      choice('Hydrants marked and not obstructed?'),
      choice('Night lighting at the fire points working?'),
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
      createCheckbox('Every little-used tap and shower flushed for 5 minutes, without making spray'),
      createCheckbox('Toilets flushed'),
      text('Hot water after 1 minute (°C), expected 50 or more'),
      text('Cold water after 2 minutes (°C), expected 20 or less'),
      choice('Hot water stored at 60 °C or more?'),
      choice('Shower heads and hoses free of scale and slime?'),
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
      choice('Drained, cleaned and refilled between guests?'),
      choice('Filter cleaned or replaced?'),
      text('Free chlorine 3 to 5 mg/l, or bromine 4 to 6 mg/l: reading'),
      text('pH, expected 7.2 to 7.6'),
      text('Water temperature (°C), no more than 40'),
      choice('Water clear, without foam or smell?'),
      choice('Cover, locks, steps and handrail sound?'),
      choice('RCD tested and tripping?'),
      choice('Guest safety instructions in the unit?'),
      createCheckbox('Chemicals taken away or locked up'),
      ...findingsSections,
    ],
  },
];

/** Inserts them as created by this user. */
export async function insertStarterChecklists(db: Database, by: string, now: Date): Promise<string[]> {
  const ids: string[] = [];
  for (const checklist of starterChecklists) ids.push(await insertChecklist(db, checklist, by, now));
  return ids;
}
