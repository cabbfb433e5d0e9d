import { expect, test } from 'vitest';
import { getCheckPeriods } from './check-periods.ts';

const at = (selectedPlace: string, ...dates: string[]) => dates.map((date) => ({ selectedPlace, date }));

test("a pack has a park's checks from 12 months before its first report until its last report", () => {
  const reports = [...at('Winkups', '2026-05-01'), ...at('Mounds', '2026-03-10', '2025-12-31', '2026-01-01')];
  expect(getCheckPeriods(reports)).toEqual([
    { park: 'Mounds', from: '2024-12-31', to: '2026-03-10' },
    { park: 'Winkups', from: '2025-05-01', to: '2026-05-01' },
  ]);
});

test('the 12 months of checks before a report of 29 February begin on 1 March', () => {
  expect(getCheckPeriods(at('Mounds', '2028-02-29'))).toEqual([
    { park: 'Mounds', from: '2027-03-01', to: '2028-02-29' },
  ]);
});

test.each(['', 'last Tuesday', '14/02/2019', '2026-13-40'])(
  'a report with the invalid date %j adds no checks to a pack',
  (date) => {
    expect(getCheckPeriods(at('Mounds', date))).toEqual([]);
  },
);
