// A checklist from the editor to the printout, with a reload in between.
import type { Page } from '@playwright/test';
import { api } from '#shared/api.ts';
import { addDemoChecklists } from '../src/server/demo/checks.ts';
import { button, disablePrinting, listTitles, printToPdf, readChecklistDrafts, section } from './checklists.ts';
import { draw, openScreen, signatureCanvas, tabTo } from './interactions.ts';
import { expect, expectAccessiblePage, test } from './server.ts';

// Conflicts, deletions and lost responses are intended; the browser logs each.
test.use({ allowedConsoleErrors: /Failed to load resource/ });

async function sign(page: Page, label: string) {
  await button(page, new RegExp(`^Sign( Again)? ${label}`)).click();
  await draw(page);
  await button(page, 'Save Signature').click();
  await expect(button(page, `Sign Again ${label}`)).toBeVisible();
}

test(
  'a checklist is created, filled in, kept across a reload, printed, submitted and reviewed',
  { tag: '@once' },
  async ({ page, signInAs }, info) => {
    await disablePrinting(page);
    const title = `Pontoon check ${info.project.name}`;
    await signInAs(page, 'Health & Safety Manager');

    // Create the checklist
    await page.goto('/admin?tab=checklists');
    await button(page, 'New Checklist').click();
    const editor = page.getByRole('form', { name: 'New Checklist' });
    await button(editor, 'Create Checklist').click();
    await expect(editor.getByText('Give the checklist a title')).toBeVisible();
    await expect(editor.getByText('Give the section a title')).toBeVisible();
    await expect(editor.getByLabel('Checklist title')).toBeFocused();
    await expectAccessiblePage(page);
    await editor.getByLabel('Checklist title').fill(title);
    const newSections: [string, string, boolean][] = [
      ['Loose planks', 'text', true],
      ['Park', 'site', true],
      ['Lifebuoy in place', 'checkbox', true],
      ['Signed by', 'signature', true],
      ['Time', 'time', false],
      ['Next check', 'date', false],
      ['Ladder fixed', 'na', true],
      ['Remarks', 'text', false],
    ];
    for (const [index, [name, type, required]] of newSections.entries()) {
      if (index > 0) await button(editor, 'Add Section').click();
      const row = editor.getByRole('listitem').nth(index);
      await row.getByLabel('Section title').fill(name);
      await row.getByLabel('Type').selectOption(type);
      if (index === 0) await row.getByLabel('Heading above it (optional)').fill('On the water');
      if (required) await row.getByLabel('Required').check();
    }
    await expectAccessiblePage(page);
    await button(editor, 'Preview').click();
    const preview = page.getByRole('dialog', { name: 'Preview' });
    await expect(preview.getByRole('radiogroup', { name: 'Ladder fixed' })).toBeVisible();
    await expect(preview.getByRole('heading', { name: 'On the water' })).toBeVisible();
    await expectAccessiblePage(page);
    await page.keyboard.press('Escape');
    await expect(preview).toBeHidden();
    await button(editor, 'Create Checklist').click();
    await expect(page.getByText('Checklist created successfully')).toBeVisible();
    await expect(editor).toBeHidden();
    await expectAccessiblePage(page);

    // Fill it in
    await page.goto('/checklists');
    await page.getByRole('searchbox', { name: 'Search checklists...' }).fill('nothing like it');
    await expect(page.getByText('No checklists found.')).toBeVisible();
    await page.getByRole('searchbox', { name: 'Search checklists...' }).fill('pontoon');
    const opener = page.getByRole('button', { name: new RegExp(title) });
    await expectAccessiblePage(page);
    await opener.click();
    const form = page.getByRole('form', { name: title });
    await button(form, 'Submit Checklist').click();
    await expect(page.getByText('Please fill in all required fields.')).toBeVisible();
    await expect(form.getByText('Required', { exact: true })).toHaveCount(5);
    await expect(form.getByLabel('Loose planks')).toBeFocused();
    await expect(form.getByLabel('Loose planks')).toBeInViewport();
    await expectAccessiblePage(page);

    await form.getByLabel('Loose planks').fill('Two, near the ladder.\nTaped off.');
    await form.getByLabel('Park').selectOption('Lido Beach');
    await form.getByLabel('Lifebuoy in place').check();
    await sign(page, 'Signed by');
    await page.reload(); // nobody pressed Save Progress
    await expect(opener).toContainText('In progress');
    await opener.click();
    await expect(form.getByLabel('Loose planks')).toHaveValue('Two, near the ladder.\nTaped off.');
    await expect(form.getByLabel('Lifebuoy in place')).toBeChecked();
    await expect(button(form, 'Sign Again Signed by')).toBeVisible();
    await button(form, 'Clear Progress').click();
    await expect.poll(() => readChecklistDrafts(page)).toHaveLength(0);
    await button(form, 'Undo Clearing').click();
    await expect.poll(() => readChecklistDrafts(page)).toHaveLength(1);
    await form.getByLabel('Time', { exact: true }).fill('09:05');
    await form.getByLabel('Next check', { exact: true }).fill('2026-12-01');
    await form.getByRole('radio', { name: 'N/A' }).check();
    await expectAccessiblePage(page);
    await button(form, 'Save Progress').click();
    await expect(page.getByText('Progress saved!')).toBeVisible();
    await expect(button(form, 'Progress Saved')).toBeVisible();
    await page.mouse.move(0, 0); // the message may have appeared under the mouse, which keeps it open
    await expect(button(form, 'Save Progress')).toBeVisible();
    await expect(page.getByText('Progress saved!')).not.toBeInViewport();
    await expect.poll(() => readChecklistDrafts(page)).toHaveLength(1);

    // Print the answers
    await button(form, 'Print Checklist').click();
    const printedAnswers = await printToPdf(page, 'answers', info);
    expect(printedAnswers).toContain('Taped off.');
    expect(printedAnswers).toContain('On the water');
    expect(printedAnswers).toContain('01/12/2026');
    expect(printedAnswers).toMatch(/Lifebuoy in place.*Yes/);
    expect(printedAnswers).toMatch(/Remarks.*Not provided/);
    expect(printedAnswers).not.toContain('Save Progress');
    await button(form, 'Print Empty Form').click();
    const empty = await printToPdf(page, 'empty', info);
    expect(empty).toContain('Ladder fixed');
    expect(empty).not.toContain('Taped off.');
    expect(empty).not.toContain('Not provided');

    // Clear the answers, and undo that
    await button(form, 'Sign Again Signed by').click();
    await draw(page);
    await page.keyboard.press('Escape');
    await button(form, 'Clear Progress').click();
    await expect(page.getByText('Progress cleared!')).toBeVisible();
    await expect(form.getByLabel('Loose planks')).toHaveValue('');
    await button(form, 'Sign Signed by').click();
    await expect(signatureCanvas(page)).toHaveAccessibleName('Signature, empty');
    await page.keyboard.press('Escape');
    await expect.poll(() => readChecklistDrafts(page)).toHaveLength(0);
    await button(form, 'Undo Clearing').click();
    await expect(form.getByLabel('Loose planks')).toHaveValue('Two, near the ladder.\nTaped off.');

    // Submit the checklist
    await button(form, 'Submit Checklist').click();
    await expect(page.getByText('Checklist submitted successfully!')).toBeVisible();
    await expect.poll(() => readChecklistDrafts(page)).toHaveLength(0);
    await expect(form).toBeHidden();
    await expect(opener).toBeFocused();
    await expect(opener).toHaveAttribute('aria-expanded', 'false');

    // Review the submission
    await page.goto('/admin?tab=submissions');
    await page.getByRole('searchbox', { name: 'Search submissions...' }).fill('taped off');
    // A search begins a moment after the last key.
    await expect(page).toHaveURL(/q=taped/);
    const row = page.getByRole('main').getByRole('button', { name: new RegExp(title) });
    await expect(row).toHaveCount(1);
    await page.getByLabel('Checklist title').selectOption(title);
    const day = new Date().toLocaleDateString('en-CA', { timeZone: 'Europe/London' });
    await page.getByLabel('From').fill(day);
    await page.getByLabel('To', { exact: true }).fill(day);
    await expect(row).toHaveCount(1);
    await page.getByLabel('From').fill('2099-01-01');
    await expect(page.getByText('No submitted checklists match your filters.')).toBeVisible();
    await page.getByLabel('From').fill('');
    await expect(row).toHaveCount(1);
    await expectAccessiblePage(page);
    await row.click();
    const details = page.getByRole('dialog', { name: 'Submission Details' });
    await expect(details.getByText('Taped off.')).toBeVisible();
    await expect(details.getByRole('heading', { name: 'On the water' })).toBeVisible();
    await expect(details.getByText('01/12/2026')).toBeVisible();
    await expect(details.getByRole('img', { name: 'Signature: Signed by' })).toBeVisible();
    await expectAccessiblePage(page);
    await page.goBack();
    await expect(details).toBeHidden();
    await page.goForward();
    await page.reload();
    await expect(details.getByText('Taped off.')).toBeVisible();
    await expect(page.getByPlaceholder('Search submissions...')).toHaveValue('taped off');
    await expect(page.getByLabel('Checklist title')).toHaveValue(title);
    await expect(page.getByLabel('To', { exact: true })).toHaveValue(day);
    await page.goto('/admin?tab=submissions&from=2026-01-01');
    await expect(page.getByLabel('From')).toHaveValue('2026-01-01');
    await openScreen(page, 'Admin');
    await page.getByRole('tab', { name: 'Submissions' }).click();
    await expect(page.getByLabel('From')).toHaveValue('');
    await page.getByRole('searchbox', { name: 'Search submissions...' }).fill('taped off');
    await expect(page).toHaveURL(/q=taped/);
    await row.click();
    const pdfUrl = await details.getByRole('link', { name: 'Download PDF' }).getAttribute('href');
    const pdf = await page.request.get(pdfUrl ?? '');
    expect(pdf.headers()['content-type']).toBe('application/pdf');
    await button(details, 'Delete').click();
    const confirm = page.getByRole('dialog', { name: 'Delete this submitted checklist?' });
    await expect(confirm).toBeVisible();
    await expectAccessiblePage(page);
    await button(confirm, 'Cancel').click();
    await button(details, 'Delete').click();
    await button(confirm, 'Delete').click();
    await expect(page.getByText('Submitted checklist deleted successfully')).toBeVisible();
    await expect(row).toHaveCount(0);
    await expect(page.locator('main:focus, main :focus')).toBeVisible();
  },
);

