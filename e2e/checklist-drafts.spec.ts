// Drafts of checklists: changes, lost responses, shared tablets and full storage.
import { api } from '#shared/api.ts';
import { button, disablePrinting, printToPdf, readChecklistDrafts, section } from './checklists.ts';
import { expect, expectAccessiblePage, test } from './server.ts';

// Conflicts, deletions and lost responses are intended; the browser logs each.
test.use({ allowedConsoleErrors: /Failed to load resource/ });

test(
  'a draft keeps the answers to sections that still exist after the checklist was changed',
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
  'a checklist that changes while it is filled in is submitted with the sections that were shown',
  { tag: '@once' },
  async ({ page, server, signInAs }, info) => {
    const admin = await server.as('Admin');
    const title = `Changed since ${info.project.name}`;
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
    const submission = await admin(api.getSubmission, { params: { id: listed?.id ?? '' } });
    expect(submission.data).toEqual({ 0: '61' });
    expect(submission.sections.map(({ title }) => title)).toEqual(['Hot', 'Cold']);
  },
);

test(
  'a checklist sent again after a lost response creates one submission',
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

test(
  'a checklist that could not be submitted shows an error and keeps all answers',
  { tag: '@once' },
  async ({ page, server, signInAs }, info) => {
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
  },
);

test(
  'an answer that the server rejects gets the focus, even in a slow browser',
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
      route.fulfill({
        status: 400,
        json: { success: false, code: 'INVALID', message: 'Not like this', fields: { 'data.0': 'Choose one' } },
      }),
    );
    // On a slow phone several frames pass before the error is drawn.
    await page.evaluate(() => {
      const requestFrame = window.requestAnimationFrame.bind(window);
      let skippedFrames = 10;
      window.requestAnimationFrame = (work) => {
        if (skippedFrames-- <= 0) return requestFrame(work);
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
  'a draft for which the browser has no storage space shows a warning and loses no answers',
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
    // The input exists only in the page, so the browser asks before leaving.
    const dispatchUnload = () => window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
    await expect.poll(() => page.evaluate(dispatchUnload)).toBe(false);
    await button(form, 'Submit Checklist').click();
    await expect(page.getByText('Checklist submitted successfully!')).toBeVisible();
    await expect(opener).not.toContainText('In progress');
    await expect.poll(() => page.evaluate(dispatchUnload)).toBe(true);
  },
);

test(
  'the answers in a draft of a deleted checklist can be copied and printed',
  { tag: '@once' },
  async ({ page, server, signInAs }, info) => {
    await disablePrinting(page);
    const admin = await server.as('Admin');
    const title = 'Boat hire';
    const fuelSection = { ...section('Fuel'), number: { unit: 'l', min: 5, max: null } };
    const sections = [section('Hulls'), section('Checked on', 'date'), fuelSection];
    await admin(api.createChecklist, { body: { title, sections } });
    const id = (await admin(api.listChecklists)).find((checklist) => checklist.title === title)?.id ?? '';
    await signInAs(page, 'None');
    await page.goto('/checklists');
    await button(page, new RegExp(title)).click();
    await page.getByLabel('Hulls').fill('Two are cracked');
    await page.getByLabel('Checked on', { exact: true }).fill('2026-11-03');
    await page.getByRole('textbox', { name: 'Fuel' }).fill('2');
    await page.getByRole('textbox', { name: 'Fuel' }).blur();
    await page.getByLabel('What is wrong?').fill('The tank leaks');
    await admin(api.deleteChecklist, { params: { id } });
    await button(page, 'Submit Checklist').click();

    const deleted = page.getByRole('region', { name: `Deleted checklist: ${title}` });
    await expect(deleted.getByLabel('Your answers')).toHaveValue(
      'Hulls: Two are cracked\nChecked on: 03/11/2026\nFuel: 2 l. Failing: The tank leaks',
    );
    await expectAccessiblePage(page);
    await page.reload();
    await button(deleted, 'Copy Answers').click();
    expect(await page.evaluate(() => getSelection()?.toString())).toContain('Two are cracked');
    await button(deleted, 'Print Answers').click();
    const printout = await printToPdf(page, 'deleted', info);
    expect(printout).toMatch(/Hulls +Two are cracked/);
    expect(printout).toContain('Failing: The tank leaks');
    await button(deleted, 'Delete Answers').click();
    await button(page.getByRole('dialog'), 'Delete').click();
    await expect(deleted).toBeHidden();
    await expect.poll(() => readChecklistDrafts(page)).toEqual([]);
  },
);

test('Save Progress does not mark a checklist without answers as in progress', { tag: '@once' }, async ({
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
  await expect(page.getByText('There is nothing to save yet')).toBeVisible();
  await button(page, new RegExp(title)).click();
  await expect(button(page, new RegExp(title))).not.toContainText('In progress');
  await expect.poll(() => readChecklistDrafts(page)).toEqual([]);
});
