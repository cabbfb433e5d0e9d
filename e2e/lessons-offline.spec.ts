// A park answers a lesson without a connection.
import { api } from '#shared/api.ts';
import { readOfflineCopies } from './drafts.ts';
import { goOffline, test, waitForCachedScreens } from './installed-app.ts';
import { outboxLink, savedText } from './outbox.ts';
import { addPhotos } from './report-form.ts';
import { expect, expectAccessiblePage, openReporting } from './server.ts';

test.use({ serviceWorkers: 'allow', allowedConsoleErrors: /Failed to load resource|ERR_INTERNET_DISCONNECTED/ });

test('the audit of a lesson is completed without a connection, and its answer, note and photo arrive once', {
  tag: '@once',
}, async ({ page, context, server, signInAs }) => {
  test.slow();
  const manager = await server.as('Health & Safety Manager');
  const body = {
    title: 'Sockets outside',
    happened: 'A cover cracked.',
    look_at: 'Every cover',
    answer_by: '2099-01-02',
  };
  const lesson = await manager(api.createLesson, { body: { ...body, parks: ['Robin Hood', 'Mounds'] } });
  const params = { id: lesson.id };
  const findOwn = async () =>
    (await manager(api.getLesson, { params })).answers.find(({ park }) => park === 'Robin Hood');
  const id = (await findOwn())?.audit?.id ?? '';
  await page.clock.install();
  const me = await signInAs(page, 'None', 'Robin Hood');
  await openReporting(page);
  await waitForCachedScreens(page);
  await page.clock.runFor(11_000);
  await expect.poll(() => readOfflineCopies(page)).toContain('Sockets outside');
  await goOffline(page, context);

  await page.goto('/audits');
  await page.getByRole('link', { name: 'Lessons' }).click();
  await page.getByRole('link', { name: /View Details/ }).click();
  await page.getByRole('button', { name: 'Complete Audit' }).click();
  await expect(page.getByText('Choose what you found')).toBeVisible();
  await page.getByRole('radio', { name: 'Needs Work' }).check();
  await page.getByLabel('What you saw').fill('Two covers are cracked.');
  await addPhotos(page);
  await page.getByRole('button', { name: 'Complete Audit' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click();
  const saved = page.getByText(savedText).first();
  await expect(saved).toBeVisible();
  await expectAccessiblePage(page);
  await page.reload();
  await expect(saved).toBeVisible();
  await expect(page.getByRole('radio', { name: 'Needs Work' })).toBeChecked();
  await expect(page.getByLabel('What you saw')).toHaveValue('Two covers are cracked.');

  await context.setOffline(false);
  await expect(outboxLink(page)).toBeHidden({ timeout: 60_000 });
  await expect(page.getByText('Answer to the lesson: Needs Work')).toBeVisible();
  expect(await findOwn()).toMatchObject({
    answer: 'needsWork',
    audit: { note: 'Two covers are cracked.', follow_up: { completed: false } },
  });
  const { data } = await me(api.getAudit, { params: { id } });
  expect(data).toMatchObject({ completed: true, completed_by: me.username, media_files: [{}] });
  expect(await me(api.listAuditNotes, { params: { id } })).toHaveLength(1);
  const followUps = server.db.selectFrom('audits').select('id').where('source_id', '=', id);
  expect(await followUps.execute()).toHaveLength(1);
});
