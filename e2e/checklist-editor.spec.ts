import { api } from '#shared/api.ts';
import { button, listTitles, section } from './checklists.ts';
import { openMenu } from './interactions.ts';
import { expect, expectAccessiblePage, test } from './server.ts';

// Conflicts, deletions and lost responses are intended; the browser logs each.
test.use({ allowedConsoleErrors: /Failed to load resource/ });

test('the sections of a checklist can be reordered by dragging', async ({ page, server, signInAs }, info) => {
  const admin = await server.as('Admin');
  const title = `Dragged ${info.project.name}`;
  await admin(api.createChecklist, { body: { title, sections: ['A', 'B', 'C'].map((name) => section(name)) } });
  await signInAs(page, 'Admin');
  await page.goto('/admin?tab=checklists');
  await page.getByRole('searchbox', { name: 'Search checklists...' }).fill(title);
  // The list above the editor must not change during the dragging.
  await expect(page).toHaveURL(/checklist=Dragged/);
  await button(page, `Edit ${title}`).click();
  const editor = page.getByRole('form', { name: `Edit ${title}` });
  const titles = () => listTitles(editor);
  const dragSection = async (from: number, to: number) => {
    const handle = editor.getByRole('button', { name: new RegExp(`^Move section ${from}:`) });
    await handle.hover();
    const handlePosition = await handle.boundingBox();
    const target = await editor
      .getByRole('listitem')
      .nth(to - 1)
      .boundingBox();
    if (!handlePosition || !target) throw new Error('nothing to drag');
    await page.mouse.move(handlePosition.x + 20, handlePosition.y + 20);
    await page.mouse.down();
    await page.mouse.move(handlePosition.x + 20, target.y + target.height * (to > from ? 0.9 : 0.1), { steps: 5 });
    await page.mouse.up();
  };
  // What still loads above the editor would move it, and near the edges of the screen dragging scrolls.
  await page.waitForLoadState('networkidle');
  await editor
    .getByRole('button', { name: /^Move section 2:/ })
    .evaluate((handle) => handle.scrollIntoView({ block: 'center' }));
  await dragSection(1, 2);
  await expect.poll(titles).toEqual(['B', 'A', 'C']);
  await dragSection(2, 1);
  await expect.poll(titles).toEqual(['A', 'B', 'C']);
});

test(
  'the second of two users to save a checklist sees a conflict and loses no input',
  { tag: '@once' },
  async ({ page, server, signInAs }, info) => {
    const admin = await server.as('Admin');
    const title = `Conflict ${info.project.name}`;
    const { id } = await admin(api.createChecklist, { body: { title, sections: [section('Mine to change')] } });
    const saveOtherVersion = (name: string) =>
      admin(api.updateChecklist, { params: { id }, body: { title, sections: [section(name)] } });
    const current = async () => (await admin(api.listChecklists)).find((checklist) => checklist.id === id);
    await signInAs(page, 'Admin');
    await page.goto('/admin?tab=checklists');
    await page.getByRole('searchbox', { name: 'Search checklists...' }).fill(title);

    await button(page, `Edit ${title}`).click();
    const editor = page.getByRole('form', { name: `Edit ${title}` });
    await editor.getByLabel('Section title').fill('What I typed');
    await saveOtherVersion('What they typed');
    await button(editor, 'Save Checklist').click();
    const dialog = page.getByRole('dialog', { name: 'Someone else has changed this checklist' });
    await expect(dialog.getByText('What they typed')).toBeVisible();
    await expectAccessiblePage(page);
    await page.keyboard.press('Escape');
    await expect(editor.getByLabel('Section title')).toHaveValue('What I typed');
    await button(editor, 'Save Checklist').click();
    await button(dialog, 'Save Mine as a Copy').click();
    await expect(page.getByText('Checklist created successfully')).toBeVisible();
    await expect(page.getByRole('heading', { name: `${title} (Copy)` })).toBeVisible();
    expect((await current())?.sections[0]?.title).toBe('What they typed');

    await button(page, `Edit ${title}`).click();
    await editor.getByLabel('Section title').fill('Mine again');
    await saveOtherVersion('Theirs again');
    await button(editor, 'Save Checklist').click();
    await button(dialog, 'Keep Theirs').click();
    await button(editor, /^1\. Theirs again/).click();
    await editor.getByLabel('Section title').fill('Built on theirs');
    const { promise: isShown, resolve: send } = Promise.withResolvers<void>();
    await page.route('**/update-checklist/*', (route) => isShown.then(() => route.continue()), { times: 1 });
    await button(editor, 'Save Checklist').click();
    // The editor closes after the save, so a change made during it would be lost.
    await expect(editor.getByLabel('Section title')).toBeDisabled();
    send();
    await expect(page.getByText('Checklist updated successfully')).toBeVisible();
    expect((await current())?.sections[0]?.title).toBe('Built on theirs');

    await button(page, `Edit ${title}`).click();
    await editor.getByLabel('Section title').fill('Mine for good');
    await saveOtherVersion('Theirs once more');
    await button(editor, 'Save Checklist').click();
    await button(dialog, 'Keep Mine').click();
    await expect(editor).toBeHidden();
    expect((await current())?.sections[0]?.title).toBe('Mine for good');
  },
);

