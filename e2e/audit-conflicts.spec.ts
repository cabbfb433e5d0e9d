import { api } from '#shared/api.ts';
import { newAudit, newFolder, uploadPhoto } from '../src/server/testing/factories.ts';
import { openScreen, photo } from './interactions.ts';
import { expect, expectAccessiblePage, test } from './server.ts';
import { readStored } from './stored-input.ts';

// Failed requests are intended; the browser logs each.
test.use({ allowedConsoleErrors: /Failed to load resource/ });

test('the second of two users to change an audit chooses a version and loses no input', { tag: '@once' }, async ({
  page,
  signInAs,
  server,
}) => {
  await signInAs(page, 'None', 'Lido Beach');
  const other = await server.as('None');
  const folder = await newFolder(other);
  const { id } = await other(api.createAudit, { body: newAudit(folder) });
  const change = (body: object) => other(api.updateAudit, { params: { id }, body });
  const stored = async () => (await other(api.getAudit, { params: { id } })).data.description;
  const dialog = page.getByRole('dialog');
  const save = page.getByRole('button', { name: 'Save Changes' });

  await page.goto(`/audit/${id}`);
  const edit = page.getByRole('button', { name: 'Edit', exact: true });
  await edit.click();
  await page.getByLabel('Description').fill('Mine');
  await change({ data: { description: 'Theirs' } });
  await save.click();
  await expect(dialog.getByText('Theirs', { exact: true }).first()).toBeVisible();
  await expectAccessiblePage(page);
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect(page.getByLabel('Description')).toHaveValue('Mine');
  expect(await stored()).toBe('Theirs');
  await save.click();
  await dialog.getByRole('button', { name: 'Keep Mine' }).click();
  await expect(page.getByText('Audit updated successfully')).toBeVisible();
  expect(await stored()).toBe('Mine');

  await edit.click();
  await page.getByLabel('Description').fill('Mine again');
  await change({ data: { description: 'Theirs again' } });
  await save.click();
  await dialog.getByRole('button', { name: 'Keep Theirs' }).click();
  await expect(page.getByLabel('Description')).toHaveValue('Theirs again');

  await page.getByLabel('Description').fill('Too late');
  await change({ data: { completed: true } });
  await save.click();
  await expect(dialog.getByText('Someone else has completed this audit')).toBeVisible();
  await expect(dialog.getByLabel('What you typed')).toHaveValue('Description: Too late');
  await expect(dialog.getByRole('button', { name: 'Keep Mine' })).toBeHidden();
  await dialog.getByRole('button', { name: 'Keep Theirs' }).click();
  await expect(page.getByText(`This audit has been marked as completed by ${other.username}`)).toBeVisible();
});

test("the Update and Complete Audit buttons never overwrite another user's change", { tag: '@once' }, async ({
  page,
  signInAs,
  server,
}) => {
  await signInAs(page, 'None', 'Lido Beach');
  const other = await server.as('None');
  const folder = await newFolder(other);
  const { id } = await other(api.createAudit, { body: newAudit(folder) });
  const change = (body: object) => other(api.updateAudit, { params: { id }, body });
  const stored = async () => (await other(api.getAudit, { params: { id } })).data;
  const dialog = page.getByRole('dialog');

  await page.goto(`/audit/${id}`);
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await page.getByLabel('Description').fill('Mine');
  await change({ data: { description: 'Theirs' } });
  await page.getByRole('button', { name: 'Update' }).click();
  await expect(dialog.getByText('Someone else has changed this audit')).toBeVisible();
  await expect(dialog.getByLabel('What you typed')).toHaveValue('Description: Mine');
  await dialog.getByRole('button', { name: 'Keep Theirs' }).click();
  await expect(page.getByLabel('Description')).toHaveValue('Theirs');

  // The user has typed nothing, but someone else has changed the audit.
  await change({ data: { description: 'Theirs again' } });
  await page.getByRole('button', { name: 'Complete Audit' }).click();
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByText('Failed to mark audit as completed')).toBeVisible();
  await expect(page.getByText('Someone else has changed this audit')).toBeVisible();
  await expect(page.getByLabel('Description')).toHaveValue('Theirs again');
  expect((await stored()).completed).toBe(false);
  await page.getByRole('button', { name: 'Complete Audit' }).click();
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByText('Audit marked as completed successfully')).toBeInViewport();
});

