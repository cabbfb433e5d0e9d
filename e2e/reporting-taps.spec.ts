// How many taps a report takes, on a device that knows its user.

import { api } from '#shared/api.ts';
import { newReport } from '../src/server/testing/factories.ts';
import { photo } from './interactions.ts';
import { affectedSignature, field, filled, ownSignature, signatureButton, submit } from './report-form.ts';
import { expect, openReporting, test } from './server.ts';

test('a report with one photo and two typed signatures takes at most 15 taps', { tag: '@once' }, async ({
  page,
  signInAs,
}) => {
  const person = await signInAs(page, 'None', 'Kingsley');
  await person(api.submitAccident, { body: await newReport(person) });
  await openReporting(page);
  await page.evaluate(() =>
    addEventListener('pointerdown', ({ pointerType }) => {
      const { dataset } = document.documentElement;
      if (pointerType === 'touch') dataset.taps = `${Number(dataset.taps ?? 0) + 1}`;
    }),
  );
  const { keyboard } = page;
  const button = (name: string) => page.getByRole('button', { name, exact: true });

  // "Next" and "Done" are keys of the phone's keyboard, as the letters are.
  await field(page, 'person').tap();
  await keyboard.type('Osian Barker');
  await keyboard.press('Enter');
  await keyboard.type('34');
  await keyboard.press('Enter');
  await keyboard.type('07700900123');
  await button('Now').tap();
  await field(page, 'type').tap();
  await keyboard.type('Slip');
  await keyboard.press('Enter');
  await keyboard.type('Plot 12');
  await button('Guest').tap();
  await button('None').tap();
  await field(page, 'Details').tap();
  await keyboard.type(filled.Details);
  const chooser = page.waitForEvent('filechooser');
  await page.locator('label', { hasText: 'Choose Photos' }).tap();
  await (await chooser).setFiles(photo('phone-jolla.jpg'));
  for (const label of [ownSignature, affectedSignature]) {
    await signatureButton(page, label).tap();
    await button('Type Name').tap();
    await keyboard.type('Osian Barker');
    await button('Save Signature').tap();
    await expect(page.getByRole('dialog')).toBeHidden();
  }
  await expect(page.getByText('1 photo added.')).toBeVisible();
  await submit(page).tap();
  await expect(page.getByText('Accident report submitted successfully!')).toBeVisible();
  const taps = Number(await page.locator('html').getAttribute('data-taps'));
  expect(taps).toBeGreaterThan(12);
  // One more chooses the photo, in the phone's own screen.
  expect(taps + 1).toBeLessThanOrEqual(15);
});

test('a large button chooses an employment status or emergency service, and its select shows it', {
  tag: '@once',
}, async ({ page, signInAs }) => {
  await signInAs(page, 'None');
  await openReporting(page);
  for (const [label, choice] of [
    ['Employment status', 'Contractor'],
    ['Emergency services attended', 'Coast Guard'],
  ] as const) {
    const select = field(page, label);
    const buttons = page.getByRole('group', { name: 'Quick choice' }).filter({ hasText: choice }).getByRole('button');
    await expect(select).toHaveValue('');
    await expect(buttons).toHaveText(['', ...(await select.locator('option').allTextContents())].slice(2));
    await expect(buttons.and(page.locator('[aria-pressed=true]'))).toHaveCount(0);
    for (const button of await buttons.all()) expect((await button.boundingBox())?.height).toBeGreaterThanOrEqual(44);
    const chosen = buttons.filter({ hasText: choice });
    // A second tap, as of a wet finger, changes nothing.
    await chosen.tap();
    await chosen.tap();
    await expect(select).toHaveValue(choice);
    await expect(chosen).toHaveAttribute('aria-pressed', 'true');
    await select.selectOption({ index: 1 });
    await expect(buttons.first()).toHaveAttribute('aria-pressed', 'true');
    await expect(chosen).toHaveAttribute('aria-pressed', 'false');
  }
});
