import { readFileSync } from 'node:fs';
import type { LawHarness } from './harness/law.tsx';
import { expect, test } from './harness/test.ts';

test('every RIDDOR case gives the expected result in the browser, and a quarter of them also when answered on the screen', {
  tag: '@once',
}, async ({ page, harness }) => {
  await page.goto(`${harness.url}?law`);
  await expect(page.getByRole('heading', { level: 3 }).first()).toBeVisible();
  const { passed, total, ids, consistentIds } = await page.evaluate(() => {
    const { law } = window as unknown as { law: LawHarness };
    return { ...law.runAll(), ids: law.ids, consistentIds: law.consistentIds };
  });
  expect(total).toBeGreaterThanOrEqual(124);
  expect([passed, ids.length]).toEqual([total, total]);
  // Every fourth case is answered question by question, each in its own step, so that a failure
  // names the case. riddor-asks-back.spec.ts answers those that contradict themselves.
  for (const id of consistentIds.filter((_, index) => index % 4 === 0))
    expect(await page.evaluate((id) => (window as unknown as { law: LawHarness }).law.answer(id), id)).toBe('');
});

/**
 * Taps from the first answer to Save: when every answer still needed a tap on Next, and now. The
 * everyday cases are first, then the 20 longest.
 */
const everydayTaps = {
  r01: [21, 13],
  r02: [21, 13],
  r07: [27, 15],
  r08: [23, 14],
  r14: [19, 10],
  r21: [25, 13],
  r22: [19, 10],
  r23: [13, 7],
  r25: [13, 7],
  r30: [23, 13],
};
const longestTaps = {
  h17: [49, 28],
  o23: [41, 25],
  o22: [39, 22],
  o24: [39, 38],
  o21: [33, 20],
  r19: [31, 18],
  r29: [31, 17],
  h21: [31, 17],
  h54: [31, 19],
  h55: [31, 19],
  o15: [31, 20],
  r47: [30, 17],
  r09: [29, 17],
  h41: [29, 15],
  h43: [29, 16],
  h58: [29, 16],
  h90: [29, 16],
  h91: [29, 18],
  h94: [29, 17],
  o06: [29, 16],
};

test('everyday RIDDOR cases need at most 15 taps, and the longest no more than the recorded number', {
  tag: '@once',
}, async ({ page, harness }) => {
  await page.goto(`${harness.url}?law`);
  await expect(page.getByRole('heading', { level: 3 }).first()).toBeVisible();
  const table: Record<string, number[]> = { ...everydayTaps, ...longestTaps };
  const taps = await page.evaluate((ids) => {
    const { law } = window as unknown as { law: LawHarness };
    return Object.fromEntries(ids.map((id) => [id, law.countTaps(id)]));
  }, Object.keys(table));
  expect(taps).toEqual(Object.fromEntries(Object.entries(table).map(([id, [, now]]) => [id, now])));
  expect(Math.max(...Object.values(everydayTaps).map(([, now = 0]) => now))).toBeLessThanOrEqual(15);
  for (const [before = 0, now = 0] of Object.values(longestTaps)) expect(now).toBeLessThanOrEqual(before);
  const docs = readFileSync('docs/law.md', 'utf8');
  for (const [id, [before, now]] of Object.entries(table))
    expect(docs).toMatch(new RegExp(`\\| ${id} \\| .* \\| ${before} \\| ${now} \\|`));
});