const typedDuringSave = { 'other text': 'First and second', 'the original text': newAudit('').description };
for (const [what, typed] of Object.entries(typedDuringSave))
  test(`${what} typed while an audit is being saved is not lost`, { tag: '@once' }, async ({ page, signInAs }) => {
    const user = await signInAs(page, 'None', 'Lido Beach');
    const { id } = await user(api.createAudit, { body: newAudit(await newFolder(user)) });
    const { promise: uploadAllowed, resolve: allowUpload } = Promise.withResolvers<void>();
    await page.route('**/api/audits/*', async (route) => {
      if (route.request().method() === 'PUT') await uploadAllowed;
      await route.continue();
    });
    await page.goto(`/audit/${id}`);
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.getByLabel('Description').fill('First');
    await page.getByRole('button', { name: 'Save Changes' }).click();
    await page.getByLabel('Description').fill(typed);
    allowUpload();
    // The message would disappear by itself; closing it saves time.
    await page.getByRole('button', { name: 'Close the message' }).click();
    await expect(page.getByRole('log')).toHaveText('Audit updated successfully');
    await expect(page.getByLabel('Description')).toHaveValue(typed);
    await page.getByRole('button', { name: 'Save Changes' }).click();
    await expect.poll(async () => (await user(api.getAudit, { params: { id } })).data.description).toBe(typed);
  });

test('a user who leaves an audit during a save and returns sees its progress, then its outcome, and no conflict', {
  tag: '@once',
}, async ({ page, signInAs }) => {
  const user = await signInAs(page, 'None', 'Lido Beach');
  const { id } = await user(api.createAudit, { body: newAudit(await newFolder(user)) });
  const description = async () => (await user(api.getAudit, { params: { id } })).data.description;
  const save = page.getByRole('button', { name: 'Save Changes' });
  const field = page.getByLabel('Description');
  const conflict = page.getByText('Someone else has changed this audit');
  const message = page.getByText('Audit updated successfully');
  const leaveAndReturn = async (before = async () => {}) => {
    await openScreen(page, 'Checklists');
    await before();
    await page.goBack();
    await expect(save).toBeVisible();
  };
  let heldRequest = Promise.withResolvers<void>();
  await page.route('**/api/audits/*', async (route) => {
    if (route.request().method() === 'PUT') await heldRequest.promise;
    await route.continue();
  });
  await page.goto(`/audit/${id}`);

  const edit = page.getByRole('button', { name: 'Edit', exact: true });
  await edit.click();
  await field.fill('First');
  await save.click();
  await leaveAndReturn();
  await expect(save).toHaveAttribute('data-loading');
  heldRequest.resolve();
  await expect(message).toBeVisible();
  await expect(save).not.toHaveAttribute('data-unsaved');

  heldRequest = Promise.withResolvers();
  await edit.click();
  await field.fill('Second');
  await save.click();
  await leaveAndReturn(async () => {
    heldRequest.resolve();
    await expect.poll(description).toBe('Second');
  });
  await expect(message).toBeVisible();
  await edit.click();
  await field.fill('Third');
  await save.click();
  await expect.poll(description).toBe('Third');
  await expect(conflict).toBeHidden();

  // The request arrived, but its response was lost: the newer version is the user's own.
  await page.unrouteAll();
  let isLost = false;
  await page.route('**/api/audits/*', async (route) => {
    // The audit may be loaded again at any time.
    if (isLost || route.request().method() !== 'PUT') return route.continue();
    isLost = true;
    await route.fetch();
    await route.abort();
  });
  await edit.click();
  await field.fill('Fourth');
  await save.click();
  await expect(page.getByText('Failed to update audit')).toBeVisible();
  await page.getByRole('button', { name: 'Close the message' }).click();
  await save.click();
  await expect(message.last()).toBeVisible();
  await expect(conflict).toBeHidden();
});

