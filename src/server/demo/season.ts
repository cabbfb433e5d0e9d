// Invented events of the demo's season: people, accidents, incidents and checks of parks in North
// Wales.
import type { Role } from '#shared/access.ts';
import type { emergencyServices, employmentStatuses } from '#shared/choices.ts';
import type { ReportType } from '#shared/reports/reports.ts';

type DemoUser = { username: string; fullName: string; role: Role; park: string };

/** Demo users whose usernames and password `npm run dev` prints. */
export const demoUsers: DemoUser[] = [
  { username: 'carys', fullName: 'Carys Llwyd', role: 'Admin', park: '' },
  { username: 'huw', fullName: 'Huw Parry', role: 'Health & Safety Manager', park: '' },
  { username: 'mared', fullName: 'Mared Roberts', role: 'None', park: 'Snowdon View' },
  { username: 'gethin', fullName: 'Gethin Hughes', role: 'None', park: 'Pendyffryn Hall' },
  { username: 'ffion', fullName: 'Ffion Morris', role: 'None', park: 'Point of Ayr' },
  { username: 'owain', fullName: 'Owain Prys', role: 'None', park: 'Kingsley' },
  { username: 'sian', fullName: 'Siân Hughes', role: 'None', park: 'Lido Beach' },
  { username: 'dewi', fullName: 'Dewi Lloyd', role: 'None', park: 'Robin Hood' },
];

/** Staff of the other parks, one each. */
export const otherStaff: DemoUser[] = (
  [
    ['aled', 'Aled Vaughan', 'Abbeyffordd'],
    ['bethan', 'Bethan Rees', 'Caerelwan'],
    ['craig', 'Craig Molyneux', 'Delyn Metals'],
    ['elin', 'Elin Jenkins', 'Eryl Hall'],
    ['gareth', 'Gareth Bowen', 'Lyndale'],
    ['heledd', 'Heledd Thomas', 'Manor House'],
    ['ifan', 'Ifan Griffiths', 'Marian Resort'],
    ['jo', 'Jo Fairclough', 'Molfre View'],
    ['lowri', 'Lowri Edwards', 'Mounds'],
    ['meirion', 'Meirion Jones', 'Oakfield'],
    ['nia', 'Nia Davies', 'St Marys'],
    ['rhys', 'Rhys Owen', 'Sunny Sands'],
    ['tegan', 'Tegan Price', 'Tyddyn Goronwy'],
    ['wyn', 'Wyn Ellis', 'Winkups'],
  ] as const
).map(([username, fullName, park]) => ({ username, fullName, role: 'None', park }));

export const adults = [
  'Gwen Morris',
  'Tomos Llŷr Evans',
  'Alan Whitfield',
  'Priya Natarajan',
  'Emyr Williams',
  'Hannah Barker',
  'Siân Ŵyn Jones',
  'Derek Ashworth',
  'Nerys Pritchard',
  'Michael O’Connor',
  'Glenys Roberts',
  'Stephen Clegg',
];
export const children = [
  { name: 'Ellie Barker', parent: 'Hannah Barker' },
  { name: 'Macsen Evans', parent: 'Tomos Llŷr Evans' },
  { name: 'Anya Natarajan', parent: 'Priya Natarajan' },
  { name: 'Charlie Clegg', parent: 'Stephen Clegg' },
  { name: 'Mali Pritchard', parent: 'Nerys Pritchard' },
];

type DemoEvent = {
  reportType: ReportType;
  type: string;
  location: string;
  details: string;
  /** The kinds of people whom the event can happen to. Children are guests or visitors. */
  who: 'child' | (typeof employmentStatuses)[number][];
  emergencyService?: (typeof emergencyServices)[number];
  /** A photo in fixtures/demo, without extension. */
  photos: string[];
};

