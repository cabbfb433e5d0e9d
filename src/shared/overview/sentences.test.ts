import { describe, expect, test } from 'vitest';
import { emptyMeasures, type Measures } from './overview.ts';
import { describeOverview, sortByWorst } from './sentences.ts';

const row = (park: string, now: Partial<Measures> = {}, before: Partial<Measures> = {}) => ({
  park,
  now: { ...emptyMeasures, ...now },
  before: { ...emptyMeasures, ...before },
});

const missedBy = (checklist_title: string, counts: Record<string, number>) => ({
  checklist_id: checklist_title,
  checklist_title,
  checks: 0,
  parks: Object.entries(counts).map(([park, checks]) => ({ park, checks })),
});

describe('the sentences of the overview', () => {
  test('if every number is 0 or has fallen, the overview says that nothing stands out', () => {
    expect(describeOverview({ parks: [], types: [], missed: [] }, 1)).toEqual(['Nothing stands out in these numbers.']);
    const fewer = row('Mounds', { accidents: 1, checks: 4, checksOnTime: 4 }, { accidents: 3 });
    expect(describeOverview({ parks: [fewer], types: [{ name: 'Burn', count: 1, before: 3 }], missed: [] }, 1)).toEqual(
      ['Nothing stands out in these numbers.'],
    );
  });

  test('more reports, missed checks and overdue audits have a sentence each', () => {
    const rows = [
      row('Lido Beach', { accidents: 12, overdueAudits: 40 }, { accidents: 2 }),
      row('Sunny Sands', { incidents: 3, overdueAudits: 155 }, { incidents: 1 }),
    ];
    const types = [
      { name: 'Slip', count: 20, before: 15 },
      { name: 'burn', count: 12, before: 2 },
      { name: 'All other types', count: 30, isRest: true as const },
    ];
    const missed = [missedBy('Pool', { 'Lido Beach': 2 }), missedBy('Play area', { 'Sunny Sands': 3 })];
    expect(describeOverview({ parks: rows, types, missed }, 1)).toEqual([
      'Burns up by 10 on last year.',
      'Sunny Sands missed 3 play area checks.',
      '195 audits are overdue, 155 of them at Sunny Sands.',
    ]);
  });

  test('a count of one is written in the singular', () => {
    const rows = [row('Mounds', { incidents: 2, overdueAudits: 1 }, { incidents: 1 }), row('Kingsley')];
    const types = [{ name: 'Fall from height', count: 2, before: 1 }];
    const missed = [missedBy('Pool Check', { Mounds: 1 })];
    expect(describeOverview({ parks: rows, types, missed }, 2)).toEqual([
      'Fall from height: up by 1 on 2 years earlier.',
      'Mounds missed 1 pool check.',
      '1 audit is overdue at Mounds.',
    ]);
  });

  test('nothing is compared with a year without reports, or counted for parks whose audits are not visible', () => {
    const parks = [row('Mounds', { accidents: 3, overdueAudits: null })];
    expect(describeOverview({ parks, types: [{ name: 'Burn', count: 3, before: 0 }], missed: [] }, 1)).toEqual([
      'Nothing stands out in these numbers.',
    ]);
  });
});

test('no park is named if several have the most overdue audits', () => {
  const parks = [row('Mounds', { overdueAudits: 2 }), row('Kingsley', { overdueAudits: 2 })];
  expect(describeOverview({ parks, types: [], missed: [] }, 1)).toEqual(['4 audits are overdue.']);
});

test('checks of several checklists are counted, and the checklist with most is named', () => {
  const missed = [missedBy('Fire walk', { Mounds: 2, Kingsley: 4 }), missedBy('CO alarm checklist', { Mounds: 5 })];
  expect(describeOverview({ parks: [], types: [], missed }, 1)).toEqual([
    'Mounds missed 7 checks, including 5 CO alarm checks.',
  ]);
});

test.each([
  ['Play area', 'play area checks'],
  ['Daily Pool Checklist', 'Daily Pool checks'],
  ['Lido Beach slide checks', 'Lido Beach slide checks'],
  ['Check', 'checks'],
  ['Swimming pool plant room: daily check', 'swimming pool plant room checks'],
  ['Tŷ golchi', 'tŷ golchi checks'],
])('the checks of the checklist %s are named %s', (title, words) => {
  const missed = [missedBy(title, { Mounds: 2 })];
  expect(describeOverview({ parks: [], types: [], missed }, 1)).toEqual([`Mounds missed 2 ${words}.`]);
});

test.each([
  ['burn', 'Burns'],
  ['Injury', 'Injuries'],
  ['Crash', 'Crashes'],
  ['Burns', 'Burns'],
  ['Illness', 'Illnesses'],
  ['Choking', 'Choking:'],
  ['Slip, trip or fall', 'Slip, trip or fall:'],
])('the sentence about more reports of the type %s begins with %s', (name, words) => {
  const parks = [row('Mounds', { accidents: 3 }, { accidents: 1 })];
  expect(describeOverview({ parks, types: [{ name, count: 3, before: 1 }], missed: [] }, 1)).toEqual([
    `${words} up by 2 on last year.`,
  ]);
});

test('parks with overdue audits come first, then those with additional reports, then the others in alphabetical order', () => {
  const rows = [row('A'), row('B', { accidents: 1 }), row('C', { overdueAudits: 2 }), row('D')];
  expect(sortByWorst(rows).map(({ park }) => park)).toEqual(['C', 'B', 'A', 'D']);
});