test('unsaved changes of two audits are kept apart when the user goes back and forward', { tag: '@once' }, async ({
  page,
  signInAs,
}) => {
  const staff = await signInAs(page, 'None', 'Lido Beach');
  const folder = await newFolder(staff);
  const [first, second] = [
    await staff(api.createAudit, { body: newAudit(folder, { title: 'The first' }) }),
    await staff(api.createAudit, { body: newAudit(folder, { title: 'The second' }) }),
  ];
  await page.goto(`/audit/${first.id}`);
  await page.getByRole('link', { name: 'Go to Folder' }).click();
  await page
    .getByRole('listitem')
    .filter({ hasText: 'The second' })
    .getByRole('link', { name: 'View Details' })
    .click();
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await page.getByLabel('Location').fill('Of the second');
  await page.evaluate(() => history.go(-2));
  await page.waitForURL(`**/audit/${first.id}`);
  await expect(page.getByRole('heading', { name: 'The first' })).toBeVisible();
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await page.getByLabel('Location').fill('Of the first');
  await page.evaluate(() => history.go(2));
  await page.waitForURL(`**/audit/${second.id}`);
  await expect(page.getByLabel('Location')).toHaveValue('Of the second');
  await page.goBack();
  await page.goBack();
  await expect(page.getByLabel('Location')).toHaveValue('Of the first');
});

test('unsaved changes of an audit can be copied after another user, or its own, has completed it', {
  tag: '@once',
}, async ({ page, signInAs, server }) => {
  const self = await signInAs(page, 'None', 'Lido Beach');
  const other = await server.as('None');
  const folder = await newFolder(other);
  for (const [completedBy, title] of [
    [other, 'Someone else has completed this audit'],
    [self, 'You have already completed this audit'],
  ] as const) {
    const { id } = await other(api.createAudit, { body: newAudit(folder) });
    await page.goto(`/audit/${id}`);
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.getByLabel('Description').fill('An hour of typing');
    await completedBy(api.updateAudit, { params: { id }, body: { data: { completed: true } } });
    // Focusing the window refetches the audit.
    await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
    const dialog = page.getByRole('dialog', { name: title });
    await expect(dialog.getByLabel('What you typed')).toHaveValue('Description: An hour of typing');
    await dialog.getByRole('button', { name: 'Keep Theirs' }).click();
    await expect(dialog).toBeHidden();
    await page.reload();
    await expect(page.getByText('This audit has been marked as completed')).toBeVisible();
    await expect(dialog).toBeHidden();
  }
});

test('the second of two users to change a folder chooses a version', { tag: '@once' }, async ({
  page,
  signInAs,
  server,
}) => {
  await signInAs(page, 'None', 'Mounds');
  const other = await server.as('None');
  const id = await newFolder(other, { name: 'First', park: 'Mounds' });
  await page.goto('/audits');
  await page.getByRole('button', { name: 'Edit First' }).click();
  await page.getByLabel('Name').fill('Mine');
  await other(api.updateFolder, { params: { id }, body: { name: 'Theirs', park: 'Mounds' } });
  await page.getByRole('button', { name: 'Save Folder' }).click();
  await expect(page.getByText('Someone else has changed this folder')).toBeVisible();
  await expectAccessiblePage(page);
  await page.getByRole('button', { name: 'Keep Mine' }).click();
  await expect(page.getByRole('heading', { name: 'Mine' })).toBeVisible();
});