export const demoEvents: DemoEvent[] = [
  {
    reportType: 'accident',
    type: 'Slip',
    location: 'Indoor pool, shallow end',
    details:
      'Slipped on the wet edge while getting out of the pool. Grazed left knee, cleaned and dressed by a first aider.',
    who: 'child',
    photos: ['pool-edge-1'],
  },
  {
    reportType: 'accident',
    type: 'Slip',
    location: 'Path from the shop to the lower field',
    details: 'Slipped in standing water on the path after heavy rain. Bruised hip, no treatment wanted. Cone put out.',
    who: ['Guest', 'Owner', 'Visitor'],
    photos: ['wet-path-1'],
  },
  {
    reportType: 'incident',
    type: 'Near miss',
    location: 'Main gate',
    details:
      'A delivery van reversed out of the gate without a banksman and stopped a metre from a pushchair. No one hurt.',
    who: ['Visitor', 'Guest', 'Contractor'],
    photos: ['main-gate-1'],
  },
  {
    reportType: 'accident',
    type: 'Trip',
    location: 'Plot 114',
    details: 'Tripped over a water hose laid across the path. Sore wrist, ice pack given, advised to see a doctor.',
    who: ['Guest', 'Owner'],
    photos: ['wet-path-2'],
  },
  {
    reportType: 'incident',
    type: 'Gas smell',
    location: 'Plot 27',
    details: 'A smell of gas at the regulator. Supply closed, caravan aired, engineer replaced the hose and tested it.',
    who: ['Owner', 'Guest'],
    photos: ['gas-locker-1', 'gas-locker-2'],
  },
  {
    reportType: 'accident',
    type: 'Fall from height',
    location: 'Play area, climbing frame',
    details:
      'Fell from the second rung onto the bark. Pain in the right wrist; ambulance crew attended and took the child to Ysbyty Glan Clwyd with a parent.',
    who: 'child',
    emergencyService: 'Ambulance',
    photos: ['play-area-1', 'play-area-2'],
  },
  {
    reportType: 'accident',
    type: 'Fall on steps',
    location: 'Plot 61, caravan steps',
    details: 'A tread gave way on the way down. Twisted ankle, rested and raised. Steps taken out of use the same day.',
    who: ['Guest', 'Owner', 'Staff'],
    photos: ['caravan-steps-1', 'caravan-steps-2'],
  },
  {
    reportType: 'accident',
    type: 'Manual handling',
    location: 'Gas compound',
    details: 'Felt a pull in the lower back while moving a full 47 kg cylinder without the trolley. Sent home to rest.',
    who: ['Staff'],
    photos: ['gas-locker-2'],
  },
  {
    reportType: 'incident',
    type: 'Damage to equipment',
    location: 'Play area, slide',
    details: 'A crack along the edge of the slide, found on the morning round. Slide taped off and the maker called.',
    who: ['Staff'],
    photos: ['play-area-2'],
  },
  {
    reportType: 'accident',
    type: 'Minor head injury',
    location: 'Indoor pool, steps',
    details:
      'Bumped the forehead on the handrail while playing. Cold compress, head injury leaflet given to the parent.',
    who: 'child',
    photos: ['pool-edge-2'],
  },
  {
    reportType: 'incident',
    type: 'Collision of vehicles',
    location: 'Main gate, barrier',
    details:
      'A car drove into the lowered barrier. Damage to the bonnet and the arm, no one hurt. Police took details.',
    who: ['Visitor', 'Guest'],
    emergencyService: 'Police',
    photos: ['main-gate-2'],
  },
  {
    reportType: 'accident',
    type: 'Cut',
    location: 'Workshop',
    details: 'Cut to the left palm from the edge of a broken step tread. Cleaned and dressed, tetanus advised.',
    who: ['Staff', 'Contractor'],
    photos: ['caravan-steps-1'],
  },
  {
    reportType: 'accident',
    type: 'Burn',
    location: 'Plot 88, gas locker',
    details: 'Touched the hot flue while relighting the water heater. Cooled under the tap for 20 minutes, dressed.',
    who: ['Staff'],
    photos: ['gas-locker-1'],
  },
  {
    reportType: 'accident',
    type: 'Trip',
    location: 'Plot 35, caravan steps',
    details: 'Missed the last step in the dark. Grazed both hands, cleaned by a first aider. The lamp was out.',
    who: ['Guest', 'Visitor'],
    photos: ['caravan-steps-1'],
  },
  {
    reportType: 'accident',
    type: 'Burn',
    location: 'Plot 203, caravan steps',
    details: 'Touched a disposable barbecue that was cooling by the steps. Small blister on the palm, cooled.',
    who: 'child',
    photos: ['caravan-steps-2'],
  },
  {
    reportType: 'accident',
    type: 'Sting',
    location: 'Play area by the lake',
    details: 'Stung on the hand by a wasp. A little swelling, no sign of an allergy. Stayed at reception for an hour.',
    who: ['Guest', 'Visitor', 'Staff'],
    photos: ['play-area-1'],
  },
  {
    reportType: 'incident',
    type: 'Bin fire',
    location: 'Main gate, bins',
    details: 'Smoke from a wheeled bin, most likely hot ash. Put out with the hose by staff before the crew arrived.',
    who: ['Staff'],
    emergencyService: 'Fire Brigade',
    photos: ['main-gate-1'],
  },
];
