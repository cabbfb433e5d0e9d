// One electrical fault and 20 parks: a lesson from an investigation, answered at each.
import { api } from '#shared/api.ts';
import { newReport } from '../src/server/testing/factories.ts';
import { photo } from './interactions.ts';
import { expect, expectAccessiblePage, test } from './server.ts';
import { readStored } from './stored-input.ts';

test.use({ allowedConsoleErrors: /Failed to load resource/ });

test('a lesson from an accident at one park is sent to every park, and Overview names the parks that have not answered', {
  tag: '@once',
}, async ({ page, signInAs, server }) => {
  test.slow();
  const admin = await server.as('Admin');
  const worker = await server.as('None', 'Robin Hood');
  await admin(api.saveParkSettings, { body: { park: 'Robin Hood', assignee: worker.username } });
  const manager = await signInAs(page, 'Health & Safety Manager', '');
  const report = await manager(api.submitAccident, {
    body: await newReport(manager, { name: 'Hilda Quickstep', type: 'Electric shock', location: 'Plot 229' }),
  });
  const { id } = await manager(api.createInvestigation, { body: { thing: 'report', id: report.id } });

  await page.goto(`/investigations/${id}`);
  await page.getByRole('link', { name: 'New Lesson' }).click();
  const form = page.locator('form');
  await expect(form.getByRole('checkbox')).toHaveCount(20);
  await expectAccessiblePage(page);
  await form.getByRole('button', { name: 'Create Lesson' }).click();
  await expect(form.getByLabel('Title')).toHaveAccessibleDescription(/Title is required/);
  await form.getByLabel('Title').fill('Sockets outside');
  await form.getByLabel('What happened').fill('Hilda Quickstep got a shock at plot 229.');
  await form.getByLabel('What to look at').fill('Every socket outside: is its cover whole?');
  await form.getByLabel('Choose Photos').setInputFiles(photo('phone-jolla.jpg'));
  const isLookedAt = form.getByLabel(/I looked at the photo again/);
  await expect(isLookedAt).toBeVisible();
  const create = form.getByRole('button', { name: 'Create Lesson' });
  await create.click();
  await expect(form.getByText('Look at the photo again', { exact: true })).toBeVisible();
  await isLookedAt.check();
  await create.click();
  await expect(form).toContainText('The text says: Hilda Quickstep, plot 229');
  const review = form.getByRole('group', { name: 'This may show who someone is' });
  await expect(review.getByRole('radiogroup')).toHaveCount(2);
  await expectAccessiblePage(page);
  await form.getByLabel('What happened').fill('Someone got a shock from a socket in the open.');
  await create.click();
  await expect(page.getByRole('heading', { name: 'Sockets outside', level: 1 })).toBeVisible();
  await expect(page.getByText('0 of 20 answered')).toBeVisible();
  await expect(page.getByRole('link', { name: /From INV-/ })).toBeVisible();
  await expectAccessiblePage(page);

  const lessonId = page.url().split('/').at(-1) ?? '';
  const { answers } = await manager(api.getLesson, { params: { id: lessonId } });
  const own = answers.find(({ park }) => park === 'Robin Hood')?.audit?.id ?? '';
  for (const { park, audit } of answers)
    if (park !== 'Robin Hood' && park !== 'Mounds' && park !== 'Winkups')
      await admin(api.updateAudit, {
        params: { id: audit?.id ?? '' },
        body: { data: { completed: true, answer: 'inOrder', answer_note: 'Every cover was opened' } },
      });

  await page.context().clearCookies();
  const [name = '', value = ''] = worker.cookie.split('=');
  await page.context().addCookies([{ name, value, url: server.url }]);
  await page.goto(`/audit/${own}`);
  await expect(page.getByText(/What to look at:\s+Every socket outside/)).toBeVisible();
  await page.getByRole('button', { name: 'Complete Audit' }).click();
  await expect(page.getByText('Choose what you found')).toBeVisible();
  await page.getByRole('radio', { name: 'Needs Work' }).check();
  await page.getByRole('button', { name: 'Complete Audit' }).click();
  await expect(page.getByLabel('What you saw')).toHaveAccessibleDescription(/Write what has to be done/);
  await page.getByLabel('What you saw').fill('Two covers by the laundry are cracked.');
  // What was entered survives a reload.
  await expect.poll(() => readStored(page, `audit/${own}`)).toContainEqual(expect.stringContaining('laundry'));
  await page.reload();
  await expect(page.getByRole('radio', { name: 'Needs Work' })).toBeChecked();
  await expect(page.getByLabel('What you saw')).toHaveValue('Two covers by the laundry are cracked.');
  await expectAccessiblePage(page);
  await page.getByRole('button', { name: 'Complete Audit' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByText('Answer to the lesson: Needs Work')).toBeVisible();
  await expect(page.getByText('Two covers by the laundry are cracked.')).toBeVisible();
  await expect(page.getByRole('link', { name: /Lesson/ })).toBeHidden();
  await page.goto(`/lessons/${lessonId}`);
  await expect(page).toHaveURL(/\/reporting$/);

  await signInAs(page, 'Health & Safety Manager', '');
  await page.goto('/overview');
  const open = page.getByRole('region', { name: 'Lessons that some parks have not answered' });
  await expect(open).toContainText('18 of 20 answered');
  await expect(open).toContainText('Not answered: Mounds, Winkups');
  await expect(page.getByRole('link', { name: /^\d+ open investigations?$/ })).toBeVisible();
  await open.getByRole('link', { name: 'Sockets outside' }).click();
  await expect(page.getByText('Not answered: Mounds, Winkups.')).toBeVisible();
  const row = page.getByRole('listitem').filter({ hasText: 'Robin Hood' });
  await expect(row).toContainText('Needs Work');
  await row.getByRole('link', { name: 'Follow-up audit' }).click();
  await expect(page.getByText(/^Needs work: found on/)).toBeVisible();
});
