import { api } from '#shared/api.ts';
import { stepNames } from '#shared/system/first-steps.ts';
import { takePicture } from './page-checks.ts';
import { expect, expectAccessiblePage, test } from './server.ts';

test('an Admin follows the line to the first steps, marks some, and ends them for everybody', { tag: '@once' }, async ({
  page,

  signInAs,
}) => {
  const admin = await signInAs(page, 'Admin');
  const picture = (name: string) => takePicture(page, `steps-${name}`);
  await page.goto('/admin');
  const line = page.getByText(new RegExp(`^Set-up: \\d of ${stepNames.length} done\\.`));
  await expect(line.getByRole('link')).toHaveCSS('text-decoration-line', 'underline');
  await expect(line).toBeVisible();
  await picture('line');
  await line.getByRole('link').click();
  await expect(page.getByRole('heading', { name: 'First Steps', exact: true })).toBeVisible();
  const getStep = (name: string) =>
    page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: new RegExp(`\\d\\. ${name}$`) }) });
  const operator = getStep('Name the operator');
  await expect(operator).toContainText('OPERATOR_NAME=');
  await expect(operator).toContainText('then restart the server');
  await expectAccessiblePage(page);
  await picture('nothing');
  // Labels are printed under Places, before or after the schedule.
  const schedule = getStep('Schedule a check that opens a place');
  await expect(schedule).toContainText('print their labels there');
  await expect(schedule.getByRole('link', { name: 'Open Places' })).toHaveAttribute('href', '/admin/places');
  await expect(getStep('Add users').getByRole('link', { name: 'Fill In All Parks' })).toBeVisible();
  await getStep('Check the parks').getByRole('link', { name: 'Fill In All Parks' }).click();
  const table = page.getByRole('dialog', { name: 'Fill In All Parks' });
  await expect(table).toBeVisible();
  await table.getByRole('button', { name: 'Cancel' }).click();
  await expect(table).toHaveCount(0);
  await page.goto('/admin/first-steps');

  await operator.getByRole('button', { name: 'Not Needed' }).click();
  await expect(operator).toContainText('Not needed');
  await operator.getByRole('button', { name: 'Undo' }).click();
  await expect(operator.getByRole('button', { name: 'Not Needed' })).toBeVisible();
  await page.getByRole('button', { name: 'Create These Four Folders at Every Park' }).click();
  await expect(getStep('Create audit folders')).toContainText('Done');
  await picture('half');
  // Screens outside the administration lead back by a link, all others by its list.
  for (const [step, open, title] of [
    ['Make your account safe', 'Open Two-Factor Sign-In', 'Two-Factor Sign-In'],
    ['Create audit folders', 'Open Audits', 'Audit Folders'],
  ] as const) {
    await getStep(step).getByRole('link', { name: open }).click();
    await expect(page.getByRole('heading', { name: title, level: 1 })).toBeVisible();
    await picture(`back-from-${title.replaceAll(' ', '-')}`);
    const back = page.getByRole('main').getByRole('link', { name: 'First Steps' });
    await expect(back).toBeVisible();
    await page.goto(page.url().replace('from=first-steps', 'from=elsewhere'));
    await expect(page.getByRole('heading', { name: title, level: 1 })).toBeVisible();
    await expect(back).toHaveCount(0);
    await page.goBack();
    await back.click();
    await expect(page.getByRole('heading', { name: 'First Steps', exact: true })).toBeVisible();
  }

  for (const name of stepNames) await admin(api.saveFirstSteps, { body: { mark: `${name} not needed`, isOn: true } });
  await page.reload();
  await expect(page.getByText(`${stepNames.length} of ${stepNames.length} done.`)).toBeVisible();
  await picture('done');
  for (const name of stepNames) await admin(api.saveFirstSteps, { body: { mark: `${name} not needed`, isOn: false } });

  await page.getByRole('button', { name: 'End for Everybody' }).click();
  await expect(page.getByRole('button', { name: 'Show Again to Admins' })).toBeVisible();
  await page.goto('/admin');
  await expect(page.getByRole('heading', { name: 'Admin Panel' })).toBeVisible();
  await expect(line).toHaveCount(0);
  await admin(api.saveFirstSteps, { body: { mark: 'ended', isOn: false } });
  await page.goto('/overview');
  await expect(line).toBeVisible();
});

test('the first Admin changes the password from the start before anything else', { tag: '@once' }, async ({
  page,
  signInAs,
}) => {
  await signInAs(page, 'Admin');
  await page.route('**/api/admin/first-steps', async (route) => {
    const response = await route.fetch();
    const { steps, ...rest } = await response.json();
    const [account, ...others] = steps;
    const first = { ...account, state: 'open', actions: ['change password'] };
    await route.fulfill({ response, json: { ...rest, steps: [first, ...others] } });
  });
  await page.goto('/admin/first-steps');
  const account = page.getByRole('listitem').filter({ hasText: 'Make your account safe' });
  await expect(account.locator('[data-variant="filled"]')).toHaveText('Change Password');
  await account.getByRole('button', { name: 'Change Password' }).click();
  await expect(page.getByRole('dialog', { name: 'Change Password' })).toBeVisible();
});
