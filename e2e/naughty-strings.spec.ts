// All text is stored and shown as typed on every screen, and never run as code.
import { api } from '#shared/api.ts';
import type { Section } from '#shared/checklists.ts';
import { newAudit, newFolder } from '../src/server/testing/factories.ts';
import { naughtyStrings, toSingleLine } from '../src/server/testing/naughty-strings.ts';
import { fillInReport, submit } from './report-form.ts';
import { expect, openReporting, test } from './server.ts';

const runnableStrings = naughtyStrings
  .filter(
    (text) =>
      /<\w|javascript:|\$\{|\{\{|onerror|alert/i.test(text) && text === toSingleLine(text) && text.length <= 120,
  )
  .slice(0, 30);

test('HTML and script code in folders, audits, checklists, submissions and the activity log is shown as text', {
  tag: '@once',
}, async ({ page, signInAs }) => {
  expect(runnableStrings).toHaveLength(30);
  page.on('dialog', (dialog) => {
    throw new Error(`something was run: ${dialog.message()}`);
  });
  const admin = await signInAs(page, 'Admin');
  for (const name of runnableStrings) await newFolder(admin, { name, description: name });
  const folder = await newFolder(admin);
  for (const title of runnableStrings)
    await admin(api.createAudit, { body: newAudit(folder, { title, location: title, description: title }) });
  const title = runnableStrings[0] ?? '';
  const sections = runnableStrings.map((title): Section => ({ title, type: 'text', required: false }));
  const { id } = await admin(api.createChecklist, { body: { title, sections } });
  const answers = Object.fromEntries(runnableStrings.map((text, index) => [index, text]));
  await admin(api.submitChecklist, { body: { checklistId: id, data: answers } });

  const isShown = async (times = 1) => {
    // A long list is drawn in slices.
    await expect
      .poll(async () => {
        const shown = await page.getByRole('main').innerText();
        return runnableStrings.filter((text) => shown.split(text).length - 1 < times);
      })
      .toEqual([]);
  };
  await page.goto('/audits');
  await isShown(2);
  await page.goto(`/audit-folders/${folder}`);
  await isShown();
  await page.goto('/checklists');
  await page.getByRole('button', { name: title }).click();
  await isShown();
  await page.goto('/admin?tab=submissions');
  await page.getByRole('button', { name: title }).click();
  await expect(
    page
      .getByRole('dialog')
      .getByText(runnableStrings[29] ?? '', { exact: true })
      .first(),
  ).toBeVisible();
  await page.goto('/admin/activity');
  await expect(page.getByText(title).first()).toBeVisible();
  expect(
    await page.evaluate(
      () => document.querySelectorAll('main :is(script, iframe, object, svg[onload], img[src="x"])').length,
    ),
  ).toBe(0);
});

test('unusual characters typed in a report form are stored as typed', { tag: '@once' }, async ({
  page,
  server,
  signInAs,
}) => {
  const typeableStrings = naughtyStrings.filter(
    (text) => text === toSingleLine(text) && text !== '' && [...text].length <= 120 && !/[\p{Cc}]/u.test(text),
  );
  const texts = typeableStrings.filter((text) => /script|onerror|\$\{|%s|DROP|😍|ﷺ|‮|̡/i.test(text)).slice(0, 12);
  expect(texts).toHaveLength(12);
  const [name = '', reporter = '', type = '', location = '', ...others] = texts;
  const details = others.join('\n');
  await signInAs(page, 'None');
  await openReporting(page);
  await fillInReport(page, {
    person: name,
    'Person completing the form': reporter,
    type,
    'Location or plot': location,
    Details: details,
  });
  await submit(page).click();
  await expect(page.getByText('Accident report submitted successfully!')).toBeVisible();
  const number =
    (await page
      .getByText(/^ACC-\d{4}-\d{4}$/)
      .first()
      .textContent()) ?? '';
  const reviewer = await server.as('Admin');
  const [report] = await reviewer(api.listReports, { query: { q: number, limit: 1 } });
  expect(report).toMatchObject({ name, reporter, type, location, details });
});
