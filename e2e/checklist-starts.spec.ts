// How checklists begin: from a template or a file, and when their list is loading.
import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { api } from '#shared/api.ts';
import { newChecklist } from '../src/server/testing/checklists.ts';
import { button, section } from './checklists.ts';
import { expect, expectAccessiblePage, test } from './server.ts';

test('a checklist starts from a template', { tag: '@once' }, async ({ page, server, signInAs }) => {
  const admin = await server.as('Admin');
  const title = 'Our emergency lights';
  await signInAs(page, 'Admin');
  await page.goto('/admin?tab=checklists');
  await button(page, 'Start from a Template').click();
  const dialog = page.getByRole('dialog', { name: 'Start from a Template' });
  await expect(dialog.getByText('BS EN 50172')).toBeVisible();
  await expectAccessiblePage(page);
  await page.setViewportSize({ width: 320, height: 640 });
  await expectAccessiblePage(page);
  await dialog.getByLabel('Search templates...').fill('opening a pool');
  await expect(dialog.getByRole('heading', { level: 3 })).toHaveText([
    /^Swimming pool plant room/,
    /^Swimming pool: opening/,
  ]);
  await dialog.getByLabel('Search templates...').fill('');
  await button(dialog, 'Use Template Emergency lighting: monthly test').click();
  await expect(dialog).toBeHidden();
  const editor = page.getByRole('form', { name: 'New Checklist' });
  await editor.getByLabel('Checklist title').fill(title);
  await button(editor, 'Create Checklist').click();
  await expect(button(page, `Edit ${title}`)).toBeVisible();
  const created = (await admin(api.listChecklists)).find((checklist) => checklist.title === title);
  expect(created?.sections.some((section) => section.onFail?.audit)).toBe(true);
});

test('a checklist is saved as a file and read from it, and errors name the question @once', async ({
  page,
  server,
  signInAs,
}, info) => {
  const admin = await server.as('Admin');
  const title = `For the other site ${info.project.name}`;
  const number = { unit: 'mg/l', min: 1, max: 3 };
  const sections = [section('Gate shut?', 'na', true), { ...section('Chlorine'), number }];
  await admin(api.createChecklist, { body: { title, sections } });
  await signInAs(page, 'Health & Safety Manager');
  await page.goto('/admin?tab=checklists');
  await page.getByRole('searchbox', { name: 'Search checklists...' }).fill(title);
  const [download] = await Promise.all([page.waitForEvent('download'), button(page, `Save as File ${title}`).click()]);
  const path = info.outputPath('checklist.json');
  await download.saveAs(path);
  const file = JSON.parse(readFileSync(path, 'utf8'));
  expect(file).toMatchObject({ version: 1, title });
  const chooseFile = (path: string) => page.getByLabel('File of a checklist').setInputFiles(path);
  const broken = info.outputPath('broken.json');
  file.sections[1].type = 'slider';
  writeFileSync(broken, JSON.stringify(file));
  await chooseFile(broken);
  await expect(page.getByText('Question 2, “Chlorine”: Choose a type')).toBeVisible();
  await expectAccessiblePage(page);
  await chooseFile(path);
  await expect(page.getByText('Question 2, “Chlorine”')).toBeHidden();
  await page.getByRole('form', { name: 'New Checklist' }).getByLabel('Checklist title').fill(`${title} again`);
  await button(page, 'Create Checklist').click();
  await expect(button(page, `Edit ${title} again`)).toBeVisible();
  const stored = await admin(api.listChecklists);
  expect(stored.find((checklist) => checklist.title === `${title} again`)?.sections).toEqual(sections);
});

test.describe('with a request that fails', () => {
  test.use({ allowedConsoleErrors: /Failed to load resource/ });
  test('checklists appear where they stay, not above due checks that are still loading, and also without them', {
    tag: '@once',
  }, async ({ page, server, signInAs }) => {
    const title = `Slipway ${randomUUID()}`;
    await (await server.as('Admin'))(api.createChecklist, { body: { ...newChecklist, title } });
    await signInAs(page, 'None', 'Mounds');
    let answer = Promise.withResolvers<'continue' | 'abort'>();
    await page.route('**/api/due-checks*', async (route) => route[await answer.promise]());
    for (const next of ['continue', 'abort'] as const) {
      answer = Promise.withResolvers();
      const due = page.waitForRequest('**/api/due-checks*');
      const list = page.waitForResponse('**/api/checklists*');
      await page.goto('/checklists');
      await Promise.all([due, list]);
      await expect(page.getByText('Loading...')).toBeVisible();
      await expect(page.getByText(title)).toBeHidden();
      answer.resolve(next);
      await expect(page.getByText(title)).toBeVisible();
    }
  });
});
