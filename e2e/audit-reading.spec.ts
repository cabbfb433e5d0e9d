// An audit opens as text, and becomes a form by Edit.
import { api } from '#shared/api.ts';
import { newAudit, newFolder, photo } from '../src/server/testing/factories.ts';
import { expect, expectAccessiblePage, test } from './server.ts';

const edit = { name: 'Edit', exact: true } as const;
const file = async (name: string) => ({ name, mimeType: 'image/jpeg', buffer: await photo() });

test('an open audit reads as text in the specified order, and Edit makes inputs of it and goes to the first', async ({
  page,
  signInAs,
}, { project }) => {
  const user = await signInAs(page, 'None', 'Lido Beach');
  const body = newAudit(await newFolder(user), { title: 'Mend the step', location: 'Pool', assignee: '' });
  const { id } = await user(api.createAudit, { body: { ...body, description: 'It is loose.' } });
  await page.goto(`/audit/${id}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Mend the step');
  const sections = ['Location', 'Assignee', 'Description', 'Status', 'Date & Time', 'Attachments (0)'];
  const headings = page.locator('form').getByRole('heading', { level: 2 });
  await expect(headings).toHaveText([...sections, 'Complete This Audit']);
  for (const text of ['Pool', 'Not assigned', 'It is loose.'])
    await expect(page.getByText(text, { exact: true })).toBeVisible();
  for (const name of ['Title', 'Location', 'Assignee', 'Description', 'Urgent?'])
    await expect(page.getByLabel(name, { exact: true })).toHaveCount(0);
  for (const name of ['Update', 'Save Changes', 'Complete Audit'])
    await expect(page.getByRole('button', { name })).toBeVisible();
  for (const name of ['Date', 'Time', 'Mark as completed'])
    await expect(page.getByLabel(name, { exact: true })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Download PDF' })).toBeVisible();
  await expect(page.getByText(/^Currently set for: /)).toBeVisible();
  if (project.name === 'phone') await expect(page.getByRole('button', { name: 'Complete Audit' })).toBeInViewport();
  await expectAccessiblePage(page);

  await page.getByRole('button', edit).press('Enter');
  await expect(page.getByLabel('Title')).toBeFocused();
  await expect(page.getByLabel('Title')).toHaveValue('Mend the step');
  await expect(page.getByLabel('Description')).toHaveValue('It is loose.');
  await expectAccessiblePage(page);

  await page.getByLabel('Description').fill('It is very loose.');
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByText('It is very loose.', { exact: true })).toBeVisible();
  await expect(page.getByLabel('Description')).toHaveCount(0);
  await page.getByRole('button', edit).press('Enter');
  await page.getByLabel('Title').fill('Mend the step today');
  await page.getByLabel('Title').press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Mend the step today');
  await expect(page.getByRole('button', edit)).toBeFocused();
});

test('nothing leaves a gap in a column beside a long or a short description', { tag: '@mouse' }, async ({
  page,
  signInAs,
}) => {
  await page.setViewportSize({ width: 1360, height: 850 });
  const user = await signInAs(page, 'None', 'Lido Beach');
  const folder = await newFolder(user);
  for (const description of ['Short.', 'A long one.\n'.repeat(40), 'A long line. '.repeat(120)]) {
    const { id } = await user(api.createAudit, { body: newAudit(folder, { description }) });
    await page.goto(`/audit/${id}`);
    await expect(page.getByRole('heading', { name: 'Complete This Audit' })).toBeVisible();
    const boxes = await page
      .locator('form section')
      .evaluateAll((sections) =>
        sections
          .map((section) => section.getBoundingClientRect())
          .map(({ left, top, bottom }) => ({ left, top, bottom })),
      );
    for (const left of new Set(boxes.map((box) => box.left))) {
      const column = boxes.filter((box) => box.left === left);
      for (const [index, { top }] of column.slice(1).entries())
        expect(top - (column[index]?.bottom ?? 0), description.slice(0, 20)).toBeLessThanOrEqual(24);
    }
  }
});

test('an audit with input that is not saved opens with it in inputs, after a reload and in another tab', {
  tag: '@once',
}, async ({ page, context, signInAs }) => {
  const user = await signInAs(page, 'None', 'Lido Beach');
  const { id } = await user(api.createAudit, { body: newAudit(await newFolder(user)) });
  await page.goto(`/audit/${id}`);
  await page.getByRole('button', edit).click();
  await page.getByLabel('Description').fill('An hour of typing');
  await page.reload();
  await expect(page.getByLabel('Description')).toHaveValue('An hour of typing');
  const other = await context.newPage();
  await other.goto(`/audit/${id}`);
  await other.getByRole('button', { name: 'Continue in this tab' }).click();
  await expect(other.getByLabel('Description')).toHaveValue('An hour of typing');
  await expect(other.getByRole('button', edit)).toHaveCount(0);
});

test('the confirmation says which photos are saved, and a closed audit without a day has no empty inputs', {
  tag: '@once',
}, async ({ page, signInAs }) => {
  const user = await signInAs(page, 'None', 'Lido Beach');
  const body = newAudit(await newFolder(user), { date: null, time: null });
  const { id } = await user(api.createAudit, { body });
  await page.goto(`/audit/${id}`);
  const dialog = page.getByRole('dialog', { name: 'Confirm Completion' });
  await page.getByRole('button', { name: 'Complete Audit' }).click();
  await expect(dialog.getByText('No photos of what was done yet.', { exact: true })).toBeVisible();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByLabel('Choose Photos').setInputFiles(await file('step.jpg'));
  await expect(page.getByText('1 photo added.')).toBeVisible();
  await page.getByRole('button', { name: 'Complete Audit' }).click();
  await expect(dialog.getByText('Those that you added under Attachments are saved too.')).toBeVisible();
  await expect(page.getByText('No photos added yet')).toHaveCount(0);
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByRole('heading', { name: 'Attachments (1)' })).toBeVisible();
  await expect(page.getByText('Currently set for: no date and time')).toBeVisible();
  for (const name of ['Date', 'Time']) await expect(page.getByLabel(name, { exact: true })).toHaveCount(0);
});
