// Reading and filling in forms without a connection, or after the session has ended.
import { api } from '#shared/api.ts';
import { newAudit, newFolder, uploadPhoto } from '../src/server/testing/factories.ts';
import { readOfflineCopies } from './drafts.ts';
import { goOffline, test, waitForCachedScreens } from './installed-app.ts';
import { openMenu } from './interactions.ts';
import { outboxLink, savedText } from './outbox.ts';
import {
  addPhotos,
  affectedSignature,
  field,
  filled,
  fillIn,
  ownSignature,
  signByTyping,
  submit,
} from './report-form.ts';
import { expect, expectAccessiblePage, openReporting, signIn } from './server.ts';

test.use({
  serviceWorkers: 'allow',
  allowedConsoleErrors: /Failed to load resource|status of 401|ERR_INTERNET_DISCONNECTED/,
});

test('a user completes checklists and audits offline, and the copies on the device are deleted when the session ends', {
  tag: '@once',
}, async ({ page, context, server, signInAs }) => {
  test.slow();
  const admin = await server.as('Admin');
  const title = 'Pool plant room';
  await admin(api.createChecklist, {
    body: { title, sections: [{ title: 'Chlorine', type: 'text', required: true }] },
  });
  const folder = await newFolder(admin, { name: 'Plant', park: 'Lido Beach' });
  await newFolder(admin, { name: 'Kitchens', park: 'Lido Beach' });
  const media_files = [{ path: await uploadPhoto(admin), name: 'pump.jpg' }];
  const assignee = await server.as('None', 'Lido Beach');
  for (const [{ id }, full_name] of [[assignee, 'Mair Tudor'] as const, [admin, 'Owain Lloyd'] as const])
    await admin(api.updateUserDetails, { params: { id }, body: { full_name, email: '' } });
  const { id } = await admin(api.createAudit, {
    body: newAudit(folder, { title: 'Check the dosing pump', assignee: assignee.username, media_files }),
  });
  const otherParkFolder = await newFolder(admin, { name: 'Not here', park: 'Kingsley' });
  await admin(api.createAudit, { body: newAudit(otherParkFolder, { title: 'Of another park' }) });
  const readCopies = () => readOfflineCopies(page);
  const saved = page.getByText(savedText).first();

  await page.clock.install();
  const me = await signInAs(page, 'None', 'Lido Beach');
  await openReporting(page);
  await waitForCachedScreens(page);
  await page.clock.runFor(11_000);
  await expect.poll(readCopies).toContain('Check the dosing pump');
  await expect.poll(readCopies).toContain(JSON.stringify(JSON.stringify(['photo', media_files[0]?.path])).slice(1, -1));
  // Only the names in the audits are copied.
  expect(await readCopies()).toContain('Mair Tudor');
  expect(await readCopies()).not.toContain('Owain Lloyd');
  await goOffline(page, context);

  await page.goto('/audits');
  // What is typed into the dialog is kept until there is a connection.
  await page.getByRole('button', { name: 'New Folder' }).click();
  await expect(page.getByRole('dialog', { name: 'New Folder' }).getByLabel('Name')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByText(/^Copy from \d\d\/\d\d\/\d{4}, \d\d:\d\d\./)).toBeVisible();
  await page.getByRole('link', { name: 'Kitchens' }).click();
  await expect(page.getByText('No open audits of this folder are on this device')).toBeVisible();
  await page.getByRole('link', { name: 'Back to Folders' }).click();
  await page.getByRole('link', { name: 'Plant' }).click();
  await expect(page.getByText('Assignee: Mair Tudor')).toBeVisible();
  await page.getByRole('link', { name: /View Details/ }).click();
  await expect(page.getByRole('heading', { name: 'Check the dosing pump' })).toBeVisible();
  // The photo loads when it scrolls into view.
  const photoButton = page.getByRole('button', { name: 'View photo 1 of 1, pump.jpg' });
  const copiedPhoto = photoButton.locator('img[src^=blob]');
  await copiedPhoto.scrollIntoViewIfNeeded();
  await expect.poll(() => copiedPhoto.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  // The button is not replaced when its photo's source changes with the connection.
  const photoElement = await photoButton.elementHandle();
  await context.setOffline(false);
  await expect(copiedPhoto).toHaveCount(0);
  expect(await photoElement?.evaluate((element) => element.isConnected)).toBe(true);
  await context.setOffline(true);
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await page.getByLabel('Location').fill('Plant room');
  await page.getByRole('button', { name: 'Complete Audit' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click();
  await expect(saved).toBeVisible();
  await expectAccessiblePage(page);
  await page.reload();
  await expect(saved).toBeVisible();
  await expect(page.getByLabel('Location')).toHaveValue('Plant room');

  await page.goto('/checklists');
  await page.getByRole('button', { name: new RegExp(title) }).click();
  await page.getByLabel('Chlorine').fill('1.4');
  await page.getByRole('button', { name: 'Submit Checklist' }).click();
  await expect(saved).toBeVisible();
  await expect(outboxLink(page)).toHaveText('Waiting to send: 2');
  await context.setOffline(false);
  await expect(outboxLink(page)).toBeHidden({ timeout: 60_000 });
  expect((await me(api.getAudit, { params: { id } })).data).toMatchObject({ completed: true, location: 'Plant room' });
  expect(await admin(api.listSubmissions, { query: { title, limit: 9 } })).toHaveLength(1);

  expect(await readCopies()).not.toContain('Of another park');
  await openMenu(page);
  await page.getByRole('button', { name: 'Logout' }).click();
  await page.waitForURL('**/login');
  await expect.poll(readCopies).not.toContain('copy/user/');
  expect(await readCopies()).toContain('Chlorine');
});

test('audits that are shown from copies, and pictures that could not be loaded, load when the connection is back', {
  tag: '@once',
}, async ({ page, context, server, signInAs }) => {
  const admin = await server.as('Admin');
  const fields = { name: 'Pictures', park: 'Robin Hood' } as const;
  const folder = await newFolder(admin, fields);
  const thumbnail = await uploadPhoto(admin);
  await admin(api.updateFolder, { params: { id: folder }, body: { ...fields, thumbnail } });
  const media_files = [{ path: await uploadPhoto(admin), name: 'pump.jpg' }];
  const { id } = await admin(api.createAudit, { body: newAudit(folder, { title: 'Pump', media_files }) });
  const folderPicture = page.getByRole('listitem').filter({ hasText: 'Pictures' }).locator('img');
  const photo = page.getByRole('button', { name: 'View photo 1 of 1, pump.jpg' }).locator('img');
  const screens = { '/audits': folderPicture, [`/audit-folders/${folder}`]: undefined, [`/audit/${id}`]: photo };

  await signInAs(page, 'None', 'Robin Hood');
  await openReporting(page);
  await waitForCachedScreens(page);
  for (const [path, picture] of Object.entries(screens)) {
    // Copies the data of the screen, without its pictures.
    await page.route('**/uploads/**', (route) => route.abort());
    await page.goto(path);
    await expect(picture ?? page.getByText('Pump')).toBeAttached();
    await context.setOffline(true);
    await page.reload();
    await expect(page.getByText(/^Copy from /)).toBeVisible();
    await picture?.scrollIntoViewIfNeeded();
    await page.unrouteAll();
    await context.setOffline(false);
    await expect(page.getByText(/^Copy from /)).toBeHidden();
    if (picture)
      await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  }
});

test('a report started offline after the session has ended is sent by the user who confirms that it is theirs', {
  tag: '@once',
}, async ({ page, context, server, signInAs }) => {
  test.slow();
  const reviewer = await server.as('Admin');
  const title = 'Of a signed-out user';
  const sections = [{ title: 'Chlorine', type: 'text' as const, required: true }];
  await reviewer(api.createChecklist, { body: { title, sections } });
  const me = await signInAs(page, 'None', 'Lido Beach');
  await page.goto('/checklists');
  await page.getByRole('button', { name: new RegExp(title) }).waitFor();
  await page.goto('/reporting');
  await fillIn(page, { person: 'Of The Session' });
  await goOffline(page, context);
  await server.db.deleteFrom('sessions').where('user_id', '=', me.id).execute();
  await page.evaluate(() => {
    const person = JSON.parse(localStorage.getItem('last-person') ?? '{}');
    localStorage.setItem('last-person', JSON.stringify({ ...person, until: Date.now() - 1 }));
  });

  await page.goto('/audits');
  await expect(page.getByText('You can sign in when the connection is back.')).toBeVisible();
  await page.goto('/');
  await expect(page.getByLabel('Who is filling this in?')).toBeVisible();
  await expectAccessiblePage(page);
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText('Enter your name')).toBeVisible();
  await page.getByLabel('Who is filling this in?').fill('Mair Puw');
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(field(page, 'Person completing the form')).toHaveValue('Mair Puw');
  await expect(field(page, 'person')).toHaveValue('');
  await fillIn(page, { person: 'Without Session' });
  await addPhotos(page);
  await signByTyping(page, ownSignature);
  await signByTyping(page, affectedSignature);
  await submit(page).click();
  await expect(page.getByText('Saved on this device.').first()).toBeVisible();
  // It waits for a sign-in, which needs the app.
  await expect(page.getByText('Open this app again when you have a signal.')).toBeVisible();
  await expectAccessiblePage(page);
  await page.getByRole('link', { name: 'Checklists' }).click();
  await page.getByRole('button', { name: new RegExp(title) }).click();
  await page.getByLabel('Chlorine').fill('1.4');
  await page.getByRole('button', { name: 'Submit Checklist' }).click();
  await expect(page.getByText('Saved on this device.').first()).toBeVisible();
  // Starts a report without submitting it.
  await page.goto('/incidentreporting');
  await field(page, 'person').fill('Half Typed');
  await page.goto('/checklists');
  await page.getByRole('button', { name: new RegExp(title) }).click();
  await page.getByLabel('Chlorine').fill('half');

  await expect(page.getByText('Sign in to send 2 items')).toBeVisible();
  await context.setOffline(false);
  // The form is for the next person, who sees nothing of the report that waits.
  await expect(page.getByRole('link', { name: 'Sign In' })).toBeVisible();
  await page.getByRole('link', { name: 'Reporting' }).click();
  await expect(field(page, 'Person completing the form')).toHaveValue(/./);
  await expect(field(page, 'person')).toHaveValue('');
  await expect(field(page, 'person')).toBeEnabled();
  await page.getByRole('link', { name: 'Sign In' }).click();
  await expect(page.getByText('Sign in to send 2 items')).toBeVisible();
  await signIn(page, me.username);
  await expect(field(page, 'person')).toHaveValue('Of The Session');
  await page.goto('/incidentreporting');
  const offer = page.getByRole('alert').filter({ hasText: 'A report was started without signing in' });
  await expect(offer).toContainText(`by “${filled['Person completing the form']}”`);
  await expect(field(page, 'person')).toHaveValue('');
  await expectAccessiblePage(page);
  await offer.getByRole('button', { name: 'Continue This Form' }).click();
  await expect(field(page, 'person')).toHaveValue('Half Typed');
  await expect(offer).toBeHidden();
  await page.reload();
  await expect(field(page, 'person')).toHaveValue('Half Typed');
  await page.goto('/checklists');
  await expect(page.getByRole('button', { name: new RegExp(title) })).toContainText('Started without signing in');
  await page.getByRole('button', { name: new RegExp(title) }).click();
  await expect(page.getByLabel('Chlorine')).toHaveValue('');
  await page.getByRole('button', { name: 'Continue This Form' }).click();
  await expect(page.getByLabel('Chlorine')).toHaveValue('half');
  const findReports = () => reviewer(api.listReports, { query: { q: 'Without Session', limit: 9 } });
  await page.getByRole('banner').getByRole('link', { name: 'Waiting to send: 2' }).click();
  const mine = page.getByRole('region', { name: 'Started Without Signing In' });
  await expect(mine).toContainText('Accident report, Lido Beach');
  await expect(mine).toContainText('by “Mair Puw”');
  await expect(mine).not.toContainText('Slip');
  await expect(page.getByText('Nothing is waiting to be sent.')).toBeHidden();
  await expectAccessiblePage(page);
  expect(await findReports()).toEqual([]);
  await mine.getByRole('button', { name: 'This Is Mine' }).first().click();
  await expect(page.getByText(/^ACC-\d{4}-\d{4}, Accident report, Lido Beach/)).toBeVisible();
  await mine.getByRole('button', { name: 'This Is Mine' }).click();
  await expect(page.getByText(/^CHK-\d{4}-\d{4}, Checklist/)).toBeVisible();
  const [submission] = await reviewer(api.listSubmissions, { query: { title, limit: 9 } });
  expect(submission).toMatchObject({ submitted_by: me.username });
  expect(await findReports()).toMatchObject([{ created_by: me.username }]);

  // After a sign-out no form can be started.
  await openMenu(page);
  await page.getByRole('button', { name: 'Logout' }).click();
  await page.waitForURL('**/login');
  await context.setOffline(true);
  await page.goto('/reporting');
  await expect(page.getByText('You can sign in when the connection is back.')).toBeVisible();
});
