import { expect, test } from 'vitest';
import { listRounds, listRoundsOfNow } from './checks.ts';

const day = 24 * 60 * 60 * 1000;
const now = Date.parse('2026-11-29T00:00:00Z');
const rounds = Array.from({ length: 400 }, (_, index) => listRounds(index + 1, now - (index + 1) * day));
const listDays = (place: string) =>
  rounds.flatMap((round, index) => (round.some((one) => one.place === place) ? [index + 1] : []));

test.each(['Indoor pool', 'Outdoor pool'])('the demo reads the %s of Lido Beach for a year', (place) => {
  const days = listDays(place);
  expect(days.at(-1)).toBe(365);
  expect(days.length).toBeGreaterThan(90);
});

test('the demo has a round of four play areas, of which half is done today', () => {
  const areas = new Set(
    rounds.flat().flatMap(({ title, place }) => (title?.startsWith('Play area') && place ? [place] : [])),
  );
  expect(areas.size).toBe(4);
  const done = listRoundsOfNow().map(({ place }) => place);
  expect(done).toEqual([...areas].filter((area) => done.includes(area)));
  expect(done).toHaveLength(2);
});
