import { describe, expect, test } from 'vitest';
import { emptyMeasures, type Measures } from './overview.ts';
import { describeOverview, sortByWorst } from './overview-sentences.ts';

const row = (park: string, now: Partial<Measures> = {}, before: Partial<Measures> = {}) => ({
  park,
  now: { ...emptyMeasures, ...now },
  before: { ...emptyMeasures, ...before },
});

describe('the sentences of the overview', () => {
  test('numbers of 0 and falling numbers say that nothing stands out', () => {
    expect(describeOverview({ parks: [], types: [] }, 1)).toEqual(['Nothing stands out in these numbers.']);
    const fewer = row('Mounds', { accidents: 1, checks: 4, checksOnTime: 4 }, { accidents: 3 });
    expect(describeOverview({ parks: [fewer], types: [{ name: 'Burn', count: 1, before: 3 }] }, 1)).toEqual([
      'Nothing stands out in these numbers.',
    ]);
  });

  test('more reports, late checks and overdue audits have a sentence each', () => {
    const rows = [
      row('Lido Beach', { accidents: 12, overdueAudits: 40 }, { accidents: 2 }),
      row('Sunny Sands', { incidents: 3, overdueAudits: 155, checks: 9, checksOnTime: 6 }, { incidents: 1 }),
    ];
    const types = [
      { name: 'Slip', count: 20, before: 15 },
      { name: 'burn', count: 12, before: 2 },
      { name: 'All other types', count: 30, isRest: true as const },
    ];
    expect(describeOverview({ parks: rows, types }, 1)).toEqual([
      'Burns up by 10 on last year.',
      'Sunny Sands had 3 checks late or missed.',
      '195 audits are overdue, 155 of them at Sunny Sands.',
    ]);
  });

  test('single numbers are in the singular', () => {
    const rows = [row('Mounds', { incidents: 2, overdueAudits: 1, checks: 1 }, { incidents: 1 }), row('Kingsley')];
    const types = [{ name: 'Fall from height', count: 2, before: 1 }];
    expect(describeOverview({ parks: rows, types }, 2)).toEqual([
      'Fall from height: up by 1 on 2 years earlier.',
      'Mounds had 1 check late or missed.',
      '1 audit is overdue at Mounds.',
    ]);
  });

  test('nothing is compared with a year without reports, or counted for parks whose audits are not visible', () => {
    const parks = [row('Mounds', { accidents: 3, overdueAudits: null })];
    expect(describeOverview({ parks, types: [{ name: 'Burn', count: 3, before: 0 }] }, 1)).toEqual([
      'Nothing stands out in these numbers.',
    ]);
  });
});

test.each([
  ['burn', 'Burns'],
  ['Injury', 'Injuries'],
  ['Crash', 'Crashes'],
  ['Burns', 'Burns'],
  ['Illness', 'Illnesses'],
  ['Choking', 'Choking:'],
  ['Slip, trip or fall', 'Slip, trip or fall:'],
])('the type %s is named %s', (name, words) => {
  const parks = [row('Mounds', { accidents: 3 }, { accidents: 1 })];
  expect(describeOverview({ parks, types: [{ name, count: 3, before: 1 }] }, 1)).toEqual([
    `${words} up by 2 on last year.`,
  ]);
});

test('parks with the most overdue audits, late checks and additional reports come first, equal ones in alphabetical order', () => {
  const rows = [row('A'), row('B', { accidents: 1 }), row('C', { overdueAudits: 2 }), row('D')];
  expect(sortByWorst(rows).map(({ park }) => park)).toEqual(['C', 'B', 'A', 'D']);
});
