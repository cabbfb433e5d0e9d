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
    expect(describeOverview([], 1)).toEqual(['Nothing stands out in these numbers.']);
    const fewer = row('Mounds', { accidents: 1, checks: 4, checksOnTime: 4 }, { accidents: 3 });
    expect(describeOverview([fewer], 1)).toEqual(['Nothing stands out in these numbers.']);
  });

  test('more reports, late checks and overdue audits have a sentence each', () => {
    const rows = [
      row('Lido Beach', { accidents: 12, overdueAudits: 40 }, { accidents: 2 }),
      row('Sunny Sands', { incidents: 3, overdueAudits: 155, checks: 9, checksOnTime: 6 }, { incidents: 1 }),
    ];
    expect(describeOverview(rows, 1)).toEqual([
      'Accidents up by 10 on last year.',
      'Sunny Sands had 3 checks late or missed.',
      '195 audits are overdue, 155 of them at Sunny Sands.',
    ]);
  });

  test('single numbers are in the singular', () => {
    const rows = [row('Mounds', { incidents: 2, overdueAudits: 1, checks: 1 }, { incidents: 1 }), row('Kingsley')];
    expect(describeOverview(rows, 2)).toEqual([
      'Incidents up by 1 on 2 years earlier.',
      'Mounds had 1 check late or missed.',
      '1 audit is overdue at Mounds.',
    ]);
  });

  test('nothing is compared with a year without reports, or counted for parks whose audits are not visible', () => {
    expect(describeOverview([row('Mounds', { accidents: 3, overdueAudits: null })], 1)).toEqual([
      'Nothing stands out in these numbers.',
    ]);
  });
});

test('parks with the most overdue audits, late checks and additional reports come first, equal ones in alphabetical order', () => {
  const rows = [row('A'), row('B', { accidents: 1 }), row('C', { overdueAudits: 2 }), row('D')];
  expect(sortByWorst(rows).map(({ park }) => park)).toEqual(['C', 'B', 'A', 'D']);
});
