// The whole round of a checklist: built, filled in on a phone with a reload in the middle, submitted, reviewed, printed.
import { execFileSync } from 'node:child_process';
import type { Locator, Page, TestInfo } from '@playwright/test';
import { api } from '#shared/api.ts';
import type { Section } from '#shared/checklists.ts';
import { insertStarterChecklists } from '../src/server/checklists/starters.ts';
import { draw, signatureCanvas, tabTo } from './interactions.ts';
import { expect, expectAccessiblePage, test } from './server.ts';

const button = (within: Page | Locator, name: string | RegExp) =>
  within.getByRole('button', { name, exact: typeof name === 'string' });

// axe reads the whole page at every step, which takes its time on a busy machine.
test.describe.configure({ timeout: 120_000 });

// Conflicts, deletions and lost responses are intended; the browser logs each.
test.use({ allowedConsoleErrors: /Failed to load resource/ });

async function sign(page: Page, label: string) {
  await button(page, new RegExp(`^Sign( again)? ${label}`)).click();
  await draw(page);
  await button(page, 'Save Signature').click();
  await expect(button(page, `Sign again ${label}`)).toBeVisible();
}

/** Everything of one person's drafts in this browser. */
const drafts = (page: Page) =>
  page.evaluate(() => Object.entries(localStorage).filter(([key]) => key.startsWith('checklist-progress-')));

/** Printing, as far as a page can see it: what would be printed stays on the page. */
const stopPrinter = (page: Page) =>
  page.addInitScript('window.print = () => document.body.setAttribute("data-printed", "")');

async function printed(page: Page, name: string, info: TestInfo) {
  await expect(page.locator('body[data-printed]')).toBeAttached();
  const path = info.outputPath(`${name}.pdf`);
  await page.pdf({ path, preferCSSPageSize: true, printBackground: true });
  const text = execFileSync('pdftotext', ['-layout', path, '-']).toString();
  await page.evaluate(() => {
    document.body.removeAttribute('data-printed');
    window.dispatchEvent(new Event('afterprint'));
  });
  return text;
}

const section = (title: string, type: Section['type'] = 'text', required = false): Section => ({
  title,
  type,
  required,
});

