// Audits and their folders: creating, changing, completing and deleting, by touch, mouse and
// keyboard.
import type { Locator } from '@playwright/test';
import { api } from '#shared/api.ts';
import { newAudit, newFolder } from '../src/server/testing/factories.ts';
import { expectDraftPhotos } from './drafts.ts';
import { photo, tabTo } from './interactions.ts';
import { expect, expectAccessiblePage, test } from './server.ts';

// Failed requests are intended; the browser logs each.
test.use({ allowedConsoleErrors: /Failed to load resource/ });

test('a user creates a folder and an audit, then changes, completes and deletes them', { tag: '@once' }, async ({
  page,
  signInAs,
  server,
}) => {
  test.slow();
  await signInAs(page, 'None', 'Robin Hood');
  const dialog = page.getByRole('dialog');

  await page.goto('/audits');
  await expect(page.getByText('No audit folders found')).toBeVisible();
  await expectAccessiblePage(page);

  // A folder, with its image
  await page.getByRole('button', { name: 'New Folder' }).click();
  await dialog.getByRole('button', { name: 'Create Folder' }).click();
  await expect(dialog.getByText('Give the folder a name')).toBeVisible();
  await dialog.getByLabel('Name').fill('Play areas');
  await dialog.getByLabel('Description').fill('Swings, slides and frames.\nWeekly.\nAnd more.\nAnd more.');
  await expect(dialog.getByRole('combobox', { name: 'Park' })).toHaveValue('Robin Hood');
  const imageInput = dialog.getByLabel('Choose an Image');
  await imageInput.setInputFiles({ name: 'film.mp4', mimeType: 'video/mp4', buffer: Buffer.from('film') });
  await expect(dialog.getByText('Only image files are supported')).toBeVisible();
  await imageInput.setInputFiles(photo('phone-jolla.jpg'));
  await expect(dialog.getByAltText("The folder's thumbnail")).toBeVisible();
  await expectAccessiblePage(page);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await page.getByRole('button', { name: 'New Folder' }).click();
  await expect(dialog.getByLabel('Name')).toHaveValue('Play areas');
  await expect(dialog.getByAltText("The folder's thumbnail")).toBeVisible();
  await dialog.getByRole('button', { name: 'Create Folder' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('heading', { name: 'Play areas' })).toBeVisible();
  const stored = await server.db
    .selectFrom('uploads')
    .innerJoin('folders', 'folders.id', 'uploads.attached_id')
    .select('type')
    .where('folders.name', '=', 'Play areas')
    .execute();
  expect(stored).toEqual([{ type: 'image/webp' }]);

  // The folder is changed
  await page.getByRole('button', { name: 'Edit Play areas' }).click();
  await dialog.getByLabel('Name').fill('Playgrounds');
  await dialog.getByLabel('Choose Another Image').setInputFiles(photo('orientation-landscape-6.jpg'));
  await expect(dialog.getByRole('button', { name: 'Save Folder' })).toBeEnabled();
  await dialog.getByRole('button', { name: 'Save Folder' }).click();
  await expect(dialog).toBeHidden();
  await expectAccessiblePage(page);

  // Its first audit
  await page.getByRole('link', { name: 'Playgrounds' }).click();
  await expect(page.getByText('No audits in this folder yet')).toBeVisible();
  await expect(page.getByText('Create your first audit to get started.')).toBeVisible();
  await expectAccessiblePage(page);
  await page.getByRole('link', { name: 'Create First Audit' }).click();
  await expect(page.getByRole('heading', { name: 'Create New Audit in Playgrounds' })).toBeVisible();
  await page.getByRole('button', { name: 'Create Audit' }).click();
  await expect(page.getByLabel('Title')).toBeFocused();
  await page.emulateMedia({ colorScheme: 'light' });
  await expect(page.getByRole('alert').getByText('Title is required')).toHaveCSS('color', 'rgb(171, 44, 32)');
  await expectAccessiblePage(page);
  await page.getByLabel('Title').fill('Check the swings');
  await page.getByLabel('Date').fill('2026-02-01');
  await page.getByLabel('Time').fill('09:30');
  await page.getByLabel('Urgent?').check();
  await page.getByLabel('Person who should complete this job').fill('Dewi');
  await page.getByLabel('Description').fill('Chains, seats and bolts.');
  const files = page.getByLabel('Choose Photos');
  await files.setInputFiles([
    photo('gps-DSCN0010.jpg'),
    photo('phone-iphone-hdr.jpg'),
    photo('../naughty-strings.json'),
  ]);
  await expect(page.getByText('Only image files are supported')).toBeVisible();
  await expect(page.getByText('2 photos added.')).toBeVisible();
  await expect(page.getByText('gps-DSCN00…')).toBeVisible();
  await page.getByRole('button', { name: 'Remove photo 2 of 2' }).click();
  await expect(page.getByText('1 photo added.')).toBeVisible();
  await expectDraftPhotos(page, 1);

  // What was typed survives a reload
  await page.reload();
  await expect(page.getByLabel('Title')).toHaveValue('Check the swings');
  await expect(page.getByLabel('Urgent?')).toBeChecked();
  await expect(page.getByText('1 photo added.')).toBeVisible();
  await page.getByRole('button', { name: 'Create Audit' }).click();
  await expect(page.getByText('Audit created successfully! Redirecting...')).toBeVisible();
  const receipt = page.getByRole('region', { name: 'Created audit' });
  await expect(receipt).toContainText('Received with 1 photo. The reviewers of');
  await expect(page.getByLabel('Title')).toHaveCount(0);
  await page.waitForURL('**/audit-folders/*');
  await page.goBack();
  await expect(page).toHaveURL(/\/audit-folders\//);
  await page.goForward();

  // The audit's card
  const card = page.getByRole('listitem').filter({ hasText: 'Check the swings' });
  for (const text of [
    'URGENT',
    'Assignee: Dewi',
    'Date/Time: 01/02/2026 at 09:30',
    'Overdue',
    'Pending',
    '1 attachment',
  ])
    await expect(card.getByText(text)).toBeVisible();
  await expect(page.getByLabel('Sort by')).toHaveValue('created-desc');
  await expectAccessiblePage(page);
  await page.getByRole('link', { name: 'New Audit' }).click();
  await expect(page.getByLabel('Title')).toHaveValue('');
  await page.getByRole('link', { name: 'Cancel' }).click();

  // The audit's details are changed
  await card.getByRole('link', { name: 'View Details' }).click();
  await expect(page.getByText('Not specified')).toBeVisible();
  await expect(page.getByText('Currently set for: 01/02/2026 at 09:30')).toBeVisible();
  await expectAccessiblePage(page);
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await page.getByLabel('Location').fill('By the lake');
  // The floating Save Changes covers nothing at the foot of the page.
  await expect(page.getByRole('button', { name: 'Write a Note' })).toBeVisible();
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
  const [last, save] = await Promise.all(
    ['Write a Note', 'Save Changes'].map((name) => page.getByRole('button', { name }).boundingBox()),
  );
  expect((last?.y ?? 0) + (last?.height ?? 0)).toBeLessThanOrEqual(save?.y ?? 0);
  await page.getByLabel('Choose Photos').setInputFiles(photo('orientation-portrait-6.jpg'));
  await expect(page.getByText('1 photo added.')).toBeVisible();
  await expectDraftPhotos(page, 1);
  await page.reload();
  await expect(page.getByLabel('Location')).toHaveValue('By the lake');
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByText('Audit updated successfully')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Attachments (2)' })).toBeVisible();
  await expect(page.getByText('Not specified')).toBeHidden();
  await page.getByLabel('Date').fill('2027-03-04');
  await page.getByRole('button', { name: 'Update' }).click();
  await expect(page.getByText('Date and time updated successfully')).toBeInViewport();
  await expect(page.getByText('Currently set for: 04/03/2027 at 09:30')).toBeVisible();

  // The audit's photos
  await page.getByRole('button', { name: 'View photo 1 of 2' }).click();
  await expect(dialog.getByText('Photo 1 of 2')).toBeVisible();
  await page.keyboard.press('ArrowRight');
  await expect(dialog.getByText('Photo 2 of 2')).toBeVisible();
  await expectAccessiblePage(page);
  const download = page.waitForEvent('download');
  await dialog.getByRole('link', { name: 'Download' }).click();
  expect((await download).suggestedFilename()).toMatch(/\.jpg$/);
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect(dialog).toBeHidden();

  // The audit's PDF
  const pdf = await page.getByRole('link', { name: 'Download PDF' }).getAttribute('href');
  const pdfResponse = await page.request.get(pdf ?? '');
  expect(pdfResponse.headers()['content-type']).toBe('application/pdf');

  // The audit is completed, which is final
  await page.getByLabel('Mark as completed').click();
  await expect(dialog.getByText('Confirm Completion')).toBeVisible();
  await expectAccessiblePage(page);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByLabel('Mark as completed')).not.toBeChecked();
  await page.getByRole('button', { name: 'Complete Audit' }).click();
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByText('Audit marked as completed successfully')).toBeInViewport();
  await expect(
    page.getByText(/^This audit has been marked as completed by none\.\d+ on \d\d\/\d\d\/\d{4}\.$/),
  ).toBeVisible();
  await expect(page.getByLabel('Date')).toBeDisabled();
  await expect(page.getByLabel('Time')).toBeDisabled();
  await expect(page.getByRole('button', { name: 'Save Changes' })).toBeHidden();
  await expect(page.getByRole('button', { name: 'Update' })).toBeHidden();
  await expectAccessiblePage(page);

  // The folder is deleted
  await page.getByRole('link', { name: 'Go to Folder' }).click();
  await expect(card.getByRole('img', { name: 'Completed' })).toBeVisible();
  await expect(card.getByText(/Completed by none\.\d+ on/)).toBeVisible();
  await page.getByRole('button', { name: 'Delete Check the swings' }).click();
  await expect(dialog.getByText('Confirm Deletion')).toBeVisible();
  await expect(
    dialog.getByText('Are you sure you want to delete this audit? This action cannot be undone.'),
  ).toBeVisible();
  await expectAccessiblePage(page);
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('Audit deleted successfully')).toBeVisible();
  await expect(page.getByText('No audits in this folder yet')).toBeVisible();
  await page.getByRole('link', { name: 'Back to Folders' }).click();
  await page.getByRole('button', { name: 'Delete Playgrounds' }).click();
  await expect(dialog.getByText(/All audits within it will be deleted\. This action cannot be undone\./)).toBeVisible();
  await expectAccessiblePage(page);
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('Folder deleted successfully')).toBeVisible();
  await expect(page.getByText('No audit folders found')).toBeVisible();
});