test(
  'unsaved changes of a checklist survive a visit to another page, and its deletion by another user',
  { tag: '@once' },
  async ({ page, server, signInAs }, info) => {
    const admin = await server.as('Admin');
    const title = `Half built ${info.project.name}`;
    const { id } = await admin(api.createChecklist, { body: { title, sections: [section('One'), section('Two')] } });
    await signInAs(page, 'Admin');
    await page.goto('/admin?tab=checklists');
    await button(page, 'New Checklist').click();
    await page.getByRole('form', { name: 'New Checklist' }).getByLabel('Checklist title').fill('Half a new one');
    await button(page, `Edit ${title}`).click();
    const editor = page.getByRole('form', { name: `Edit ${title}` });
    await button(editor, /^1\. One/).click();
    await editor.getByLabel('Section title').fill('Better words');

    await openMenu(page);
    await page.getByRole('link', { name: 'Checklists' }).click();
    await expect(page.getByRole('heading', { name: 'Checklists' })).toBeVisible();
    // The page loads its checklists once more, and this must not be after the deletion below.
    const reloaded = page.waitForResponse('**/api/checklists');
    await page.goBack();
    await reloaded;
    await expect(page.getByText('Your unsaved changes are open below.')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Checklists' })).toBeVisible({
      visible: info.project.name !== 'phone',
    });
    await expect(button(editor, /^1\. Better words/)).toBeVisible();
    await expect(page.getByRole('form', { name: 'New Checklist' }).getByLabel('Checklist title')).toHaveValue(
      'Half a new one',
    );
    await expectAccessiblePage(page);
    await button(page.getByRole('form', { name: 'New Checklist' }), 'Cancel').click();
    await button(page.getByRole('dialog', { name: 'Discard your changes?' }), 'Discard Changes').click();

    await admin(api.deleteChecklist, { params: { id } });
    await button(editor, 'Save Checklist').click();
    await expect(page.getByText('Failed to update checklist')).toBeVisible();
    const deletedNotice = page.getByRole('region', { name: 'Deleted checklist' });
    await expect(button(deletedNotice, /^1\. Better words/)).toBeVisible();
    await button(deletedNotice, 'Create Checklist').click();
    await expect(page.getByText('Checklist created successfully')).toBeVisible();
    await page.reload();
    await expect(button(page, `Edit ${title}`)).toBeVisible();
    await expect(page.getByRole('form')).toHaveCount(0);
  },
);

test('the focus stays in the checklist editor when sections are added, moved and removed', {
  tag: '@keyboard',
}, async ({ page, server, signInAs }) => {
  const admin = await server.as('Admin');
  const title = 'Focused';
  await admin(api.createChecklist, { body: { title, sections: ['One', 'Two', 'Three'].map((name) => section(name)) } });
  await signInAs(page, 'Admin');
  await page.goto('/admin?tab=checklists');
  await button(page, `Edit ${title}`).press('Enter');
  const editor = page.getByRole('form', { name: `Edit ${title}` });
  await expect(editor.getByLabel('Checklist title')).toBeFocused();
  await button(editor, /^2\. Two/).press('Enter');
  await expect(button(editor, /^2\. Two/)).toHaveAttribute('aria-expanded', 'true');
  await button(editor, 'Remove section 2').press('Enter');
  await expect(button(editor, /^2\. Three/)).toBeFocused();
  await page.keyboard.press('Enter');
  await button(editor, 'Remove section 2').press('Enter');
  await expect(button(editor, /^1\. One/)).toBeFocused();
  await button(editor, 'Undo Remove').press('Enter');
  await expect(button(editor, /^2\. Three/)).toBeFocused();
  await button(editor, 'Duplicate section 2').press('Enter');
  await expect(editor.getByLabel('Section title')).toBeFocused();
  expect(await listTitles(editor)).toEqual(['One', 'Three', 'Three']);
  await editor.getByLabel('Type').selectOption('Date');
  await button(editor, 'Undo Type').press('Enter');
  await expect(editor.getByLabel('Type')).toHaveValue('text');
  await button(editor, 'Cancel').press('Enter');
  const discardDialog = page.getByRole('dialog', { name: 'Discard your changes?' });
  await expect(discardDialog).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(discardDialog).toBeHidden();
  expect(await listTitles(editor)).toEqual(['One', 'Three', 'Three']);
  await button(editor, 'Cancel').press('Enter');
  await button(discardDialog, 'Discard Changes').press('Enter');
  await expect(button(page, `Edit ${title}`)).toBeFocused();
  await button(page, 'New Checklist').press('Enter');
  await expect(page.getByRole('form', { name: 'New Checklist' }).getByLabel('Checklist title')).toBeFocused();
});

