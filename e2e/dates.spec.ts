// Dates and times typed part by part, in the order of the browser's language.
import type { Locator } from '@playwright/test';
import { api } from '#shared/api.ts';
import { newAudit, newFolder } from '../src/server/testing/factories.ts';
import { expect, openReporting, test } from './server.ts';

const realDateMessage = 'Enter a real date: day, month and year';
const fullTimeMessage = 'Enter a full time: hours and minutes';

/** Empties the first part of a date or time field, as Backspace does, and leaves the field. */
async function clearFirstPart(field: Locator) {
  await field.focus();
  await field.press('Backspace');
  await field.blur();
  expect(await field.evaluate((input: HTMLInputElement) => input.validity.badInput)).toBe(true);
}

/** Types the day into an empty date field, and nothing else. */
async function typeDayOnly(field: Locator) {
  await field.focus();
  await field.pressSequentially('03');
  await field.blur();
}

test('every button that saves an audit marks an incomplete date as an error and does not save', {
  tag: '@keyboard',
}, async ({ page, signInAs }) => {
  const person = await signInAs(page, 'None');
  const folder = await newFolder(person);
  await person(api.createAudit, { body: newAudit(folder, { date: '2026-11-03', time: '09:30' }) });
  const [audit] = await person(api.listAudits, { params: { folderId: folder } });
  const stored = () => person(api.getAudit, { params: { id: audit?.id ?? '' } });
  const sent: string[] = [];
  page.on('request', (request) => request.method() === 'PUT' && sent.push(request.url()));

  await page.goto(`/audit/${audit?.id}`);
  await expect(page.getByText('Tuesday 3 November 2026')).toBeVisible();
  await clearFirstPart(page.getByLabel('Date'));
  await expect(page.getByText('Tuesday 3 November 2026')).toBeHidden();
  await expect(page.getByText(realDateMessage)).toBeVisible();
  for (const name of ['Update', 'Save Changes', 'Complete Audit']) {
    await page.getByRole('button', { name }).click();
    await expect(page.getByLabel('Date')).toBeFocused();
  }
  await page.getByLabel('Mark as completed').click();
  await expect(page.getByLabel('Date')).toBeFocused();
  await expect(page.getByRole('dialog')).toBeHidden();
  expect(sent).toEqual([]);

  await page.getByLabel('Date').fill('2026-11-05');
  await expect(page.getByText('Thursday 5 November 2026')).toBeVisible();
  await page.getByLabel('Date').blur();
  await expect(page.getByText(realDateMessage)).toBeHidden();
  await clearFirstPart(page.getByLabel('Time'));
  await page.getByRole('button', { name: 'Update' }).click();
  await expect(page.getByText(fullTimeMessage)).toBeAttached();
  expect(await stored()).toMatchObject({ date: '2026-11-03', time: '09:30' });

  // Save Changes saves the date too; an emptied time is saved as no time.
  await page.getByLabel('Time').fill('');
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByText('Audit updated successfully')).toBeVisible();
  expect(await stored()).toMatchObject({ date: '2026-11-05', time: null });
});

test('completing an audit without a title moves the focus to the title', { tag: '@once' }, async ({
  page,
  signInAs,
}) => {
  const person = await signInAs(page, 'None');
  const folder = await newFolder(person);
  await person(api.createAudit, { body: newAudit(folder) });
  const [audit] = await person(api.listAudits, { params: { folderId: folder } });
  await page.goto(`/audit/${audit?.id}`);
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await page.getByLabel('Title').fill(' ');
  await page.getByRole('button', { name: 'Complete Audit' }).click();
  await expect(page.getByLabel('Title')).toBeFocused();
  await expect(page.getByLabel('Title')).toBeInViewport();
  await expect(page.getByText('Title is required')).toBeVisible();
  await expect(page.getByRole('dialog')).toBeHidden();
  await page.getByLabel('Title').fill('Check the swings');
  await expect(page.getByText('Title is required')).toBeHidden();
});