test('every audit task can be done by keyboard', { tag: '@keyboard' }, async ({ page, signInAs }) => {
  test.slow();
  await signInAs(page, 'None', 'Winkups');
  const press = async (target: Locator, key = 'Enter') => {
    await tabTo(page, target, true);
    await page.keyboard.press(key);
  };
  const type = async (target: Locator, text: string) => {
    await tabTo(page, target, true);
    await page.keyboard.type(text);
  };
  const button = (name: string) => page.getByRole('button', { name });
  const link = (name: string) => page.getByRole('link', { name });

  await page.goto('/audits');
  await press(button('New Folder'));
  await expect(page.getByRole('textbox', { name: 'Name' })).toBeFocused();
  await page.keyboard.type('By keyboard');
  await press(button('Create Folder'));
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(button('New Folder')).toBeFocused();
  await press(page.getByRole('link', { name: 'By keyboard' }));
  await press(link('Create First Audit'));
  await type(page.getByLabel('Title'), 'Typed');
  await press(page.getByLabel('Urgent?'), 'Space');
  await press(button('Create Audit'));
  await page.waitForURL('**/audit-folders/*');
  await press(link('View Details'));
  await press(button('Edit'));
  await expect(page.getByLabel('Title')).toBeFocused();
  await type(page.getByLabel('Location'), 'Here');
  await press(button('Save Changes'));
  await expect(page.getByText('Audit updated successfully')).toBeVisible();
  await expect(button('Save Changes')).toBeFocused();
  await press(page.getByLabel('Mark as completed'), 'Space');
  await page.keyboard.press('Escape');
  await press(button('Complete Audit'));
  await press(page.getByRole('dialog').getByRole('button', { name: 'Confirm' }));
  await expect(page.getByText('This audit has been marked as completed by')).toBeVisible();
  await press(link('Go to Folder'));
  await press(button('Delete Typed'));
  await press(page.getByRole('dialog').getByRole('button', { name: 'Delete' }));
  await expect(page.getByText('No audits in this folder yet')).toBeVisible();
  await expect(link('Create First Audit')).toBeFocused();
  await press(link('Back to Folders'));
  await press(button('Edit By keyboard'));
  await page.keyboard.press('Escape');
  await expect(button('Edit By keyboard')).toBeFocused();
  await press(button('Delete By keyboard'));
  await press(page.getByRole('dialog').getByRole('button', { name: 'Delete' }));
  await expect(link('All Open Audits')).toBeFocused();
});

