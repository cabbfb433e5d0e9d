// Values that a report form fills in itself.
import { api } from '#shared/api.ts';
import { getToday } from '#shared/dates.ts';
import { field } from './report-form.ts';
import { expect, openReporting, test } from './server.ts';

test('a name that was filled in and then deleted does not come back', { tag: '@once' }, async ({ page, signInAs }) => {
  await signInAs(page, 'None');
  let requestCount = 0;
  await page.route(`**${api.getLastReporter.path}`, (route) => {
    requestCount += 1;
    return route.fulfill({ json: { name: 'Sian Hughes' } });
  });
  await openReporting(page);
  const reporter = field(page, 'Person completing the form');
  await expect(reporter).toHaveValue('Sian Hughes');
  await page.reload();
  await expect(reporter).toHaveValue('Sian Hughes');
  requestCount = 0;
  await reporter.fill('');
  await field(page, 'Details').fill('Slipped');
  await page.waitForLoadState('networkidle');
  await page.evaluate(() => fetch('/healthz').then((response) => response.text()));
  await expect(reporter).toHaveValue('');
  expect(requestCount).toBe(0);
  // Nor after a reload.
  await page.reload();
  await expect(field(page, 'Details')).toHaveValue('Slipped');
  await expect(reporter).toHaveValue('');
});

test('a name that arrives while someone types stays in its field', { tag: '@once' }, async ({ page, signInAs }) => {
  await signInAs(page, 'None');
  const name = 'Sian Hughes';
  await page.route(`**${api.getLastReporter.path}`, async (route) => {
    await field(page, 'Details').waitFor();
    await route.fulfill({ json: { name } });
  });
  // Types a letter right after the form has kept the name on the device, and before it is drawn.
  await page.addInitScript((name) => {
    const { setItem } = Storage.prototype;
    Storage.prototype.setItem = function (key, value) {
      setItem.call(this, key, value);
      if (value !== name) return;
      queueMicrotask(() => {
        const details = document.querySelector('textarea');
        details?.focus();
        document.execCommand('insertText', false, 'S');
      });
    };
  }, name);
  await openReporting(page);
  await expect(field(page, 'Details')).toHaveValue('S');
  await expect(field(page, 'Person completing the form')).toHaveValue(name);
});

test('an untouched report form gets the new date after a night; one with input keeps its date and says so', {
  tag: '@once',
}, async ({ page, signInAs }) => {
  await signInAs(page, 'None');
  const evening = new Date('2050-05-03T21:00:00Z');
  const morning = new Date('2050-05-04T06:00:00Z');
  const showAgain = () => page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await page.clock.setFixedTime(evening);
  await openReporting(page);
  const date = field(page, 'Date');
  await expect(date).toHaveValue(getToday(evening));
  await page.clock.setFixedTime(morning);
  await showAgain();
  await expect(date).toHaveValue(getToday(morning));

  const question = page.getByText('You began this report on that day. Check that it is the day it happened.');
  await field(page, 'Details').fill('Slipped');
  await expect(question).toBeHidden();
  await page.clock.setFixedTime(new Date('2050-05-05T06:00:00Z'));
  await showAgain();
  await expect(question).toBeVisible();
  await expect(date).toHaveValue(getToday(morning));
  await page.reload();
  await expect(question).toBeVisible();
  await date.fill('2050-05-05');
  await expect(question).toBeHidden();
});