test('an incomplete date in a new audit is marked as an error and not sent', { tag: '@keyboard' }, async ({
  page,
  signInAs,
}) => {
  const person = await signInAs(page, 'None');
  const folder = await newFolder(person);
  await page.goto(`/create-audit/${folder}`);
  await page.getByLabel('Title').fill('Check the swings');
  await typeDayOnly(page.getByLabel('Date'));
  await page.getByRole('button', { name: 'Create Audit' }).click();
  await expect(page.getByLabel('Date')).toBeFocused();
  await expect(page.getByText(realDateMessage).first()).toBeVisible();
  expect(await person(api.listAudits, { params: { folderId: folder } })).toEqual([]);
  await page.getByLabel('Date').press('Backspace');
  await page.getByRole('button', { name: 'Create Audit' }).click();
  await expect(page.getByText('Audit created successfully! Redirecting...')).toBeVisible();
  expect(await person(api.listAudits, { params: { folderId: folder } })).toMatchObject([{ date: null }]);
});

test('incomplete dates and times in a checklist are marked as errors and not sent', { tag: '@keyboard' }, async ({
  page,
  signInAs,
}) => {
  const person = await signInAs(page, 'Admin');
  const title = 'Gas lockers, half typed';
  const sections = [
    { title: 'Checked on', type: 'date' as const, required: false },
    { title: 'Checked at', type: 'time' as const, required: false },
  ];
  await person(api.createChecklist, { body: { title, sections } });
  const sent: string[] = [];
  page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()));
  await page.goto('/checklists');
  await page.getByRole('button', { name: new RegExp(title) }).click();
  await typeDayOnly(page.getByLabel('Checked on', { exact: true }));
  await page.getByLabel('Checked at', { exact: true }).fill('14:05');
  await clearFirstPart(page.getByLabel('Checked at', { exact: true }));
  await page.getByRole('button', { name: 'Submit Checklist' }).click();
  await expect(page.getByLabel('Checked on', { exact: true })).toBeFocused();
  await expect(page.getByText(fullTimeMessage)).toBeVisible();
  expect(sent).toEqual([]);
});

test('an incomplete date in a filter is marked as an error and does not change the list', { tag: '@keyboard' }, async ({
  page,
  signInAs,
}) => {
  await signInAs(page, 'Admin');
  await page.goto('/admin?tab=submissions&from=2026-11-03');
  await expect(page.getByText('Tuesday 3 November 2026')).toBeVisible();
  await clearFirstPart(page.getByLabel('From'));
  await expect(page.getByText(realDateMessage)).toBeVisible();
  await expect(page).toHaveURL(/from=2026-11-03/);
  await page.getByLabel('From').fill('');
  await page.getByLabel('From').blur();
  await expect(page.getByText(realDateMessage)).toBeHidden();
  await expect(page).not.toHaveURL(/from=/);
});

test('a report form marks an incomplete date as an error and explains that a year is too early', {
  tag: '@keyboard',
}, async ({ page, signInAs }) => {
  await signInAs(page, 'None');
  await openReporting(page);
  // Today's date is the default.
  await page.getByLabel('Date').fill('');
  await typeDayOnly(page.getByLabel('Date'));
  await expect(page.getByText(realDateMessage)).toBeVisible();
  await page.getByLabel('Date').fill('1850-01-02');
  await page.getByLabel('Date').blur();
  await expect(page.getByText('Enter a date from 1900 onwards')).toBeVisible();
  await page.getByLabel('Date').fill('2026-11-03');
  await page.getByLabel('Date').blur();
  await expect(page.getByText('Tuesday 3 November 2026')).toBeVisible();
  await expect(page.getByText('Enter a date from 1900 onwards')).toBeHidden();
  // The day in words does not depend on the browser's language.
  await page.getByLabel('Time', { exact: true }).fill('14:05');
  await expect(page.getByText('14:05 (24-hour time)')).toBeVisible();
});