test('a long checklist keeps its save button visible, and sections can be inserted and moved by number', {
  tag: '@once',
}, async ({ page, server, signInAs }) => {
  const admin = await server.as('Admin');
  const title = 'Long check';
  const sections = Array.from({ length: 30 }, (_, index) => section(`Question ${index + 1}`));
  await admin(api.createChecklist, { body: { title, sections } });
  await signInAs(page, 'Admin');
  await page.goto('/admin?tab=checklists');
  await button(page, `Edit ${title}`).click();
  const editor = page.getByRole('form', { name: `Edit ${title}` });
  await expect(button(editor, 'Save Checklist')).toBeInViewport({ ratio: 0.95 });
  await button(editor, /^10\. /).click();
  await button(editor, 'Insert Below section 10').click();
  await expect(editor.getByLabel('Section title')).toBeFocused();
  await page.keyboard.type('In between');
  await expect(button(editor, 'Save Checklist')).toBeInViewport({ ratio: 0.95 });
  await button(editor, /^31\. /).click();
  const position = editor.getByLabel(/^Position of section 31,/);
  await position.fill('2');
  await position.press('Enter');
  await expect(editor.getByText('Section moved to position 2 of 31')).toBeAttached();
  await expect(editor.getByLabel(/^Position of section 2,/)).toBeFocused();
  expect((await listTitles(editor))[1]).toBe('Question 30');
  expect((await listTitles(editor))[11]).toBe('In between');
  await editor.getByLabel(/^Position of section 2,/).fill('999');
  await editor.getByLabel(/^Position of section 2,/).press('Enter');
  await expect(button(editor, /^31\. Question 30/)).toBeVisible();
  await expectAccessiblePage(page);
  await page.setViewportSize({ width: 320, height: 640 });
  await expectAccessiblePage(page);
  await button(editor, 'Save Checklist').click();
  await expect(page.getByText('Checklist updated successfully')).toBeVisible();
  const saved = (await admin(api.listChecklists)).find((checklist) => checklist.title === title);
  expect(saved?.sections.map(({ title }) => title).slice(9, 12)).toEqual(['Question 10', 'In between', 'Question 11']);
});

test('an admin duplicates and deletes a checklist', { tag: '@once' }, async ({ page, server, signInAs }, info) => {
  const admin = await server.as('Admin');
  const title = `Original ${info.project.name}`;
  await admin(api.createChecklist, { body: { title, sections: [section('One', 'na', true), section('Two', 'date')] } });
  await signInAs(page, 'Health & Safety Manager');
  await page.goto('/admin?tab=checklists');
  await page.getByRole('searchbox', { name: 'Search checklists...' }).fill(title);
  await button(page, `Duplicate ${title}`).click();
  const editor = page.getByRole('form', { name: 'New Checklist' });
  await expect(editor.getByLabel('Checklist title')).toHaveValue(`${title} (Copy)`);
  await button(editor, 'Create Checklist').click();
  await expect(page.getByText('Checklist created successfully')).toBeVisible();
  await button(page, `Delete ${title} (Copy)`).click();
  const confirm = page.getByRole('dialog', { name: 'Delete this checklist?' });
  await expectAccessiblePage(page);
  await button(confirm, 'Cancel').click();
  await expect(button(page, `Delete ${title} (Copy)`)).toBeVisible();
  await button(page, `Delete ${title} (Copy)`).click();
  await button(confirm, 'Delete').click();
  await expect(page.getByText('Checklist deleted successfully')).toBeVisible();
  await expect(button(page, `Delete ${title} (Copy)`)).toBeHidden();
  await expect(button(page, `Delete ${title}`)).toBeVisible();
});