test('the folder list counts overdue audits, and can be searched and filtered by park', {
  tag: '@once',
}, async ({ page, signInAs, server }) => {
  const admin = await server.as('Admin');
  const pool = await newFolder(admin, { name: 'Pool rounds', description: 'Filters', park: 'Lido Beach' });
  await newFolder(admin, { name: 'Pool rounds', description: 'Gates', park: 'Snowdon View' });
  for (const date of ['2026-01-05', '2090-01-05', null])
    await admin(api.createAudit, { body: newAudit(pool, { title: 'Backwash', date }) });
  await signInAs(page, 'Admin');
  await page.goto('/audits');
  const cards = page.getByRole('listitem').filter({ hasText: 'Pool rounds' });
  await expect(cards).toHaveCount(2);
  await expect(cards.filter({ hasText: 'Lido Beach' })).toContainText('3 audits, 1 overdue');
  await expect(cards.filter({ hasText: 'Snowdon View' })).toContainText('0 audits');
  await expect(cards.filter({ hasText: 'Snowdon View' })).not.toContainText('overdue');
  await expectAccessiblePage(page);

  const search = page.getByRole('searchbox', { name: 'Search folders...' });
  await search.fill('GATES snow');
  await expect(cards).toHaveCount(1);
  await search.fill('pool');
  await page.getByRole('combobox', { name: 'Park' }).selectOption('Lido Beach');
  await expect(cards).toHaveCount(1);
  await search.fill('gates');
  await expect(page.getByText('No audit folders found')).toBeVisible();
  await expect(page.getByText('Try another word or park.')).toBeVisible();
  await search.fill('pool');

  await page.getByRole('link', { name: 'Pool rounds' }).click();
  const main = page.getByRole('main');
  await expect(page.getByRole('heading', { name: 'Pool rounds', level: 1 })).toBeVisible();
  await expect(main.getByText('Lido Beach')).toBeVisible();
  await page.getByRole('link', { name: 'New Audit' }).click();
  await expect(page.getByRole('heading', { name: 'Create New Audit in Pool rounds' })).toBeVisible();
  await expect(main.getByText('Lido Beach')).toBeVisible();
  await page.goBack();
  await page
    .getByRole('link', { name: /View Details/ })
    .first()
    .click();
  await expect(main.getByText('Lido Beach, Pool rounds')).toBeVisible();
  await expectAccessiblePage(page);
});

