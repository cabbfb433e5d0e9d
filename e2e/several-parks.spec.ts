import { api } from '#shared/api.ts';
import { showDueCheck } from './checklists.ts';
import { field } from './report-form.ts';
import { expect, expectAccessiblePage, openReporting, test } from './server.ts';

// The browser logs the rejected request.
test.use({ allowedConsoleErrors: /status of 400/ });

const severalParks = ['Lido Beach' as const, 'Winkups' as const];

test('an Admin gives a user several parks, and takes one away', { tag: '@once' }, async ({
  page,
  signInAs,
  server,
}) => {
  const { username } = await server.as('None', 'Winkups');
  await page.setViewportSize({ width: 320, height: 640 });
  await signInAs(page, 'Admin');
  await page.goto(`/admin?tab=users&person=${username}`);
  const row = page.getByRole('listitem').filter({ hasText: username });
  const park = row.getByRole('combobox', { name: `Park of ${username}` });
  const ticks = row.getByRole('group', { name: `Parks of ${username}` });
  const save = async () => {
    await row.getByRole('button', { name: `Save ${username}` }).click();
    await expect(page.getByText('Role and park assigned successfully')).toBeVisible();
    await expect(ticks).toBeHidden();
  };
  await park.selectOption('Several parks...');
  await expect(ticks.getByLabel('Winkups')).toBeChecked();
  await ticks.getByLabel('Lido Beach').check();
  await expectAccessiblePage(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  await save();
  await page.reload();
  await expect(park).toHaveValue(severalParks.join(', '));

  await park.selectOption('Several parks...');
  for (const name of severalParks) await ticks.getByLabel(name).uncheck();
  await row.getByRole('button', { name: `Save ${username}` }).click();
  await expect(row.getByRole('alert')).toHaveText('Error assigning role/park: Choose a park');
  await row.getByRole('button', { name: `Cancel changes to ${username}` }).click();
  await expect(park).toHaveValue(severalParks.join(', '));
  await expect(ticks).toBeHidden();

  await park.selectOption('Several parks...');
  await ticks.getByLabel('Lido Beach').uncheck();
  await save();
  await expect(park).toHaveValue('Winkups');
});

test('an Admin can create a user with several parks', { tag: '@once' }, async ({ page, signInAs, server }) => {
  const admin = await server.as('Admin');
  await signInAs(page, 'Admin');
  await page.goto('/admin?tab=users');
  const form = page.getByRole('region', { name: 'Create a User' });
  const username = `mair.${process.pid}.several`;
  await form.getByLabel('Username').fill(username);
  await form.getByLabel(/^Password/).fill('a long walk by the sea');
  const park = form.getByRole('combobox', { name: 'Park' });
  await park.selectOption('Several parks...');
  await form.getByRole('button', { name: 'Create User' }).click();
  await expect(form.getByText('Choose a park', { exact: true })).toBeVisible();
  for (const name of severalParks) await form.getByRole('group', { name: 'Parks' }).getByLabel(name).check();
  await form.getByRole('button', { name: 'Create User' }).click();
  await expect(form.getByText('User created successfully')).toBeVisible();
  await expect(park).toHaveValue('');
  const users = await admin(api.listUsers);
  expect(users.find((user) => user.username === username)?.parks).toEqual(severalParks);
});

test('a manager of two parks can change only these two of a user, who keeps other parks', { tag: '@once' }, async ({
  page,
  signInAs,
  server,
}) => {
  const { username } = await server.as('None', ['Mounds', 'Winkups']);
  await signInAs(page, 'Health & Safety Manager', severalParks);
  await page.goto(`/admin?tab=users&person=${username}`);
  const park = page.getByRole('combobox', { name: `Park of ${username}` });
  await expect(park.getByRole('option')).toHaveText(['Mounds, Winkups', 'Mounds', 'Several parks...']);
  await park.selectOption('Several parks...');
  const ticks = page.getByRole('group', { name: `Parks of ${username}` });
  await expect(ticks.getByLabel('Mounds')).toBeDisabled();
  await ticks.getByLabel('Lido Beach').check();
  await page.getByRole('button', { name: `Save ${username}` }).click();
  await expect(park).toHaveValue('Lido Beach, Mounds, Winkups');

  // An address may have a parameter for each park.
  await page.goto('/overview?park=Lido+Beach&park=Mounds');
  const chosen = page.getByRole('group', { name: 'Parks' });
  for (const name of ['Lido Beach', 'Mounds']) await expect(chosen.getByLabel(name)).toBeChecked();
  await expect(chosen.getByLabel('Winkups')).not.toBeChecked();
});

test('forms suggest the first of several parks, and offer the others next', { tag: '@once' }, async ({
  page,
  signInAs,
  server,
}) => {
  const admin = await server.as('Admin');
  const title = `Gates ${process.pid}`;
  const sections = [{ title: 'Is the gate locked?', type: 'checkbox' as const, required: false }];
  await admin(api.createChecklist, { body: { title, sections } });
  await signInAs(page, 'None', severalParks);
  await openReporting(page);
  await expect(field(page, 'Park')).toHaveValue('Lido Beach');
  await expect(field(page, 'Park').locator('optgroup').first().getByRole('option')).toHaveText(severalParks);

  await page.goto('/checklists');
  await page.getByRole('button', { name: title }).click();
  const form = page.getByRole('form', { name: title });
  const park = form.getByRole('combobox', { name: 'Park' });
  await expect(park).toHaveValue('Lido Beach');
  await expect(park.getByRole('option')).toHaveText(severalParks);
  await form.getByLabel('Is the gate locked?').check();
  await park.selectOption('Winkups');
  await page.reload();
  await page.getByRole('button', { name: title }).click();
  await expect(park).toHaveValue('Winkups');
  await form.getByRole('button', { name: 'Submit' }).click();
  await expect(page.getByText(/^Checklist submitted/).first()).toBeVisible();
  const [submission] = await admin(api.listSubmissions, { query: { title } });
  expect(submission?.park).toBe('Winkups');
});

test('Due now shows a reviewer the checks of their own parks together, and of all parks on request', {
  tag: '@once',
}, async ({ page, signInAs, server }) => {
  const admin = await server.as('Admin');
  const title = `Hydrants ${process.pid}`;
  const sections = [{ title: 'Is the hydrant free?', type: 'checkbox' as const, required: false }];
  const { id: checklist_id } = await admin(api.createChecklist, { body: { title, sections } });
  const times = { repeat: 'daily' as const, opens_at: '00:00', closes_at: '00:00', starts_on: '2026-01-01' };
  const schedule = { ...times, checklist_id, parks: [...severalParks, 'Mounds' as const] };
  await admin(api.createSchedule, { body: schedule });
  await signInAs(page, 'Health & Safety Manager', severalParks);
  await page.goto('/checklists');
  const due = page.getByRole('region', { name: 'Due now' });
  const park = due.getByRole('combobox', { name: 'Park' });
  await expect(park.getByRole('option', { selected: true })).toHaveText('Your parks');
  const fillIn = due.getByRole('button', { name: `Fill In ${title}` });
  await expect(fillIn).toHaveCount(2);
  await park.selectOption('All parks');
  await showDueCheck(due, due.getByRole('button', { name: `Fill In ${title}, Mounds` }));
  await expect(fillIn).toHaveCount(3);
  await park.selectOption('Mounds');
  await expect(fillIn).toHaveCount(1);
  await park.selectOption('Your parks');
  await expect(fillIn).toHaveCount(2);
});
