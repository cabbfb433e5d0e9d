import type { LawHarness } from './harness/law.tsx';
import { expect, test } from './harness/test.ts';

test('every RIDDOR case gives the expected result in the browser, and a quarter of them also when answered on the screen', {
  tag: '@once',
}, async ({ page, harness }) => {
  await page.goto(`${harness.url}?law`);
  await expect(page.getByRole('heading', { level: 3 }).first()).toBeVisible();
  const { passed, total, ids } = await page.evaluate(() => {
    const { law } = window as unknown as { law: LawHarness };
    return { ...law.runAll(), ids: law.ids };
  });
  expect(total).toBeGreaterThanOrEqual(124);
  expect([passed, ids.length]).toEqual([total, total]);
  // Every fourth case is answered question by question, each in its own step, so that a failure
  // names the case.
  for (const id of ids.filter((_, index) => index % 4 === 0))
    expect(await page.evaluate((id) => (window as unknown as { law: LawHarness }).law.answer(id), id)).toBe('');
});
