// A checklist that is longer than the screen.
import { api } from '#shared/api.ts';
import { section } from './checklists.ts';
import { expect, expectAccessiblePage, test } from './server.ts';

const box = (title: string) =>
  ({ ...section(title, 'checkbox'), onFail: { when: 'notTicked', photo: 'optional' } }) as const;

test('a long checklist leads to the next unanswered question and is reopened where the user was', {
  tag: '@once',
}, async ({ page, server, signInAs }) => {
  const admin = await server.as('Admin');
  const title = 'Play areas';
  const questions = Array.from({ length: 20 }, (_, index) => section(`Question ${index + 1}`, 'na'));
  const sections = [{ ...section('Depth'), number: { unit: 'm', min: 1, max: null } }, box('Gate shut'), ...questions];
  await admin(api.createChecklist, { body: { title, sections } });
  await signInAs(page, 'None', 'Lido Beach');
  await page.goto('/checklists');
  const opener = page.getByRole('button', { name: new RegExp(title) });
  await opener.click();
  // Other checklists may be above this one.
  await opener.evaluate((element) => element.scrollIntoView());
  const form = page.getByRole('form', { name: title });
  const next = form.getByRole('button', { name: 'Next Unanswered' });
  await expect(form.getByText('0 of 22 answered')).toBeInViewport();

  // Pressing another answer leaves the number field, whose note must not move that answer away.
  await form.getByRole('textbox', { name: 'Depth' }).fill('0.5');
  await form.getByRole('radiogroup', { name: 'Question 1', exact: true }).getByText('Yes').click();
  await expect(form.getByText('2 of 22 answered')).toBeVisible();
  await expect(form.getByRole('group', { name: 'Failing: Depth' })).toBeVisible();
  // The box was passed.
  const note = form.getByRole('group', { name: 'Failing: Gate shut' }).getByLabel('What is wrong?');
  await expect(note).toBeVisible();
  await next.click();
  await expect(
    form.getByRole('radiogroup', { name: 'Question 2', exact: true }).getByRole('radio', { name: 'Yes' }),
  ).toBeFocused();
  await next.press('Enter');
  const third = form.getByRole('radiogroup', { name: 'Question 3', exact: true });
  await expect(third.getByRole('radio', { name: 'Yes' })).toBeFocused();
  await form.getByRole('radiogroup', { name: 'Question 15' }).getByText('No').click();
  await expectAccessiblePage(page);

  await page.reload();
  await opener.click();
  await expect(form.getByRole('radiogroup', { name: 'Question 15' })).toBeInViewport();
  await page.keyboard.press('Tab');
  await expect(form.getByRole('radio', { name: 'No' }).and(form.locator(':checked'))).toBeFocused();
  await expect(note).toBeVisible();
  for (let at = 16; at <= 20; at++)
    await form
      .getByRole('radiogroup', { name: `Question ${at}` })
      .getByText('Yes')
      .click();
  // After the last question follows the first one without an answer.
  await next.click();
  await expect(form.getByRole('checkbox', { name: 'Gate shut' })).toBeFocused();
});

test('the keyboard has a minus where a number below zero is within the limits', { tag: '@once' }, async ({
  page,
  server,
  signInAs,
}) => {
  const admin = await server.as('Admin');
  const title = 'Freezers';
  const number = (name: string, min: number | null) => ({ ...section(name), number: { unit: '°C', min, max: 70 } });
  const sections = [number('Freezer', null), number('Chiller', -2), number('Dishwasher', 55)];
  await admin(api.createChecklist, { body: { title, sections } });
  await signInAs(page, 'None');
  await page.goto('/checklists');
  await page.getByRole('button', { name: new RegExp(title) }).click();
  const expectKeyboard = (name: string, mode: string) =>
    expect(page.getByRole('textbox', { name })).toHaveAttribute('inputmode', mode);
  await expectKeyboard('Freezer', 'text');
  await expectKeyboard('Chiller', 'text');
  await expectKeyboard('Dishwasher', 'decimal');
});