test('the navigation bar marks Audits as the current link on every audit screen', { tag: '@mouse' }, async ({
  page,
  signInAs,
}) => {
  const me = await signInAs(page, 'None', 'Lido Beach');
  const folder = await newFolder(me);
  const { id } = await me(api.createAudit, { body: newAudit(folder) });
  const marked = page.getByRole('navigation', { name: 'Main' }).locator('[aria-current]');
  for (const [path, current] of [
    ['/audits', 'page'],
    [`/audit-folders/${folder}`, 'true'],
    [`/create-audit/${folder}`, 'true'],
    [`/audit/${id}`, 'true'],
  ] as const) {
    await page.goto(path);
    await expect(marked).toHaveText(['Audits']);
    await expect(marked).toHaveAttribute('aria-current', current);
  }
});

test('very long words in folders and audits fit on the smallest phone in dark mode', { tag: '@once' }, async ({
  page,
  signInAs,
}) => {
  test.slow();
  const me = await signInAs(page, 'None', 'Snowdon View');
  const longTitle = 'Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch'.repeat(2).slice(0, 115);
  const folder = await newFolder(me, { name: longTitle, description: longTitle, park: 'Snowdon View' });
  const fields = {
    title: longTitle,
    location: longTitle,
    assignee: longTitle,
    description: longTitle,
    is_urgent: true,
  };
  const { id } = await me(api.createAudit, { body: newAudit(folder, fields) });
  const { id: completedId } = await me(api.createAudit, { body: newAudit(folder, { ...fields, completed: true }) });
  await page.setViewportSize({ width: 320, height: 640 });
  await page.emulateMedia({ colorScheme: 'dark' });
  for (const path of [
    '/audits',
    `/audit-folders/${folder}`,
    `/create-audit/${folder}`,
    `/audit/${id}`,
    `/audit/${completedId}`,
  ]) {
    await page.goto(path);
    await expect(page.getByText(longTitle).or(page.getByLabel('Title')).first()).toBeVisible();
    await expectAccessiblePage(page);
  }
});

test(
  'a folder of 2,000 audits draws only the first cards until the user scrolls, and sorts all of them',
  { tag: '@once' },
  async ({ page, signInAs, server }, info) => {
    // A park of its own, because lists of other tests show only the first audits.
    const me = await signInAs(page, 'None', 'Molfre View');
    const folder = await newFolder(me, { park: 'Molfre View' });
    const { id } = await me(api.createAudit, { body: newAudit(folder, { description: 'Words of it. '.repeat(30) }) });
    const row = await server.db.selectFrom('audits').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    const numbers = Array.from({ length: 2000 }, (_, number) => number);
    for (let start = 0; start < 2000; start += 250)
      await server.db
        .insertInto('audits')
        .values(
          numbers.slice(start, start + 250).map((number) => ({
            ...row,
            id: `${info.project.name}-${number}`,
            position: row.position * -10_000 - number,
            title: `Job ${number}`,
            date: `2027-01-${String((number % 28) + 1).padStart(2, '0')}`,
          })),
        )
        .execute();
    const cards = page.locator('main li');
    await page.goto(`/audit-folders/${folder}`);
    await expect(cards.first()).toBeVisible();
    await page.getByLabel('Sort by').selectOption('due-desc');
    await expect(cards.first()).toContainText('28/01/2027');
    // Drawing all 2,000 cards would take seconds.
    const before = await cards.count();
    expect(before).toBeLessThan(200);
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
    await expect.poll(() => cards.count()).toBeGreaterThan(before);
  },
);