test(
  'a checklist is created, filled in across a reload, submitted, reviewed and printed',
  { tag: '@once' },
  async ({ page, signInAs }, info) => {
    await stopPrinter(page);
    const title = `Pontoon check ${info.project.name}`;
    await signInAs(page, 'Health & Safety Manager');

    // Build
    await page.goto('/admin?tab=checklists');
    await button(page, 'New Checklist').click();
    const editor = page.getByRole('form', { name: 'New checklist' });
    await button(editor, 'Create Checklist').click();
    await expect(editor.getByText('Give the checklist a title')).toBeVisible();
    await expect(editor.getByText('Give the section a title')).toBeVisible();
    await expect(editor.getByLabel('Checklist title')).toBeFocused();
    await expectAccessiblePage(page);
    await editor.getByLabel('Checklist title').fill(title);
    const built: [string, string, boolean][] = [
      ['Loose planks', 'text', true],
      ['Park', 'site', true],
      ['Lifebuoy in place', 'checkbox', true],
      ['Signed by', 'signature', true],
      ['Time', 'time', false],
      ['Next check', 'date', false],
      ['Ladder fixed', 'na', true],
      ['Remarks', 'text', false],
    ];
    for (const [index, [name, type, required]] of built.entries()) {
      if (index > 0) await button(editor, 'Add section').click();
      const row = editor.getByRole('listitem').nth(index);
      await row.getByLabel('Section title').fill(name);
      await row.getByLabel('Type').selectOption(type);
      if (required) await row.getByLabel('Required').check();
    }
    await expectAccessiblePage(page);
    await button(editor, 'Preview').click();
    const preview = page.getByRole('dialog', { name: 'Preview' });
    await expect(preview.getByRole('radiogroup', { name: 'Ladder fixed' })).toBeVisible();
    await expectAccessiblePage(page);
    await page.keyboard.press('Escape');
    await expect(preview).toBeHidden();
    await button(editor, 'Create Checklist').click();
    await expect(page.getByText('Checklist created successfully')).toBeVisible();
    await expect(editor).toBeHidden();
    await expectAccessiblePage(page);

    // Fill in
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
    await expect(button(form, 'Sign again Signed by')).toBeVisible();
    await form.getByLabel('Time').fill('09:05');
    await form.getByLabel('Next check').fill('2026-12-01');
    await form.getByRole('radio', { name: 'N/A' }).check();
    await expectAccessiblePage(page);
    await button(form, 'Save Progress').click();
    await expect(page.getByText('Progress saved!')).toBeVisible();
    await expect(button(form, 'Progress Saved')).toBeVisible();
    await page.mouse.move(0, 0); // the message may have come up under the pointer, and waits
    await expect(button(form, 'Save Progress')).toBeVisible();
    await expect(page.getByText('Progress saved!')).not.toBeInViewport();
    expect(await drafts(page)).toHaveLength(1);

    // Print
    await button(form, 'Print Checklist').click();
    const withAnswers = await printed(page, 'answers', info);
    expect(withAnswers).toContain('Taped off.');
    expect(withAnswers).toContain('01/12/2026');
    expect(withAnswers).toMatch(/Lifebuoy in place.*Yes/);
    expect(withAnswers).toMatch(/Remarks.*Not provided/);
    expect(withAnswers).not.toContain('Save Progress');
    await button(form, 'Print empty form').click();
    const empty = await printed(page, 'empty', info);
    expect(empty).toContain('Ladder fixed');
    expect(empty).not.toContain('Taped off.');
    expect(empty).not.toContain('Not provided');

    // Clear, and take it back
    await button(form, 'Sign again Signed by').click();
    await draw(page);
    await page.keyboard.press('Escape');
    await button(form, 'Clear Progress').click();
    await expect(page.getByText('Progress cleared!')).toBeVisible();
    await expect(form.getByLabel('Loose planks')).toHaveValue('');
    await button(form, 'Sign Signed by').click();
    await expect(signatureCanvas(page)).toHaveAccessibleName('Signature, empty');
    await page.keyboard.press('Escape');
    expect(await drafts(page)).toHaveLength(0);
    await button(form, 'Undo clearing').click();
    await expect(form.getByLabel('Loose planks')).toHaveValue('Two, near the ladder.\nTaped off.');

    // Submit
    await button(form, 'Submit Checklist').click();
    await expect(page.getByText('Checklist submitted successfully!')).toBeVisible();
    expect(await drafts(page)).toHaveLength(0);
    await expect(form).toBeHidden();
    await expect(opener).toBeFocused();
    await expect(opener).toHaveAttribute('aria-expanded', 'false');

    // Review
    await page.goto('/admin?tab=submissions');
    await page.getByRole('searchbox', { name: 'Search submissions...' }).fill('taped off');
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
    if (info.project.name === 'phone') await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('link', { name: 'Admin', exact: true }).click();
    await page.getByRole('tab', { name: 'Submissions' }).click();
    await expect(page.getByLabel('From')).toHaveValue('');
    await page.getByRole('searchbox', { name: 'Search submissions...' }).fill('taped off');
    await expect(page).toHaveURL(/q=taped/);
    await row.click();
    const address = await details.getByRole('link', { name: 'Download PDF' }).getAttribute('href');
    const pdf = await page.request.get(address ?? '');
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

test('the keyboard alone can do everything', { tag: '@keyboard' }, async ({ page, server, signInAs }) => {
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
  const titles = () =>
    editor
      .getByLabel('Section title')
      .evaluateAll((inputs) => inputs.map((input) => (input as HTMLInputElement).value));
  const handle = editor.getByRole('button', { name: /^Move section 1:/ });
  await handle.focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  expect(await titles()).toEqual(['Tick', 'Choice', 'First', 'Signed']);
  await expect(editor.getByText('Section moved to position 3 of 4')).toBeAttached();
  await expect(editor.getByRole('button', { name: /^Move section 3:/ })).toBeFocused();
  await tabTo(page, button(editor, 'Move section 3 up'));
  await page.keyboard.press('Enter');
  expect(await titles()).toEqual(['Tick', 'First', 'Choice', 'Signed']);
  await button(editor, 'Save Checklist').focus();
  await page.keyboard.press('Enter');
  await expect(page.getByText('Checklist updated successfully')).toBeVisible();

  await page.goto('/checklists');
  const opener = page.getByRole('button', { name: new RegExp(title) });
  await opener.focus();
  await page.keyboard.press('Enter');
  const form = page.getByRole('form', { name: title });
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
  await button(dialog, 'Type name instead').focus();
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

test('dragging reorders sections', async ({ page, server, signInAs }, info) => {
  const admin = await server.as('Admin');
  const title = `Dragged ${info.project.name}`;
  await admin(api.createChecklist, { body: { title, sections: ['A', 'B', 'C'].map((name) => section(name)) } });
  await signInAs(page, 'Admin');
  await page.goto('/admin?tab=checklists');
  await page.getByRole('searchbox', { name: 'Search checklists...' }).fill(title);
  await button(page, `Edit ${title}`).click();
  const editor = page.getByRole('form', { name: `Edit ${title}` });
  const titles = () =>
    editor
      .getByLabel('Section title')
      .evaluateAll((inputs) => inputs.map((input) => (input as HTMLInputElement).value));
  const drag = async (from: number, to: number) => {
    const handle = editor.getByRole('button', { name: new RegExp(`^Move section ${from}:`) });
    await handle.hover();
    const grip = await handle.boundingBox();
    const target = await editor
      .getByRole('listitem')
      .nth(to - 1)
      .boundingBox();
    if (!grip || !target) throw new Error('nothing to drag');
    await page.mouse.move(grip.x + 20, grip.y + 20);
    await page.mouse.down();
    await page.mouse.move(grip.x + 20, target.y + target.height * (to > from ? 0.9 : 0.1), { steps: 5 });
    await page.mouse.up();
  };
  await editor.getByRole('button', { name: /^Move section 1:/ }).scrollIntoViewIfNeeded();
  await drag(1, 2);
  await expect.poll(titles).toEqual(['B', 'A', 'C']);
  await drag(2, 1);
  await expect.poll(titles).toEqual(['A', 'B', 'C']);
});

test(
  'a draft keeps matching answers after the checklist changes',
  { tag: '@once' },
  async ({ page, server, signInAs }, info) => {
    const admin = await server.as('Admin');
    const title = `Changing ${info.project.name}`;
    const { id } = await admin(api.createChecklist, {
      body: { title, sections: [section('Pump'), section('Filter'), section('Gauge')] },
    });
    await signInAs(page, 'None', 'Lido Beach');
    await page.goto('/checklists');
    const opener = page.getByRole('button', { name: new RegExp(title) });
    await opener.click();
    const form = page.getByRole('form', { name: title });
    for (const name of ['Pump', 'Filter', 'Gauge']) await form.getByLabel(name).fill(`${name} is fine`);
    await admin(api.updateChecklist, {
      params: { id },
      body: {
        title,
        sections: [
          section('New first'),
          section('Gauge'),
          section('Pump', 'text', true),
          section('Filter', 'checkbox'),
        ],
      },
    });
    await page.reload();
    await opener.click();
    await expect(form.getByText('This checklist has changed since you began. 1 answer was not kept')).toBeVisible();
    await expect(form.getByLabel('Gauge')).toHaveValue('Gauge is fine');
    await expect(form.getByLabel('Pump')).toHaveValue('Pump is fine');
    await expect(form.getByLabel('New first')).toHaveValue('');
    await expectAccessiblePage(page);
  },
);

test(
  'answers stay with the sections shown when the checklist changes',
  { tag: '@once' },
  async ({ page, server, signInAs }, info) => {
    const admin = await server.as('Admin');
    const title = `Meanwhile ${info.project.name}`;
    const { id } = await admin(api.createChecklist, { body: { title, sections: [section('Hot'), section('Cold')] } });
    await signInAs(page, 'None');
    await page.goto('/checklists');
    await page.getByRole('button', { name: new RegExp(title) }).click();
    const form = page.getByRole('form', { name: title });
    await form.getByLabel('Hot').fill('61');
    await admin(api.updateChecklist, { params: { id }, body: { title, sections: [section('Cold'), section('Hot')] } });
    await button(form, 'Submit Checklist').click();
    await expect(page.getByText('Checklist submitted successfully!')).toBeVisible();
    const [listed] = await admin(api.listSubmissions, { query: { title, limit: 1 } });
    const kept = await admin(api.getSubmission, { params: { id: listed?.id ?? '' } });
    expect(kept.data).toEqual({ 0: '61' });
    expect(kept.sections.map((kept) => kept.title)).toEqual(['Hot', 'Cold']);
  },
);

test(
  'a retry after a lost response creates one submission',
  { tag: '@once' },
  async ({ page, server, signInAs }, info) => {
    const admin = await server.as('Admin');
    const title = `Lost answer ${info.project.name}`;
    await admin(api.createChecklist, { body: { title, sections: [section('Reading')] } });
    await signInAs(page, 'None');
    await page.goto('/checklists');
    await page.getByRole('button', { name: new RegExp(title) }).click();
    const form = page.getByRole('form', { name: title });
    await form.getByLabel('Reading').fill('7.4');
    await page.route('**/api/submit-checklist', async (route) => {
      await route.fetch();
      await route.abort();
      await page.unroute('**/api/submit-checklist');
    });
    await button(form, 'Submit Checklist').click();
    await expect(page.getByText('Checklist submitted successfully!')).toBeVisible();
    expect(await admin(api.listSubmissions, { query: { title, limit: 10 } })).toHaveLength(1);
  },
);

test('a submit that fails says so and keeps everything', { tag: '@once' }, async ({ page, server, signInAs }, info) => {
  const admin = await server.as('Admin');
  const title = `Deleted ${info.project.name}`;
  const { id } = await admin(api.createChecklist, { body: { title, sections: [section('Reading')] } });
  await signInAs(page, 'None');
  await page.goto('/checklists');
  await page.getByRole('button', { name: new RegExp(title) }).click();
  const form = page.getByRole('form', { name: title });
  await form.getByLabel('Reading').fill('7.4');
  await admin(api.deleteChecklist, { params: { id } });
  await button(form, 'Submit Checklist').click();
  await expect(page.getByText('Failed to submit checklist. Please try again.')).toBeVisible();
  const deleted = page.getByRole('region', { name: `Deleted checklist: ${title}` });
  await expect(deleted.getByLabel('Your answers')).toHaveValue(/7\.4/);
  await expect(page.getByRole('banner').getByRole('link', { name: 'Needs attention: 1' })).toBeVisible();
  await page.reload();
  await expect(deleted.getByLabel('Your answers')).toHaveValue(/7\.4/);
});

test(
  'an error found by the server gets the focus on a slow browser',
  { tag: '@once' },
  async ({ page, server, signInAs }, info) => {
    const admin = await server.as('Admin');
    const title = `Refused ${info.project.name}`;
    await admin(api.createChecklist, { body: { title, sections: [section('Tidy', 'na'), section('Reading')] } });
    await signInAs(page, 'None');
    await page.goto('/checklists');
    await page.getByRole('button', { name: new RegExp(title) }).click();
    const form = page.getByRole('form', { name: title });
    await form.getByLabel('Reading').fill('7.4');
    await page.route('**/api/submit-checklist', (route) =>
      route.fulfill({ status: 400, json: { message: 'Not like this', fields: { 'data.0': 'Choose one' } } }),
    );
    // A slow phone: the next frames come before what was refused is drawn.
    await page.evaluate(() => {
      const frame = window.requestAnimationFrame.bind(window);
      let early = 10;
      window.requestAnimationFrame = (work) => {
        if (early-- <= 0) return frame(work);
        queueMicrotask(() => work(performance.now()));
        return 0;
      };
    });
    await button(form, 'Submit Checklist').click();
    await expect(form.getByText('Choose one')).toBeVisible();
    await expect(form.getByRole('radio', { name: 'Yes' })).toBeFocused();
  },
);

test(
  "a user on a shared tablet cannot see another user's draft",
  { tag: '@once' },
  async ({ page, server, signInAs }, info) => {
    const admin = await server.as('Admin');
    const title = `Shared ${info.project.name}`;
    await admin(api.createChecklist, { body: { title, sections: [section('Reading')] } });
    await signInAs(page, 'None');
    await page.goto('/checklists');
    const opener = page.getByRole('button', { name: new RegExp(title) });
    await opener.click();
    await page.getByLabel('Reading').fill('private');
    await page.context().clearCookies();
    await signInAs(page, 'None');
    await page.goto('/checklists');
    await expect(opener).not.toContainText('In progress');
    await opener.click();
    await expect(page.getByLabel('Reading')).toHaveValue('');
  },
);

test('hovering the message keeps it and its panel open', { tag: '@mouse' }, async ({ page, server, signInAs }) => {
  const admin = await server.as('Admin');
  const title = 'Pointed at';
  await admin(api.createChecklist, { body: { title, sections: [section('Reading')] } });
  await signInAs(page, 'None');
  await page.clock.install();
  await page.goto('/checklists');
  const opener = page.getByRole('button', { name: title });
  await opener.click();
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

test(
  'the second editor of a checklist is told and loses no input',
  { tag: '@once' },
  async ({ page, server, signInAs }, info) => {
    const admin = await server.as('Admin');
    const title = `Conflict ${info.project.name}`;
    const { id } = await admin(api.createChecklist, { body: { title, sections: [section('Mine to change')] } });
    const saveTheirs = (name: string) =>
      admin(api.updateChecklist, { params: { id }, body: { title, sections: [section(name)] } });
    const current = async () => (await admin(api.listChecklists)).find((checklist) => checklist.id === id);
    await signInAs(page, 'Admin');
    await page.goto('/admin?tab=checklists');
    await page.getByRole('searchbox', { name: 'Search checklists...' }).fill(title);

    await button(page, `Edit ${title}`).click();
    const editor = page.getByRole('form', { name: `Edit ${title}` });
    await editor.getByLabel('Section title').fill('What I typed');
    await saveTheirs('What they typed');
    await button(editor, 'Save Checklist').click();
    const dialog = page.getByRole('dialog', { name: 'Someone else has changed this checklist' });
    await expect(dialog.getByText('What they typed')).toBeVisible();
    await expectAccessiblePage(page);
    await page.keyboard.press('Escape');
    await expect(editor.getByLabel('Section title')).toHaveValue('What I typed');
    await button(editor, 'Save Checklist').click();
    await button(dialog, 'Save mine as a copy').click();
    await expect(page.getByText('Checklist created successfully')).toBeVisible();
    await expect(page.getByRole('heading', { name: `${title} (Copy)` })).toBeVisible();
    expect((await current())?.sections[0]?.title).toBe('What they typed');

    await button(page, `Edit ${title}`).click();
    await editor.getByLabel('Section title').fill('Mine again');
    await saveTheirs('Theirs again');
    await button(editor, 'Save Checklist').click();
    await button(dialog, 'Keep theirs').click();
    await expect(editor.getByLabel('Section title')).toHaveValue('Theirs again');
    await editor.getByLabel('Section title').fill('Built on theirs');
    await button(editor, 'Save Checklist').click();
    await expect(page.getByText('Checklist updated successfully')).toBeVisible();
    expect((await current())?.sections[0]?.title).toBe('Built on theirs');

    await button(page, `Edit ${title}`).click();
    await editor.getByLabel('Section title').fill('Mine for good');
    await saveTheirs('Theirs once more');
    await button(editor, 'Save Checklist').click();
    await button(dialog, 'Keep mine').click();
    await expect(editor).toBeHidden();
    expect((await current())?.sections[0]?.title).toBe('Mine for good');
  },
);

test(
  "editor input survives another page and another user's deletion",
  { tag: '@once' },
  async ({ page, server, signInAs }, info) => {
    const admin = await server.as('Admin');
    const title = `Half built ${info.project.name}`;
    const { id } = await admin(api.createChecklist, { body: { title, sections: [section('One'), section('Two')] } });
    await signInAs(page, 'Admin');
    await page.goto('/admin?tab=checklists');
    await button(page, 'New Checklist').click();
    await page.getByRole('form', { name: 'New checklist' }).getByLabel('Checklist title').fill('Half a new one');
    await button(page, `Edit ${title}`).click();
    const editor = page.getByRole('form', { name: `Edit ${title}` });
    await editor.getByLabel('Section title').first().fill('Better words');

    const menu = button(page, 'Menu');
    if (await menu.isVisible()) await menu.click();
    await page.getByRole('link', { name: 'Checklists' }).click();
    await expect(page.getByRole('heading', { name: 'Checklists' })).toBeVisible();
    await page.goBack();
    await expect(page.getByText('Your unsaved changes are open below.')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Checklists' })).toBeVisible({
      visible: info.project.name !== 'phone',
    });
    await expect(editor.getByLabel('Section title').first()).toHaveValue('Better words');
    await expect(page.getByRole('form', { name: 'New checklist' }).getByLabel('Checklist title')).toHaveValue(
      'Half a new one',
    );
    await expectAccessiblePage(page);
    await button(page.getByRole('form', { name: 'New checklist' }), 'Cancel').click();

    await admin(api.deleteChecklist, { params: { id } });
    await button(editor, 'Save Checklist').click();
    await expect(page.getByText('Failed to update checklist')).toBeVisible();
    const gone = page.getByRole('region', { name: 'Deleted checklist' });
    await expect(gone.getByLabel('Section title').first()).toHaveValue('Better words');
    await button(gone, 'Create Checklist').click();
    await expect(page.getByText('Checklist created successfully')).toBeVisible();
    await page.reload();
    await expect(button(page, `Edit ${title}`)).toBeVisible();
    await expect(page.getByRole('form')).toHaveCount(0);
  },
);

test('the editor never loses the focus', { tag: '@keyboard' }, async ({ page, server, signInAs }) => {
  const admin = await server.as('Admin');
  const title = 'Focused';
  await admin(api.createChecklist, { body: { title, sections: ['One', 'Two', 'Three'].map((name) => section(name)) } });
  await signInAs(page, 'Admin');
  await page.goto('/admin?tab=checklists');
  await button(page, `Edit ${title}`).press('Enter');
  const editor = page.getByRole('form', { name: `Edit ${title}` });
  await expect(editor.getByLabel('Checklist title')).toBeFocused();
  await button(editor, 'Remove section 2').press('Enter');
  await expect(button(editor, 'Remove section 2')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(button(editor, 'Remove section 1')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(editor.getByLabel('Checklist title')).toBeFocused();
  await button(editor, 'Cancel').press('Enter');
  await expect(button(page, `Edit ${title}`)).toBeFocused();
  await button(page, 'New Checklist').press('Enter');
  await expect(page.getByRole('form', { name: 'New checklist' }).getByLabel('Checklist title')).toBeFocused();
});

test(
  'a draft without storage space shows a warning and loses no input',
  { tag: '@once' },
  async ({ page, server, signInAs }, info) => {
    const admin = await server.as('Admin');
    const title = `No room ${info.project.name}`;
    await admin(api.createChecklist, { body: { title, sections: [section('Reading')] } });
    await signInAs(page, 'None');
    await page.goto('/checklists');
    await page.evaluate(() => {
      for (let size = 4_000_000; size >= 1; size = Math.floor(size / 2))
        try {
          for (let filled = 0; ; filled++) localStorage.setItem(`full-${size}-${filled}`, 'x'.repeat(size));
        } catch {}
    });
    const opener = page.getByRole('button', { name: new RegExp(title) });
    const form = page.getByRole('form', { name: title });
    await opener.click();
    await form.getByLabel('Reading').fill('7.4');
    await expect(page.getByText('Failed to save progress')).toBeVisible();
    await opener.click();
    await expect(form).toBeHidden();
    await expect(opener).toContainText('In progress');
    await opener.click();
    await expect(form.getByLabel('Reading')).toHaveValue('7.4');
    // Only with the page itself would it go, and the browser asks before that.
    const leave = () => window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
    expect(await page.evaluate(leave)).toBe(false);
    await button(form, 'Submit Checklist').click();
    await expect(page.getByText('Checklist submitted successfully!')).toBeVisible();
    await expect(opener).not.toContainText('In progress');
    expect(await page.evaluate(leave)).toBe(true);
  },
);

test(
  'answers to a checklist that was deleted can be copied and printed',
  { tag: '@once' },
  async ({ page, server, signInAs }, info) => {
    await stopPrinter(page);
    const admin = await server.as('Admin');
    const title = 'Boat hire';
    await admin(api.createChecklist, { body: { title, sections: [section('Hulls'), section('Checked on', 'date')] } });
    const id = (await admin(api.listChecklists)).find((checklist) => checklist.title === title)?.id ?? '';
    await signInAs(page, 'None');
    await page.goto('/checklists');
    await button(page, new RegExp(title)).click();
    await page.getByLabel('Hulls').fill('Two are cracked');
    await page.getByLabel('Checked on').fill('2026-11-03');
    await admin(api.deleteChecklist, { params: { id } });
    await button(page, 'Submit Checklist').click();

    const deleted = page.getByRole('region', { name: `Deleted checklist: ${title}` });
    await expect(deleted.getByLabel('Your answers')).toHaveValue('Hulls: Two are cracked\nChecked on: 03/11/2026');
    await expectAccessiblePage(page);
    await page.reload();
    await button(deleted, 'Copy Answers').click();
    expect(await page.evaluate(() => getSelection()?.toString())).toContain('Two are cracked');
    await button(deleted, 'Print Answers').click();
    expect(await printed(page, 'deleted', info)).toMatch(/Hulls +Two are cracked/);
    await button(deleted, 'Delete Answers').click();
    await button(page.getByRole('dialog'), 'Delete').click();
    await expect(deleted).toBeHidden();
    expect(await drafts(page)).toEqual([]);
  },
);

test('saving the progress of nothing puts nothing in progress', { tag: '@once' }, async ({
  page,
  server,
  signInAs,
}) => {
  const admin = await server.as('Admin');
  const title = 'Crazy golf';
  await admin(api.createChecklist, { body: { title, sections: [section('Flags')] } });
  await signInAs(page, 'None');
  await page.goto('/checklists');
  await button(page, new RegExp(title)).click();
  await button(page, 'Save Progress').click();
  await expect(page.getByText('Progress saved!')).toBeVisible();
  await button(page, new RegExp(title)).click();
  await expect(button(page, new RegExp(title))).not.toContainText('In progress');
  expect(await drafts(page)).toEqual([]);
});

test('a long checklist keeps its Save in view, takes sections in between, and moves one by number', {
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
  await button(editor, 'Insert below section 10').click();
  await expect(editor.getByLabel('Section title').nth(10)).toBeFocused();
  await page.keyboard.type('In between');
  await expect(button(editor, 'Save Checklist')).toBeInViewport({ ratio: 0.95 });
  const position = editor.getByLabel(/^Position of section 31,/);
  await position.fill('2');
  await position.press('Enter');
  await expect(editor.getByText('Section moved to position 2 of 31')).toBeAttached();
  await expect(editor.getByLabel(/^Position of section 2,/)).toBeFocused();
  await expect(editor.getByLabel('Section title').nth(1)).toHaveValue('Question 30');
  await expect(editor.getByLabel('Section title').nth(11)).toHaveValue('In between');
  await editor.getByLabel(/^Position of section 2,/).fill('999');
  await editor.getByLabel(/^Position of section 2,/).press('Enter');
  await expect(editor.getByLabel('Section title').nth(30)).toHaveValue('Question 30');
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
  const editor = page.getByRole('form', { name: 'New checklist' });
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

test('starter checklists and very long words fit on the narrowest phone', async ({ page, server, signInAs }) => {
  const admin = await server.as('Admin');
  const long = 'W'.repeat(200);
  const kinds = ['text', 'checkbox', 'na', 'signature'] as const;
  await admin(api.createChecklist, { body: { title: long, sections: kinds.map((kind) => section(long, kind)) } });
  await insertStarterChecklists(server.db, admin.id, new Date());
  await signInAs(page, 'None');
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto('/checklists');
  const openers = page.getByRole('main').getByRole('button', { expanded: false });
  await openers.filter({ hasText: 'Hot tub' }).first().click();
  await openers.filter({ hasText: 'Swimming pool' }).first().click();
  await openers.filter({ hasText: long }).first().click();
  await expect(page.getByRole('form')).toHaveCount(3);
  await expectAccessiblePage(page);
});