test('every checklist task can be done by keyboard', { tag: '@keyboard' }, async ({ page, server, signInAs }) => {
  const admin = await server.as('Admin');
  const title = 'Keyboard round';
  await admin(api.createChecklist, {
    body: {
      title,
      sections: [
        section('First', 'text', true),
        section('Tick', 'checkbox', true),
        section('Choice', 'na', true),
        section('Signed', 'signature', true),
      ],
    },
  });
  await signInAs(page, 'Admin');
  await page.goto('/admin?tab=checklists');
  await button(page, `Edit ${title}`).focus();
  await page.keyboard.press('Enter');
  const editor = page.getByRole('form', { name: `Edit ${title}` });
  const titles = () => listTitles(editor);
  const handle = editor.getByRole('button', { name: /^Move section 1:/ });
  await handle.focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect.poll(titles).toEqual(['Tick', 'Choice', 'First', 'Signed']);
  await expect(editor.getByText('Section moved to position 3 of 4')).toBeAttached();
  await expect(editor.getByRole('button', { name: /^Move section 3:/ })).toBeFocused();
  await button(editor, /^3\. First/).press('Enter');
  await tabTo(page, button(editor, 'Move section 3 up'));
  await page.keyboard.press('Enter');
  await expect.poll(titles).toEqual(['Tick', 'First', 'Choice', 'Signed']);
  await button(editor, 'Save Checklist').focus();
  await page.keyboard.press('Enter');
  await expect(page.getByText('Checklist updated successfully')).toBeVisible();

  await page.goto('/checklists');
  const opener = page.getByRole('button', { name: new RegExp(title) });
  await opener.focus();
  await page.keyboard.press('Enter');
  const form = page.getByRole('form', { name: title });
  // The form is shown once no other tab has it open.
  await expect(form).toBeVisible();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await expect(form.getByLabel('Tick')).toBeChecked();
  await page.keyboard.press('Tab');
  await page.keyboard.type('By keyboard');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await page.keyboard.press('ArrowRight');
  await expect(form.getByRole('radio', { name: 'No', exact: true })).toBeChecked();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Sign Here' });
  await expect(dialog).toBeVisible();
  await button(dialog, 'Type Name').focus();
  await page.keyboard.press('Enter');
  await expect(dialog.getByLabel('Your full name')).toBeFocused();
  await page.keyboard.type('Siân Parry');
  await button(dialog, 'Save Signature').focus();
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  await button(form, 'Submit Checklist').focus();
  await page.keyboard.press('Enter');
  await expect(page.getByText('Checklist submitted successfully!')).toBeVisible();
  await expect(opener).toBeFocused();
});