test('a user who keeps their version of a folder overwrites only the fields that they changed', {
  tag: '@once',
}, async ({ page, signInAs, server }) => {
  const user = await signInAs(page, 'None', 'Caerelwan');
  const other = await server.as('None');
  const id = await newFolder(other, { name: 'First', description: 'Before', park: 'Caerelwan' });
  const dialog = page.getByRole('dialog');
  await page.goto('/audits');
  await page.getByRole('button', { name: 'Edit First' }).click();
  await dialog.getByLabel('Name').fill('Mine');
  await dialog.getByLabel('Choose an Image').setInputFiles(photo('phone-jolla.jpg'));
  await expect(dialog.getByAltText("The folder's thumbnail")).toBeVisible();
  const thumbnail = await uploadPhoto(other);
  await other(api.updateFolder, {
    params: { id },
    body: { name: 'First', description: 'Theirs', park: 'Caerelwan', thumbnail },
  });
  await dialog.getByRole('button', { name: 'Save Folder' }).click();
  // The dialog shows only fields that both users changed.
  await expect(dialog.locator('dt')).toHaveText(['Thumbnail']);
  await expect(dialog.locator('dd img')).toHaveCount(2);
  await expect(dialog.getByText('Before')).toHaveCount(0);
  await expectAccessiblePage(page);
  await dialog.getByRole('button', { name: 'Keep Mine' }).click();
  await expect(page.getByRole('heading', { name: 'Mine' })).toBeVisible();
  const saved = await user(api.getFolder, { params: { id } });
  expect(saved).toMatchObject({ name: 'Mine', description: 'Theirs' });
  expect(saved.thumbnail).not.toBe(thumbnail);
});

test('the dialog of a changed folder asks before it discards changes, and Back and a reload lose none', {
  tag: '@once',
}, async ({ page, signInAs }) => {
  const user = await signInAs(page, 'None', 'Eryl Hall');
  for (const name of ['First', 'Second']) await newFolder(user, { name, park: 'Eryl Hall' });
  const dialog = page.getByRole('dialog');
  await page.goto('/audits');
  const edit = page.getByRole('button', { name: 'Edit First' });
  await edit.click();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toBeHidden();
  await edit.click();
  await dialog.getByLabel('Name').fill('Changed');
  await page.keyboard.press('Escape');
  await expect(dialog.getByText('What you entered has not been saved yet.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Keep Editing' }).click();
  await expect(dialog.getByLabel('Name')).toHaveValue('Changed');
  await page.reload();
  await expect(dialog.getByLabel('Name')).toHaveValue('Changed');
  await page.goBack();
  await expect(dialog).toBeHidden();
  await page.goForward();
  await expect(dialog.getByLabel('Name')).toHaveValue('Changed');
  // Another tab edits another folder.
  const tab = await page.context().newPage();
  await tab.goto('/audits');
  await expect(tab.getByRole('dialog').getByText('This form is open in another tab.')).toBeVisible();
  await tab.keyboard.press('Escape');
  await tab.getByRole('button', { name: 'Edit Second' }).click();
  await tab.getByRole('dialog').getByLabel('Name').fill('Also changed');
  await expect.poll(() => readStored(tab, 'folder')).toContainEqual(expect.stringContaining('Also changed'));
  await tab.close();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.getByRole('button', { name: 'Discard Changes' }).click();
  await expect(dialog).toBeHidden();
  await edit.click();
  await expect(dialog.getByLabel('Name')).toHaveValue('First');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Edit Second' }).click();
  await expect(dialog.getByLabel('Name')).toHaveValue('Also changed');
});

test('a user who keeps their own folder name does not overwrite the new thumbnail of another user', {
  tag: '@once',
}, async ({ page, signInAs, server }) => {
  const user = await signInAs(page, 'None', 'Oakfield');
  const other = await server.as('None');
  const id = await newFolder(other, { name: 'First', park: 'Oakfield' });
  const change = async (name: string) =>
    other(api.updateFolder, { params: { id }, body: { name, park: 'Oakfield', thumbnail: await uploadPhoto(other) } });
  await change('First');
  await page.goto('/audits');
  await page.getByRole('button', { name: 'Edit First' }).click();
  await page.getByLabel('Name').fill('Mine');
  await change('Theirs');
  const { thumbnail } = await user(api.getFolder, { params: { id } });
  await page.getByRole('button', { name: 'Save Folder' }).click();
  await page.getByRole('button', { name: 'Keep Mine' }).click();
  await expect(page.getByRole('heading', { name: 'Mine' })).toBeVisible();
  expect((await user(api.getFolder, { params: { id } })).thumbnail).toBe(thumbnail);
});