test(
  "a user on a shared tablet cannot see another user's draft",
  { tag: '@once' },
  async ({ page, server, signInAs }, info) => {
    const admin = await server.as('Admin');
    const title = `Shared ${info.project.name}`;
    const site = { title: 'Which park?', type: 'site' as const, required: true };
    await admin(api.createChecklist, { body: { title, sections: [section('Reading'), site] } });
    await signInAs(page, 'None', 'Lido Beach');
    await page.goto('/checklists');
    const opener = page.getByRole('button', { name: new RegExp(title) });
    await opener.click();
    // The user's own park is filled in, and is no draft.
    await expect(page.getByLabel('Which park?')).toHaveValue('Lido Beach');
    await button(page, 'Save Progress').click();
    await expect(page.getByText('There is nothing to save yet')).toBeVisible();
    await page.getByLabel('Reading').fill('private');
    await page.context().clearCookies();
    await signInAs(page, 'None');
    await page.goto('/checklists');
    await expect(opener).not.toContainText('In progress');
    await opener.click();
    await expect(page.getByLabel('Reading')).toHaveValue('');
  },
);

test('hovering over the message about a submitted checklist keeps the message and the checklist open', {
  tag: '@mouse',
}, async ({ page, server, signInAs }) => {
  const admin = await server.as('Admin');
  const title = 'Pointed at';
  await admin(api.createChecklist, { body: { title, sections: [section('Reading')] } });
  await signInAs(page, 'None');
  await page.clock.install();
  await page.goto('/checklists');
  const opener = page.getByRole('button', { name: title });
  await opener.click();
  // Stops the clock, so that the message does not disappear while a slow machine runs the test.
  await page.clock.pauseAt(Date.now() + 60_000);
  await button(page, 'Submit Checklist').click();
  const message = page.getByRole('status').getByText('Checklist submitted successfully!');
  await message.hover();
  await page.clock.runFor(10_000);
  await expect(message).toBeVisible();
  await expect(opener).toHaveAttribute('aria-expanded', 'true');
  await page.mouse.move(5, 300);
  await page.clock.runFor(1900);
  await expect(opener).toHaveAttribute('aria-expanded', 'true');
  await page.clock.runFor(200);
  await expect(opener).toHaveAttribute('aria-expanded', 'false');
  await expect(page.getByRole('log').getByText('Checklist submitted successfully!')).toBeAttached();
});

test('the checklists of templates and very long words fit on a phone 320 px wide', { tag: '@once' }, async ({
  page,
  server,
  signInAs,
}) => {
  const admin = await server.as('Admin');
  const longWord = 'W'.repeat(200);
  const kinds = ['text', 'checkbox', 'na', 'signature'] as const;
  await admin(api.createChecklist, {
    body: { title: longWord, sections: kinds.map((kind) => section(longWord, kind)) },
  });
  await addDemoChecklists(admin.fetch);
  await signInAs(page, 'None');
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto('/checklists');
  const panelButtons = page.getByRole('main').getByRole('button', { expanded: false });
  await panelButtons.filter({ hasText: 'Hot tub' }).first().click();
  await panelButtons.filter({ hasText: 'Swimming pool' }).first().click();
  await panelButtons.filter({ hasText: longWord }).first().click();
  await expect(page.getByRole('form')).toHaveCount(3);
  await expectAccessiblePage(page);
});
